// A command of the program: a line of the table in commands.cc.

#pragma once

#include <memory>
#include <string_view>

#include "cli/host.h"
#include "cli/options/common_options.h"
#include "core/base/result.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

// Options is what a command was told. CLI11 fills it, read() makes values of what is left as text.
struct Options {
  Options() = default;
  Options(const Options&) = default;
  Options& operator=(const Options&) = default;
  virtual ~Options() = default;

  // declare tells `app`, which lives no longer, of every option.
  virtual void declare(CLI::App& app) = 0;

  // read completes the options. kInvalidInput: one line that says what is wrong.
  virtual Status read() { return Done{}; }

  // behind_dashes returns where the words behind "--" go, of a command whose other words are any
  // number of names; nullptr: it takes them as it takes others.
  virtual std::vector<std::string>* behind_dashes() { return nullptr; }

  // judging returns what every judging command takes, nullptr of any other.
  virtual const Common* judging() const { return nullptr; }
};

struct Command {
  std::string_view name;  // "check server" is the command "server" of "check".
  std::string_view what;  // As help tells it.
  std::unique_ptr<Options> (*options)() = nullptr;           // Null: it only holds other commands.
  int (*run)(const Options& options, Host& host) = nullptr;  // Returns the exit status.
};

// command is the line of one that takes Told and is run by kRun.
template <typename Told, int (*kRun)(const Told&, Host&)>
constexpr Command command(std::string_view name, std::string_view what) {
  return {name, what, []() -> std::unique_ptr<Options> { return std::make_unique<Told>(); },
          [](const Options& options, Host& host) {
            return kRun(static_cast<const Told&>(options), host);
          }};
}

}  // namespace plumbline::cli
