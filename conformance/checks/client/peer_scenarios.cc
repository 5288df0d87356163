// What a client does with messages of the server's own: requests it knows and does not know,
// notifications, and what is no message.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

// all_answered returns whether each of the judge's requests `ids` got its answer.
bool all_answered(const Record& record, const std::vector<Json>& ids) {
  for (const Json& id : ids) {
    if (record.response_to(id) == nullptr) return false;
  }
  return true;
}

// answers_something returns whether a message is a response, with an id or without.
bool answers_something(const Heard& message) {
  return message.message.is_object() && find(message.message, "method") == nullptr &&
         (find(message.message, "result") != nullptr || find(message.message, "error") != nullptr);
}

// Questions puts requests of every kind to a stateful client while it waits for a tool.
class Questions final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {plain_tool("ask_back")};
    peer.events = true;
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || !ids_.empty()) return false;
    for (Json id : {Json(4711), Json("4711"), Json(0), Json("ping-\xC3\xA9")}) {
      ids_.push_back(peer.ask_with(asked, id, "ping", nullptr));
    }
    unknown_ = peer.ask(asked, "plumbline/no-such-method", Json::object());
    peer.later(std::chrono::milliseconds(1'000), [&peer, asked] { peer.usual(asked); });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    if (ids_.empty()) {
      for (const char* const id :
           {"jsonrpc.response-id-matches", "ping.empty-result", "jsonrpc.method-not-found-code"}) {
        verdicts.say(id, never_came(record, "called a tool"));
      }
      return;
    }
    verdicts.say("jsonrpc.response-id-matches", right_ids(record));
    verdicts.say("ping.empty-result", pings(record));
    verdicts.say("jsonrpc.method-not-found-code", unknown(record));
  }

 private:
  Finding right_ids(const Record& record) const {
    const Heard* const bare = record.first(
        [](const Heard& message) { return answers_something(message) && message.id() == nullptr; });
    if (bare != nullptr) return at(record, *bare, broken("a response without an id"));
    for (const Heard* const response : record.responses()) {
      const Json& id = *response->id();
      if (std::ranges::find(record.asked, id) != record.asked.end()) continue;
      return at(record, *response,
                broken("a response has the id " + shown(&id) + ", which the server never used"));
    }
    if (all_answered(record, ids_)) return passes();
    return record.responses().empty() ? undecided("it answered no ping")
                                      : broken(
                                            "it did not answer every ping, with ids that are "
                                            "strings, whole numbers and 0");
  }

  Finding pings(const Record& record) const {
    for (const Json& id : ids_) {
      const Heard* const response = record.response_to(id);
      if (response == nullptr) {
        return broken("it did not answer a ping with the id " + shown(&id) + " within a second");
      }
      const Json* const result = find(response->message, "result");
      if (result == nullptr || !result->is_object()) {
        return at(record, *response,
                  broken("a ping was answered with " + shown(&response->message) +
                         ", expected an empty result"));
      }
      Json rest = *result;
      rest.erase("_meta");
      if (!rest.empty()) {
        return at(record, *response, broken("the result of a ping is " + shown(result)));
      }
    }
    return passes();
  }

  Finding unknown(const Record& record) const {
    const Heard* const response = record.response_to(unknown_);
    if (response == nullptr) return broken("a request with an unknown method was not answered");
    const Json* const error = find(response->message, "error");
    const std::int64_t code = error ? int_or(*error, "code", 0) : 0;
    if (code == -32601) return passes();
    return at(
        record, *response,
        broken("a request with an unknown method was answered with " +
               (error ? "error " + std::to_string(code) : "a result") + ", expected error -32601"));
  }

  std::vector<Json> ids_;
  Json unknown_;
};

// WrongQuestions asks a stateful client for what it declared, without saying what.
class WrongQuestions final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {plain_tool("ask_wrongly")};
    peer.events = true;
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || came_) return false;
    came_ = true;
    const Json declared = peer.record().capabilities(&peer.record().heard[asked.heard]);
    for (const auto& [capability, method] : {std::pair("sampling", "sampling/createMessage"),
                                             std::pair("elicitation", "elicitation/create")}) {
      if (find(declared, capability) == nullptr) continue;
      asked_.emplace_back(peer.ask(asked, method, json_of(R"({"plumbline": 1})")), method);
    }
    peer.later(std::chrono::milliseconds(500), [&peer, asked] { peer.usual(asked); });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_came(record, "called a tool");
    if (came_) finding = not_for_it("it declared nothing that could be asked wrongly");
    for (const auto& [id, method] : asked_) {
      const Heard* const response = record.response_to(id);
      if (response == nullptr) {
        finding = undecided("it did not answer " + method + " without its params");
        break;
      }
      const Json* const error = find(response->message, "error");
      const std::int64_t code = error ? int_or(*error, "code", 0) : 0;
      finding = passes();
      if (code == -32602) continue;
      if (code == -32601) {  // Of its capability something else says more.
        finding = not_for_it("it declared what it needs for " + std::string(method) +
                             ", but does not know the method");
        continue;
      }
      const std::string got = method + " without its params got " +
                              (error ? "error " + std::to_string(code) : "a result") +
                              ", expected error -32602";
      // Which error it is follows from JSON-RPC alone.
      finding = at(record, *response, error ? risky(got) : broken(got));
      break;
    }
    verdicts.say("jsonrpc.invalid-params-code", std::move(finding));
  }

 private:
  bool came_ = false;
  std::vector<std::pair<Json, std::string>> asked_;
};

// ModernQuestions sends a stateless client requests, which no server may.
class ModernQuestions final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {plain_tool("ask_back")};
    peer.events = true;
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || asked_) return false;
    asked_ = true;
    for (const char* const method : {"ping", "roots/list", "elicitation/create"}) {
      Json params = Json::object();
      if (std::string_view(method) == "elicitation/create") params = form_params("Who are you?");
      peer.ask(asked, method, std::move(params));
    }
    peer.later(std::chrono::milliseconds(500), [&peer, asked] { peer.usual(asked); });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = passes();
    const std::vector<const Heard*> answers = record.all([](const Heard& message) {
      return message.message.is_object() && find(message.message, "method") == nullptr;
    });
    if (!asked_) {
      finding = never_came(record, "called a tool");
    } else if (!answers.empty()) {
      finding = at(record, *answers.front(),
                   broken("it answered a request of the server's; a client of this revision sends "
                          "no responses"));
    }
    verdicts.say("jsonrpc.client-sends-no-responses", std::move(finding));
  }

 private:
  bool asked_ = false;
};

// Notices sends every kind of notification before the list of the tools.
class Notices final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.capabilities["logging"] = Json::object();
    peer.offer.tools = {plain_tool("after_notices")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list" || told_) return false;
    told_ = true;
    for (const char* const text :
         {R"({"jsonrpc":"2.0","method":"notifications/plumbline-unknown","params":{"a":[1]}})",
          R"({"jsonrpc":"2.0","method":"notifications/plumbline-bare"})",
          R"({"jsonrpc":"2.0","method":"notifications/progress",
              "params":{"progressToken":"nobody","progress":1}})",
          R"({"jsonrpc":"2.0","method":"notifications/cancelled",
              "params":{"requestId":"nobody","reason":"none"}})",
          R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete",
              "params":{"elicitationId":"nobody"}})",
          R"({"jsonrpc":"2.0","method":"notifications/message",
              "params":{"level":"info","data":{"deep":[{"a":null}]}}})"}) {
      peer.along(asked, json_of(text));
    }
    return false;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const std::vector<const Heard*> answers = record.all(answers_something);
    Finding silent = passes();
    if (!told_) {
      silent = never_came(record, "asked for the tools");
    } else if (!answers.empty()) {
      silent = at(record, *answers.front(), broken("it answered a notification"));
    }
    verdicts.say("jsonrpc.notification-no-response", std::move(silent));
    const Finding goes_on = went_on(record, "after_notices", "notifications it does not know");
    verdicts.say("jsonrpc.unknown-notification-ignored", goes_on);
    verdicts.say("cancellation.invalid-ignored", goes_on);
    verdicts.say("elicitation.complete-unknown-ignored", goes_on);
  }

 private:
  bool told_ = false;
};

// Arrays sends a client of 2025-03-26 a batch.
class Arrays final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {plain_tool("ask_in_arrays")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || asked_) return false;
    asked_ = true;
    peer.text(asked,
              R"([{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":"b2",)"
              R"("method":"ping"},{"jsonrpc":"2.0","method":"notifications/plumbline-b"}])",
              false);
    peer.text(asked,
              R"([{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",)"
              R"("data":1}},{"jsonrpc":"2.0","method":"notifications/plumbline-b"}])",
              false);
    peer.later(std::chrono::milliseconds(1'000), [&peer, asked] { peer.usual(asked); });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding received = never_came(record, "called a tool");
    Finding quiet = received;
    if (asked_) {
      const bool both = record.response_to("b1") && record.response_to("b2");
      received = both ? passes()
                      : broken("an array of two pings and a notification did not get two answers");
      quiet = both ? passes() : undecided("it does not take arrays");
      for (const Heard* const response : record.responses()) {
        if (*response->id() == "b1" || *response->id() == "b2") continue;
        quiet = at(record, *response, broken("an array of notifications was answered"));
      }
      const Heard* const empty = record.first([](const Heard& message) {
        return message.message.is_array() && message.message.empty();
      });
      if (empty != nullptr) {
        quiet = at(record, *empty, broken("an array of notifications was answered with []"));
      }
    }
    verdicts.say("jsonrpc.batch-receive", received);
    if (!record.over_http) verdicts.say("stdio.batch-lines-accepted", std::move(received));
    verdicts.say("jsonrpc.batch-no-response-for-notifications", std::move(quiet));
  }

 private:
  bool asked_ = false;
};

// Metas puts values of odd types under keys that MCP reserves.
class Metas final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.offer.tools = {plain_tool("after_meta")}; }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    Json result = usual_answer(peer.offer, peer.revision(), asked.message).result;
    result["_meta"] = json_of(R"({"io.modelcontextprotocol/plumbline": [null, 1, {"a": {}}],
        "modelcontextprotocol.io/x": 7, "mcp.dev/none": null, "traceparent": "not one"})");
    peer.result(asked, std::move(result));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("base.meta-reserved-no-assumptions",
                 went_on(record, "after_meta", "_meta with reserved keys it does not know"));
  }
};

constexpr std::string_view kQuestionsIds[] = {"jsonrpc.response-id-matches", "ping.empty-result",
                                              "jsonrpc.method-not-found-code"};
constexpr std::string_view kWrongQuestionsIds[] = {"jsonrpc.invalid-params-code"};
constexpr std::string_view kModernQuestionsIds[] = {"jsonrpc.client-sends-no-responses"};
constexpr std::string_view kNoticesIds[] = {
    "jsonrpc.notification-no-response", "jsonrpc.unknown-notification-ignored",
    "cancellation.invalid-ignored", "elicitation.complete-unknown-ignored"};
constexpr std::string_view kArraysIds[] = {"jsonrpc.batch-receive",
                                           "jsonrpc.batch-no-response-for-notifications"};
constexpr std::string_view kArrayLinesIds[] = {"jsonrpc.batch-receive",
                                               "stdio.batch-lines-accepted",
                                               "jsonrpc.batch-no-response-for-notifications"};
constexpr std::string_view kMetasIds[] = {"base.meta-reserved-no-assumptions"};

constexpr ClientScenario kPeerScenarios[] = {
    {"tools_call", "questions", Eras::kStateful, Over::kAny, "", kQuestionsIds,
     make_script<Questions>},
    {"tools_call", "wrong-questions", Eras::kStateful, Over::kAny, "", kWrongQuestionsIds,
     make_script<WrongQuestions>},
    {"tools_call", "modern-questions", Eras::kStateless, Over::kAny, "", kModernQuestionsIds,
     make_script<ModernQuestions>},
    {"tools_call", "notices", Eras::kBoth, Over::kAny, "", kNoticesIds, make_script<Notices>},
    {"tools_call", "arrays", Eras::kStateful, Over::kHttp, "", kArraysIds, make_script<Arrays>},
    {"tools_call", "array-lines", Eras::kStateful, Over::kStdio, "", kArrayLinesIds,
     make_script<Arrays>},
    {"tools_call", "metas", Eras::kBoth, Over::kAny, "", kMetasIds, make_script<Metas>},
};

}  // namespace

ClientScenarios peer_scenarios() { return kPeerScenarios; }

}  // namespace plumbline::conformance
