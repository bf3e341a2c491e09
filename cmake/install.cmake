# What `cmake --install` puts into the prefix: library, headers, a CMake package
# (find_package(brink) gives brink::brink), a pkg-config file, the command, its
# models, manual and completion.  All find each other from where they lie, so the installed tree may be moved.
set(brink_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/brink)

install(TARGETS brink EXPORT brinkTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/brink DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# the command; OPTIONAL: a tree may hold the library alone
file(RELATIVE_PATH brink_bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(brink_command PROPERTIES
  INSTALL_RPATH "$ORIGIN/${brink_bin_to_lib}")
install(TARGETS brink_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/brink/models
  FILES_MATCHING PATTERN "*.mo")
install(FILES docs/brink.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES cli/completion.bash RENAME brink
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# ---------------------------------------------------- CMake package ----
configure_package_config_file(cmake/brinkConfig.cmake.in
  ${PROJECT_BINARY_DIR}/brinkConfig.cmake INSTALL_DESTINATION ${brink_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/brinkConfigVersion.cmake
  COMPATIBILITY SameMinorVersion) # until 1.0 a minor version may break
install(EXPORT brinkTargets NAMESPACE brink:: DESTINATION ${brink_cmake_dir})
install(FILES ${PROJECT_BINARY_DIR}/brinkConfig.cmake
              ${PROJECT_BINARY_DIR}/brinkConfigVersion.cmake
  DESTINATION ${brink_cmake_dir})

# ------------------------------------------------------- pkg-config ----
# a directory as pkg-config writes it: below the prefix, or absolute as given
function(brink_pc_dir out dir)
  if(IS_ABSOLUTE "${dir}")
    set(${out} "${dir}" PARENT_SCOPE)
  else()
    set(${out} "\${prefix}/${dir}" PARENT_SCOPE)
  endif()
endfunction()
brink_pc_dir(BRINK_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
brink_pc_dir(BRINK_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")

if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(BRINK_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(BRINK_PC_PREFIX "\${pcfiledir}/${up}")
endif()

# a static library needs its own libraries on every link line
get_target_property(type brink TYPE)
set(libs "-lm")
foreach(library ${BRINK_AMD_LIBRARIES} ${BRINK_CVODE_LIBRARIES})
  if(IS_ABSOLUTE "${library}")
    string(APPEND libs " ${library}")
  else()
    string(APPEND libs " -l${library}")
  endif()
endforeach()
if(type STREQUAL "STATIC_LIBRARY")
  set(BRINK_PC_LIBS "${libs}")
else()
  set(BRINK_PC_LIBS_PRIVATE "${libs}")
endif()
configure_file(cmake/brink.pc.in ${PROJECT_BINARY_DIR}/brink.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/brink.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
