#include "scenarios/format/format.h"

#include <set>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/json/fields/fields.h"
#include "core/json/json.h"
#include "core/json/locate.h"
#include "core/json/object_reader.h"
#include "fakes/peers/repeats.h"
#include "scenarios/format/format_clients.h"
#include "scenarios/format/format_fleet.h"
#include "scenarios/format/format_names.h"
#include "scenarios/format/format_properties.h"
#include "scenarios/format/format_users.h"
#include "scenarios/format/format_weather.h"
#include "scenarios/format/format_web.h"
#include "scenarios/format/warnings.h"
#include "scenarios/spec/format_shell.h"

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kServersMax = 100;
constexpr std::size_t kModelsMax = 20;
constexpr std::uint64_t kRunBytesMax = 256U << 20U;
constexpr std::size_t kSecretBytesMin = 4;  // Redactor ignores shorter ones.

// stem_of returns "b" of "a/b.json"; folder_of returns "a", empty when there is none.
std::string stem_of(std::string_view file_name) {
  const std::size_t slash = file_name.rfind('/');
  if (slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
  return std::string(file_name.substr(0, file_name.rfind('.')));
}

std::string folder_of(std::string_view file_name) {
  const std::size_t slash = file_name.rfind('/');
  if (slash == std::string_view::npos) return {};
  file_name = file_name.substr(0, slash);
  const std::size_t before = file_name.rfind('/');
  return std::string(before == std::string_view::npos ? file_name : file_name.substr(before + 1));
}

std::span<const std::string_view> server_transports() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const mcp::Transport one : mcp::all_transports()) {
      if (one != mcp::Transport::kStdio) names.push_back(mcp::name_of(one));
    }
    return names;
  }();
  return kNames;
}

// What is around a server: its script is read elsewhere.
const Fields<ServerSpec>& place_fields() {
  const auto read_transport = [](ObjectReader& fields, ServerSpec& server) {
    const auto which = fields.choice("transport", server_transports());
    if (which) server.has = mcp::parse_transport(server_transports()[*which]);
  };
  const auto read_http = [](ObjectReader& fields, ServerSpec& server) {
    const Json* const http = fields.take("http");
    if (http == nullptr) return;
    server.http = read_http_front(*http, fields.pointer_to("http"), fields.problem());
  };
  const auto read_tokens = [](ObjectReader& fields, ServerSpec& server) {
    const Json* const said = fields.take("authorization");
    if (said == nullptr) return;
    server.authorization =
        read_authorization(*said, fields.pointer_to("authorization"), fields.problem());
  };
  static const Fields<ServerSpec> kFields(
      "a server",
      {
          field::yes("unavailable", &ServerSpec::unavailable).says("its command can't be started"),
          field::own<ServerSpec>("transport", shape::one_of(server_transports()), read_transport)
              .says("in a world where the client finds out which it is"),
          field::own<ServerSpec>("http", shape::ref("http"), read_http),
          field::own<ServerSpec>("authorization", shape::ref("authorization"), read_tokens),
          field::milliseconds("joins_ms", &ServerSpec::joins)
              .says("when it is added to every agent's configuration"),
          field::milliseconds("leaves_ms", &ServerSpec::leaves).says("when it is removed"),
      });
  return kFields;
}

void read_place(ObjectReader fields, ServerSpec& server) {
  place_fields().read(fields, server);
  if (!server.leaves || *server.leaves > server.joins) return;
  fields.refuse("leaves_ms", "\"leaves_ms\" is not behind \"joins_ms\", expected it to be");
}

// ScenarioReader reads one parsed file part by part.
class ScenarioReader {
 public:
  ScenarioReader(const Json& file, std::string file_name) : file_(file) {
    scenario_.document = file;
    scenario_.file = std::move(file_name);
  }

  const std::optional<Problem>& problem() const { return problem_; }
  Scenario take() { return std::move(scenario_); }

  void read() {
    ObjectReader fields(file_, "", "a scenario", problem_);
    charge_what_repeats();
    if (problem_) return;
    fields.require("plumbline", "the version of the format, 1");
    fields.integer("plumbline", kVersion, kVersion);
    read_names(fields);
    if (fields.has("clients")) return read_served(fields);
    if (fields.has("fleet")) return read_fleet_file(fields);
    read_users(fields, scenario_, problem_);
    read_policy(fields);
    read_model(fields);
    read_models(fields);
    if (const Json* const shell = fields.take("shell")) {
      scenario_.shell = read_shell(*shell, problem_);
    }
    read_secrets(fields);
    if (const Json* const servers = fields.take("servers")) read_servers(*servers);
    if (const Json* const sign_in = fields.take("sign_in")) {
      scenario_.sign_in = read_sign_in(*sign_in, problem_);
    }
    if (const Json* const world = fields.take("world")) {
      scenario_.world = read_world(*world, problem_);
    }
    if (const Json* const faults = fields.take("faults")) {
      scenario_.faults = read_faults(*faults, scenario_.world, scenario_.inner, problem_);
    }
    read_own_invariants(fields);
    read_sometimes(fields);
    if (const Json* const names = fields.take("rare")) read_rare(*names, scenario_.inner, problem_);
    read_expectations(fields, scenario_, problem_);
    fields.finish();
    check_names(scenario_, problem_);
    charge_requests();
  }

 private:
  // A model is asked, and what is expected makes nothing.
  void charge_what_repeats() {
    const auto* const members = file_.get_ptr<const Json::object_t*>();
    if (members == nullptr) return;
    Budget budget(fakes::repeats_budget());
    for (const auto& [key, part] : *members) {
      if (key == "model" || key == "models" || key == "invariants" || key == "expect") continue;
      bytes_ += fakes::charge_repeats(part, '/' + pointer_token(key), budget, problem_);
    }
  }

  // Everything that is said in a run is kept until its end.
  void charge_requests() {
    std::uint64_t requests = 0;
    for (const UserSpec& user : scenario_.users) requests += static_cast<std::uint64_t>(user.times);
    if (requests < 2 || bytes_ <= kRunBytesMax / requests) return;
    add_problem(problem_, scenario_.users.front().name.empty() ? "/request" : "/users",
                std::to_string(requests) + " requests of what the file makes, " +
                    std::to_string(bytes_) + " bytes, expected at most " +
                    std::to_string(kRunBytesMax) + " bytes in all");
  }

  void read_served(ObjectReader& fields) {
    if (const Json* const world = fields.take("world")) {
      scenario_.world = read_world(*world, problem_);
    }
    read_own_invariants(fields);
    read_clients(fields, scenario_, problem_);
    fields.finish();
  }

  void read_fleet_file(ObjectReader& fields) {
    if (const Json* const world = fields.take("world")) {
      scenario_.world = read_world(*world, problem_);
    }
    read_fleet(fields, scenario_, problem_);
    fields.finish();
  }

  void read_own_invariants(ObjectReader& fields) {
    if (const Json* const properties = fields.take("invariants")) {
      scenario_.properties = read_properties(*properties, "/invariants", problem_);
    }
  }

  void read_names(ObjectReader& fields) {
    scenario_.folder = folder_of(scenario_.file);
    const std::string stem = stem_of(scenario_.file);
    if (fields.require("id", "\"" + stem + "\", as the file is called")) {
      scenario_.id = fields.string("id").value_or("");
      if (!scenario_.id.empty() && scenario_.id != stem) {
        fields.refuse("id", "\"id\" is \"" + scenario_.id + "\", expected \"" + stem +
                                "\", as the file is called");
      }
    }
    if (fields.require("title", "one plain sentence")) {
      scenario_.title = fields.string("title").value_or("");
    }
    scenario_.tags = fields.strings("tags");
    const Json* const source = fields.take("source");
    if (source != nullptr && source->is_string()) {
      scenario_.sources.push_back(fields.string("source").value_or(""));
    } else {
      scenario_.sources = fields.strings("source");
    }
  }

  void read_policy(ObjectReader& fields) {
    const Json* const policy = fields.take("policy");
    if (policy == nullptr) return;
    scenario_.policy_file = *policy;
    if (policy->is_object()) scenario_.policy_file.emplace("plumbline_policy", 1);
    Result<agents::Policy, Problem> parsed = agents::Policy::parse(scenario_.policy_file);
    if (parsed.ok()) {
      scenario_.policy = std::move(parsed).value();
    } else {
      add_problem(problem_, "/policy" + parsed.error().pointer, parsed.error().message);
    }
  }

  void read_model(ObjectReader& fields) {
    if (const Json* const model = fields.take("model")) {
      Result<fakes::ModelScript, Problem> parsed = fakes::parse_model_script(*model);
      if (parsed.ok()) {
        scenario_.model = std::move(parsed).value();
      } else {
        add_problem(problem_, "/model" + parsed.error().pointer, parsed.error().message);
      }
      return;
    }
    for (const AgentSpec& agent : scenario_.agents) {
      if (!agent.agent->needs_model()) continue;
      return add_problem(problem_, "",
                         "a scenario has no \"model\", expected what the agent \"" +
                             std::string(agent.agent->name()) + "\" thinks with");
    }
  }

  // Each is called as its key says.
  void read_models(ObjectReader& fields) {
    const Json* const models = fields.object("models");
    if (models == nullptr) return;
    if (models->size() > kModelsMax) {
      return fields.refuse("models", "\"models\" has " + std::to_string(models->size()) +
                                         " members, expected at most " +
                                         std::to_string(kModelsMax));
    }
    for (const auto& [name, json] : models->items()) {
      Result<fakes::ModelScript, Problem> parsed = fakes::parse_model_script(json);
      if (!parsed.ok()) {
        return add_problem(problem_, "/models/" + pointer_token(name) + parsed.error().pointer,
                           parsed.error().message);
      }
      parsed.value().model = name;
      scenario_.models.push_back(std::move(parsed).value());
    }
  }

  // A short one cannot be taken out of text: it would blank out ordinary words.
  void read_secrets(ObjectReader& fields) {
    scenario_.secrets = fields.strings("secrets");
    for (std::size_t i = 0; i < scenario_.secrets.size(); ++i) {
      const std::size_t bytes = scenario_.secrets[i].size();
      if (bytes >= kSecretBytesMin) continue;
      add_problem(problem_, "/secrets/" + std::to_string(i),
                  "a secret has " + std::to_string(bytes) + " bytes, expected at least " +
                      std::to_string(kSecretBytesMin));
    }
  }

  void read_sometimes(ObjectReader& fields) {
    const std::vector<std::string> names = fields.strings("sometimes");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (const std::optional<Situation> situation = find_situation(names[i])) {
        scenario_.sometimes.set(static_cast<std::size_t>(*situation));
      } else {
        add_problem(problem_, "/sometimes/" + std::to_string(i),
                    "there is no situation \"" + names[i] +
                        "\", expected one that `plumbline list situations` shows");
      }
    }
  }

  void read_servers(const Json& servers) {
    const auto* const members = servers.get_ptr<const Json::object_t*>();
    if (members == nullptr || members->size() > kServersMax) {
      return add_problem(problem_, "/servers",
                         "\"servers\" is wrong, expected an object of at most " +
                             std::to_string(kServersMax) + " servers by name");
    }
    for (const auto& [name, value] : *members) read_server(name, value);
  }

  void read_server(const std::string& name, const Json& value) {
    const std::string pointer = "/servers/" + pointer_token(name);
    ServerSpec server;
    server.name = name;
    Json script = value;
    if (value.is_object()) {
      read_place({value, pointer, "a server", problem_}, server);
      const Json around = place_shape();
      for (const auto& [key, shape] : around["properties"].items()) script.erase(key);
    }
    if (problem_) return;
    Result<fakes::ServerScript, Problem> parsed = fakes::parse_server_script(script);
    if (!parsed.ok()) {
      return add_problem(problem_, pointer + parsed.error().pointer, parsed.error().message);
    }
    server.script = std::move(parsed).value();
    scenario_.servers.push_back(std::move(server));
  }

  const Json& file_;
  std::optional<Problem> problem_;
  Scenario scenario_;
  std::uint64_t bytes_ = 0;  // That the file makes when it is made once.
};

std::string place(const std::string& file_name, Position at) {
  return file_name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

Error error_at(const std::string& file_name, Position at, const std::string& message) {
  return Error{ErrorCode::kInvalidInput, place(file_name, at) + ": " + message, "file.where"};
}

}  // namespace

Json place_shape() { return place_fields().shape(); }

Result<Scenario> load_scenario(std::string_view text, const std::string& file_name) {
  JsonLimits rules;
  rules.bytes_max = limits::kFileBytesMax;
  rules.comments = true;
  rules.duplicate_keys = false;
  Position failed_at;
  const Result<Json> file = parse_json(text, rules, failed_at);
  if (!file.ok()) {
    return error_at(file_name, failed_at, file.error().message + ", expected JSON with comments");
  }
  ScenarioReader reader(file.value(), file_name);
  reader.read();
  if (reader.problem()) {
    return error_at(file_name, locate(text, reader.problem()->pointer), reader.problem()->message);
  }
  Scenario scenario = reader.take();
  add_warnings(scenario,
               [&](const std::string& pointer) { return place(file_name, locate(text, pointer)); });
  return scenario;
}

Result<Scenario> read_scenario(const Json& document, const std::string& file_name) {
  ScenarioReader reader(document, file_name);
  reader.read();
  const auto where = [&](const std::string& pointer) { return file_name + ": " + pointer; };
  if (reader.problem()) {
    return Error{ErrorCode::kInvalidInput,
                 where(reader.problem()->pointer) + ": " + reader.problem()->message};
  }
  Scenario scenario = reader.take();
  add_warnings(scenario, where);
  return scenario;
}

Result<std::vector<Scenario>> load_scenarios(FileStore& files, const std::string& path) {
  Result<std::vector<std::string>> names = files.list_files(path, ".json");
  if (!names.ok()) return std::move(names).error();
  std::vector<Scenario> scenarios;
  std::set<std::string> ids;
  for (const std::string& name : names.value()) {
    Result<std::string> text = files.read_file(name);
    if (!text.ok()) return std::move(text).error();
    Result<Scenario> scenario = load_scenario(text.value(), name);
    if (!scenario.ok()) return std::move(scenario).error();
    if (!ids.insert(scenario.value().id).second) {
      return error_at(
          name, locate(text.value(), "/id"),
          "there are two scenarios \"" + scenario.value().id + "\", expected each id once");
    }
    scenarios.push_back(std::move(scenario).value());
  }
  if (scenarios.empty()) {
    return the_error("scenario.none", path);
  }
  return scenarios;
}

}  // namespace plumbline::scenarios
