// Many like pieces of work, each done by a worker, and what they came to taken in their order: an
// outcome cannot depend on how many workers there are. A worker that dies takes one item with it.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "core/base/doors/workers.h"
#include "scenarios/sweep/parallel.h"

namespace plumbline::scenarios {

// Lost is an item whose worker died of it.
struct Lost {
  std::string how;     // "check failed: feed() before next(), signal 6 (SIGABRT)".
  std::string errors;  // What the worker wrote to standard error.
};

struct ItemsApart {
  std::uint64_t count = 0;  // They are numbered from 0.
  int jobs = 1;             // Workers.
  Hire hire;
  // run does an item, in a worker, and returns what it came to.
  std::function<std::string(std::uint64_t item)> run;
  // take is given that, in the order of the items. False: nothing more is wanted.
  std::function<bool(std::uint64_t item, const std::variant<std::string, Lost>& found)> take;
  // stop, once true, ends everything after what is done. Then items may be missing.
  Stop stop;
};

void run_apart(const ItemsApart& items);

}  // namespace plumbline::scenarios
