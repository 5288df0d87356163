#include "core/os/crash_note.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <mutex>
#include <string_view>

namespace plumbline::os {

namespace {

constexpr std::size_t kNoteBytesMax = 500;

// What a signal handler may read: no allocation, no lock.
thread_local std::array<char, kNoteBytesMax> note_text{};
thread_local std::size_t note_bytes = 0;

void put(std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

// The handler runs once: then the signal has its default effect again, and is raised anew.
extern "C" void plumbline_tell_of_crash(int signal) {
  if (note_bytes > 0) {
    put("plumbline: a crash of ours; to see it again: ");
    put(std::string_view(note_text.data(), note_bytes));
    put("\n");
  }
  raise(signal);
}

// watch_crashes leaves alone whatever else handles a signal already: a sanitizer says more.
void watch_crashes() {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = plumbline_tell_of_crash;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

CrashNote::CrashNote(const std::string& text) {
  static std::once_flag watched;
  std::call_once(watched, watch_crashes);
  note_bytes = std::min(text.size(), kNoteBytesMax);
  std::copy_n(text.begin(), note_bytes, note_text.begin());
}

CrashNote::~CrashNote() { note_bytes = 0; }

}  // namespace plumbline::os
