#include "core/os/own_process.h"

#include <cstdlib>

#include "core/os/node/host.h"

namespace plumbline::os {

int process_number() {
  const host::Answer number = host::ask(host::request("process_number"));
  return number.ok() ? std::atoi(number.value().c_str()) : 0;
}

void end_by_signal(int signal) {
  Json what = host::request("end_by_signal");
  what["signal"] = signal;
  (void)host::order(what);
}

std::string running_as() {
  const host::Answer by = host::ask(host::request("runs_by"));
  return "the WebAssembly module" + (by.ok() ? ", " + by.value() : std::string());
}

}  // namespace plumbline::os
