# Rooms and layers.  A room is an OBJECT library declared by one line:
#
#   brink_room(poly LAYER 1 USES core SOURCES a.c b.c)
#
# USES names the rooms it may include; each must lie on a lower layer.  The table
# is written to <build>/rooms.txt, and tests/lint/layers checks every #include
# against it.
set_property(GLOBAL PROPERTY BRINK_ROOMS "")
set_property(GLOBAL PROPERTY BRINK_ROOM_TABLE "")

function(brink_room name)
  cmake_parse_arguments(R "" "LAYER" "USES;SOURCES" ${ARGN})
  foreach(used ${R_USES})
    get_property(layer GLOBAL PROPERTY BRINK_LAYER_${used})
    if("${layer}" STREQUAL "")
      message(FATAL_ERROR "room ${name} uses ${used}, which is not declared above it")
    elseif(NOT layer LESS R_LAYER)
      message(FATAL_ERROR "room ${name} (layer ${R_LAYER}) must not use ${used} (layer ${layer})")
    endif()
  endforeach()
  set_property(GLOBAL PROPERTY BRINK_LAYER_${name} ${R_LAYER})
  list(TRANSFORM R_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/src/${name}/)
  add_library(room_${name} OBJECT ${R_SOURCES})
  target_include_directories(room_${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(room_${name} PRIVATE brink_flags)
  set_target_properties(room_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  string(REPLACE ";" " " uses "${R_USES}")
  set_property(GLOBAL APPEND PROPERTY BRINK_ROOMS ${name})
  set_property(GLOBAL APPEND_STRING PROPERTY BRINK_ROOM_TABLE "${name} ${R_LAYER} ${uses}\n")
endfunction()
