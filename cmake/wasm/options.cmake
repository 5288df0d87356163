# What every target of the WebAssembly module is compiled and linked with: docs/wasm.md. No tail
# calls: with them clang 19 lets a thunk that passes a struct by memory read what is gone.
target_compile_options(plumbline_options INTERFACE
  "SHELL:-isystem ${PROJECT_SOURCE_DIR}/cmake/wasm/shim"
  -mbulk-memory -msign-ext -mnontrapping-fptoint)
target_compile_definitions(plumbline_options INTERFACE
  _WASI_EMULATED_SIGNAL _WASI_EMULATED_PROCESS_CLOCKS _WASI_EMULATED_MMAN _WASI_EMULATED_GETPID
  BOOST_NO_EXCEPTIONS BOOST_EXCEPTION_DISABLE BOOST_ASIO_DISABLE_THREADS JSON_NOEXCEPTION
  CLI11_HAS_FILESYSTEM=0)
# The stack lies below all data, so that what goes beyond it ends the program and overwrites nothing.
# Without optimisation the linker does not call wasm-opt where there is one: what is made is the same
# on each machine, and in seconds.
# No budget lets it come to a gigabyte of memory: one that fails must not take that of the machine.
target_link_options(plumbline_options INTERFACE
  -O0 -fwasm-exceptions -Wl,-z,stack-size=4194304 -Wl,--stack-first -Wl,--max-memory=1073741824 -Wl,--strip-all)
target_link_libraries(plumbline_options INTERFACE
  wasi-emulated-signal wasi-emulated-process-clocks wasi-emulated-mman wasi-emulated-getpid)
set(CMAKE_CXX_FLAGS_RELEASE "-Os -DNDEBUG")

# Behind plumbline_options, for rooms where what is drawn or counted in 64 bits is an index: it fits.
# What peers and files say is read in the rooms below, where the compiler looks at each.
add_library(plumbline_indexes INTERFACE)
target_compile_options(plumbline_indexes INTERFACE -Wno-shorten-64-to-32)

# plumbline_exceptions(<target> YES|NO): only the command line throws, and what it is linked with
# is a third smaller without. Its own code runs once, and is compiled for that.
function(plumbline_exceptions target wanted)
  if(wanted)
    target_compile_options(${target} PRIVATE -fwasm-exceptions -O1)
  else()
    target_compile_options(${target} PRIVATE -fno-exceptions)
  endif()
endfunction()
