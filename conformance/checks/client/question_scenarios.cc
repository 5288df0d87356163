// What a server may ask a client for: spec, client/elicitation, client/sampling, client/roots.
//
// A stateful server asks while a tool runs; a stateless one gives the questions as its result.

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

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
      peer.ask_with(asked, "question", method(), params(peer));
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
    if (*response.id() != Json("question") || !answer_.is_null()) return;
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
    const bool has = !declared(record, name).is_null();
    if (answer_.is_null()) {
      return has ? undecided("it declared " + std::string(name) + " and gave no result")
                 : not_for_it("it has no " + std::string(name));
    }
    return has ? passes()
               : broken("it answered " + method() + " with a result, but did not declare " +
                        std::string(name));
  }

  Json answer_;  // The result.
  Json error_;

 private:
  void keep_retry(const Asked& asked) {
    const Json* const answer = at_pointer(asked.message, "/params/inputResponses/question");
    if (answer != nullptr) answer_ = *answer;
  }

  Asked call_;
};

class Form final : public Asking {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("test_client_elicitation_defaults")};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("elicitation.capability-declared", is_declared(record, "elicitation"));
    const std::string action = answer_.is_object() ? string_or(answer_, "action", "") : "";
    const bool offers = !declared(record, "elicitation").is_null();
    Finding act = unanswered(record);
    Finding mode = act;
    if (answered_at_all() && offers) {
      const bool known = action == "accept" || action == "decline" || action == "cancel";
      act = known ? passes()
                  : broken("the result of elicitation/create is " + shown(&answer_) +
                           ", expected the action accept, decline or cancel");
      mode = error_.is_null() ? passes()
                              : broken("a request without a mode was answered with error " +
                                       shown(&error_) + ", expected that it is a form");
    }
    verdicts.say("elicitation.result-action", std::move(act));
    verdicts.say("elicitation.mode-omitted-is-form", mode);
    verdicts.say("elicitation.at-least-one-mode", std::move(mode));
    Finding content = not_for_it("it accepted no form");
    Finding defaults = content;
    if (action == "accept") {
      content = fitting();
      defaults = filled();
    }
    verdicts.say("elicitation.accept-content-matches-schema", content);
    verdicts.say("elicitation.client-validates-response", std::move(content));
    verdicts.say("elicitation.defaults-prefilled", std::move(defaults));
  }

 protected:
  std::string method() const override { return "elicitation/create"; }

  Json params(ScriptedPeer&) override {
    return json_of(R"json({"message": "Please fill in", "requestedSchema": {"type": "object",
      "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive"], "default": "active"},
        "verified": {"type": "boolean", "default": true}},
      "required": []}})json");
  }

 private:
  Finding fitting() const {
    const Json* const content = find(answer_, "content");
    if (content == nullptr || !content->is_object()) {
      return broken("a form was accepted with the content " + shown(content) +
                    ", expected an object");
    }
    const auto wrong = [&](const char* name, bool (*right)(const Json&)) {
      const Json* const value = find(*content, name);
      return value != nullptr && !right(*value);
    };
    const bool bad =
        wrong("name", [](const Json& v) { return v.is_string(); }) ||
        wrong("age", [](const Json& v) { return v.is_number_integer(); }) ||
        wrong("score", [](const Json& v) { return v.is_number(); }) ||
        wrong("verified", [](const Json& v) { return v.is_boolean(); }) ||
        wrong("status", [](const Json& v) { return v == "active" || v == "inactive"; });
    return bad ? broken("the content " + shown(content) + " does not fit the requestedSchema")
               : passes();
  }

  Finding filled() const {
    const Json* const content = find(answer_, "content");
    if (content == nullptr) return broken("a form was accepted without content");
    for (const char* const name : {"name", "age", "score", "status", "verified"}) {
      if (find(*content, name) == nullptr) {
        return broken("the default of " + std::string(name) +
                      " was not filled in: " + shown(content));
      }
    }
    return passes();
  }
};

// Url asks to open a page: the judge's trap, which nobody may touch unasked.
class Url final : public Asking {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("open_a_page")};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding fetch = never_came(record, "called a tool");
    Finding mode = fetch;
    Finding content = fetch;
    if (asked()) {
      fetch = passes();
      if (!record.trapped.empty()) {
        fetch = at(record, record.trapped.front(),
                   broken("it asked the URL of an elicitation by itself"));
      }
      mode = undeclared(record);
      content = not_for_it("it accepted no URL");
      if (answer_.is_object() && string_or(answer_, "action", "") == "accept") {
        content = find(answer_, "content") == nullptr
                      ? passes()
                      : broken("the answer to a URL has content: " + shown(&answer_));
      }
    }
    verdicts.say("elicitation.url-no-prefetch", fetch);
    verdicts.say("elicitation.url-consent-before-open", std::move(fetch));
    verdicts.say("elicitation.undeclared-mode-32602", std::move(mode));
    verdicts.say("elicitation.url-response-without-content", std::move(content));
  }

 protected:
  std::string method() const override { return "elicitation/create"; }

  Json params(ScriptedPeer& peer) override {
    Json params(Json::value_t::object);
    params["mode"] = "url";
    params["message"] = "Please look at this";
    params["elicitationId"] = "e-1";
    params["url"] = peer.trap().url("/elicited?secret=1");
    return params;
  }

 private:
  Finding undeclared(const Record& record) const {
    const Json elicitation = declared(record, "elicitation");
    if (elicitation.is_null()) return not_for_it("it has no elicitation");
    if (find(elicitation, "url") != nullptr) return not_for_it("it declared the mode url");
    if (!answered_at_all()) return undecided("it did not answer");
    if (!error_.is_null() && int_or(error_, "code", 0) == -32602) return passes();
    return broken("a request in the mode url, which it did not declare, was answered with " +
                  (error_.is_null() ? shown(&answer_) : shown(&error_)) +
                  ", expected error -32602");
  }
};

class Sample final : public Asking {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("test_sampling")};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("sampling.capability-declared", is_declared(record, "sampling"));
    Finding fields = unanswered(record);
    if (answer_.is_object()) {
      const std::string role = string_or(answer_, "role", "");
      const bool whole = (role == "assistant" || role == "user") && find_string(answer_, "model") &&
                         find(answer_, "content");
      fields = whole ? passes()
                     : broken("the result of sampling/createMessage is " + shown(&answer_) +
                              ", expected role, content and model");
    }
    verdicts.say("sampling.result-required-fields", fields);
    verdicts.say("sampling.message-role-content", std::move(fields));
  }

 protected:
  std::string method() const override { return "sampling/createMessage"; }
  Json params(ScriptedPeer&) override {
    return json_of(R"json({"maxTokens": 20, "messages": [
        {"role": "user", "content": {"type": "text", "text": "Say hello"}}]})json");
  }
};

// ToolSample asks for a sample with tools, which only some declare.
class ToolSample final : public Asking {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("test_sampling_with_tools")};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_came(record, "called a tool");
    Finding declares = finding;
    if (asked()) {
      const Json sampling = declared(record, "sampling");
      const bool has = find(sampling, "tools") != nullptr;
      if (has) {
        finding = not_for_it("it declared sampling.tools");
        declares = answer_.is_null() ? not_for_it("it gave no sample") : passes();
      } else if (answer_.is_null()) {
        finding =
            !error_.is_null() || record.stateless() ? passes() : undecided("it did not answer");
        declares = not_for_it("it has no sampling with tools");
      } else {
        finding = broken(
            "it gave a sample for a request with tools, but did not declare "
            "sampling.tools; expected an error");
        declares = uses_a_tool() ? broken(
                                       "it samples with tools, but did not declare "
                                       "sampling.tools: " +
                                       shown(&answer_))
                                 : not_for_it("it used no tool in its sample");
      }
    }
    verdicts.say("sampling.tools-undeclared-error", std::move(finding));
    verdicts.say("sampling.tools-capability-declared", std::move(declares));
  }

 protected:
  std::string method() const override { return "sampling/createMessage"; }
  Json params(ScriptedPeer&) override {
    return json_of(R"json({"maxTokens": 20, "toolChoice": {"mode": "auto"},
        "tools": [{"name": "look_up", "inputSchema": {"type": "object"}}],
        "messages": [{"role": "user", "content": {"type": "text", "text": "Look it up"}}]})json");
  }

 private:
  bool uses_a_tool() const {
    return string_or(answer_, "stopReason", "") == "toolUse" ||
           dump_json(answer_).find("\"tool_use\"") != std::string::npos;
  }
};

class Roots final : public Asking {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {bare_tool("ask_for_roots")};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("roots.capability-declared", is_declared(record, "roots"));
    Finding scheme = unanswered(record);
    Finding paths = scheme;
    const Json* const roots = answer_.is_object() ? find(answer_, "roots") : nullptr;
    if (roots != nullptr && roots->is_array() && !roots->empty()) {
      scheme = passes();
      paths = passes();
      for (const Json& root : *roots) {
        const std::string uri = string_or(root, "uri", "");
        if (!uri.starts_with("file://")) {
          scheme = broken("a root has the uri \"" + uri + "\", expected one of file://");
        }
        if (uri.find("/../") != std::string::npos || uri.ends_with("/..")) {
          paths = broken("a root has the uri \"" + uri + "\", which climbs out of a folder");
        }
      }
    } else if (roots != nullptr) {
      scheme = not_for_it("it has no root");
      paths = scheme;
    }
    verdicts.say("roots.uri-file-scheme", std::move(scheme));
    verdicts.say("roots.uris-validated", std::move(paths));
    verdicts.say("roots.unsupported-32601", unsupported(record));
  }

 protected:
  std::string method() const override { return "roots/list"; }
  Json params(ScriptedPeer&) override { return Json::object(); }

 private:
  Finding unsupported(const Record& record) const {
    if (!asked()) return never_came(record, "called a tool");
    if (!declared(record, "roots").is_null()) return not_for_it("it has roots");
    if (error_.is_null()) return not_for_it("it did not answer roots/list with an error");
    if (int_or(error_, "code", 0) == -32601) return passes();
    return broken("it has no roots and answered " + shown(&error_) + ", expected error -32601");
  }
};

constexpr std::string_view kFormIds[] = {"elicitation.capability-declared",
                                         "elicitation.result-action",
                                         "elicitation.mode-omitted-is-form",
                                         "elicitation.at-least-one-mode",
                                         "elicitation.accept-content-matches-schema",
                                         "elicitation.client-validates-response",
                                         "elicitation.defaults-prefilled"};
constexpr std::string_view kUrlIds[] = {
    "elicitation.url-no-prefetch", "elicitation.url-consent-before-open",
    "elicitation.undeclared-mode-32602", "elicitation.url-response-without-content"};
constexpr std::string_view kSampleIds[] = {"sampling.capability-declared",
                                           "sampling.result-required-fields",
                                           "sampling.message-role-content"};
constexpr std::string_view kToolSampleIds[] = {"sampling.tools-undeclared-error",
                                               "sampling.tools-capability-declared"};
constexpr std::string_view kRootsIds[] = {"roots.capability-declared", "roots.uri-file-scheme",
                                          "roots.uris-validated", "roots.unsupported-32601"};

constexpr ClientScenario kQuestionScenarios[] = {
    {"elicitation-sep1034-client-defaults", "form", Eras::kBoth, Over::kAny, since::kElicitation,
     kFormIds, make_script<Form>},
    {"tools_call", "url-elicitation", Eras::kBoth, Over::kAny, since::kUrlElicitation, kUrlIds,
     make_script<Url>},
    {"tools_call", "sampling", Eras::kBoth, Over::kAny, "", kSampleIds, make_script<Sample>},
    {"tools_call", "sampling-with-tools", Eras::kBoth, Over::kAny, since::kToolsInSampling,
     kToolSampleIds, make_script<ToolSample>},
    {"tools_call", "roots", Eras::kBoth, Over::kAny, "", kRootsIds, make_script<Roots>},
};

}  // namespace

ClientScenarios question_scenarios() { return kQuestionScenarios; }

}  // namespace plumbline::conformance
