// How tools answer: spec, server/tools, Calling Tools and Error Handling.

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/outcomes.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/bad_calls.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoSuchTool = "plumbline_no_such_tool";
constexpr const char* kNoneCalled = "no tool that may be called has answered";

std::string called_tool(const Call& call) {
  return "the tool \"" + string_or(call.params, "name", "") + "\" ";
}

Task<Finding> results_have_content(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    tally.saw();
    const Json* const content = content_of(*call->complete());
    if (content == nullptr) {
      tally.wrong(called_tool(*call) + "answered without a content array", call->evidence);
      continue;
    }
    for (const Json& block : *content) {
      const std::string wrong = block_problem(block);
      if (!wrong.empty() && encoding_problem(block).empty()) {
        tally.wrong(called_tool(*call) + "answered with a block that " + wrong, call->evidence);
        break;
      }
    }
  }
  co_return tally.finding(kNoneCalled);
}

Task<Finding> embeds_what_it_serves(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const content = content_of(*call->complete());
    if (content == nullptr) continue;
    const bool embeds = std::ranges::any_of(
        *content, [](const Json& block) { return string_or(block, "type", "") == "resource"; });
    if (!embeds) continue;
    tally.saw();
    if (probe.survey().declares("/resources")) continue;
    tally.wrong(called_tool(*call) + "embeds a resource, and resources are not declared",
                call->evidence);
  }
  co_return tally.finding("no tool embeds a resource");
}

Task<Finding> structures_are_objects(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const structured = find(*call->complete(), "structuredContent");
    if (structured == nullptr) continue;
    tally.saw();
    if (structured->is_object()) continue;
    tally.wrong(called_tool(*call) + "has structuredContent that is " +
                    std::string(type_name(*structured)) + ", expected an object",
                call->evidence);
  }
  co_return tally.finding("no tool has structuredContent");
}

bool says_the_same(const Json& content, const Json& structured) {
  return std::ranges::any_of(content, [&](const Json& block) {
    const auto text = find_string(block, "text");
    if (!text) return false;
    const Result<Json> read = parse_json(*text);
    return read.ok() && read.value() == structured;
  });
}

Task<Finding> repeats_structures_as_text(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const structured = find(*call->complete(), "structuredContent");
    const Json* const content = content_of(*call->complete());
    if (structured == nullptr) continue;
    tally.saw();
    if (content != nullptr && says_the_same(*content, *structured)) continue;
    tally.wrong(called_tool(*call) + "has structuredContent, and no text block with the same JSON",
                call->evidence);
  }
  co_return tally.finding("no tool has structuredContent");
}

// disowns_its_result returns whether a failure is that of an SDK which has validated the result of
// its own tool.
bool disowns_its_result(const Json& result) {
  const std::string text = lower_case(text_in(result));
  return mentions(text, "output validation error") || mentions(text, "invalid structured content");
}

Task<Finding> structures_fit_their_schema(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const tool = probe.survey().tool(string_or(call->params, "name", ""));
    const Json* const promised = tool == nullptr ? nullptr : find(*tool, "outputSchema");
    const Json& result = *call->complete();
    if (promised == nullptr) continue;
    if (is_failure(result)) {
      if (!disowns_its_result(result)) continue;
      tally.saw();
      tally.wrong(called_tool(*call) + "made what its SDK does not take for its outputSchema: " +
                      shortened(text_in(result)),
                  call->evidence);
      continue;
    }
    co_await Sleep(probe.loop(), probe.loop().now());  // A schema may take long.
    const Result<schema::Schema> schema = probe.measured().compile(*promised);
    if (!schema.ok() && schema.error().code != ErrorCode::kInvalidInput) continue;
    tally.saw();
    const Json* const structured = find(result, "structuredContent");
    if (!schema.ok()) {
      tally.wrong(called_tool(*call) + "has no valid outputSchema: " + schema.error().message,
                  evidence_of(*tool));
    } else if (structured == nullptr) {
      tally.wrong(
          called_tool(*call) + "has an outputSchema, and no structuredContent in its result",
          call->evidence);
    } else if (const auto violation = probe.measured().violation(schema.value(), *structured)) {
      tally.wrong(called_tool(*call) +
                      "breaks its outputSchema in structuredContent: " + violation->message,
                  call->evidence);
    }
  }
  co_return tally.finding("no tool with an outputSchema has answered");
}

Task<Finding> refuses_unknown_tools(Probe& probe) {
  if (!probe.survey().declares("/tools")) co_return not_for_it("it has no tools");
  Client client = probe.client();
  Json params(Json::value_t::object);
  params["name"] = kNoSuchTool;
  params["arguments"] = Json::object();
  const Reply reply = co_await client.request("tools/call", std::move(params));
  const Json* const result = reply.result();
  if (result != nullptr && is_failure(*result)) {
    co_return about(
        broken("the unknown tool came back as a result with isError, expected a JSON-RPC error"),
        reply);
  }
  co_return expect_error(reply, {-32602});
}

// with_other_case returns `name` with its letters turned from lower to upper case or back.
std::string with_other_case(std::string name) {
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    c = static_cast<char>(std::isupper(byte) ? std::tolower(byte) : std::toupper(byte));
  }
  return name;
}

Task<Finding> tells_cases_apart(Probe& probe) {
  const Json* const tool = probe.callable();
  if (tool == nullptr) co_return not_for_it("it has no tool that may be called");
  Json params = probe.call_params(*tool);
  const std::string name = string_or(params, "name", "");
  const std::string other = with_other_case(name);
  if (other == name || probe.survey().tool(other) != nullptr) {
    co_return not_for_it("the other case of \"" + name + "\" is a tool as well, or the same");
  }
  params["name"] = other;
  Client client = probe.client();
  const Reply reply = co_await client.request("tools/call", std::move(params));
  if (!reply.answered()) co_return undecided("got " + reply.describe());
  if (reply.error() != nullptr || is_failure(*reply.result())) co_return passes();
  co_return broken("\"" + other + "\" was taken for the tool \"" + name +
                   "\", expected an unknown tool");
}

Task<Finding> refuses_malformed_calls(Probe& probe) {
  const Json* const tool = probe.callable();
  if (tool == nullptr) co_return not_for_it("it has no tool that may be called");
  Client client = probe.client();
  std::vector<Json> malformed(3, Json::object());
  malformed[0]["arguments"] = Json::object();
  malformed[1]["name"] = 4711;
  malformed[2]["name"] = string_or(*tool, "name", "");
  malformed[2]["arguments"] = Json::array();
  for (Json& params : malformed) {
    const std::string shown = dump_json(params);
    const Reply reply = co_await client.request("tools/call", std::move(params));
    Finding finding = expect_error(reply, {-32602, -32600, -32020});
    if (finding.verdict == Verdict::kPass) continue;
    finding.message.insert(0, "tools/call with " + shown + " ");
    co_return std::move(finding);
  }
  co_return passes();
}

Task<Finding> reports_bad_arguments_in_results(Probe& probe) {
  Client client = probe.client();
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  std::string elsewhere = kNoneToRefuse;
  std::vector<BadCall> bad = co_await calls_to_refuse(probe);
  for (BadCall& call : bad) {
    if (call.only_extra) continue;
    const std::string name = string_or(call.params, "name", "");
    const Json params = std::move(call.params);
    const Reply reply = co_await client.request("tools/call", params);
    if (!reply.answered()) continue;
    if (std::string reason = other_reason(reply, name, exercise.calls); !reason.empty()) {
      elsewhere = about_something_else(name, reason);
      continue;
    }
    tally.saw();
    if (reply.error() == nullptr) continue;
    if (reply.code() != -32602) {  // It may be about something else: what runs beside it, say.
      Client alone = co_await probe.open_in_turn("bad calls alone", probe.usual());
      const Reply again = co_await alone.request("tools/call", params);
      if (again.error() == nullptr) continue;
    }
    tally.wrong("the tool \"" + name + "\" was called " + call.why + ": got " + reply.describe() +
                    ", expected a result with isError",
                reply);
  }
  co_return tally.finding(elsewhere);
}

constexpr ServerCheck kToolsCallsChecks[] = {
    {"tools.result-content-required", Eras::kBoth, SessionUse::kOpens, results_have_content},
    {"tools.embedded-resource-capability", Eras::kBoth, SessionUse::kOpens, embeds_what_it_serves},
    {"tools.structured-content-object", Eras::kStateful, SessionUse::kOpens,
     structures_are_objects},
    {"tools.structured-text-fallback", Eras::kBoth, SessionUse::kOpens, repeats_structures_as_text},
    {"tools.output-schema-conform", Eras::kBoth, SessionUse::kOpens, structures_fit_their_schema},
    {"tools.unknown-tool-protocol-error", Eras::kBoth, SessionUse::kShared, refuses_unknown_tools},
    {"tools.name-case-sensitive", Eras::kBoth, SessionUse::kShared, tells_cases_apart},
    {"tools.malformed-call-protocol-error", Eras::kStateless, SessionUse::kAlone,
     refuses_malformed_calls},
    {"tools.input-validation-in-result", Eras::kStateful, SessionUse::kShared,
     reports_bad_arguments_in_results},
};

}  // namespace

ServerChecks tools_calls_checks() { return kToolsCallsChecks; }

}  // namespace plumbline::conformance
