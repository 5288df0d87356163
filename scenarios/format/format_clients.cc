#include "scenarios/format/format_clients.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/locate.h"

namespace plumbline::scenarios {

namespace {

using Kind = ClientStep::Kind;

constexpr std::size_t kClientsMax = 20;
constexpr std::int64_t kRepeatsMax = 1'000;
constexpr std::int64_t kAnswerStatusMax = 599;
constexpr std::int64_t kKeptMax = 1'000'000;

class ClientsReader {
 public:
  ClientsReader(Scenario& scenario, std::optional<Problem>& problem)
      : scenario_(scenario), problem_(problem) {}

  void read_client(const std::string& name, const Json& json) {
    constexpr std::array<std::string_view, 2> kRevisions = {"2025-11-25", "2026-07-28"};
    ObjectReader fields(json, "/clients/" + pointer_token(name), "a client", problem_);
    ClientScript& client = scenario_.clients.emplace_back();
    client.name = name;
    client.stateless = fields.choice("revision", kRevisions).value_or(0) == 1;
    client.begins = fields.milliseconds("begins_ms").value_or(Duration{});
    if (const Json* const own = fields.take("capabilities")) client.capabilities = *own;
    if (fields.require("does", "an array of steps")) {
      const Json& steps = *fields.take("does");
      if (!steps.is_array()) fields.refuse("does", "\"does\" is wrong, expected an array of steps");
      for (std::size_t i = 0; steps.is_array() && i < steps.size(); ++i) {
        const std::string pointer = fields.pointer_to("does") + '/' + std::to_string(i);
        read_step(ObjectReader(steps[i], pointer, "a step", problem_), client.does.emplace_back());
      }
    }
    fields.finish();
  }

 private:
  static std::string all_kinds() {
    std::string names;
    for (std::size_t i = 0; i < ClientStep::kKinds; ++i) {
      names += (i == 0 ? "" : ", ") + std::string(name_of(static_cast<Kind>(i)));
    }
    return names;
  }

  void read_step(ObjectReader fields, ClientStep& step) {
    std::string key;
    for (std::size_t i = 0; i < ClientStep::kKinds; ++i) {
      const std::string_view name = name_of(static_cast<Kind>(i));
      if (!fields.has(name)) continue;
      if (!key.empty()) fields.refuse(name, "a step does one thing, expected no \"" + key + '"');
      key = name;
      step.kind = static_cast<Kind>(i);
    }
    if (!fields.require(key, "one of " + all_kinds())) return;
    read_what(fields, key, step);
    step.times = fields.integer("times", 1, kRepeatsMax).value_or(1);
    step.within = fields.milliseconds("within_ms").value_or(step.within);
    const Json* const answer = fields.take("answer");
    step.silence = answer != nullptr && answer->is_null();
    if (answer != nullptr && !step.silence) step.answer = *answer;
    step.status = fields.integer("status", 0, kAnswerStatusMax);
    if (const Json* const keep = fields.take("keep")) read_keeps(*keep, fields, step);
    refuse_unheard(fields, key, step);
    fields.finish();
  }

  // refuse_unheard refuses what a step of this kind would not look at.
  static void refuse_unheard(ObjectReader& fields, const std::string& key, const ClientStep& step) {
    const bool asks = step.kind == Kind::kRequest || step.kind == Kind::kHttp;
    const bool hears = step.kind == Kind::kHear;
    const bool opens = step.kind == Kind::kOpen;
    const std::array<std::pair<const char*, bool>, 3> known = {{
        {"answer", asks || opens || (hears && step.silence)},
        {"status", step.kind == Kind::kHttp},
        {"keep", asks || hears},
    }};
    for (const auto& [name, heeded] : known) {
      if (heeded || !fields.has(name)) continue;
      fields.refuse(name, '"' + std::string(name) + "\" says nothing beside \"" + key +
                              "\", expected none there");
    }
  }

  void read_what(ObjectReader& fields, const std::string& key, ClientStep& step) {
    const Json& what = *fields.take(key);
    const Transport transport = scenario_.world.transport;
    const bool exchanges = transport == Transport::kHttp || transport == Transport::kSse;
    switch (step.kind) {
      case Kind::kWait:
        step.wait = fields.milliseconds(key).value_or(Duration{});
        return;
      case Kind::kOpen:
      case Kind::kClose:
      case Kind::kHangUp:
        if (what != true) fields.refuse(key, '"' + key + "\" is wrong, expected true");
        return;
      case Kind::kRaw:
        step.what = fields.string(key).value_or("");
        if (transport == Transport::kBytes) return;
        return fields.refuse(key, "\"raw\" needs the transport \"bytes\", expected it");
      case Kind::kHttp:
        if (!exchanges) fields.refuse(key, "\"http\" needs the transport \"http\" or \"sse\"");
        break;
      case Kind::kRequest:
      case Kind::kSend:
      case Kind::kHear:
        break;
    }
    if (!what.is_object()) {
      fields.refuse(key,
                    '"' + key + "\" is " + std::string(type_name(what)) + ", expected an object");
    }
    step.what = what;
    read_members(ObjectReader(what, fields.pointer_to(key), '"' + key + '"', problem_), step.kind);
  }

  // read_members refuses members that nobody reads: a misspelt one is as if it were not there.
  void read_members(ObjectReader members, Kind kind) {
    std::vector<std::string_view> known = {"jsonrpc", "id", "method", "params"};
    if (kind != Kind::kRequest) known.insert(known.end(), {"result", "error"});
    if (kind == Kind::kHear) known.emplace_back("lost");
    if (kind == Kind::kHttp) known = {"body"};
    for (const std::string_view name : known) members.take(name);
    if (kind == Kind::kHttp) {
      members.string("method");
      members.string("path");
      read_headers(members);
    }
    members.finish();
  }

  // A header that is null is left out.
  void read_headers(ObjectReader& members) {
    const Json* const headers = members.object("headers");
    if (headers == nullptr) return;
    ObjectReader values(*headers, members.pointer_to("headers"), "the headers", problem_);
    for (const auto& [name, value] : headers->items()) {
      if (!value.is_null()) values.text(name);
    }
  }

  void read_keeps(const Json& keep, ObjectReader& fields, ClientStep& step) {
    const auto* const members = keep.get_ptr<const Json::object_t*>();
    if (members == nullptr) {
      return fields.refuse("keep", "\"keep\" is wrong, expected pointers or headers by name");
    }
    ObjectReader names(keep, fields.pointer_to("keep"), "what is kept", problem_);
    for (const auto& [name, where] : *members) {
      if (const auto text = names.string(name)) step.keeps[name] = *text;
    }
  }

  Scenario& scenario_;
  std::optional<Problem>& problem_;
};

void read_kept(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem) {
  const Json* const expect = fields.take("expect");
  if (expect == nullptr) return;
  ObjectReader run(*expect, "/expect", "what is expected of clients", problem);
  if (const Json* const kept = run.take("kept")) {
    ObjectReader counts(*kept, "/expect/kept", "what the server keeps", problem);
    for (const char* const what : {"sessions", "calls", "subscriptions", "tasks"}) {
      if (const auto count = counts.integer(what, 0, kKeptMax)) {
        scenario.expect.kept[what] = *count;
      }
    }
    counts.finish();
  }
  scenario.expect.virtual_max = run.milliseconds("virtual_ms_max");
  scenario.expect.virtual_min = run.milliseconds("virtual_ms_min");
  run.finish();
}

}  // namespace

void read_clients(ObjectReader& fields, Scenario& scenario, std::optional<Problem>& problem) {
  // Whoever reads on finds one of each, who does nothing.
  scenario.agents.emplace_back();
  scenario.users.emplace_back();
  for (const char* const key :
       {"agent", "agents", "users", "request", "approve", "answers", "policy", "model", "secrets",
        "servers", "faults", "rare", "sometimes"}) {
    if (!fields.has(key)) continue;
    fields.refuse(key, '"' + std::string(key) + "\" stands beside \"clients\", expected none");
  }
  const Transport transport = scenario.world.transport;
  if (transport != Transport::kBytes && !web_transport(transport)) {
    add_problem(problem, "/world",
                "a server of ours has no such transport, expected \"transport\" bytes, http, sse "
                "or ws");
  }
  const auto* const members = fields.take("clients")->get_ptr<const Json::object_t*>();
  if (members == nullptr || members->empty() || members->size() > kClientsMax) {
    return fields.refuse("clients", "\"clients\" is wrong, expected an object of 1 to " +
                                        std::to_string(kClientsMax) + " clients by name");
  }
  ClientsReader reader(scenario, problem);
  for (const auto& [name, value] : *members) reader.read_client(name, value);
  read_kept(fields, scenario, problem);
}

}  // namespace plumbline::scenarios
