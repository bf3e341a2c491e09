# AMD of SuiteSparse, which orders sparse matrices, is compiled in where it is found, else
# src/linear/fill_order_absent.c takes its place and all matrices are dense.  Sets
# BRINK_AMD_SOURCE, BRINK_AMD_INCLUDE and BRINK_AMD_LIBRARIES.
# A library by its name where the linker looks anyway, so that an installed tree names no
# directory.
function(brink_link_name out path name)
  get_filename_component(dir ${path} DIRECTORY)
  if(dir IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    set(${out} ${name} PARENT_SCOPE)
  else()
    set(${out} ${path} PARENT_SCOPE)
  endif()
endfunction()

option(BRINK_AMD "order sparse matrices by AMD (SuiteSparse) where it is found" ON)
set(BRINK_AMD_SOURCE fill_order_absent.c)
set(BRINK_AMD_INCLUDE)
set(BRINK_AMD_LIBRARIES)
set(BRINK_PARTS "")
if(BRINK_AMD)
  find_path(BRINK_AMD_HEADER amd.h PATH_SUFFIXES suitesparse)
  find_library(BRINK_AMD_LIBRARY amd)
  mark_as_advanced(BRINK_AMD_HEADER BRINK_AMD_LIBRARY)
endif()
if(BRINK_AMD AND BRINK_AMD_HEADER AND BRINK_AMD_LIBRARY)
  set(BRINK_AMD_SOURCE fill_order.c)
  set(BRINK_AMD_INCLUDE ${BRINK_AMD_HEADER})
  set(BRINK_PARTS " with AMD")
  brink_link_name(BRINK_AMD_LIBRARIES ${BRINK_AMD_LIBRARY} amd)
endif()
