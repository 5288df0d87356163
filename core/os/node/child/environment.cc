#include "core/os/child/environment.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "core/os/node/host.h"

extern "C" char** environ;

namespace plumbline::os {

namespace {

constexpr std::string_view kPassedOn[] = {"HOME",  "LANG", "LOGNAME", "PATH",
                                          "SHELL", "TERM", "TMPDIR",  "USER"};
// What programs of Windows do not start without, and what the official SDKs let through there.
constexpr std::string_view kPassedOnByWindows[] = {
    "APPDATA",      "COMSPEC",      "HOMEDRIVE",   "HOMEPATH",
    "LOCALAPPDATA", "PATH",         "PATHEXT",     "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",  "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT",
    "TEMP",         "TMP",          "USERNAME",    "USERPROFILE",
    "WINDIR"};

bool on_windows() {
  static const bool windows = [] {
    const host::Answer platform = host::ask(host::request("platform"));
    return platform.ok() && platform.value() == "win32";
  }();
  return windows;
}

bool is_inherited(std::string name) {
  if (!on_windows()) return std::ranges::count(kPassedOn, name) > 0 || name.starts_with("LC_");
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return std::ranges::count(kPassedOnByWindows, name) > 0;
}

}  // namespace

std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

// The host knows this script, and starts Node with it where a child is to run it.
std::string program_path() {
  const host::Answer path = host::ask(host::request("program_path"));
  return path.ok() ? path.value() : "plumbline";
}

std::map<std::string, std::string> whole_environment() {
  std::map<std::string, std::string> whole;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) {
      whole.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return whole;
}

std::map<std::string, std::string> inherited_environment() {
  std::map<std::string, std::string> inherited = whole_environment();
  std::erase_if(inherited, [](const auto& variable) {
    // "()": a function that a shell exported.
    return !is_inherited(variable.first) || variable.second.starts_with("()");
  });
  return inherited;
}

}  // namespace plumbline::os
