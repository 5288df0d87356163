#include "core/os/standard_streams.h"

#include "core/os/node/host_pipe.h"

namespace plumbline::os {

std::unique_ptr<net::Pipe> standard_streams(RealLoop& loop) {
  const std::uint32_t number = host::new_number();
  host::say_about("standard_streams", number);
  return std::make_unique<HostPipe>(loop, number);
}

}  // namespace plumbline::os
