#include "core/os/own_process.h"

#include <signal.h>
#include <unistd.h>

namespace plumbline::os {

int process_number() { return ::getpid(); }

void end_by_signal(int signal) {
  ::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
}

std::string running_as() { return "the native program"; }

}  // namespace plumbline::os
