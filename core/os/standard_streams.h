// Our own stdin and stdout as a pipe, for a server that is started by its client.

#pragma once

#include <memory>

#include "core/net/pipe.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

// standard_streams takes them over (take_standard_streams). `loop` must outlive the pipe.
std::unique_ptr<net::Pipe> standard_streams(RealLoop& loop);

}  // namespace plumbline::os
