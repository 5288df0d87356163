#include "scenarios/compare/client_half.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/peer/opening.h"
#include "conformance/peer/session.h"
#include "conformance/wire/mirrored.h"
#include "core/base/wait.h"
#include "scenarios/record/likeness.h"

namespace plumbline::scenarios {

namespace {

using conformance::Client;
using conformance::Reply;
using conformance::Session;

constexpr const char* kVersionPointer = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

// Names are what the server gives out and is called by later: cursors and ids.
class Names {
 public:
  // learn takes in what the same answer was then, and is now.
  void learn(const Json& then, const Json& now, const std::string& key = "") {
    if (then.is_object() && now.is_object()) {
      for (const auto& [name, value] : then.items()) {
        if (const Json* const other = find(now, name)) learn(value, *other, name);
      }
    } else if (then.is_array() && now.is_array()) {
      for (std::size_t i = 0; i < std::min(then.size(), now.size()); ++i) {
        learn(then[i], now[i], key);
      }
    } else if (then.is_string() && now.is_string() && then != now && is_name(key)) {
      now_[*then.get_ptr<const std::string*>()] = now;
    }
  }

  Json for_now(Json params) const {
    if (params.is_structured()) {
      for (Json& value : params) value = for_now(std::move(value));
      return params;
    }
    const auto* const text = params.get_ptr<const std::string*>();
    const auto known = text == nullptr ? now_.end() : now_.find(*text);
    return known == now_.end() ? params : known->second;
  }

 private:
  static bool is_name(const std::string& key) {
    return key == "nextCursor" || key == "id" || key == "requestState" || key.ends_with("Id");
  }

  std::map<std::string, Json> now_;
};

// Step is one message of the client, and how many requests before it had their answer by then.
struct Step {
  Json message;
  std::vector<std::size_t> after;  // Exchanges that were answered since the step before it.
};

struct Script {
  std::vector<Step> steps;
  std::map<std::string, std::vector<Json>> answers;  // To requests of the server, by method.
};

Script script_of(const RecordedSession& session) {
  Script script;
  std::vector<std::size_t> answered;
  std::map<std::string, std::size_t> open;   // Ours, by id.
  std::map<std::string, std::string> asked;  // Methods of theirs, by id.
  std::size_t exchanges = 0;
  for (const RecordedEvent& event : session.events) {
    if (event.kind != RecordedEvent::Kind::kMessage) continue;
    const Json& message = event.message;
    const Json* const id = find(message, "id");
    const std::string key = id == nullptr ? "" : dump_json(*id);
    if (event.to == Side::kClient) {
      if (is_request(message)) asked[key] = string_or(message, "method", "");
      const auto ours = is_answer(message) ? open.find(key) : open.end();
      if (ours == open.end()) continue;
      answered.push_back(ours->second);
      open.erase(ours);
    } else if (is_answer(message)) {
      script.answers[asked[key]].push_back(message);
    } else if (message.is_object()) {
      if (is_request(message)) open[key] = exchanges++;
      script.steps.push_back({message, std::exchange(answered, {})});
    }
  }
  return script;
}

class ClientHalf {
 public:
  ClientHalf(std::unique_ptr<Session> session, const RecordedSession& recorded)
      : session_(std::move(session)),
        client_(*session_, 0),
        script_(script_of(recorded)),
        then_(conversation_of(recorded)) {
    now_.exchanges.resize(then_.exchanges.size());
    for (std::size_t i = 0; i < now_.exchanges.size(); ++i) {
      now_.exchanges[i].request = then_.exchanges[i].request;
    }
    begun_.resize(now_.exchanges.size());
    for (const auto& [method, unused] : script_.answers) answer_as_then(method);
  }

  Task<void> play() {
    for (Step& step : script_.steps) {
      for (const std::size_t exchange : step.after) co_await finish(exchange);
      Json message = std::move(step.message);
      co_await say(std::move(message));
      if (session_->wire().inbox().closed) break;
    }
    for (std::size_t i = 0; i < begun_.size(); ++i) co_await finish(i);
    if (!session_->wire().inbox().closed) {
      const Duration quiet = client_.pace().quiet();
      co_await Sleep(client_.loop(), after(client_.loop().now(), quiet));
    }
    keep_what_was_said();
    co_await session_->close();
  }

  Conversation take() { return std::move(now_); }

 private:
  void answer_as_then(const std::string& method) {
    session_->answer_with(method, [this, method](const Json&) {
      std::vector<Json>& left = script_.answers[method];
      if (left.empty()) return conformance::method_not_found();
      Json answer = left.front();
      if (left.size() > 1) left.erase(left.begin());  // The last one stands for all that follow.
      answer.erase("id");
      return answer;
    });
  }

  Task<void> say(Json message) {
    if (Json* const params = part_of(message, "/params")) *params = names_.for_now(*params);
    if (string_or(message, "method", "") == "notifications/initialized") {
      co_await conformance::say_initialized(*session_, 0);
      co_return;
    }
    const bool asks = is_request(message);
    Client::Begun begun = client_.begin(message, headers_of(message));
    if (asks) {
      begun_[next_++] = std::move(begun);
    } else if (begun.exchange != 0) {
      co_await client_.finish(std::move(begun));
    }
  }

  // headers_of returns those of a message that says itself what revision it is of.
  static wire::HttpHeaders headers_of(const Json& message) {
    const Json* const version = at_pointer(message, kVersionPointer);
    if (version == nullptr || !version->is_string()) return {};
    return conformance::mirrored_headers(message, version->get<std::string>(), nullptr);
  }

  Task<void> finish(std::size_t i) {
    if (!begun_[i]) co_return;
    Client::Begun begun = std::move(*begun_[i]);
    begun_[i].reset();
    const bool opens = begun.starts;
    const bool was_answered = !then_.exchanges[i].answer.is_null();
    Duration patience = client_.pace().work();
    if (!was_answered) patience = client_.pace().quiet();
    const Reply reply = co_await client_.finish(std::move(begun), patience);
    if (reply.answered()) now_.exchanges[i].answer = *reply.message;
    if (!reply.answered()) now_.exchanges[i].why = reply.describe();
    names_.learn(then_.exchanges[i].answer, now_.exchanges[i].answer);
    if (opens) session_->opened_by(reply);
  }

  void keep_what_was_said() {
    for (const conformance::Frame& frame : session_->wire().inbox().frames) {
      if (find(*frame.message, "method") != nullptr) now_.said.push_back(*frame.message);
    }
  }

  std::unique_ptr<Session> session_;
  Client client_;
  Script script_;
  Conversation then_;
  Conversation now_;
  std::vector<std::optional<Client::Begun>> begun_;  // Of each exchange that is under way.
  std::size_t next_ = 0;                             // Of the exchanges.
  Names names_;
};

}  // namespace

conformance::LogBounds bounds_for(const RecordedSession& session) {
  constexpr std::size_t kTimes = 4;
  std::size_t bytes = 0;
  for (const RecordedEvent& event : session.events) {
    bytes += kTimes * (conformance::memory_of(event.message) + sizeof(conformance::Frame));
  }
  conformance::LogBounds bounds;
  bounds.bytes += bytes;
  bounds.unasked_bytes += bytes;
  bounds.connection_bytes += bytes;
  bounds.connection_frames += kTimes * session.events.size();
  bounds.connection_unasked_bytes += bytes;
  return bounds;
}

std::string revision_of(const RecordedSession& session) {
  for (const Conversation::Exchange& exchange : conversation_of(session).exchanges) {
    const Json* const agreed = at_pointer(exchange.answer, "/result/protocolVersion");
    if (agreed != nullptr && agreed->is_string()) return agreed->get<std::string>();
  }
  for (const RecordedEvent& event : session.events) {
    if (event.kind != RecordedEvent::Kind::kMessage || event.to != Side::kServer) continue;
    const Json* version = at_pointer(event.message, "/params/protocolVersion");
    if (version == nullptr) version = at_pointer(event.message, kVersionPointer);
    if (version != nullptr && version->is_string()) return version->get<std::string>();
  }
  return std::string(conformance::kNewestStateful);
}

Task<Result<Conversation>> play_client(conformance::Subject& subject, RecordedSession recorded) {
  conformance::SessionOptions options;
  options.revision = revision_of(recorded);
  options.capabilities = Json::object();
  options.handshake = false;
  Result<std::unique_ptr<Session>> opened =
      co_await conformance::open_session(subject, std::move(options), 0);
  if (!opened.ok()) co_return std::move(opened).error();
  ClientHalf half(std::move(opened).value(), recorded);
  co_await half.play();
  co_return half.take();
}

}  // namespace plumbline::scenarios
