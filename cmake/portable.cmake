# A program that runs on any Linux with glibc since 2.31: all other libraries are linked into it. No
# folder and no date is in it.

set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(OPENSSL_USE_STATIC_LIBS TRUE)
if(CMAKE_CROSSCOMPILING)
  # Where OpenSSL is, pkg-config is asked.
  set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig)
endif()
# Small first: worlds run in the release build. What is not used is seen best when all is linked at once.
set(CMAKE_CXX_FLAGS_RELEASE "-Oz -DNDEBUG")
# ../../ is what ccache makes of the source folder, where it is told to (base_dir).
target_compile_options(plumbline_options INTERFACE
  "$<BUILD_INTERFACE:-flto;-fno-asynchronous-unwind-tables;-ffile-prefix-map=${PROJECT_BINARY_DIR}=build;-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.;-ffile-prefix-map=../../=>")
target_link_options(plumbline_options INTERFACE
  "$<BUILD_INTERFACE:-flto;-fuse-ld=lld;-static-libstdc++;-static-libgcc;-Wl,--gc-sections;-Wl,--icf=safe;-Wl,--build-id=sha1;-Wl,-z,now>")
# No folder is in the names of sources, which stand in what is linked.
set(CMAKE_CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/compile_here.sh ${CMAKE_CXX_COMPILER_LAUNCHER})

# plumbline_run_on_older_glibc gives the program what older_glibc.c has.
function(plumbline_run_on_older_glibc)
  set(source ${PROJECT_SOURCE_DIR}/cmake/older_glibc.c)
  file(STRINGS ${source} lines REGEX "^OLDER\\(|^(int|uint32_t) __wrap_")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^(OLDER\\(|[a-z0-9_]+ __wrap_)([A-Za-z0-9_]+)" unused "${line}")
    target_link_options(plumbline PRIVATE -Wl,--wrap=${CMAKE_MATCH_2})
  endforeach()
  add_library(older_glibc OBJECT ${source})
  target_compile_options(older_glibc PRIVATE -O2 -Wall -Wextra -Werror)
  target_link_libraries(plumbline PRIVATE older_glibc
    -Wl,--push-state,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 -Wl,--pop-state)
endfunction()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
  enable_language(C)
  cmake_language(DEFER CALL plumbline_run_on_older_glibc)
endif()
