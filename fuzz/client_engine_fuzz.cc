// Any bytes as a session of a client, from either kind of opening: what the server says, and what
// the program asks for meanwhile. Each request ends exactly once, what is sent is a message, and
// behind the end nothing is.
//
//   REVISION [PARAMETER...]      the first line: what the client prefers, and its options
//   call METHOD {PARAMS}         · notify METHOD {PARAMS} · cancel ID · lost ID
//   provide ID {RESPONSES}       · give_up ID · answer N {RESULT} · refuse N
//   wait MS                      · gone
//   anything else                is what the server says

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/mcp/client/client_engine.h"
#include "fuzz/script.h"

namespace {

using namespace plumbline;
using mcp::ClientEngine;
using mcp::Failure;

mcp::ClientOptions client_options_of(std::string_view line) {
  mcp::ClientOptions options;
  options.preferred =
      mcp::parse_revision(fuzzing::take_word(line)).value_or(mcp::Revision::k2025_11_25);
  const auto handler = mcp::answer_at_once([](const Json&) { return Json::object(); });
  while (!line.empty()) {
    const std::string_view word = fuzzing::take_word(line);
    if (word == "roots") options.on_list_roots = handler;
    if (word == "sampling") options.on_sample = handler;
    if (word == "elicitation") options.on_elicit = handler;
    if (word == "tasks") options.tasks = true;
    if (word == "progress") options.ask_for_progress = true;
    if (word == "extend") options.extend_on_progress = std::chrono::seconds(2);
    if (word == "alone") options.supported = {options.preferred};
  }
  options.extended_total_max = std::chrono::seconds(20);
  options.in_flight_max = 5;
  options.input_rounds_max = 3;
  return options;
}

class ClientPlay {
 public:
  explicit ClientPlay(std::string_view first_line) : engine_(client_options_of(first_line)) {
    open_.insert(engine_.open(now_, after(now_, std::chrono::seconds(10))));
    take();
  }

  void play(std::string_view line) {
    const std::string_view whole = line;
    if (!command(fuzzing::take_word(line), line)) hear(whole);
    take();
    check(engine_.waiting() == open_.size(), "requests that wait are those that have not ended");
  }

  void finish() {
    engine_.disconnected("the end");
    take();
    check(open_.empty(), "a request has not ended with its connection");
  }

 private:
  void hear(std::string_view text) {
    Result<Json> message = parse_json(text);
    if (message.ok()) {
      engine_.receive(std::move(message).value(), now_);
    } else {
      engine_.garbage(text, message.error().message, now_);
    }
  }

  bool command(std::string_view word, std::string_view rest) {
    if (word == "call") {
      std::string method(fuzzing::take_word(rest));
      const auto id = engine_.call(std::move(method), fuzzing::take_object(rest), now_,
                                   after(now_, std::chrono::seconds(5)));
      if (id.ok()) check(open_.insert(id.value()).second, "an id is given out twice");
    } else if (word == "notify") {
      std::string method(fuzzing::take_word(rest));
      engine_.notify(std::move(method), fuzzing::take_object(rest));
    } else if (word == "cancel") {
      engine_.cancel(fuzzing::take_number(rest), "no more");
    } else if (word == "lost") {
      engine_.lost(rpc::RpcId(fuzzing::take_number(rest)), Error{ErrorCode::kDisconnected, "lost"},
                   now_);
    } else if (word == "provide") {
      const std::int64_t id = fuzzing::take_number(rest);
      engine_.provide(id, fuzzing::take_object(rest), now_);
    } else if (word == "give_up") {
      engine_.give_up_input(fuzzing::take_number(rest), Failure(Failure::Kind::kRefused, "no"));
    } else if (word == "answer" || word == "refuse") {
      answer(word == "answer", rest);
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

  void answer(bool well, std::string_view rest) {
    if (asked_.empty()) return;
    const auto which = static_cast<std::size_t>(fuzzing::take_number(rest)) % asked_.size();
    if (well) {
      engine_.answer(asked_[which], fuzzing::take_object(rest));
    } else {
      engine_.answer(asked_[which], Failure(-1, "no"));
    }
  }

  void take() {
    for (ClientEngine::Action& action : engine_.take_actions()) {
      if (const auto* const send = std::get_if<ClientEngine::Send>(&action)) {
        check(!closed_, "something is sent behind the end");
        fuzzing::check_sent(send->message);
      } else if (const auto* const end = std::get_if<ClientEngine::Ended>(&action)) {
        check(open_.erase(end->id) == 1, "a request ends that was not open");
      } else if (auto* const asked = std::get_if<ClientEngine::Asked>(&action)) {
        asked_.push_back(std::move(asked->id));
      } else if (const auto* const need = std::get_if<ClientEngine::InputNeeded>(&action)) {
        check(open_.contains(need->id), "input for what is over");
        check(need->requests.is_object() && !need->requests.empty(), "input of no kind");
      } else if (const auto* const ready = std::get_if<ClientEngine::Acknowledged>(&action)) {
        check(open_.contains(ready->id), "a subscription that is over is open");
      } else if (std::holds_alternative<ClientEngine::Close>(action)) {
        check(!std::exchange(closed_, true), "the end comes twice");
      }
    }
    closed_ = closed_ || engine_.closed();
  }

  ClientEngine engine_;
  Instant now_{};
  std::set<std::int64_t> open_;
  std::vector<rpc::RpcId> asked_;
  bool closed_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view script(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(script.find('\n'), script.size());
  ClientPlay session(script.substr(0, end));
  script.remove_prefix(std::min(end + 1, script.size()));
  fuzzing::for_each_line(script, [&](std::string_view line) { session.play(line); });
  session.finish();
  return 0;
}
