// Random conversations with the engines: whatever the peer says and however time passes, every
// request ends exactly once, what one peer has never asked for is never answered, and nothing
// aborts.

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/mcp/client/client_engine.h"
#include "core/mcp/server/server_engine.h"

namespace plumbline::mcp {
namespace {

Json object(std::initializer_list<std::pair<const char*, Json>> members) {
  Json out = Json::object();
  for (const auto& [key, value] : members) out[key] = value;
  return out;
}

// Ids near those in use, in both JSON types, and what is no id at all.
Json random_id() {
  const int number = *rc::gen::inRange(0, 12);
  switch (*rc::gen::weightedElement<int>({{8, 0}, {1, 1}, {1, 2}})) {
    case 0:
      return Json(number);
    case 1:
      return Json(std::to_string(number));
    default:
      return *rc::gen::element(Json(nullptr), Json(1.5), Json(true), Json(-1), Json::array());
  }
}

Json random_result() {
  return *rc::gen::element(
      Json::object(), Json(7), Json(nullptr), Json::parse(R"({"tools":[]})"),
      Json::parse(R"({"content":[]})"), Json::parse(R"({"content":[{"type":7}]})"),
      Json::parse(R"({"resultType":"input_required","requestState":"s"})"),
      Json::parse(
          R"({"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}})"),
      Json::parse(R"({"resultType":"task","taskId":"t"})"),
      Json::parse(R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})"),
      Json::parse(R"({"protocolVersion":"2025-03-26","capabilities":{"tools":{}},
                      "serverInfo":{"name":"s","version":"1"}})"),
      Json::parse(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},
                      "serverInfo":{"name":"s","version":"1"}})"));
}

std::string random_method() {
  return *rc::gen::element<std::string>(
      "ping", "initialize", "tools/list", "tools/call", "resources/read", "prompts/get",
      "logging/setLevel", "completion/complete", "roots/list", "sampling/createMessage",
      "elicitation/create", "notifications/cancelled", "notifications/progress",
      "notifications/initialized", "notifications/subscriptions/acknowledged",
      "notifications/tools/list_changed", "server/discover", "subscriptions/listen", "tasks/get",
      "nonsense");
}

Json random_params() {
  const Json id = random_id();
  switch (*rc::gen::inRange(0, 9)) {
    case 6:
    case 7:
      return Json::parse(R"({"name":"t","notifications":{"toolsListChanged":true},"_meta":{
          "io.modelcontextprotocol/protocolVersion":"2026-07-28",
          "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}})");
    case 8:
      return object({{"_meta", object({{"io.modelcontextprotocol/subscriptionId", id}})}});
    case 0:
      return object({{"requestId", id}});
    case 1:
      return object({{"progressToken", id}, {"progress", *rc::gen::inRange(0, 9)}});
    case 2:
      return object({{"name", "t"}, {"_meta", object({{"progressToken", id}})}});
    case 3:
      return Json::parse(R"({"protocolVersion":"2025-03-26","capabilities":{"roots":{}},
                             "clientInfo":{"name":"c","version":"1"}})");
    case 4:
      return Json(7);
    default:
      return Json::object();
  }
}

Json random_message() {
  Json message = Json::object();
  if (*rc::gen::inRange(0, 20) != 0) message["jsonrpc"] = "2.0";
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
    case 1:
    case 2:
      message["id"] = random_id();
      message["result"] = random_result();
      break;
    case 3:
      message["id"] = random_id();
      message["error"] = *rc::gen::element(Json::parse(R"({"code":-32602,"message":"m"})"),
                                           Json::parse(R"({"code":"x"})"), Json(7));
      break;
    case 4:
    case 5:
      message["id"] = random_id();
      message["method"] = random_method();
      message["params"] = random_params();
      break;
    case 6:
      message["method"] = random_method();
      message["params"] = random_params();
      break;
    default:
      return *rc::gen::element(Json(7), Json::array(), Json(nullptr), Json("x"));
  }
  return message;
}

Json random_traffic() {
  if (*rc::gen::inRange(0, 6) != 0) return random_message();
  Json batch = Json::array();
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) batch.push_back(random_message());
  return batch;
}

// Opens counts starts and ends by id.
struct Ledger {
  std::map<std::int64_t, int> ends;

  void started(std::int64_t id) {
    RC_ASSERT(ends.count(id) == 0U);
    ends[id] = 0;
  }
  void ended(std::int64_t id) {
    RC_ASSERT(ends.count(id) == 1U);
    RC_ASSERT(++ends[id] == 1);
  }
  void settle() const {
    for (const auto& [id, count] : ends) RC_ASSERT(count == 1);
  }
};

ClientOptions eager_client() {
  const PeerHandler handler = answer_at_once([](const Json&) { return Json::object(); });
  ClientOptions options;
  options.preferred = *rc::gen::element(kLatestStateful, kLatest);
  options.input_rounds_max = 2;
  options.tasks = *rc::gen::arbitrary<bool>();
  options.on_list_roots = handler;
  options.on_sample = handler;
  options.ask_for_progress = *rc::gen::arbitrary<bool>();
  options.extend_on_progress = std::chrono::seconds(2);
  options.extended_total_max = std::chrono::seconds(9);
  options.in_flight_max = 4;
  return options;
}

void answer_input(ClientEngine& engine, std::int64_t id, Instant now) {
  const int what = *rc::gen::inRange(0, 3);
  if (what == 0) engine.provide(id, Json::object(), now);
  if (what == 1) engine.give_up_input(id, Failure(Failure::Kind::kCancelled, "no"));
}

void give_up_one(ClientEngine& engine, Instant now) {
  const int id = *rc::gen::inRange(0, 12);
  if (*rc::gen::arbitrary<bool>()) return engine.cancel(id, "why");
  const auto code = *rc::gen::element(ErrorCode::kUnsupported, ErrorCode::kDisconnected);
  engine.lost(rpc::RpcId(id), Error{code, "lost"}, now);
}

Json welcome_of(bool stateless) {
  Json welcome = object({{"jsonrpc", "2.0"}, {"id", 1}});
  welcome["result"] =
      stateless ? Json::parse(R"({"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}})")
                : Json::parse(R"({"protocolVersion":"2025-03-26","capabilities":{"tools":{}},
                                  "serverInfo":{"name":"s","version":"1"}})");
  return welcome;
}

RC_GTEST_PROP(ConversationPropTest, EveryClientRequestEndsExactlyOnce, ()) {
  ClientEngine engine(eager_client());
  Ledger ledger;
  Instant now{};
  const auto take = [&] {
    for (ClientEngine::Action& action : engine.take_actions()) {
      if (auto* const end = std::get_if<ClientEngine::Ended>(&action)) ledger.ended(end->id);
      if (auto* const ask = std::get_if<ClientEngine::Asked>(&action)) {
        if (*rc::gen::arbitrary<bool>()) engine.answer(ask->id, Json::object());
      }
      if (auto* const need = std::get_if<ClientEngine::InputNeeded>(&action)) {
        answer_input(engine, need->id, now);
      }
      if (auto* const send = std::get_if<ClientEngine::Send>(&action)) {
        RC_ASSERT((send->message.is_object() || send->message.is_array()));
      }
    }
    RC_ASSERT(engine.waiting() <= 4U);
  };
  ledger.started(engine.open(now, now + std::chrono::seconds(5)));
  if (*rc::gen::inRange(0, 4) != 0) {
    Json welcome = welcome_of(is_stateless(engine.options().preferred));
    engine.receive(std::move(welcome), now);
  }
  const int steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) {
    switch (*rc::gen::weightedElement<int>({{6, 0}, {12, 1}, {3, 2}, {2, 3}, {1, 4}})) {
      case 0: {
        const Instant deadline = now + std::chrono::seconds(*rc::gen::inRange(0, 6));
        const auto id = engine.call(random_method(), nullptr, now, deadline);
        if (id.ok()) ledger.started(id.value());
        break;
      }
      case 1:
        engine.receive(random_traffic(), now);
        break;
      case 2:
        now += std::chrono::seconds(*rc::gen::inRange(0, 3));
        engine.tick(now);
        RC_ASSERT(engine.next_deadline() > now);
        break;
      case 3:
        give_up_one(engine, now);
        break;
      default:
        if (*rc::gen::inRange(0, 10) == 0) engine.disconnected("gone");
        break;
    }
    take();
  }
  if (*rc::gen::arbitrary<bool>()) {
    engine.tick(now + std::chrono::seconds(60));
  } else {
    engine.disconnected("gone");
  }
  take();
  ledger.settle();
  RC_ASSERT(engine.waiting() == 0U);
}

ServerOptions eager_server() {
  ServerOptions options;
  options.tools = {Json::parse(R"({"name":"t","inputSchema":{"type":"object"}})")};
  options.prompts = {Json::parse(R"({"name":"t"})")};
  options.logging = true;
  options.completions = true;
  options.in_flight_max = 4;
  return options;
}

// count_ids adds one for each id of a request, or takes one off for each id of an answer.
void count_ids(const Json& traffic, bool answers, std::map<std::string, int>& open) {
  if (traffic.is_array()) {
    for (const Json& member : traffic) count_ids(member, answers, open);
    return;
  }
  const Json* const id = find(traffic, "id");
  if (id == nullptr || id->is_null()) return;
  const bool answer = find(traffic, "result") != nullptr || find(traffic, "error") != nullptr;
  if (answer != answers) return;
  open[dump_json(*id)] += answers ? -1 : 1;
}

// ServerRun is one random conversation with a server, and the books that are kept of it.
class ServerRun {
 public:
  void open() {
    Json hello = object({{"jsonrpc", "2.0"}, {"id", 100}, {"method", "initialize"}});
    hello["params"] = Json::parse(R"({"protocolVersion":"2025-03-26","capabilities":{"roots":{}},
                                      "clientInfo":{"name":"c","version":"1"}})");
    hear(std::move(hello));
    hear(object({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}));
  }

  void hear(Json traffic) {
    // What carries a result, too, is no request to anybody and owed no answer.
    if (find(traffic, "result") == nullptr) count_ids(traffic, false, owed_);
    engine_.receive(std::move(traffic), now_);
  }

  void step() {
    switch (*rc::gen::weightedElement<int>({{12, 0}, {4, 1}, {3, 2}, {2, 3}, {2, 4}, {1, 5}})) {
      case 0:
        return hear(random_traffic());
      case 1:
        if (keys_.empty()) return;
        if (*rc::gen::arbitrary<bool>()) {
          return engine_.finish(*rc::gen::elementOf(keys_), random_result(), now_);
        }
        return ask(*rc::gen::elementOf(keys_));
      case 2: {
        const auto id =
            engine_.request(random_method(), nullptr, now_, now_ + std::chrono::seconds(3));
        if (id.ok()) ledger_.started(id.value());
        return;
      }
      case 3:
        now_ += std::chrono::seconds(2);
        return engine_.tick(now_);
      case 4:
        engine_.cancel(*rc::gen::inRange(0, 12), "");
        engine_.log_to_all("error", "", 1);
        if (*rc::gen::inRange(0, 4) == 0) engine_.end_subscriptions();
        return engine_.list_changed("tools");
      default:
        if (*rc::gen::inRange(0, 10) == 0) engine_.disconnected("gone");
    }
  }

  void ask(ServerEngine::Key key) {
    std::vector<Ask> asks(1);
    asks[0].name = "a";
    asks[0].method = "elicitation/create";
    if (engine_.answer_of(key, "a") == nullptr) engine_.ask(key, std::move(asks), now_);
  }

  // settle looks at what the engine wanted and checks the books.
  void settle() {
    for (ServerEngine::Action& action : engine_.take_actions()) {
      if (auto* const end = std::get_if<ServerEngine::Ended>(&action)) ledger_.ended(end->id);
      if (auto* const call = std::get_if<ServerEngine::Call>(&action)) keys_.push_back(call->key);
      if (auto* const send = std::get_if<ServerEngine::Send>(&action)) {
        count_ids(send->message, true, owed_);
      }
    }
    for (const auto& [id, count] : owed_) RC_ASSERT(count >= 0);
    RC_ASSERT(engine_.running() <= 4U);
  }

  void finish() {
    engine_.disconnected("gone");
    settle();
    ledger_.settle();
    RC_ASSERT(engine_.running() == 0U);
  }

 private:
  ServerOptions options_ = eager_server();
  ServerEngine engine_{options_};
  Ledger ledger_;
  Instant now_{};
  std::map<std::string, int> owed_;  // Requests heard minus answers given, by id.
  std::vector<ServerEngine::Key> keys_;
};

RC_GTEST_PROP(ConversationPropTest, TheServerAnswersNoMoreThanItWasAsked, ()) {
  ServerRun run;
  if (*rc::gen::inRange(0, 4) != 0) run.open();
  const int steps = *rc::gen::inRange(1, 40);
  for (int i = 0; i < steps; ++i) {
    run.step();
    run.settle();
  }
  run.finish();
}

}  // namespace
}  // namespace plumbline::mcp
