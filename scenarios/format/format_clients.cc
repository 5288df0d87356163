#include "scenarios/format/format_clients.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/fields/fields.h"
#include "core/json/locate.h"

namespace plumbline::scenarios {

namespace {

using Kind = ClientStep::Kind;

constexpr std::size_t kClientsMax = 20;
constexpr std::int64_t kRepeatsMax = 1'000;
constexpr std::int64_t kAnswerStatusMax = 599;
constexpr std::int64_t kKeptMax = 1'000'000;
constexpr std::array<std::string_view, 2> kRevisions = {"2025-11-25", "2026-07-28"};

std::string all_kinds() {
  std::string names;
  for (std::size_t i = 0; i < ClientStep::kKinds; ++i) {
    names += (i == 0 ? "" : ", ") + std::string(name_of(static_cast<Kind>(i)));
  }
  return names;
}

// A header that is null is left out.
void read_headers(ObjectReader& members) {
  const Json* const headers = members.object("headers");
  if (headers == nullptr) return;
  ObjectReader values(*headers, members.pointer_to("headers"), "the headers", members.problem());
  for (const auto& [name, value] : headers->items()) {
    if (!value.is_null()) values.text(name);
  }
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

// shape_of is the shape of what a step of this kind does.
Json shape_of(Kind kind) {
  switch (kind) {
    case Kind::kWait:
      return shape::milliseconds();
    case Kind::kOpen:
    case Kind::kClose:
    case Kind::kHangUp:
      return shape::only(true);
    case Kind::kRaw:
      return shape::words();
    case Kind::kRequest:
    case Kind::kSend:
    case Kind::kHear:
    case Kind::kHttp:
      break;
  }
  return shape::object();
}

// read_what reads what a step of this kind does.
void read_what(Kind kind, ObjectReader& fields, ClientStep& step) {
  const std::string key(name_of(kind));
  const Json* const what = fields.take(key);
  if (what == nullptr) return;
  step.kind = kind;
  if (kind == Kind::kWait) {
    step.wait = fields.milliseconds(key).value_or(Duration{});
  } else if (kind == Kind::kRaw) {
    step.what = fields.string(key).value_or("");
  } else if (shape_of(kind).contains("const")) {
    if (*what != true) fields.refuse(key, '"' + key + "\" is wrong, expected true");
  } else if (what->is_object()) {
    step.what = *what;
    read_members({*what, fields.pointer_to(key), '"' + key + '"', fields.problem()}, kind);
  } else {
    fields.refuse(key,
                  '"' + key + "\" is " + std::string(type_name(*what)) + ", expected an object");
  }
}

void read_answer(ObjectReader& fields, ClientStep& step) {
  const Json* const answer = fields.take("answer");
  step.silence = answer != nullptr && answer->is_null();
  if (answer != nullptr && !step.silence) step.answer = *answer;
}

void read_keeps(ObjectReader& fields, ClientStep& step) {
  const Json* const keep = fields.take("keep");
  if (keep == nullptr) return;
  const auto* const members = keep->get_ptr<const Json::object_t*>();
  if (members == nullptr) {
    return fields.refuse("keep", "\"keep\" is wrong, expected pointers or headers by name");
  }
  ObjectReader names(*keep, fields.pointer_to("keep"), "what is kept", fields.problem());
  for (const auto& [name, where] : *members) {
    if (const auto text = names.string(name)) step.keeps[name] = *text;
  }
}

const Fields<ClientStep>& step_fields() {
  static const Fields<ClientStep> kFields = [] {
    Fields<ClientStep>::Rows rows;
    Json kinds = Json::array();
    for (std::size_t i = 0; i < ClientStep::kKinds; ++i) {
      const Kind kind = static_cast<Kind>(i);
      kinds.push_back({{"required", Json::array({name_of(kind)})}});
      rows.push_back(field::own<ClientStep>(
          name_of(kind), shape_of(kind),
          [kind](ObjectReader& fields, ClientStep& step) { read_what(kind, fields, step); }));
    }
    rows.push_back(field::whole("times", &ClientStep::times, 1, kRepeatsMax)
                       .says("how often, one after the other"));
    rows.push_back(field::milliseconds("within_ms", &ClientStep::within)
                       .says("how long it waits for what is to come"));
    rows.push_back(field::own<ClientStep>("answer", Json::object(), read_answer)
                       .says("what the answer must contain; null: no answer comes"));
    rows.push_back(field::whole("status", &ClientStep::status, 0, kAnswerStatusMax)
                       .says("of an exchange of HTTP; 0: no answer"));
    rows.push_back(
        field::own<ClientStep>("keep", shape::by_name(shape::words()), read_keeps)
            .says("names, and the pointers into the answer, or headers, that they stand for"));
    return Fields<ClientStep>("a step", std::move(rows), {{"oneOf", std::move(kinds)}});
  }();
  return kFields;
}

// refuse_unheard refuses what a step of this kind would not look at.
void refuse_unheard(ObjectReader& fields, const ClientStep& step) {
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
    fields.refuse(name, '"' + std::string(name) + "\" says nothing beside \"" +
                            std::string(name_of(step.kind)) + "\", expected none there");
  }
}

// refuse_transport refuses a step that needs another transport than the world's.
void refuse_transport(ObjectReader& fields, const ClientStep& step, Transport transport) {
  const bool exchanges = transport == Transport::kHttp || transport == Transport::kSse;
  if (step.kind == Kind::kRaw && transport != Transport::kBytes) {
    fields.refuse("raw", "\"raw\" needs the transport \"bytes\", expected it");
  }
  if (step.kind == Kind::kHttp && !exchanges) {
    fields.refuse("http", "\"http\" needs the transport \"http\" or \"sse\"");
  }
}

void read_step(ObjectReader fields, Transport transport, ClientStep& step) {
  std::string key;
  for (std::size_t i = 0; i < ClientStep::kKinds; ++i) {
    const std::string_view name = name_of(static_cast<Kind>(i));
    if (!fields.has(name)) continue;
    if (!key.empty()) fields.refuse(name, "a step does one thing, expected no \"" + key + '"');
    key = name;
  }
  if (!fields.require(key, "one of " + all_kinds())) return;
  step_fields().read(fields, step);
  refuse_transport(fields, step, transport);
  refuse_unheard(fields, step);
  fields.finish();
}

void read_revision(ObjectReader& fields, ClientScript& client) {
  client.stateless = fields.choice("revision", kRevisions).value_or(0) == 1;
}

void read_capabilities(ObjectReader& fields, ClientScript& client) {
  if (const Json* const said = fields.object("capabilities")) client.capabilities = *said;
}

const Fields<ClientScript>& client_fields() {
  static const Fields<ClientScript> kFields(
      "a client",
      {
          field::own<ClientScript>("revision", shape::one_of(kRevisions), read_revision),
          field::milliseconds("begins_ms", &ClientScript::begins),
          field::own<ClientScript>("capabilities", shape::object(), read_capabilities),
          field::shown<ClientScript>(
              "does", shape::list(shape::ref("client_step")),
              [](ObjectReader& fields, std::string_view key) { fields.take(key); })
              .must("an array of steps"),
      });
  return kFields;
}

void read_client(const std::string& name, const Json& json, Scenario& scenario,
                 std::optional<Problem>& problem) {
  ObjectReader fields(json, "/clients/" + pointer_token(name), "a client", problem);
  ClientScript& client = scenario.clients.emplace_back();
  client.name = name;
  client_fields().read(fields, client);
  const Json* const steps = fields.take("does");
  if (steps != nullptr && !steps->is_array()) {
    fields.refuse("does", "\"does\" is wrong, expected an array of steps");
  }
  for (std::size_t i = 0; steps != nullptr && steps->is_array() && i < steps->size(); ++i) {
    const std::string pointer = fields.pointer_to("does") + '/' + std::to_string(i);
    read_step({(*steps)[i], pointer, "a step", problem}, scenario.world.transport,
              client.does.emplace_back());
  }
  fields.finish();
}

constexpr std::array<std::string_view, 4> kKept = {"sessions", "calls", "subscriptions", "tasks"};

const Fields<Expect>& kept_fields() {
  static const Fields<Expect> kFields = [] {
    Fields<Expect>::Rows rows;
    for (const std::string_view what : kKept) {
      rows.push_back(field::own<Expect>(
          what, shape::whole(0, kKeptMax), [what](ObjectReader& fields, Expect& expect) {
            if (const auto count = fields.integer(what, 0, kKeptMax)) {
              expect.kept[std::string(what)] = *count;
            }
          }));
    }
    return Fields<Expect>("what the server keeps", std::move(rows));
  }();
  return kFields;
}

const Fields<Expect>& clients_expect_fields() {
  static const Fields<Expect> kFields(
      "what is expected of clients",
      {
          field::part("kept", kept_fields())
              .says("what our own server holds when its clients are done"),
          field::milliseconds("virtual_ms_max", &Expect::virtual_max),
          field::milliseconds("virtual_ms_min", &Expect::virtual_min),
      });
  return kFields;
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
  for (const auto& [name, value] : *members) read_client(name, value, scenario, problem);
  if (const Json* const expect = fields.take("expect")) {
    clients_expect_fields().read(*expect, "/expect", problem, scenario.expect);
  }
}

Json client_shape() { return client_fields().shape(); }
Json client_step_shape() { return step_fields().shape(); }
Json clients_expect_shape() { return clients_expect_fields().shape(); }

}  // namespace plumbline::scenarios
