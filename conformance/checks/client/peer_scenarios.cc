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

constexpr std::string_view kQuestionsIds[] = {"jsonrpc.response-id-matches", "ping.empty-result",
                                              "jsonrpc.method-not-found-code"};

// Questions puts requests to a stateful client while it waits for a tool: pings, and one with a
// method that it does not know. Where several rules seem broken each kind is put to it alone.
enum class Asking { kAll, kPings, kUnknown };

const ClientScenario* questions_alone(Asking asking);

template <Asking kAsking>
class Questions final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {plain_tool("ask_back")};
    peer.events = true;
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/call" || came_) return false;
    came_ = true;
    if (kAsking != Asking::kUnknown) {
      for (Json id : {Json(4711), Json("4711"), Json(0), Json("ping-\xC3\xA9")}) {
        ids_.push_back(peer.ask_with(asked, id, "ping", nullptr));
      }
    }
    if (kAsking != Asking::kPings) {
      unknown_ = peer.ask(asked, "plumbline/no-such-method", Json::object());
    }
    peer.later(std::chrono::milliseconds(1'000), [&peer, asked] { peer.usual(asked); });
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    if (!came_) {
      for (const std::string_view id : kQuestionsIds) {
        verdicts.say(id, never_came(record, "called a tool"));
      }
      return;
    }
    std::vector<std::pair<std::string_view, Finding>> found;
    if (kAsking != Asking::kUnknown) {
      found.emplace_back(kQuestionsIds[0], right_ids(record));
      found.emplace_back(kQuestionsIds[1], pings(record));
    }
    if (kAsking != Asking::kPings) found.emplace_back(kQuestionsIds[2], unknown(record));
    const auto wrong = std::ranges::count_if(
        found, [](const auto& said) { return said.second.verdict == Verdict::kFail; });
    const bool to_tell_apart = kAsking == Asking::kAll && wrong > 1;
    if (to_tell_apart) next_ = questions_alone(Asking::kPings);
    if (kAsking == Asking::kPings) next_ = questions_alone(Asking::kUnknown);
    if (to_tell_apart) return;
    for (auto& [id, finding] : found) verdicts.say(id, std::move(finding));
  }

  std::vector<const ClientScenario*> left() const override {
    if (next_ == nullptr) return {};
    return {next_};
  }

 private:
  Finding right_ids(const Record& record) const {
    const Heard* const bare = record.first([](const Heard& message) {
      const bool answers = message.message.is_object() && message.method().empty();
      return answers && message.id() == nullptr &&
             (find(message.message, "result") != nullptr || find(message.message, "error"));
    });
    if (bare != nullptr) return at(record, *bare, broken("a response without an id"));
    for (const Heard* const response : record.responses()) {
      const Json& id = *response->id();
      if (std::ranges::find(record.asked, id) != record.asked.end()) continue;
      return at(record, *response,
                broken("a response has the id " + shown(&id) + ", which the server never used"));
    }
    if (all_answered(record, ids_)) return passes();
    for (const Json& id : ids_) {
      if (record.response_to(id) == nullptr) continue;
      return broken("it answered a ping with the id " + shown(&id) +
                    ", but not every one with an id that is a string, a whole number or 0");
    }
    return undecided("it answered no ping");
  }

  // pings reads the answers that came: of ids that got none right_ids tells.
  Finding pings(const Record& record) const {
    bool answered = false;
    for (const Json& id : ids_) {
      const Heard* const response = record.response_to(id);
      if (response == nullptr) continue;
      answered = true;
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
    if (answered) return passes();
    return broken("it answered no ping within a second; " + record.how_it_ended());
  }

  Finding unknown(const Record& record) const {
    const Heard* const response = record.response_to(unknown_);
    if (response == nullptr) {
      return broken("a request with an unknown method was not answered; " + record.how_it_ended());
    }
    const Json* const error = find(response->message, "error");
    const std::int64_t code = error ? int_or(*error, "code", 0) : 0;
    if (code == -32601) return passes();
    return at(
        record, *response,
        broken("a request with an unknown method was answered with " +
               (error ? "error " + std::to_string(code) : "a result") + ", expected error -32601"));
  }

  bool came_ = false;
  std::vector<Json> ids_;
  Json unknown_;
  const ClientScenario* next_ = nullptr;
};

constexpr ClientScenario kQuestionsAlone[] = {
    {"tools_call", "pings", Eras::kStateful, Over::kAny, "", kQuestionsIds,
     make_script<Questions<Asking::kPings>>},
    {"tools_call", "unknown-method", Eras::kStateful, Over::kAny, "", kQuestionsIds,
     make_script<Questions<Asking::kUnknown>>},
};

const ClientScenario* questions_alone(Asking asking) {
  return &kQuestionsAlone[asking == Asking::kPings ? 0 : 1];
}

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

constexpr std::string_view kWrongQuestionsIds[] = {"jsonrpc.invalid-params-code"};
constexpr std::string_view kModernQuestionsIds[] = {"jsonrpc.client-sends-no-responses"};
constexpr std::string_view kArraysIds[] = {"jsonrpc.batch-receive",
                                           "jsonrpc.batch-no-response-for-notifications"};
constexpr std::string_view kArrayLinesIds[] = {"jsonrpc.batch-receive",
                                               "stdio.batch-lines-accepted",
                                               "jsonrpc.batch-no-response-for-notifications"};
constexpr std::string_view kMetasIds[] = {"base.meta-reserved-no-assumptions"};

constexpr ClientScenario kPeerScenarios[] = {
    {"tools_call", "questions", Eras::kStateful, Over::kAny, "", kQuestionsIds,
     make_script<Questions<Asking::kAll>>},
    {"tools_call", "wrong-questions", Eras::kStateful, Over::kAny, "", kWrongQuestionsIds,
     make_script<WrongQuestions>},
    {"tools_call", "modern-questions", Eras::kStateless, Over::kAny, "", kModernQuestionsIds,
     make_script<ModernQuestions>},
    {"tools_call", "arrays", Eras::kStateful, Over::kHttp, "", kArraysIds, make_script<Arrays>},
    {"tools_call", "array-lines", Eras::kStateful, Over::kStdio, "", kArrayLinesIds,
     make_script<Arrays>},
    {"tools_call", "metas", Eras::kBoth, Over::kAny, "", kMetasIds, make_script<Metas>},
};

}  // namespace

ClientScenarios peer_scenarios() { return kPeerScenarios; }

}  // namespace plumbline::conformance
