// Any bytes as a session of a server, which serves both kinds of revision at once: what the client
// says, and what the program does meanwhile. No request is answered twice, what is sent is a
// message, each call and each request of the server ends exactly once.
//
//   [tasks] [raw] [quiet]        the first line: options
//   finish N {RESULT}            · fail N CODE · need N METHOD {PARAMS} · progress N VALUE · log N
//   ask METHOD {PARAMS}          · cancel ID · lost ID · changed AREA · updated URI · end
//   wait MS                      · gone
//   anything else                is what the client says

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/mcp/server/server_engine.h"
#include "fuzz/script.h"

namespace {

using namespace plumbline;
using mcp::Failure;
using mcp::ServerEngine;

mcp::ServerOptions server_options_of(std::string_view line) {
  mcp::ServerOptions options;
  options.tools = {
      parse_json(R"({"name":"ask","inputSchema":{"type":"object","required":["text"]}})").value(),
      parse_json(R"({"name":"work","inputSchema":{"type":"object"},
                     "execution":{"taskSupport":"optional"}})")
          .value()};
  options.resources = {parse_json(R"({"uri":"file:///a","name":"a"})").value()};
  options.templates = {parse_json(R"({"uriTemplate":"file:///{name}","name":"t"})").value()};
  options.prompts = {
      parse_json(R"({"name":"greet","arguments":[{"name":"who","required":true}]})").value()};
  options.subscribe = options.completions = options.logging = true;
  options.secret = "0123456789abcdef";
  options.page_items_max = 1;
  options.in_flight_max = 5;
  while (!line.empty()) {
    const std::string_view word = fuzzing::take_word(line);
    if (word == "tasks") options.tasks.offered = true;
    if (word == "raw") options.raw_calls = true;
    if (word == "quiet") options.logging = false;
  }
  return options;
}

// Balance counts, by id, the requests that were heard and the answers that were given.
class Balance {
 public:
  void heard(const Json& said) {
    count(said, [this](const Json& id) { ++open_[id]; });
  }
  void answered(const Json& said) {
    count(said,
          [this](const Json& id) { check(open_[id]-- > 0, "an answer to what nobody asked"); });
  }

 private:
  template <typename Count>
  static void count(const Json& said, Count count_one) {
    if (said.is_array()) {
      for (const Json& one : said) count(one, count_one);
    }
    const Json* const id = find(said, "id");
    if (id != nullptr && rpc::read_id(*id)) count_one(rpc::to_json(*rpc::read_id(*id)));
  }

  std::map<Json, int> open_;
};

class ServerPlay {
 public:
  explicit ServerPlay(std::string_view first_line)
      : options_(server_options_of(first_line)), engine_(options_, "user a") {}

  void play(std::string_view line) {
    const std::string_view whole = line;
    const std::string_view word = fuzzing::take_word(line);
    if (!of_call(word, line) && !of_server(word, line)) hear(whole);
    take();
    check(engine_.running() == running_.size(), "calls that run are those that are not over");
    check(engine_.running() <= options_.in_flight_max, "more calls run than may");
  }

  void finish() {
    engine_.disconnected("the end");
    take();
    check(running_.empty() && open_.empty(), "something outlives its connection");
  }

 private:
  void hear(std::string_view text) {
    Result<Json> message = parse_json(text);
    if (!message.ok()) return engine_.garbage(message.error().message);
    balance_.heard(message.value());
    engine_.receive(std::move(message).value(), now_);
  }

  ServerEngine::Key take_key(std::string_view& rest) {
    const auto which = static_cast<std::size_t>(fuzzing::take_number(rest));
    return keys_.empty() ? 7 : keys_[which % keys_.size()];
  }

  // of_call: what a handler does about its call, which may be over.
  bool of_call(std::string_view word, std::string_view rest) {
    if (word == "finish") {
      const ServerEngine::Key key = take_key(rest);
      engine_.finish(key, fuzzing::take_object(rest), now_);
      running_.erase(key);
    } else if (word == "fail") {
      const ServerEngine::Key key = take_key(rest);
      engine_.finish(key, Failure(-fuzzing::take_number(rest), "no"), now_);
      running_.erase(key);
    } else if (word == "need") {
      need(rest);
    } else if (word == "progress") {
      const ServerEngine::Key key = take_key(rest);
      engine_.progress(key, static_cast<double>(fuzzing::take_number(rest)), 9.5, "so far");
    } else if (word == "log") {
      engine_.log(take_key(rest), "error", "l", Json("d"));
    } else {
      return false;
    }
    return true;
  }

  void need(std::string_view rest) {
    const ServerEngine::Key key = take_key(rest);
    mcp::Ask ask;
    ask.name = "q";
    ask.method = std::string(fuzzing::take_word(rest));
    ask.params = fuzzing::take_object(rest);
    (void)engine_.answer_of(key, "q");
    if (engine_.undeclared(key, ask)) return;
    engine_.ask(key, {std::move(ask)}, now_);
    running_.erase(key);
  }

  // of_server: what the server does on its own account.
  bool of_server(std::string_view word, std::string_view rest) {
    if (word == "ask") {
      std::string method(fuzzing::take_word(rest));
      const auto id = engine_.request(std::move(method), fuzzing::take_object(rest), now_,
                                      after(now_, std::chrono::seconds(5)));
      if (id.ok()) check(open_.insert(id.value()).second, "an id is given out twice");
    } else if (word == "cancel") {
      engine_.cancel(fuzzing::take_number(rest), "no more");
    } else if (word == "lost") {
      engine_.lost(rpc::RpcId(fuzzing::take_number(rest)), "lost");
    } else if (word == "changed") {
      engine_.list_changed(fuzzing::take_word(rest));
    } else if (word == "updated") {
      engine_.resource_updated(std::string(rest));
      engine_.log_to_all("alert", "l", Json(1));
    } else if (word == "end") {
      engine_.end_subscriptions();
    } else if (word == "wait") {
      now_ += std::chrono::milliseconds(fuzzing::take_number(rest));
      engine_.tick(now_);
      check(engine_.next_deadline() > now_, "what was due is over");
    } else if (word == "gone") {
      engine_.disconnected("it is gone");
    } else {
      return false;
    }
    return true;
  }

  void take() {
    for (ServerEngine::Action& action : engine_.take_actions()) {
      if (const auto* const send = std::get_if<ServerEngine::Send>(&action)) {
        fuzzing::check_sent(send->message);
        check_answers(send->message);
      } else if (const auto* const call = std::get_if<ServerEngine::Call>(&action)) {
        check(running_.insert(call->key).second, "a call begins twice");
        keys_.push_back(call->key);
      } else if (const auto* const cancelled = std::get_if<ServerEngine::Cancelled>(&action)) {
        check(running_.erase(cancelled->key) == 1, "a call is cancelled that does not run");
      } else if (const auto* const end = std::get_if<ServerEngine::Ended>(&action)) {
        check(open_.erase(end->id) == 1, "a request ends that was not open");
      }
    }
  }

  // check_answers looks at the answers in what was sent.
  void check_answers(const Json& sent) {
    if (sent.is_array()) {
      for (const Json& one : sent) check_answers(one);
    } else if (!sent.contains("method")) {
      balance_.answered(sent);
    }
  }

  mcp::ServerOptions options_;
  ServerEngine engine_;
  Instant now_{};
  Balance balance_;
  std::vector<ServerEngine::Key> keys_;
  std::set<ServerEngine::Key> running_;
  std::set<std::int64_t> open_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view script(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(script.find('\n'), script.size());
  ServerPlay session(script.substr(0, end));
  script.remove_prefix(std::min(end + 1, script.size()));
  fuzzing::for_each_line(script, [&](std::string_view line) { session.play(line); });
  session.finish();
  return 0;
}
