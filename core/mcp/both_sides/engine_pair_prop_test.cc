// A client engine and a server engine against each other, in every revision, over schedules drawn
// at random: requests both ways, rounds of input, cancels, deadlines, notifications, batches, a
// connection that ends. Beside them a model that knows what was asked: every request ends once and
// with the answer that is its own, neither engine accuses the other or sends what the revision
// forbids, and in the end both are idle.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/mcp/both_sides/wire_judge_fixture.h"
#include "core/mcp/client/client_engine.h"
#include "core/mcp/protocol/test_values.h"
#include "core/mcp/server/server_engine.h"

namespace plumbline::mcp {
namespace {

using std::chrono::seconds;
using Kind = Failure::Kind;

// draw is any number in [low, high), whatever size the test case has.
int draw(int low, int high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

Json text_of(const std::string& tag) {
  Json item = json(R"({"type": "text"})");
  item["text"] = tag;
  return item;
}

// The questions and answers, each carrying the tag by which the model knows them again.
Json sampling_params(const std::string& tag) {
  Json params = json(R"({"messages": [{"role": "user"}], "maxTokens": 9})");
  params["messages"][0]["content"] = text_of(tag);
  return params;
}
std::string tag_of_sampling(const Json& params) {
  return params["messages"][0]["content"]["text"].get<std::string>();
}
Json sampling_result(const std::string& tag) {
  Json result = json(R"({"role": "assistant", "model": "m"})");
  result["content"] = text_of("re " + tag);
  return result;
}
std::string tag_of_call(const Json& params) {
  const Json* const uri = find(params, "uri");
  if (uri != nullptr) return uri->get<std::string>().substr(6);
  return params["arguments"]["tag"].get<std::string>();
}

ClientOptions client_options(Revision preferred) {
  const PeerHandler unused = answer_at_once([](const Json&) { return Json::object(); });
  ClientOptions options;
  options.preferred = preferred;
  options.on_sample = unused;
  options.on_list_roots = unused;
  options.ask_for_progress = *rc::gen::arbitrary<bool>();
  options.log_level = *rc::gen::element<std::string>("", "info");
  return options;
}

ServerOptions server_options(bool old) {
  ServerOptions options;
  options.tools = {json(R"({"name": "echo", "inputSchema": {"type": "object",
                            "properties": {"tag": {"type": "string"}}}})")};
  options.prompts = {json(R"({"name": "echo", "arguments": [{"name": "tag"}]})")};
  options.templates = {json(R"({"uriTemplate": "mem://{tag}", "name": "memory"})")};
  options.logging = true;
  options.subscribe = true;
  if (old) options.supported = {Revision::k2025_06_18, kLatestStateful};
  return options;
}

// Asked is what the model knows of one request of either side.
struct Asked {
  std::string method;
  std::string tag;
  Instant deadline = kNever;
  bool cancelled = false;
  int ends = 0;
  bool fails = false;  // Its handler has answered with an error.
  double progress = 0;
};

class Pair {
 public:
  Pair(Revision preferred, bool old_server)
      : client_(client_options(preferred)), options_(server_options(old_server)) {}

  void open() {
    client_.open(now_, kNever);
    asked_[1] = {"initialize", ""};
    settle();
    RC_ASSERT(client_.is_open());
    // A server of before 2026-07-28 takes the probe for a request before initialize.
    violations_before_ = server_.violations();
    RC_ASSERT((violations_before_ == 0 || !stateless()));
  }

  void step() {
    switch (*rc::gen::weightedElement<int>(
        {{8, 0}, {8, 1}, {8, 2}, {6, 3}, {3, 4}, {3, 5}, {2, 6}, {2, 7}, {2, 8}, {3, 9}})) {
      case 0:
        call();
        break;
      case 1:
        to_server_.empty() ? to_client() : to_server();
        break;
      case 2:
        to_client_.empty() ? to_server() : to_client();
        break;
      case 3:
        if (!calls_.empty()) serve(pick(calls_));
        break;
      case 4:
        ask_client();
        break;
      case 5:
        if (!questions_.empty()) answer(pick(questions_));
        break;
      case 6:
        cancel();
        break;
      case 7:
        now_ += seconds(draw(0, 4));
        client_.tick(now_);
        server_.tick(now_);
        break;
      case 8:
        chatter();
        break;
      default:
        give_input();
        break;
    }
    take();
  }

  // finish delivers everything, answers everything, and demands that nothing is left.
  void finish(bool disconnect) {
    if (disconnect) {
      disconnected_ = true;
      to_client_.clear();
      to_server_.clear();
      client_.disconnected("gone");
      server_.disconnected("gone");
      take();
    }
    finishing_ = true;
    for (int rounds = 0; rounds < 200; ++rounds) {
      settle();
      while (!questions_.empty()) answer(questions_.begin()->first);
      while (!inputs_.empty()) provide(inputs_.begin()->first);
      while (!calls_.empty()) serve(calls_.begin()->first);
      server_.end_subscriptions();
      take();
      if (to_client_.empty() && to_server_.empty() && calls_.empty()) break;
    }
    RC_ASSERT(client_.waiting() == 0U);
    RC_ASSERT(server_.running() == 0U);
    RC_ASSERT(server_.subscriptions() == 0U);
    RC_ASSERT(client_.next_deadline() == kNever);
    RC_ASSERT(server_.next_deadline() == kNever);
    for (const auto& [id, asked] : asked_) RC_ASSERT(asked.ends == 1);
    for (const auto& [id, asked] : asked_back_) RC_ASSERT(asked.ends == 1);
    RC_ASSERT(client_.violations() == 0);
    RC_ASSERT(server_.violations() == violations_before_);
    for (const std::string& problem : judge_.problems()) RC_FAIL(problem);
  }

  std::size_t requests() const { return asked_.size() + asked_back_.size(); }

 private:
  Revision revision() const { return client_.server().revision; }
  bool stateless() const { return is_stateless(revision()); }

  // pick draws one of the keys.
  template <typename Map>
  static typename Map::key_type pick(const Map& map) {
    auto at = map.begin();
    std::advance(at, draw(0, static_cast<int>(map.size())));
    return at->first;
  }

  // What the two do -------------------------------------------------------------------------------

  void call() {
    const std::string tag = "t" + std::to_string(++tags_);
    const std::string method =
        *rc::gen::element<std::string>("tools/call", "tools/call", "prompts/get", "resources/read",
                                       "tools/list", "ping", "subscriptions/listen");
    Json params = Json::object();
    if (method == "tools/call" || method == "prompts/get") {
      params["name"] = "echo";
      params["arguments"]["tag"] = tag;
    } else if (method == "resources/read") {
      params["uri"] = "mem://" + tag;
    } else if (method == "subscriptions/listen") {
      params = json(R"({"notifications": {"toolsListChanged": true}})");
    }
    const int patience = draw(0, 6);
    const Instant deadline = patience == 0 ? kNever : now_ + seconds(patience);
    const Reply<std::int64_t> id = client_.call(method, std::move(params), now_, deadline);
    const bool known = stateless() ? method != "ping" : method != "subscriptions/listen";
    RC_ASSERT(id.ok() == known);
    if (!id.ok()) return;
    RC_ASSERT(asked_.emplace(id.value(), Asked{method, tag, deadline}).second);
  }

  // serve finishes a call, well or badly, or first asks its client something.
  void serve(ServerEngine::Key key) {
    const std::string tag = calls_.at(key).tag;
    const std::string method = calls_.at(key).method;
    const std::string full = method + " " + tag;
    if (stateless()) {
      for (const std::string name : {"first", "second"}) {
        const Json* const said = server_.answer_of(key, name);
        if (said != nullptr) {
          RC_ASSERT(*said == sampling_result(full + name));
          continue;
        }
        if (finishing_ || draw(0, 3) != 0) break;
        std::vector<Ask> asks;
        asks.push_back(Ask{name, "sampling/createMessage", sampling_params(full + name)});
        calls_.erase(key);
        return server_.ask(key, std::move(asks), now_);
      }
    }
    calls_.erase(key);
    const bool fails = draw(0, 6) == 0;
    if (fails) {
      failed_.insert(tag);
      return server_.finish(key, Failure(-32000, "no " + full), now_);
    }
    Json result = Json::object();
    if (method == "tools/call") {
      result["content"] = Json::array({text_of(full)});
    } else if (method == "prompts/get") {
      Json message = json(R"({"role": "user"})");
      message["content"] = text_of(full);
      result["messages"] = Json::array({message});
    } else {
      Json content = Json::object();
      content["uri"] = "mem://" + tag;
      content["text"] = full;
      result["contents"] = Json::array({content});
    }
    server_.finish(key, std::move(result), now_);
  }

  void ask_client() {
    const std::string method =
        *rc::gen::element<std::string>("sampling/createMessage", "ping", "roots/list");
    const std::string tag = "q" + std::to_string(++tags_);
    Json params = method == "sampling/createMessage" ? sampling_params(tag) : Json(nullptr);
    const int patience = draw(0, 6);
    const Instant deadline = patience == 0 ? kNever : now_ + seconds(patience);
    std::optional<ServerEngine::Key> about;
    if (!calls_.empty() && *rc::gen::arbitrary<bool>()) about = pick(calls_);
    const auto id = server_.request(method, std::move(params), now_, deadline, about);
    RC_ASSERT(id.ok() == !stateless());
    if (id.ok()) asked_back_[id.value()] = Asked{method, tag, deadline};
  }

  void answer(rpc::RpcId id) {
    const auto [method, params] = questions_.at(id);
    questions_.erase(id);
    Json result = json(R"({"roots": []})");
    if (method == "sampling/createMessage") result = sampling_result(tag_of_sampling(params));
    client_.answer(id, std::move(result));
  }

  void give_input() {
    if (inputs_.empty()) return;
    const std::int64_t id = pick(inputs_);
    if (draw(0, 4) != 0) return provide(id);
    inputs_.erase(id);
    asked_.at(id).cancelled = true;
    client_.give_up_input(id, Failure(Kind::kCancelled, "nobody answers"));
  }

  void provide(std::int64_t id) {
    Json responses = Json::object();
    for (const auto& [name, question] : inputs_.at(id).items()) {
      responses[name] = sampling_result(tag_of_sampling(question["params"]));
    }
    inputs_.erase(id);
    asked_.at(id).progress = 0;  // The server starts anew.
    client_.provide(id, std::move(responses), now_);
  }

  void cancel() {
    if (*rc::gen::arbitrary<bool>()) {
      const std::int64_t id = pick(asked_);
      if (asked_.at(id).ends == 0) asked_.at(id).cancelled = true;
      return client_.cancel(id, "why");
    }
    if (asked_back_.empty()) return;
    const std::int64_t id = pick(asked_back_);
    if (asked_back_.at(id).ends == 0) asked_back_.at(id).cancelled = true;
    server_.cancel(id, "why");
  }

  void chatter() {
    if (!calls_.empty()) {
      const ServerEngine::Key key = pick(calls_);
      server_.progress(key, draw(1, 9), 9, "on it");
      server_.log(key, "error", "", 1);
    }
    if (!stateless()) server_.log_to_all("error", "", 1);
    server_.list_changed("tools");
    if (!stateless()) client_.notify("notifications/roots/list_changed", nullptr);
  }

  // What is on its way ----------------------------------------------------------------------------

  // to_server delivers the next message, or what is on its way as one batch.
  void to_server() {
    if (to_server_.empty()) return;
    Json next = std::move(to_server_.front());
    to_server_.pop_front();
    const bool batches = client_.is_open() && has_batching(revision()) && !stateless();
    if (batches && !to_server_.empty() && *rc::gen::arbitrary<bool>()) {
      next = Json::array({std::move(next)});
      for (Json& more : to_server_) next.push_back(std::move(more));
      to_server_.clear();
    }
    server_.receive(std::move(next), now_);
  }
  void to_client() {
    if (to_client_.empty()) return;
    Json next = std::move(to_client_.front());
    to_client_.pop_front();
    client_.receive(std::move(next), now_);
  }

  void settle() {
    take();
    while (!to_client_.empty() || !to_server_.empty()) {
      to_server();
      take();
      to_client();
      take();
    }
  }

  void take() {
    for (ClientEngine::Action& action : client_.take_actions()) act(action);
    for (ServerEngine::Action& action : server_.take_actions()) act(action);
  }

  void act(ClientEngine::Action& action) {
    if (auto* const send = std::get_if<ClientEngine::Send>(&action)) {
      judge_.sent(true, send->message);
      to_server_.push_back(std::move(send->message));
    } else if (auto* const end = std::get_if<ClientEngine::Ended>(&action)) {
      inputs_.erase(end->id);
      ended(asked_.at(end->id), end->reply);
    } else if (auto* const asked = std::get_if<ClientEngine::Asked>(&action)) {
      RC_ASSERT(!stateless());
      RC_ASSERT(questions_.emplace(asked->id, std::pair(asked->method, asked->params)).second);
    } else if (auto* const withdrawn = std::get_if<ClientEngine::Withdrawn>(&action)) {
      questions_.erase(withdrawn->id);
    } else if (auto* const needed = std::get_if<ClientEngine::InputNeeded>(&action)) {
      RC_ASSERT((stateless() && asked_.at(needed->id).ends == 0));
      inputs_[needed->id] = std::move(needed->requests);
    } else if (auto* const heard = std::get_if<ClientEngine::Notified>(&action)) {
      if (heard->method == "notifications/progress") progressed(heard->params);
    } else if (std::get_if<ClientEngine::Close>(&action) != nullptr) {
      RC_FAIL("the client wants to close");
    }
  }

  void act(ServerEngine::Action& action) {
    if (auto* const send = std::get_if<ServerEngine::Send>(&action)) {
      judge_.sent(false, send->message);
      if (!disconnected_) to_client_.push_back(std::move(send->message));
    } else if (auto* const call = std::get_if<ServerEngine::Call>(&action)) {
      calls_[call->key] = Asked{call->method, tag_of_call(call->params)};
    } else if (auto* const cancelled = std::get_if<ServerEngine::Cancelled>(&action)) {
      calls_.erase(cancelled->key);
    } else if (auto* const end = std::get_if<ServerEngine::Ended>(&action)) {
      ended(asked_back_.at(end->id), end->reply);
    }
  }

  // The model's judgement -------------------------------------------------------------------------

  void ended(Asked& asked, const Reply<Json>& reply) {
    RC_ASSERT(++asked.ends == 1);
    if (reply.ok()) return judge_result(asked, reply.value());
    switch (reply.error().kind) {
      case Kind::kCancelled:
        RC_ASSERT(asked.cancelled);
        break;
      case Kind::kTimeout:
        RC_ASSERT(asked.deadline <= now_);
        break;
      case Kind::kDisconnected:
        RC_ASSERT(disconnected_);
        break;
      case Kind::kRpc:
        RC_ASSERT(failed_.contains(asked.tag));
        RC_ASSERT(reply.error().message == "no " + asked.method + " " + asked.tag);
        break;
      default:
        RC_FAIL(describe(reply.error()));
    }
  }

  static void judge_result(const Asked& asked, const Json& result) {
    const std::map<std::string, std::string> text = {{"tools/call", "/content/0/text"},
                                                     {"prompts/get", "/messages/0/content/text"},
                                                     {"resources/read", "/contents/0/text"},
                                                     {"sampling/createMessage", "/content/text"}};
    const auto where = text.find(asked.method);
    if (where == text.end()) return;
    const Json* const found = at_pointer(result, where->second);
    RC_ASSERT(found != nullptr);
    const bool back = asked.method == "sampling/createMessage";
    RC_ASSERT(*found == (back ? "re " + asked.tag : asked.method + " " + asked.tag));
  }

  void progressed(const Json& params) {
    const auto asked = asked_.find(int_or(params, "progressToken", 0));
    RC_ASSERT(asked != asked_.end());
    if (asked->second.ends > 0) return;
    RC_ASSERT(params["progress"].get<double>() > asked->second.progress);
    asked->second.progress = params["progress"].get<double>();
  }

  ClientEngine client_;
  ServerOptions options_;
  ServerEngine server_{options_};
  WireJudge judge_;
  Instant now_{};
  int tags_ = 0;
  std::int64_t violations_before_ = 0;
  bool disconnected_ = false;
  bool finishing_ = false;
  std::deque<Json> to_server_;
  std::deque<Json> to_client_;
  std::map<std::int64_t, Asked> asked_;       // By the client.
  std::map<std::int64_t, Asked> asked_back_;  // By the server.
  std::map<ServerEngine::Key, Asked> calls_;  // Handlers at work.
  std::set<std::string> failed_;
  std::map<rpc::RpcId, std::pair<std::string, Json>> questions_;
  std::map<std::int64_t, Json> inputs_;
};

RC_GTEST_PROP(EnginePairPropTest, EveryRequestEndsOnceWithItsOwnAnswer, ()) {
  std::vector<std::string> names;
  for (const Revision revision : all_revisions()) names.emplace_back(name_of(revision));
  const Revision preferred = *parse_revision(*rc::gen::elementOf(names));
  const bool old = *rc::gen::arbitrary<bool>() && preferred >= Revision::k2025_06_18;
  Pair pair(preferred, old);
  pair.open();
  const int steps = *rc::gen::inRange(1, 120);
  for (int i = 0; i < steps; ++i) pair.step();
  pair.finish(draw(0, 4) == 0);
  RC_CLASSIFY(pair.requests() > 5, "busy");
}

}  // namespace
}  // namespace plumbline::mcp
