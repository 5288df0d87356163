// Asking is a script that puts one question to a client while a tool runs: a stateful server asks,
// a stateless one gives the question as its result.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

inline constexpr std::int64_t kMethodNotFound = -32601;

// Asking puts one question when a tool is called, and keeps what came of it.
class Asking : public Script {
 public:
  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || call_.heard != 0) {
      if (asked.method() != "tools/call") return false;
      keep_retry(asked);
      return false;
    }
    call_ = asked;
    if (!peer.stateless()) {
      Json question = params(peer);
      question["_meta"]["progressToken"] = "judge-progress";
      id_ = "question-" + asked.param("name");
      peer.ask_with(asked, id_, method(), std::move(question));
      return true;
    }
    Json result(Json::value_t::object);
    result["resultType"] = "input_required";
    result["inputRequests"]["question"]["method"] = method();
    result["inputRequests"]["question"]["params"] = params(peer);
    peer.result(asked, std::move(result));
    return true;
  }

  void on_response(ScriptedPeer& peer, const Heard& response) override {
    if (*response.id() != id_ || !answer_.is_null()) return;
    if (const Json* const result = find(response.message, "result")) answer_ = *result;
    if (const Json* const error = find(response.message, "error")) error_ = *error;
    peer.usual(call_);
  }

 protected:
  virtual std::string method() const = 0;
  virtual Json params(ScriptedPeer& peer) = 0;

  bool asked() const { return call_.heard != 0; }
  bool answered_at_all() const { return !answer_.is_null() || !error_.is_null(); }

  // declared returns the capability `name` that the client gave with its call; null: none.
  Json declared(const Record& record, std::string_view name) const {
    const Json all = record.capabilities(asked() ? &record.heard[call_.heard] : nullptr);
    const Json* const one = find(all, name);
    return one ? *one : Json();
  }

  // unanswered is the Finding for a client that was not asked, or did not answer.
  Finding unanswered(const Record& record) const {
    if (!asked()) return never_came(record, "called a tool");
    return not_for_it("it did not answer " + method());
  }

  Finding is_declared(const Record& record, std::string_view name) const {
    if (!asked()) return never_came(record, "called a tool");
    if (!record.stateless() && record.requests("initialize").empty()) {
      return not_for_it("it opened no session");
    }
    const bool has = !declared(record, name).is_null();
    if (answer_.is_null() && !has) return not_for_it("it has no " + std::string(name));
    if (!error_.is_null()) return refused(name);
    if (answer_.is_null()) {
      return undecided("it declared " + std::string(name) + " and gave no result");
    }
    if (!has && string_or(answer_, "action", "") == "cancel") {
      return risky("arguable: it cancels " + method() + ", and did not declare " +
                   std::string(name) + "; who does not know it answers with error -32601");
    }
    return has ? passes()
               : broken("it answered " + method() + " with a result, but did not declare " +
                        std::string(name));
  }

  Json answer_;  // The result.
  Json error_;

 private:
  // refused is the Finding for a client that declares `name`, and answers with an error. A person
  // may have declined; but who does not know the method should not declare it.
  Finding refused(std::string_view name) const {
    const std::string got = "it declared " + std::string(name) + " and answered " + method() +
                            " with error " + shown(find(error_, "code"));
    if (int_or(error_, "code", 0) != kMethodNotFound) return not_for_it(got);
    return risky(got + ": servers will count on what is declared");
  }

  void keep_retry(const Asked& asked) {
    const Json* const answer = at_pointer(asked.message, "/params/inputResponses/question");
    if (answer != nullptr) answer_ = *answer;
  }

  Asked call_;
  Json id_;
};

}  // namespace plumbline::conformance
