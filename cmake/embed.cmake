# cmake -DROOT=... -DFILES=PATTERN... -DHEADER=... -DFUNCTION=NAMESPACE::NAME -DOUT=... -P embed.cmake
#
# Writes OUT: the FUNCTION that HEADER declares, which returns every file below ROOT that one of the
# PATTERNs (of file(GLOB_RECURSE), from ROOT) finds, in the order of the paths.

set(patterns ${FILES})
list(TRANSFORM patterns PREPEND ${ROOT}/)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${patterns})
list(SORT files)
string(REGEX MATCH "(.*)::(.*)" unused ${FUNCTION})
set(namespace ${CMAKE_MATCH_1})
set(name ${CMAKE_MATCH_2})
set(rows "")
foreach(path IN LISTS files)
  file(READ ${ROOT}/${path} text)
  string(APPEND rows "    {\"${path}\", R\"embedded(${text})embedded\"sv},\n")
endforeach()
file(WRITE ${OUT}.new "// Written by cmake/embed.cmake.
#include \"${HEADER}\"

#include <string_view>

namespace ${namespace} {

using namespace std::string_view_literals;

std::span<const EmbeddedFile> ${name}() {
  static constexpr EmbeddedFile kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace ${namespace}
")
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUT}.new ${OUT})
