# CMake 3.25 does not know this system.
set(WASI TRUE)
set(CMAKE_SYSTEM_PREFIX_PATH /)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
