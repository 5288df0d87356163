#include "core/os/child/forked_workers.h"

#include <utility>

namespace plumbline::os {

// A module cannot be copied with what is in its memory: the tasks are done one after the other.
std::unique_ptr<Workers> forked_workers(int count, Workers::Work work) {
  return callers_workers(count, std::move(work));
}

}  // namespace plumbline::os
