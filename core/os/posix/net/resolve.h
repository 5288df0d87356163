// Names of hosts, looked up while the loop goes on.

#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/os/posix/net/socket.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

// resolve returns the addresses of `host`, in the order in which the system wants them tried, at
// least one. A name is looked up in a thread; when the Task is dropped its answer is ignored, but
// the loop, when it is destroyed, waits for it. kInvalidInput: no such host; kDisconnected: no
// name server could be asked.
Task<Result<std::vector<SocketAddress>>> resolve(RealLoop& loop, net::Authority host);

}  // namespace plumbline::os
