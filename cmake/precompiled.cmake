# What nearly every source includes is parsed once a build, and what it instantiates of templates is
# there. Only where sources are compiled by the handful (unity): the dev build goes without, so that
# each file includes what it uses. There is one for the libraries, one for tests, whose level of
# optimisation is another, and one for each room that has HEADERS. The first two hold headers of
# others, for ours change, but for what Json is.

if(CMAKE_UNITY_BUILD AND PROJECT_IS_TOP_LEVEL AND NOT PLUMBLINE_PORTABLE
    AND NOT PLUMBLINE_FUZZING_ENGINE)
  set(PLUMBLINE_PRECOMPILED ON)
endif()

# plumbline_precompiled_headers(<name> <header>...) makes one.
function(plumbline_precompiled_headers name)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cc CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE plumbline_options nlohmann_json::nlohmann_json)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # For ccache.
  endif()
  target_precompile_headers(${name} PRIVATE <algorithm> <array> <chrono> <coroutine> <cstdint> <deque>
    <functional> <map> <memory> <optional> <set> <span> <string> <string_view> <utility> <variant>
    <vector> ${PROJECT_SOURCE_DIR}/core/json/value.h ${ARGN})
endfunction()

if(PLUMBLINE_PRECOMPILED)
  plumbline_precompiled_headers(plumbline_headers)
  if(PLUMBLINE_WASM)
    plumbline_exceptions(plumbline_headers NO)
  endif()
  if(PLUMBLINE_TESTS)
    plumbline_precompiled_headers(plumbline_test_headers <gtest/gtest.h> <rapidcheck/gtest.h>)
    target_compile_options(plumbline_test_headers PRIVATE -O0)
    target_link_libraries(plumbline_test_headers PRIVATE GTest::gtest rapidcheck rapidcheck_gtest)
  endif()
endif()

# plumbline_precompiled(<target> <name>) lets a target use one.
function(plumbline_precompiled target name)
  if(PLUMBLINE_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
