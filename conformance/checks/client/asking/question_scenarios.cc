// What a server may ask a client for: spec, client/elicitation, client/sampling, client/roots.
//
// A stateful server asks while a tool runs; a stateless one gives the questions as its result.

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/asking/asking.h"
#include "conformance/checks/client/script_kit.h"
#include "core/schema/text/format.h"

namespace plumbline::conformance {

namespace {

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
      const bool unknown_method = int_or(error_, "code", 0) == kMethodNotFound;
      const bool known = action == "accept" || action == "decline" || action == "cancel";
      act = known ? passes()
                  : broken("the result of elicitation/create is " + shown(&answer_) +
                           ", expected the action accept, decline or cancel");
      mode = error_.is_null() ? passes()
                              : broken("a request without a mode was answered with error " +
                                       shown(&error_) + ", expected that it is a form");
      if (!error_.is_null()) act = not_for_it("it answered elicitation/create with an error");
      if (unknown_method) mode = at_most_risky(std::move(mode));
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
      "required": ["name"]}})json");
  }

 private:
  Finding fitting() const {
    const Json* const content = find(answer_, "content");
    if (content == nullptr || !content->is_object()) {
      return broken("a form was accepted with the content " + shown(content) +
                    ", expected an object");
    }
    if (find(*content, "name") == nullptr) {
      return broken("the content " + shown(content) + " lacks name, which is required");
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
                         has_content(record);
      fields = whole ? passes()
                     : broken("the result of sampling/createMessage is " + shown(&answer_) +
                              ", expected role, content and model");
    }
    verdicts.say("sampling.result-required-fields", fields);
    verdicts.say("sampling.message-role-content", std::move(fields));
  }

 protected:
  // has_content returns whether the sample has content: a block, or several since there are tools.
  bool has_content(const Record& record) const {
    const Json* const content = find(answer_, "content");
    const auto is_block = [](const Json& block) { return find_string(block, "type").has_value(); };
    if (content == nullptr) return false;
    if (!content->is_array()) return is_block(*content);
    return record.revision >= since::kToolsInSampling && std::ranges::all_of(*content, is_block);
  }

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

// climbs returns whether a segment of `uri` is "..", percent-encoded or not.
bool climbs(const std::string& uri) {
  std::string path;
  for (std::size_t at = 0; at < uri.size(); ++at) {
    const std::string_view code = std::string_view(uri).substr(at, 3);
    const bool dot = code == "%2e" || code == "%2E";
    const bool slash = code == "%2f" || code == "%2F" || code == "%5c" || code == "%5C";
    path += dot ? '.' : slash || uri[at] == '\\' ? '/' : uri[at];
    if (dot || slash) at += 2;
  }
  return path.find("/../") != std::string::npos || path.ends_with("/..");
}

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
        if (scheme.verdict == Verdict::kPass && !schema::find_format("uri")->accepts(uri)) {
          scheme = broken("a root has the uri \"" + uri + "\", which is no URI: a URI has no " +
                          "backslashes, blanks or letters outside ASCII");
        }
        if (climbs(uri)) {
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
