// Whether a resource still shows what a tool does, when it was read before: one that is kept
// from its first reading on never changes again for who is told that it has. No clause says so
// much.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/resources/resource_changes.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kTracesMax = 3;
constexpr std::size_t kShowingMax = 8;
constexpr std::size_t kNamedLeast = 3;  // Letters of a value that a URI is known by.
constexpr std::array<std::string_view, 12> kSaysKept = {
    "cache",   "cached",   "snapshot", "stale",   "hourly",    "daily",
    "minutes", "periodic", "delayed",  "refresh", "refreshed", "startup"};
constexpr std::array<std::string_view, 12> kSaysOfNow = {"at the moment of reading",
                                                         "real time",
                                                         "real-time",
                                                         "realtime",
                                                         "up to date",
                                                         "up-to-date",
                                                         "live",
                                                         "current",
                                                         "latest",
                                                         "as it is",
                                                         "as they are",
                                                         " now"};

// Trace is a call that leaves a text, which the judge gives it, in what the server keeps.
struct Trace {
  const Json* tool = nullptr;
  Json params;
  std::string parameter;
};

// leaves makes the call with a text of its own; empty: it did not go well. What it was mended to is
// kept for the next.
Task<std::string> leaves(Probe& probe, Client& client, Trace* trace, char sign) {
  std::string text = "Plumbline " + std::to_string(probe.check()) + sign;
  trace->params["arguments"][trace->parameter] = text;
  const Reply reply = co_await call_mended(client, trace->tool, &trace->params);
  co_return has_gone_well(reply) ? std::move(text) : std::string();
}

// differ_by returns whether two calls differ in nothing but one parameter: they leave their texts
// in the same place.
bool differ_by(Json one, const Json& other, const std::string& parameter) {
  if (const Json* const text = at_pointer(other, "/arguments/" + parameter)) {
    one["arguments"][parameter] = *text;
  }
  return one == other;
}

bool has_trace(const Json& contents, const std::string& text) {
  return !text.empty() && mentions(dump_json(contents), text);
}

// has_value_of returns whether a URI has one of the values of a call in it.
bool has_value_of(std::string_view uri, const Json& params) {
  const Json* const given = find(params, "arguments");
  return given != nullptr && std::ranges::any_of(*given, [uri](const Json& value) {
           const auto* const text = value.get_ptr<const std::string*>();
           return text != nullptr && text->size() >= kNamedLeast && mentions(uri, *text);
         });
}

// how_likely returns how likely it is that a resource shows what a call does: it has one of its
// values in its URI, or a word of the tool's name.
int how_likely(const Json& resource, const Trace& trace) {
  const std::string uri = lower_case(string_or(resource, "uri", ""));
  if (has_value_of(string_or(resource, "uri", ""), trace.params)) return 2;
  const std::vector<std::string> words = words_of(string_or(*trace.tool, "name", ""));
  const bool named = std::ranges::any_of(words, [&](const std::string& word) {
    return word.size() > kNamedLeast && mentions(uri, singular(word));
  });
  return named ? 1 : 0;
}

// likely_to_show returns the resources that may show what a call does, the likeliest first.
std::vector<const Json*> likely_to_show(const Survey& survey, const Trace& trace) {
  std::vector<const Json*> found;
  for (const int like : {2, 1, 0}) {
    for (const Json& resource : survey.resources.items) {
      if (found.size() < kShowingMax && how_likely(resource, trace) == like) {
        found.push_back(&resource);
      }
    }
  }
  return found;
}

// traces returns calls of tools that take a text of any kind, where a resource is likely to show
// it.
std::vector<Trace> traces(Probe& probe, const Exercise& exercise) {
  std::vector<Trace> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    if (name.starts_with("test_")) continue;  // The fixtures of the official suite keep nothing.
    const bool writes = !says_hint(tool, "readOnlyHint", true) && probe.may_write();
    const Json* const properties = properties_of(tool);
    if (!writes || !probe.may_call(tool) || probe.disturbs(name) || properties == nullptr) continue;
    Trace trace{&tool, known_params(probe, exercise, tool), {}};
    const Json* const given = find(trace.params, "arguments");
    if (given == nullptr || found.size() == kTracesMax) continue;
    for (const auto& [parameter, value] : given->items()) {
      const Json* const property = find(*properties, parameter);
      const bool any = property != nullptr && value.is_string() && !is_stated(*property);
      if (any && trace.parameter.empty()) trace.parameter = parameter;
    }
    const bool likely =
        std::ranges::any_of(probe.survey().resources.items,
                            [&](const Json& resource) { return how_likely(resource, trace) > 0; });
    if (likely && !trace.parameter.empty()) found.push_back(std::move(trace));
  }
  return found;
}

// is_kept returns whether a resource says that it is kept for a while.
bool is_kept(const Json& resource) {
  const std::vector<Sentence> said = sentences_in(string_or(resource, "description", ""));
  return std::ranges::any_of(said, [](const Sentence& one) { return says_word(one, kSaysKept); });
}

bool is_of_now(const Json& resource) {
  return mentions_any(lower_case(string_or(resource, "description", "")), kSaysOfNow);
}

// showing_of makes the call in a process in which nothing was read yet, and returns the resource
// that shows what it left; nullptr: none does.
Task<const Json*> showing_of(Probe& probe, Trace* trace, const Json* among, char sign) {
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return nullptr;
  const std::string text = co_await leaves(probe, client, trace, sign);
  if (text.empty()) co_return nullptr;
  for (const Json* const resource : likely_to_show(probe.survey(), *trace)) {
    if (among != nullptr && resource != among) continue;
    const Json contents = co_await contents_of(client, string_or(*resource, "uri", ""));
    if (has_trace(contents, text) && !is_kept(*resource)) co_return resource;
  }
  co_return nullptr;
}

// was_told_of returns whether an update of a resource came since the frame `first`.
bool was_told_of(Client& client, std::size_t first, const std::string& uri) {
  const std::vector<Frame>& frames = client.session().wire().inbox().frames;
  for (std::size_t at = first; at < frames.size(); ++at) {
    const Json& message = *frames[at].message;
    const Json* const about = at_pointer(message, "/params/uri");
    const bool update = string_or(message, "method", "") == "notifications/resources/updated";
    if (update && about != nullptr && *about == uri) return true;
  }
  return false;
}

// judge_reread reads a resource that shows what a call leaves, makes the call, and reads it
// again.
Task<Finding> judge_reread(Probe& probe, Trace* trace, const Json* resource) {
  const std::string uri = string_or(*resource, "uri", "");
  const Json reading = {{"uri", uri}};
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return not_for_it("");
  if (probe.survey().declares("/resources/subscribe")) {
    co_await client.request("resources/subscribe", reading);
  }
  const Json before = co_await contents_of(client, uri);
  const std::size_t first = frames_of(client);
  const Json same = trace->params;
  const std::string text = co_await leaves(probe, client, trace, 'b');
  if (!differ_by(same, trace->params, trace->parameter)) co_return not_for_it("");
  if (before.is_null() || text.empty() || has_trace(before, text)) co_return not_for_it("");
  co_await client.listen(probe.pace().quiet());
  const bool told = was_told_of(client, first, uri);
  const Reply after = co_await client.request("resources/read", reading);
  const Json* const contents =
      after.result() == nullptr ? nullptr : find(*after.result(), "contents");
  if (contents == nullptr) co_return not_for_it("");
  if (has_trace(*contents, text)) co_return passes();
  if (*contents != before || (!told && !is_of_now(*resource))) co_return not_for_it("");
  const Json* const unread = co_await showing_of(probe, trace, resource, 'c');
  if (unread == nullptr) co_return not_for_it("");
  const std::string proof = told ? ", and an update of it came" : ", and it says that it is of now";
  co_return about(
      broken(shortened(uri) + " shows what " + tool_in(trace->params) +
             " does only where it was not read before: read before and after a call, it is the "
             "same" +
             proof),
      after);
}

Task<Finding> reads_what_is_now(Probe& probe) {
  if (!probe.over_stdio()) co_return not_for_it("what one session reads may be kept for all");
  if (probe.survey().resources.items.empty()) co_return not_for_it("it lists no resources");
  const Exercise& exercise = *co_await probe.exercise();
  std::size_t judged = 0;
  for (Trace& trace : traces(probe, exercise)) {
    const Json* const resource = co_await showing_of(probe, &trace, nullptr, 'a');
    if (resource == nullptr) continue;
    Finding finding = co_await judge_reread(probe, &trace, resource);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("no resource shows what a call does");
}

constexpr ServerCheck kResourcesCurrentChecks[] = {
    {"resources.read-is-current", Eras::kStateful, SessionUse::kOpens, reads_what_is_now},
};

}  // namespace

ServerChecks resources_current_checks() { return kResourcesCurrentChecks; }

}  // namespace plumbline::conformance
