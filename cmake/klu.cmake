# KLU, the sparse direct solver of SuiteSparse, is compiled in where it is found, else
# src/linear/klu_absent.c takes its place and all matrices are dense.  Sets
# BRINK_KLU_SOURCE, BRINK_KLU_INCLUDE and BRINK_KLU_LIBRARIES.
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

option(BRINK_KLU "use KLU (SuiteSparse) where it is found" ON)
set(BRINK_KLU_SOURCE klu_absent.c)
set(BRINK_KLU_INCLUDE)
set(BRINK_KLU_LIBRARIES)
set(BRINK_PARTS "")
if(BRINK_KLU)
  find_path(BRINK_KLU_HEADER klu.h PATH_SUFFIXES suitesparse)
  find_library(BRINK_KLU_LIBRARY klu)
  mark_as_advanced(BRINK_KLU_HEADER BRINK_KLU_LIBRARY)
endif()
if(BRINK_KLU AND BRINK_KLU_HEADER AND BRINK_KLU_LIBRARY)
  set(BRINK_KLU_SOURCE klu.c)
  set(BRINK_KLU_INCLUDE ${BRINK_KLU_HEADER})
  set(BRINK_PARTS " with KLU")
  brink_link_name(BRINK_KLU_LIBRARIES ${BRINK_KLU_LIBRARY} klu)
endif()
