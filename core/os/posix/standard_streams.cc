#include "core/os/standard_streams.h"

#include "core/os/posix/real_pipe.h"

namespace plumbline::os {

std::unique_ptr<net::Pipe> standard_streams(RealLoop& loop) {
  return RealPipe::standard_streams(loop);
}

}  // namespace plumbline::os
