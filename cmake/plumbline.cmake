# What every target is compiled with, and the three kinds of target. Never a global flag.

add_library(plumbline_options INTERFACE)
target_compile_features(plumbline_options INTERFACE cxx_std_20)
# Of this house alone, not of who links its libraries.
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(plumbline_options INTERFACE
    "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion>")
  if(NOT PLUMBLINE_FUZZING_ENGINE)  # Whose compiler may be any.
    target_compile_options(plumbline_options INTERFACE $<BUILD_INTERFACE:-Werror>)
  endif()
endif()
target_include_directories(plumbline_options INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/plumbline>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # When it optimises, g++ 12 sees overlaps, overflows and pointers left behind that cannot be.
  target_compile_options(plumbline_options INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-dangling-pointer)
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # It takes the sources of a unity file for headers, and their unnamed namespaces for a mistake.
  target_compile_options(plumbline_options INTERFACE -Wno-subobject-linkage)
endif()
if(PLUMBLINE_SANITIZE)
  target_compile_options(plumbline_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With these checks g++ takes twice as long to compile; clang's build has them.
    target_compile_options(plumbline_options INTERFACE
      -fno-sanitize=vptr,null,alignment,object-size,nonnull-attribute,returns-nonnull-attribute)
  endif()
  target_link_options(plumbline_options INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(plumbline_options INTERFACE _GLIBCXX_ASSERTIONS PLUMBLINE_SANITIZED)
endif()
if(PLUMBLINE_SANITIZE_THREADS)
  target_compile_options(plumbline_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(plumbline_options INTERFACE -fsanitize=thread)
  target_compile_definitions(plumbline_options INTERFACE PLUMBLINE_SANITIZED)
endif()

if(PLUMBLINE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "PLUMBLINE_FUZZ needs clang: libFuzzer comes with it")
  endif()
  if(NOT PLUMBLINE_FUZZING_ENGINE)
    target_compile_options(plumbline_options INTERFACE -fsanitize=fuzzer-no-link)
  endif()
endif()

# Speed where present, never a requirement.
find_program(PLUMBLINE_CCACHE ccache)
if(PLUMBLINE_CCACHE)
  # It has to be told that a precompiled header, of which it takes the sum, is all there is to it.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${PLUMBLINE_CCACHE})
endif()
# Debian 12's mold can lay RELRO over a page that is in no segment: such a program does not start
# (tests/programs/program_headers_test.cc). g++ looks for a linker by the bare name, which is in LLVM's folder.
find_program(PLUMBLINE_LLD ld.lld HINTS /usr/lib/llvm-19/bin)
if(PLUMBLINE_LLD AND PROJECT_IS_TOP_LEVEL AND NOT PLUMBLINE_WASM)
  cmake_path(GET PLUMBLINE_LLD PARENT_PATH folder)
  target_link_options(plumbline_options INTERFACE $<BUILD_INTERFACE:-fuse-ld=lld;-B${folder}>)
endif()

if(PLUMBLINE_WASM)
  include(${CMAKE_CURRENT_LIST_DIR}/wasm/options.cmake)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/precompiled.cmake)

# plumbline_sources(<out> <kind> <folder>...): the LIBRARY's or the TEST's files of these folders;
# of none named, of this one and all below it. A test's are *_test.cc and *_fixture.cc; in neither
# are programs (main.cc, *_main.cc) and wrong peers (*_broken.cc).
function(plumbline_sources out kind)
  if(ARGN)
    list(TRANSFORM ARGN APPEND "/*.cc" OUTPUT_VARIABLE patterns)
    file(GLOB files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${patterns})
  else()
    file(GLOB_RECURSE files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cc)
  endif()
  list(FILTER files EXCLUDE REGEX "(^|/|_)main\\.cc$|_broken\\.cc$")
  if(kind STREQUAL "TEST")
    list(FILTER files INCLUDE REGEX "_(test|fixture)\\.cc$")
  else()
    list(FILTER files EXCLUDE REGEX "_(test|fixture)\\.cc$")
  endif()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# plumbline_library(<name> [THROWS] [WITHOUT pattern] [HEADERS ...] [FOLDERS ...] [SOURCES ...]
# DEPS ...): one library a room, of the files of its folders (plumbline_sources), those aside that
# WITHOUT matches, and of the SOURCES that are made elsewhere. Where exceptions cost, those that THROW
# have them. HEADERS, of ours or not, are what nearly all of its sources include: they are parsed
# once for the room.
function(plumbline_library name)
  cmake_parse_arguments(ARG "THROWS" "WITHOUT" "HEADERS;FOLDERS;SOURCES;DEPS" ${ARGN})
  plumbline_sources(files LIBRARY ${ARG_FOLDERS})
  if(ARG_WITHOUT)
    list(FILTER files EXCLUDE REGEX "${ARG_WITHOUT}")
  endif()
  add_library(${name} STATIC ${files} ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC plumbline_options ${ARG_DEPS})
  set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 8)
  set(headers plumbline_headers)
  if(ARG_HEADERS AND PLUMBLINE_PRECOMPILED)
    set(headers ${name}_headers)
    plumbline_precompiled_headers(${headers} ${ARG_HEADERS})
    if(PLUMBLINE_WASM)
      plumbline_exceptions(${headers} ${ARG_THROWS})
    endif()
  endif()
  if(PLUMBLINE_WASM)
    plumbline_exceptions(${name} ${ARG_THROWS})
    if(name MATCHES "^(scenarios|core_service|cli)$")
      target_link_libraries(${name} PRIVATE plumbline_indexes)
    endif()
  endif()
  plumbline_precompiled(${name} ${headers})
endfunction()

# plumbline_embed(<out.cc> <header> <namespace::function> <pattern>...): writes <out.cc>, which puts
# the files of the source tree that a pattern finds into the program; see embed.cmake.
function(plumbline_embed out header function)
  set(patterns ${ARGN})
  list(TRANSFORM patterns PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} "-DFILES=${ARGN}" -DHEADER=${header}
            -DFUNCTION=${function} -DOUT=${out} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  # All files of a call are one literal.
  set_source_files_properties(${out} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# The tests of the engines alone: ./plumb asan gcc core.
add_custom_target(core_tests)

# plumbline_test(<name> [HEAVY] [SHARDS n] [FOLDERS ... | SOURCES ...] DEPS ...): one test binary, and
# one ctest entry or, where it takes minutes under sanitizers, as many as it has SHARDS; of the tests of its folders (plumbline_sources), or of the SOURCES alone.
# Tests are compiled without optimisation in every build: their speed is the compiler's. Not those
# that are HEAVY: the linker takes what they instantiate of templates for the libraries as well.
function(plumbline_test name)
  if(NOT PLUMBLINE_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "HEAVY" "SHARDS" "FOLDERS;SOURCES;DEPS" ${ARGN})
  if(NOT ARG_SOURCES)
    plumbline_sources(ARG_SOURCES TEST ${ARG_FOLDERS})
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gtest_main rapidcheck rapidcheck_gtest)
  if(ARG_HEAVY)
    plumbline_precompiled(${name} plumbline_headers)
  else()
    target_compile_options(${name} PRIVATE -O0)
    plumbline_precompiled(${name} plumbline_test_headers)
  endif()
  target_compile_definitions(${name} PRIVATE
    SOURCE_ROOT="${PROJECT_SOURCE_DIR}" BINARY_ROOT="${PROJECT_BINARY_DIR}")
  set(labels unit)
  if(name MATCHES "^(core|fakes)_")
    list(APPEND labels core)
    add_dependencies(core_tests ${name})
  endif()
  set(properties "seed=2026")
  if(PLUMBLINE_SANITIZE)  # Ten times slower: a third of the values.
    string(APPEND properties " max_success=30")
  endif()
  set(environment "GTEST_BRIEF=1;RC_PARAMS=${properties};PLUMBLINE_BINARY=$<TARGET_FILE_DIR:${name}>")
  if(NOT ARG_SHARDS)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS "${labels}" ENVIRONMENT "${environment}")
    return()
  endif()
  math(EXPR last "${ARG_SHARDS} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${name}_${shard} COMMAND ${name})
    set_tests_properties(${name}_${shard} PROPERTIES TIMEOUT 600 LABELS "${labels}"
      ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

# plumbline_mimalloc(name) gives a program mimalloc: a world is made of small allocations, and it serves
# them in five sixths of libc's time. Where it is missing libc's will do, and sanitizers bring their own.
if(NOT PLUMBLINE_PORTABLE)  # Debian has it as a shared library alone.
  find_package(mimalloc QUIET)
endif()
function(plumbline_mimalloc name)
  if(mimalloc_FOUND AND NOT PLUMBLINE_SANITIZE AND NOT PLUMBLINE_SANITIZE_THREADS)
    target_link_libraries(${name} PRIVATE mimalloc)
  endif()
endfunction()

# plumbline_bench(<name> SOURCES ... DEPS ...): one Google Benchmark program, with plumbline's allocator.
function(plumbline_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} benchmark::benchmark benchmark::benchmark_main)
  plumbline_mimalloc(${name})
endfunction()

# plumbline_link_closure(<out> <target>) lists the targets of this house that a target is linked with, and
# those that they are.
function(plumbline_link_closure out target)
  set(found)
  set(left ${target})
  while(left)
    list(POP_FRONT left one)
    get_target_property(linked ${one} LINK_LIBRARIES)
    foreach(library IN LISTS linked)
      if(NOT TARGET "${library}" OR library IN_LIST found OR library MATCHES "::")
        continue()
      endif()
      list(APPEND found ${library})
      get_target_property(type ${library} TYPE)
      if(NOT type STREQUAL "INTERFACE_LIBRARY")
        list(APPEND left ${library})
      endif()
    endforeach()
  endwhile()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# plumbline_executables(<out> <folder>) lists the executables of a folder and of those below it, as
# far as they are always built.
function(plumbline_executables out folder)
  set(found)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(aside ${target} EXCLUDE_FROM_ALL)
    if(type STREQUAL "EXECUTABLE" AND NOT aside)
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS below)
    plumbline_executables(more ${one})
    list(APPEND found ${more})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
