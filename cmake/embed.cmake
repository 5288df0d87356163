# cmake -DROOT=... -DOUT=... -P embed.cmake: writes OUT, the table of cli/embedded_files.h, from
# every scenario below ROOT/scenarios/library.

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/scenarios/library/*.json)
list(SORT files)
set(rows "")
foreach(path IN LISTS files)
  file(READ ${ROOT}/${path} text)
  string(APPEND rows "    {\"${path}\", R\"embedded(${text})embedded\"sv},\n")
endforeach()
file(WRITE ${OUT}.new "// Written by cmake/embed.cmake.
#include \"cli/embedded_files.h\"

#include <string_view>

namespace plumbline::cli {

using namespace std::string_view_literals;

std::span<const EmbeddedFile> embedded_files() {
  static constexpr EmbeddedFile kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace plumbline::cli
")
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUT}.new ${OUT})
