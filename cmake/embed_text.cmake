# cmake -DHEADER=... -DNAMESPACE=... -DOUT=... "-DTEXTS=name=file;..." -P embed_text.cmake: writes
# OUT, which defines for each pair a function `name` that returns the text of `file`.

set(functions "")
foreach(pair IN LISTS TEXTS)
  string(REGEX MATCH "^([^=]+)=(.*)$" whole "${pair}")
  set(name ${CMAKE_MATCH_1})
  file(READ "${CMAKE_MATCH_2}" text)
  string(APPEND functions "std::string_view ${name}() {
  return R\"embedded(${text})embedded\"sv;
}

")
endforeach()
file(WRITE ${OUT}.new "// Written by cmake/embed_text.cmake.
#include \"${HEADER}\"

namespace ${NAMESPACE} {

using namespace std::string_view_literals;

${functions}}  // namespace ${NAMESPACE}
")
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${OUT}.new ${OUT})
