#include "cli/commands/test/test_servers.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/base/words/nearest_word.h"
#include "core/os/child/environment.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/random.h"
#include "scenarios/suite/names.h"

namespace plumbline::cli {

namespace {

constexpr Duration kTestAnswerMax = std::chrono::seconds(10);

// words_of returns every text of a server in which a name may stand.
std::vector<std::string> words_of_launch(const suite::Launch& launch) {
  std::vector<std::string> words = {launch.url};
  for (const net::Command* const command : {&launch.subject.command, &launch.subject.start}) {
    words.insert(words.end(), command->argv.begin(), command->argv.end());
    words.push_back(command->cwd);
  }
  for (const net::Command* const command : {&launch.subject.command, &launch.subject.start}) {
    for (const auto& [name, value] : command->env) {
      if (launch.named_env.contains(name)) words.push_back(value);
    }
  }
  for (const auto& [name, value] : launch.subject.headers.fields()) words.push_back(value);
  return words;
}

void add_names_of(const suite::Step& step, std::vector<std::string>& names) {
  for (const Json* const part : {&step.with, &step.expect}) {
    const std::vector<std::string> inside = suite::names_in(*part);
    names.insert(names.end(), inside.begin(), inside.end());
  }
  const std::vector<std::string> inside = suite::names_in_text(step.what);
  names.insert(names.end(), inside.begin(), inside.end());
}

}  // namespace

Result<std::vector<suite::Launch>> target_launches(const TestOptions& options, Host& host) {
  std::vector<suite::Launch> launches;
  if (!options.has_target) return launches;
  CheckedServer asked = options.target;
  if (asked.config.empty()) asked.servers.clear();
  Result<CheckTargets> targets = read_targets(asked, host);
  if (!targets.ok()) return std::move(targets).error();
  for (CheckTarget& target : targets.value().targets) {
    suite::Launch launch;
    launch.name = target.name;
    launch.shown = target.shown;
    launch.subject = std::move(target.subject);
    launch.finds_out = target.finds_out;
    launch.wait = target.wait;
    for (const std::string& word : options.target.environment.added) {
      launch.named_env.insert(word.substr(0, word.find('=')));
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

Result<std::vector<suite::Launch>> file_launches(const suite::Suite& suite,
                                                 const TestOptions& options) {
  std::vector<std::string> known;
  for (const suite::SuiteServer& server : suite.servers) known.push_back(server.name);
  for (const std::string& name : options.target.servers) {
    if (std::ranges::find(known, name) != known.end()) continue;
    return the_error("test.no-such-server", name, suite.file, meant(name, known));
  }
  if (known.empty()) {
    return the_error("test.no-server", suite.file);
  }
  const std::vector<std::string>& wanted =
      options.target.servers.empty() ? suite.on : options.target.servers;
  std::vector<suite::Launch> launches;
  for (const suite::SuiteServer& server : suite.servers) {
    const bool on = wanted.empty() || std::ranges::find(wanted, server.name) != wanted.end();
    if (on) launches.push_back(suite::launch_of(server));
  }
  return launches;
}

Result<suite::Names> environment_names(const suite::Suite& suite, const suite::Launch& launch,
                                       Host& host) {
  std::vector<std::string> used;
  for (const std::string& word : words_of_launch(launch)) {
    const std::vector<std::string> inside = suite::names_in_text(word);
    used.insert(used.end(), inside.begin(), inside.end());
  }
  for (const suite::SuiteUser& user : suite.users) {
    for (const auto& [name, value] : user.headers) {
      const std::vector<std::string> inside = suite::names_in_text(value);
      used.insert(used.end(), inside.begin(), inside.end());
    }
  }
  for (const suite::Step& step : suite.before) add_names_of(step, used);
  for (const suite::Step& step : suite.after) add_names_of(step, used);
  for (const suite::Test& test : suite.tests) {
    for (const suite::Step& step : test.steps) add_names_of(step, used);
  }
  suite::Names names;
  for (const std::string& name : used) {
    if (!name.starts_with(suite::kEnvPrefix)) continue;
    const std::string variable = name.substr(suite::kEnvPrefix.size());
    const std::optional<std::string> value = os::environment_variable(variable);
    if (!value) {
      return the_error("test.variable", suite.file, name, variable);
    }
    host.secrets().add(*value);
    names[name] = *value;
  }
  return names;
}

struct TestPlace::Kept {
  std::optional<os::TemporaryFolder> folder;
};

TestPlace::TestPlace() : kept_(std::make_unique<Kept>()) {}
TestPlace::TestPlace(TestPlace&& other) noexcept = default;
TestPlace::~TestPlace() = default;

Result<suite::Names> TestPlace::make(const std::string& fixture, net::Network& network) {
  Result<os::TemporaryFolder> made = os::TemporaryFolder::make();
  if (!made.ok()) return std::move(made).error();
  kept_->folder.emplace(std::move(made).value());
  suite::Names names;
  names["folder"] = kept_->folder->path();
  // Whoever listens on it next has it: it was nobody's a moment ago.
  const auto nobody = [](std::unique_ptr<net::Pipe>) {};
  const Result<std::unique_ptr<net::Listener>> listener =
      network.listen({"127.0.0.1", 0}, std::nullopt, nobody);
  if (!listener.ok()) return listener.error();
  names["port"] = std::to_string(listener.value()->port());
  if (fixture.empty()) return names;
  const Status copied = kept_->folder->fill(fixture);
  if (!copied.ok()) return the_error("test.fixture", copied.error().message);
  return names;
}

suite::Doors doors_of(Host& host, const TestOptions& options) {
  RealWorld& world = host.world();
  const Duration patience =
      options.common.timeout == Duration{} ? kTestAnswerMax : options.common.timeout;
  return {world.loop(),     world.spawner(),           world.network(),
          os::random_bytes, host.secrets().redactor(), patience};
}

}  // namespace plumbline::cli
