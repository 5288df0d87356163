// What the libraries of others call and wasi-libc does not have.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <boost/assert/source_location.hpp>

// Debian's libc++ was built with a guard of the stack.
extern "C" {
std::uintptr_t __stack_chk_guard = 0x7a1d0c3b;
void __stack_chk_fail() { std::abort(); }
}

namespace boost {

// Boost is compiled without exceptions; nothing that we use of it would throw one.
[[noreturn]] void throw_exception(const std::exception& wrong) {
  std::fprintf(stderr, "plumbline: a fault of ours: %s [cli.fault]\n", wrong.what());
  std::abort();
}
[[noreturn]] void throw_exception(const std::exception& wrong, const source_location& /*where*/) {
  throw_exception(wrong);
}

}  // namespace boost
