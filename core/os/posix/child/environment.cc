#include "core/os/child/environment.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/base/check.h"

namespace plumbline::os {

namespace {

constexpr std::string_view kInherited[] = {"HOME",  "LANG", "LOGNAME", "PATH",
                                           "SHELL", "TERM", "TMPDIR",  "USER"};

bool is_inherited(std::string_view name) {
  for (const std::string_view inherited : kInherited) {
    if (name == inherited) return true;
  }
  return name.starts_with("LC_");
}

}  // namespace

std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::string program_path() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  check(!error, "this system does not tell which program runs");
  return path.string();
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
