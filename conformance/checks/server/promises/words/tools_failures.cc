// Whether what goes wrong within a tool comes as a result with isError: spec, server/tools, Error
// Handling.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoSuchId = "plumbline-no-such-id";
constexpr std::size_t kCallsOfNothingMax = 6;

// How a text begins that tells of a failure, and what it says of what was asked for.
constexpr std::array<std::string_view, 5> kErrorWords = {"error:", "error -",
                                                         "failed:", "failure:", "exception:"};
constexpr std::array<std::string_view, 14> kRefusals = {
    "not found", "no such",     "there is no", "unknown",   "not exist",   "n't exist",  "invalid",
    "not known", "not a valid", "could not",   "couldn't ", "cannot find", "can't find", ": no "};

// What code says that breaks down, whatever it was asked for, and how a text begins that quotes it.
constexpr std::array<std::string_view, 4> kErrorBegins = {"error ", "failed to ", "failed ",
                                                          "an error "};
constexpr std::array<std::string_view, 14> kBreakdownWords = {
    "list index out of range",  "nonetype",          "keyerror",
    "has no attribute",         "not subscriptable", "cannot read propert",
    "undefined is not",         "is not a function", "nullpointerexception",
    "object reference not set", "nil pointer",       "index out of bounds",
    "traceback (most recent",   "not iterable"};
constexpr std::size_t kBreakdownBytesMax = 300;

// names_what_is_missing returns whether a text says of a text of the arguments that there is no
// such thing.
bool names_what_is_missing(const std::string& text, const Json& arguments) {
  const auto says = [&](std::string_view words) { return mentions(text, words); };
  if (!std::ranges::any_of(kRefusals, says) || !arguments.is_object()) return false;
  return std::ranges::any_of(arguments, [&](const Json& value) {
    const auto* const asked = value.get_ptr<const std::string*>();
    return asked != nullptr && asked->size() > 2 && mentions(text, lower_case(*asked));
  });
}

// fails_by_protocol returns whether a tool has looked for what it was asked for, and says by an
// error of the server's that it is not there.
bool fails_by_protocol(const Call& call) {
  const Json* const arguments = find(call.params, "arguments");
  const bool failed = call.reply.code() == -32603 || call.reply.code() == -32000;
  if (!failed || arguments == nullptr) return false;
  const std::string text = string_or(*call.reply.error(), "message", "");
  return names_what_is_missing(lower_case(text), *arguments);
}

// tells_of_failure returns whether a text begins as errors do, and says of a text of the arguments
// that there is no such thing. What is an answer may begin so as well, or quote what was asked.
bool tells_of_failure(const Json& result, const Json& arguments) {
  const std::string text = lower_case(text_in(result));
  const auto begins = [&](std::string_view word) { return text.starts_with(word); };
  return std::ranges::any_of(kErrorWords, begins) && names_what_is_missing(text, arguments);
}

// tells_of_breakdown returns whether a text is one line that begins as errors do, "Error opening
// it: list index out of range", and ends in what code says that breaks down. Logs hold such lines.
bool tells_of_breakdown(const Json& result, std::string_view tool) {
  const Json* const content = content_of(result);
  const bool alone = content != nullptr && content->size() == 1 &&
                     find(result, "structuredContent") == nullptr && !keeps_a_record(tool);
  const std::string text = lower_case(trimmed(text_in(result)));
  if (!alone || text.size() > kBreakdownBytesMax || text.find('\n') != std::string::npos)
    return false;
  const auto begins = [&](std::string_view word) { return text.starts_with(word); };
  const bool error = std::ranges::any_of(kErrorWords, begins) ||
                     (std::ranges::any_of(kErrorBegins, begins) && mentions(text, ": "));
  return error && std::ranges::any_of(kBreakdownWords, [&](std::string_view words) {
           return mentions(text, words);
         });
}

// calls_of_nothing returns calls of tools that only read, by an id that nothing has.
std::vector<Json> calls_of_nothing(Probe& probe, const Exercise& exercise) {
  std::vector<Json> found;
  for (const Json& params : reading_calls(probe, exercise, 2 * kCallsOfNothingMax)) {
    const Json* const arguments = find(params, "arguments");
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    if (arguments == nullptr || tool == nullptr || found.size() == kCallsOfNothingMax) continue;
    for (const auto& [name, value] : arguments->items()) {
      const Json* const property = at_pointer(*tool, "/inputSchema/properties/" + name);
      const bool free = property != nullptr && value.is_string() && !is_stated(*property) &&
                        find(*property, "pattern") == nullptr;
      if (!free || !is_id_like(words_of(name))) continue;
      found.push_back(params);
      found.back()["arguments"][name] = kNoSuchId;
      break;
    }
  }
  return found;
}

// judge_calls_of_nothing adds what tells of a failure in a text alone, asked for what is not there.
Task<void> judge_calls_of_nothing(Probe& probe, const Exercise* exercise, Tally& tally) {
  Client client = probe.client();
  for (const Json& params : calls_of_nothing(probe, *exercise)) {
    const Reply reply = co_await client.request("tools/call", params);
    const Json* const result = reply.result();
    if (result == nullptr || is_failure(*result)) continue;
    tally.saw();
    if (!tells_of_failure(*result, params["arguments"])) continue;
    tally.wrong(tool_in(params) +
                    " tells of its failure in a text alone, expected isError with it: \"" +
                    shortened(text_in(*result)) + "\"",
                reply);
  }
}

Task<Finding> fails_in_results(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  co_await judge_calls_of_nothing(probe, &exercise, tally);
  for (const Call& call : exercise.calls) {
    if (call.method != "tools/call" || !call.reply.answered()) continue;
    const bool must_fail = probe.surely_shows(string_or(call.params, "name", ""), Shows::kFailure);
    if ((must_fail && call.reply.error() != nullptr) || fails_by_protocol(call)) {
      tally.saw();
      tally.wrong(tool_in(call.params) + " failed with " + call.reply.describe() +
                      ", expected a result with isError",
                  call.evidence);
    }
    const Json* const result = call.complete();
    if (result == nullptr) continue;
    const bool failure = is_failure(*result);
    const Json* const arguments = find(call.params, "arguments");
    const bool in_words = !failure && !must_fail && arguments != nullptr &&
                          (tells_of_failure(*result, *arguments) ||
                           tells_of_breakdown(*result, string_or(call.params, "name", "")));
    if (in_words) {
      tally.saw();
      tally.wrong(tool_in(call.params) +
                      " tells of its failure in a text alone, expected isError with it: \"" +
                      shortened(text_in(*result)) + "\"",
                  call.evidence);
      continue;
    }
    if (!failure && !must_fail) continue;
    tally.saw();
    const Json* const content = content_of(*result);
    if (!failure) tally.wrong(tool_in(call.params) + " fails without isError", call.evidence);
    if (failure && (content == nullptr || content->empty())) {
      tally.wrong(tool_in(call.params) + " fails without a word about it", call.evidence);
    }
  }
  co_return tally.finding("no tool has failed");
}

constexpr ServerCheck kToolsFailuresChecks[] = {
    {"tools.execution-error-in-result", Eras::kBoth, SessionUse::kShared, fails_in_results},
};

}  // namespace

ServerChecks tools_failures_checks() { return kToolsFailuresChecks; }

}  // namespace plumbline::conformance
