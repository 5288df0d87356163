#include "core/os/stop_flag.h"

#include <atomic>
#include <csignal>

namespace plumbline::os {

namespace {

std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void plumbline_ask_to_stop(int) { stop_asked.store(true); }

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

StopFlag::StopFlag() {
  stop_asked.store(false);
  handle(SIGINT, plumbline_ask_to_stop);
  handle(SIGTERM, plumbline_ask_to_stop);
  overdue_.emplace();
}

StopFlag::~StopFlag() {
  overdue_.reset();
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
}

bool StopFlag::asked() const { return stop_asked.load(); }

}  // namespace plumbline::os
