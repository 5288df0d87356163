// Workers in processes of their own: copies of this one, made when there is something to do.

#pragma once

#include <memory>

#include "core/base/doors/workers.h"

namespace plumbline::os {

// forked_workers is a Hire: at most `count` processes, at least 1. Only for a process that has no
// other threads while the object lives. The copies hear neither SIGINT nor SIGTERM, write to no
// standard output, and end with the object, also in the middle of a task, and with this process.
std::unique_ptr<Workers> forked_workers(int count, Workers::Work work);

}  // namespace plumbline::os
