// Whatever is asked and whatever the servers say: arguments are never invented, and every run ends
// with an answer and without harm.

#include <set>
#include <string>
#include <vector>

#include "core/agents/operations/assistant_fixture.h"

#include <rapidcheck/gtest.h>

#include "core/agents/operations/readability.h"
#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {
namespace {

using mcp::Failure;

rc::Gen<std::string> pick(std::vector<std::string> words) {
  return rc::gen::elementOf(std::move(words));
}

const std::vector<std::string> kPlainWords = {
    "list", "read", "send",   "email", "delete", "open", "the", "file", "tickets", "to",  "Bob",
    "Ada",  "and",  "folder", "high",  "for",    "in",   "New", "York", "pay",     "run", "greet"};

const std::vector<std::string> kOddWords = {"notes.md",
                                            "a/b.txt",
                                            "#42",
                                            "T-7",
                                            "3.5",
                                            "-1",
                                            "bob@x.com",
                                            "#general",
                                            "\"a word\"",
                                            "'it's'",
                                            "n=\"x y\"",
                                            "limit=3",
                                            "path:a.txt",
                                            "https://x.com/a",
                                            "title:",
                                            "\"",
                                            "'",
                                            "(",
                                            "=",
                                            ":",
                                            "\xff",
                                            ",",
                                            ".",
                                            "\xe2\x80\x9c",
                                            "\xe2\x80\x9cz\xe2\x80\x9d"};

// Requests made of words that mean something here, of quotations, and of noise.
rc::Gen<std::string> any_request() {
  return rc::gen::exec([] {
    const rc::Gen<std::string> noise = rc::gen::resize(8, rc::gen::string<std::string>());
    std::string out;
    const int words = *rc::gen::inRange(0, 12);
    for (int i = 0; i < words; ++i) {
      out += *rc::gen::oneOf(pick(kPlainWords), pick(kOddWords), noise) + " ";
    }
    return squeeze(out);
  });
}

const std::vector<std::string> kProperties = {
    "path",  "url",  "to",     "name", "query", "body", "id",          "city",
    "title", "data", "status", "n",    "limit", "flag", "destination", "source"};

rc::Gen<connector::Capability> any_tool() {
  return rc::gen::exec([] {
    connector::Capability out =
        connector::tool(*pick({"files", "mail", "x"}),
                        *pick({"list_files", "read_file", "send_email", "delete_file", "greet",
                               "search_tickets", "frobnicate", "pay", "open_door", "get_salary"}),
                        *pick({"", "List files", "Send an email", "Reads a file", "Delete it"}));
    const int properties = *rc::gen::inRange(0, 5);
    for (int i = 0; i < properties; ++i) {
      const std::string name = *pick(kProperties);
      if (find(out.input_schema["properties"], name) != nullptr) continue;
      Json& schema = out.input_schema["properties"][name];
      schema["type"] =
          *pick({"string", "string", "string", "integer", "number", "boolean", "array"});
      if (*rc::gen::inRange(0, 4) == 0)
        schema["enum"] = connector::json(R"(["open", "high", "a b"])");
      if (*rc::gen::arbitrary<bool>()) out.input_schema["required"].push_back(name);
    }
    const int kind = *rc::gen::inRange(0, 8);
    if (kind == 0) out.type = connector::CapabilityType::kPrompt;
    if (kind == 1) {
      out.type = connector::CapabilityType::kResource;
      out.uri = *pick({"file:///notes.md", "file:///{name}", "x:{", "db://passwords"});
      out.mime_type = *pick({"", "text/plain", "application/pdf"});
    }
    if (*rc::gen::inRange(0, 6) == 0) out.output_schema = connector::json(R"({"type": "object"})");
    return out;
  });
}

// stands_in returns whether each text in `value` stands in the request, or is one of the words
// that the schema or the filters allow and the request speaks of.
bool stands_in(const std::string& request, const Json& value) {
  if (const auto* const text = value.get_ptr<const std::string*>()) {
    return request.find(*text) != std::string::npos || RequestText(request).speaks_of(*text);
  }
  if (value.is_array()) {
    return std::ranges::all_of(value, [&](const Json& item) { return stands_in(request, item); });
  }
  if (value.is_boolean()) {
    return request.find(value == true ? "true" : "false") != std::string::npos ||
           request.find(value == true ? "yes" : "no") != std::string::npos;
  }
  return value.is_number() && request.find_first_of("0123456789") != std::string::npos;
}

RC_GTEST_PROP(ArgumentsProperty, NothingIsEverInvented, ()) {
  const std::string request = *any_request();
  const connector::Capability capability = *any_tool();
  const Extraction found = extract_arguments(request, capability, Json::object());
  RC_ASSERT(found.sources.size() == found.arguments.size());
  for (const auto& [name, value] : found.arguments.items()) {
    // A switch is on where it is named.
    const bool named = value.is_boolean() && RequestText(request).speaks_of(name);
    RC_ASSERT((named || stands_in(request, value)));
  }
  for (const Json& name : capability.input_schema["required"]) {
    const auto* const text = name.get_ptr<const std::string*>();
    RC_ASSERT(found.arguments.contains(*text) != contains(found.missing, *text));
  }
}

rc::Gen<mcp::Reply<Json>> any_reply() {
  return rc::gen::exec([]() -> mcp::Reply<Json> {
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
        return Failure(*rc::gen::element(401, 403, 429, 500, -32602, -32000), "refused");
      case 1:
        return Failure(429, "slow", connector::json(R"({"retryAfterMs": 1500})"));
      case 2:
        return Failure(static_cast<Failure::Kind>(*rc::gen::inRange(1, 6)), "lost");
      case 3:
        return connector::error_result(
            *pick({"broken", "permission denied", "rate limit", "timed out"}));
      case 4:
        return connector::json(
            *pick({"{}", "null", "[]", R"({"content": 7})", R"({"contents": []})",
                   R"({"messages": [7]})", R"({"content": [{"type": "image"}]})"}));
      default:
        return connector::text_result(*pick({"fine", "", "%PDF-1.7", "a\nb"}));
    }
  });
}

bool is_security(const mcp::Reply<Json>& reply) {
  const auto refused = [](mcp::FailureClass kind) {
    return kind == mcp::FailureClass::kAuthentication || kind == mcp::FailureClass::kAuthorization;
  };
  if (!reply.ok()) return refused(mcp::classify(reply.error()));
  return bool_or(reply.value(), "isError", false) &&
         refused(
             mcp::classify_text(error_text(reply.value())).value_or(mcp::FailureClass::kExecution));
}

RC_GTEST_FIXTURE_PROP(AssistantTest, EveryRunEndsWithAnAnswerAndWithoutHarm, ()) {
  const std::vector<connector::Capability> capabilities =
      *rc::gen::resize(6, rc::gen::container<std::vector<connector::Capability>>(any_tool()));
  offer(capabilities);
  const std::vector<mcp::Reply<Json>> replies =
      *rc::gen::resize(6, rc::gen::container<std::vector<mcp::Reply<Json>>>(any_reply()));
  mcp_.replies.assign(replies.begin(), replies.end());
  const bool approves = *rc::gen::arbitrary<bool>();
  std::set<std::string> approved;
  const Approves reviewer = [&](const Json& review) {
    if (approves) approved.insert(dump_json(review["arguments"]) + string_or(review, "name", ""));
    return approves;
  };
  const AssistantOutcome outcome = ask_for(*any_request(), reviewer);
  RC_ASSERT(outcome.status == AssistantOutcome::kFinished);
  RC_ASSERT(outcome.steps <= 20);
  RC_ASSERT(mcp_.requests.size() <= 8U);
  RC_ASSERT(loop_.now() <= Instant(std::chrono::minutes(5)));
  const std::set<std::string> known = {"ok", "answered_without_mcp", "needs_review", "failed"};
  RC_ASSERT(known.contains(status(outcome)));
  RC_ASSERT((status(outcome) == "ok") == outcome.state.context_update.has_value());
  std::set<std::string> done;
  for (std::size_t i = 0; i < mcp_.requests.size(); ++i) {
    const connector::McpRequest& request = mcp_.requests[i];
    const bool last = i + 1 == mcp_.requests.size();
    if (i < replies.size() && is_security(replies[i])) RC_ASSERT(last);
    if (request.method != "tools/call") continue;
    const std::string name = string_or(request.params, "name", "");
    const auto risky = [&](const connector::Capability& one) {
      return one.server == request.server && one.name == name && !policy_.assess(one).allowed();
    };
    const auto harmless = [&](const connector::Capability& one) {
      return one.server == request.server && one.name == name && policy_.assess(one).allowed();
    };
    const bool must_be_approved =
        std::ranges::any_of(capabilities, risky) && std::ranges::none_of(capabilities, harmless);
    const std::string call = dump_json(request.params["arguments"]) + name;
    if (must_be_approved) RC_ASSERT(approved.contains(call));
    // What took effect is not done twice: only a refused call may be sent again.
    if (must_be_approved) RC_ASSERT(!done.contains(call));
    const bool refused = i < replies.size() && !replies[i].ok();
    const bool failed =
        i < replies.size() && replies[i].ok() && bool_or(replies[i].value(), "isError", false);
    if (!refused && !failed) done.insert(call);
  }
}

}  // namespace
}  // namespace plumbline::agents
