#include "core/os/overdue.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <string_view>

namespace plumbline::os {

namespace {

// Everything here is used by signal handlers: nothing allocates, nothing locks.
constexpr long kOverdueNs = 800'000'000;
constexpr int kExitInterrupted = 130;
constexpr std::array kEndSignals = {SIGINT, SIGTERM};
constexpr std::size_t kProcessNumbers = std::size_t{1} << 22U;  // Linux has no larger one.
constexpr std::size_t kWordBits = 64;
constexpr std::string_view kLastWord =
    "plumbline: interrupted in the midst of a long step [cli.interrupted]\n";

// A bit for each number of a process: nothing is ever too many. Pages without one take no memory.
std::array<std::atomic<std::uint64_t>, kProcessNumbers / kWordBits> known_children{};
std::array<void (*)(int), kEndSignals.size()> handlers_before{};  // Handlers that stood there.
std::atomic<bool> counting_down{false};
timer_t last_timer{};

// 0 and 1 name no child of ours: a signal would go to everybody.
bool is_number(pid_t leader) {
  return leader > 1 && static_cast<std::size_t>(leader) < kProcessNumbers;
}
std::atomic<std::uint64_t>& word_of(pid_t leader) {
  return known_children[static_cast<std::size_t>(leader) / kWordBits];
}
std::uint64_t bit_of(pid_t leader) {
  return std::uint64_t{1} << (static_cast<std::size_t>(leader) % kWordBits);
}

void arm_last_timer(long nanoseconds) {
  itimerspec when{};
  when.it_value.tv_nsec = nanoseconds;
  timer_settime(last_timer, 0, &when, nullptr);
}

extern "C" void plumbline_asked_to_end(int number) {
  if (!counting_down.exchange(true)) arm_last_timer(kOverdueNs);
  void (*const earlier)(int) = handlers_before[number == SIGINT ? 0 : 1];
  if (earlier != SIG_DFL && earlier != SIG_IGN) earlier(number);
}

extern "C" void plumbline_end_at_last(int) { Overdue::end(kLastWord, kExitInterrupted); }

}  // namespace

void Overdue::end(std::string_view word, int status) {
  for (std::size_t i = 0; i < known_children.size(); ++i) {
    for (std::uint64_t left = known_children[i].load(); left != 0; left &= left - 1) {
      const std::size_t leader = i * kWordBits + static_cast<std::size_t>(std::countr_zero(left));
      kill(-static_cast<pid_t>(leader), SIGKILL);
    }
  }
  (void)!write(STDERR_FILENO, word.data(), word.size());
  _exit(status);
}

Overdue::Overdue() {
  counting_down.store(false);
  sigevent how{};
  how.sigev_notify = SIGEV_SIGNAL;
  how.sigev_signo = SIGALRM;
  if (timer_create(CLOCK_MONOTONIC, &how, &last_timer) != 0) return;
  struct sigaction last {};
  last.sa_handler = plumbline_end_at_last;
  sigfillset(&last.sa_mask);
  sigaction(SIGALRM, &last, nullptr);
  for (std::size_t i = 0; i < kEndSignals.size(); ++i) {
    struct sigaction action {};
    sigaction(kEndSignals[i], nullptr, &action);
    handlers_before[i] = action.sa_handler;
    action.sa_handler = plumbline_asked_to_end;
    sigaction(kEndSignals[i], &action, nullptr);
  }
}

Overdue::~Overdue() {
  timer_delete(last_timer);
  signal(SIGALRM, SIG_DFL);
  for (std::size_t i = 0; i < kEndSignals.size(); ++i) signal(kEndSignals[i], handlers_before[i]);
}

void Overdue::heard() {
  arm_last_timer(0);
  counting_down.store(false);
}

void Overdue::note_child(int leader) {
  if (is_number(leader)) word_of(leader).fetch_or(bit_of(leader));
}

void Overdue::forget_child(int leader) {
  if (is_number(leader)) word_of(leader).fetch_and(~bit_of(leader));
}

}  // namespace plumbline::os
