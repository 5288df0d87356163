// Descriptors of files, as Node numbers them. What is made of others is in host_pipe.h.
#include "core/os/fd.h"

#include <cstring>

#include "core/os/fd_watch.h"
#include "core/os/node/host.h"

namespace plumbline::os {

void Fd::close() {
  if (number_ < 0) return;
  Json what = host::request("close_file");
  what["fd"] = std::exchange(number_, -1);
  (void)host::ask(what);
}

// Node has raised it itself.
void raise_descriptor_limit() {}

std::string reason_of(int error_number) { return std::strerror(error_number); }

Error posix_error(ErrorCode code, std::string_view what, int error_number) {
  return {code, std::string(what) + ": " + reason_of(error_number)};
}

// Nothing here is made of one.
struct FdWatch::Impl {};
FdWatch::~FdWatch() = default;

}  // namespace plumbline::os
