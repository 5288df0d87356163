# cmake -DROOT=... -DFILES=PATTERN... -DHEADER=... -DFUNCTION=NAMESPACE::NAME -DOUT=... -P embed.cmake
#
# Writes OUT: the FUNCTION that HEADER declares, which returns every file below ROOT that one of the
# PATTERNs (of file(GLOB_RECURSE), from ROOT) finds, in the order of the paths. They are packed, as
# core/base/embedded/embedded_file.h describes it.

set(patterns ${FILES})
list(TRANSFORM patterns PREPEND ${ROOT}/)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${patterns})
list(SORT files)
string(REGEX MATCH "(.*)::(.*)" unused ${FUNCTION})
set(namespace ${CMAKE_MATCH_1})
set(name ${CMAKE_MATCH_2})
file(WRITE ${OUT}.text "")
foreach(path IN LISTS files)
  file(READ ${ROOT}/${path} text)
  string(LENGTH "${text}" bytes)
  file(APPEND ${OUT}.text "${path}\n${bytes}\n${text}")
endforeach()
file(ARCHIVE_CREATE OUTPUT ${OUT}.gz PATHS ${OUT}.text FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
file(READ ${OUT}.gz hex HEX)
# The ten bytes at its front hold the day, and no name.
string(SUBSTRING ${hex} 0 8 front)
if(NOT front STREQUAL "1f8b0800")
  message(FATAL_ERROR "${OUT}.gz begins with ${front}, not with 1f8b0800")
endif()
string(SUBSTRING ${hex} 20 -1 hex)
string(REGEX REPLACE "(..)" "\\\\x\\1" escaped ${hex})
string(LENGTH ${hex} digits)
math(EXPR bytes "${digits} / 2")
file(WRITE ${OUT}.new "// Written by cmake/embed.cmake.
#include \"${HEADER}\"

namespace ${namespace} {

std::span<const EmbeddedFile> ${name}() {
  static const EmbeddedFiles files(std::string_view(\"${escaped}\", ${bytes}));
  return files.all();
}

}  // namespace ${namespace}
")
file(REMOVE ${OUT}.text ${OUT}.gz)
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUT}.new ${OUT})
