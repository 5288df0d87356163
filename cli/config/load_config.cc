#include "cli/config/load_config.h"

#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/config/document.h"
#include "core/base/errors/errors.h"
#include "core/os/child/real_paths.h"
#include "core/os/interrupt.h"
#include "core/os/real_loop.h"
#include "core/os/terminal.h"

namespace plumbline::cli {

namespace {

constexpr int kTypedAt = 0;
constexpr int kAskedAt = 2;

// ask_for returns what a person types for an input; nothing: nobody is there, or it was
// interrupted.
std::optional<std::string> ask_for(const AskedInput& input, Host& host) {
  if (!os::is_terminal(kTypedAt) || !os::is_terminal(kAskedAt)) return std::nullopt;
  os::RealLoop& loop = host.world().loop();
  const os::Interrupt interrupt(loop, [&loop](int) { loop.stop(); });
  std::optional<os::HiddenTyping> hidden;
  if (input.secret) hidden.emplace(kTypedAt);
  os::drop_typed(kTypedAt);
  const std::string what = input.description.empty() ? input.name : input.description;
  const bool shown = input.fallback && !input.secret;
  const std::string usual = shown ? " [" + *input.fallback + "]" : std::string();
  host.tell_line(what + " (input " + input.name + ")" + usual + ":");
  return os::run(loop, os::typed_line(loop, kTypedAt));
}

}  // namespace

void add_inputs(CLI::App& app, std::vector<std::string>& inputs) {
  app.add_option("--input", inputs, "The value of ${input:NAME} in the file; repeatable")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

Result<Surroundings> surroundings_of(const ConfigFile& file, Host& host) {
  Surroundings around = our_surroundings(file.path);
  around.servers = file.servers;
  for (const std::string& input : file.inputs) {
    const std::size_t equals = input.find('=');
    if (equals == std::string::npos || equals == 0) {
      return the_error("config.input-form", input);
    }
    around.inputs[input.substr(0, equals)] = input.substr(equals + 1);
  }
  around.ask = [&host](const AskedInput& input) { return ask_for(input, host); };
  around.read_file = [&host](const std::string& path) { return host.files().read_file(path); };
  around.is_file = [](const std::string& path) {
    os::RealPaths paths;
    return paths.is_program(path);
  };
  return around;
}

void tell_notes(Config& config, Host& host) {
  for (const std::string& note : config.notes) host.tell_line("note: " + note);
  config.notes.clear();
}

void forget_server(Config& config, const std::string& name, const std::string& file_name) {
  if (std::erase(config.servers, name) == 0) return;
  config.commands.erase(name);
  config.remotes.erase(name);
  config.authentications.erase(name);
  config.agents.erase(name);
  config.left_out.erase(name);
  config.notes.push_back(file_name + ": server \"" + name +
                         "\" takes the place of the one in a file before");
}

Result<Config> load_config(const ConfigFile& file, Host& host, Config so_far) {
  Result<std::string> text = host.files().read_file(file.path);
  if (!text.ok()) return std::move(text).error();
  const Result<Surroundings> around = surroundings_of(file, host);
  if (!around.ok()) return around.error();
  Result<Config> config = parse_config(text.value(), file.path, std::move(so_far), around.value());
  if (!config.ok()) return config;
  // Before the secrets: a note quotes what the file has in the place of one.
  tell_notes(config.value(), host);
  host.secrets().add_all(secrets_of(config.value()));
  return config;
}

}  // namespace plumbline::cli
