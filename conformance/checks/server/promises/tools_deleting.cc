// Whether what a tool has deleted is gone from where it is listed, and whether a tool that says
// that it destroys nothing deletes. The judge deletes what it has made itself.

#include "conformance/checks/server/promises/tools_deleting.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/percent.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kMadeAndDeletedMax = 3;
constexpr std::array<std::string_view, 8> kMaking = {"create",   "add",  "new",  "make",
                                                     "register", "open", "post", "insert"};
constexpr std::array<std::string_view, 6> kDeleting = {"delete", "remove",     "destroy",
                                                       "drop",   "unregister", "erase"};

// MadeAndDeleted is a tool that makes something, and one that deletes it.
struct MadeAndDeleted {
  const Json* maker = nullptr;
  const Json* deleter = nullptr;
  std::string parameter;  // Of the deleter: what is to be deleted.
};

// thing_of returns what a tool is about whose name begins with one of `verbs`; empty: it is no
// such.
template <typename Verbs>
std::string thing_of(const Json& tool, const Verbs& verbs) {
  const std::vector<std::string> words = words_of(string_or(tool, "name", ""));
  const bool does =
      words.size() > 1 && std::ranges::find(verbs, words.front()) != std::ranges::end(verbs);
  return does ? singular(words.back()) : std::string();
}

std::string only_parameter_of(const Json& tool) {
  const Json* const required = at_pointer(tool, "/inputSchema/required");
  const bool one = required != nullptr && required->is_array() && required->size() == 1;
  return one && required->front().is_string() ? required->front().get<std::string>() : "";
}

std::vector<MadeAndDeleted> pairs_of_tools(Probe& probe) {
  std::vector<MadeAndDeleted> found;
  for (const Json& deleter : probe.survey().tools.items) {
    const std::string thing = thing_of(deleter, kDeleting);
    const std::string parameter = only_parameter_of(deleter);
    if (thing.empty() || parameter.empty() || !probe.may_call(deleter)) continue;
    for (const Json& maker : probe.survey().tools.items) {
      if (thing_of(maker, kMaking) != thing || !probe.may_call(maker)) continue;
      if (found.size() < kMadeAndDeletedMax) found.push_back({&maker, &deleter, parameter});
    }
  }
  return found;
}

// member_of returns the first member of an object, or of what is in it, that is called so.
const Json* member_of(const Json& value, std::string_view name) {
  if (!value.is_structured()) return nullptr;
  if (const Json* const found = value.is_object() ? find(value, name) : nullptr) return found;
  for (const Json& inside : value) {
    if (const Json* const found = member_of(inside, name)) return found;
  }
  return nullptr;
}

// id_of_made returns by what the deleter knows what was made; null: that is not to be seen.
Json id_of_made(const Json& answer, const std::string& parameter, const Json& params) {
  const Json* id = member_of(answer, parameter);
  if (id == nullptr) id = member_of(answer, "id");
  if (id == nullptr) id = at_pointer(params, "/arguments/" + parameter);
  return id == nullptr || id->is_structured() ? Json() : *id;
}

Task<std::vector<std::string>> listed_now(Probe& probe, Client client) {
  const Listing list =
      co_await list_all(client.session(), probe.check(), "resources/list", "resources");
  co_return list.whole ? values_of(list, "uri") : std::vector<std::string>();
}

bool is_among(const std::vector<std::string>& uris, const std::string& uri) {
  return std::ranges::find(uris, uri) != uris.end();
}

// is_new returns whether a list has something more that is known by `id`.
bool is_new(const std::vector<std::string>& before, const std::vector<std::string>& after,
            const Json& id) {
  const std::string text = id.is_string() ? id.get<std::string>() : dump_json(id);
  return std::ranges::any_of(after, [&](const std::string& uri) {
    return !is_among(before, uri) && mentions(percent_decode(uri), text);
  });
}

// make_one returns by what the deleter knows something that was just made; null: nothing was.
Task<Json> make_one(Client client, MadeAndDeleted pair, Json params) {
  for (int i = 0; i < 2; ++i) {
    const Reply made = co_await client.request("tools/call", params);
    if (has_gone_well(made)) co_return id_of_made(answer_in(made), pair.parameter, params);
    params = with_other_texts(std::move(params), *pair.maker);
  }
  co_return nullptr;
}

Task<Finding> judge_deleting(Probe& probe, Client client, MadeAndDeleted pair, Json params) {
  const std::vector<std::string> before = co_await listed_now(probe, client);
  const Json id = co_await make_one(client, pair, std::move(params));
  if (id.is_null()) co_return not_for_it("");
  const std::vector<std::string> with_it = co_await listed_now(probe, client);
  // What was there before is somebody else's: a tool that adds may give back what there is.
  if (!is_new(before, with_it, id)) co_return not_for_it("");
  const std::string deleter = string_or(*pair.deleter, "name", "");
  Json deleting = Json{{"name", deleter}};
  deleting["arguments"][pair.parameter] = id;
  const Reply deleted = co_await client.request("tools/call", std::move(deleting));
  if (!has_gone_well(deleted)) co_return not_for_it("");
  const std::vector<std::string> left = co_await listed_now(probe, client);
  for (const std::string& uri : left) {
    if (is_among(before, uri) || !is_among(with_it, uri)) continue;
    Json reading = {{"uri", uri}};
    const Reply read = co_await client.request("resources/read", std::move(reading));
    if (read.error() == nullptr) continue;
    co_return about(
        broken("\"" + shortened(uri) + "\", which \"" + string_or(*pair.maker, "name", "") +
               "\" had made, is in " + "resources/list still when \"" + deleter +
               "\" has deleted it, and resources/read of it got " + read.describe()),
        read);
  }
  co_return passes();
}

Task<Finding> deletes_what_is_listed(Probe& probe) {
  const std::vector<MadeAndDeleted> pairs = pairs_of_tools(probe);
  if (pairs.empty() || !probe.survey().declares("/resources")) {
    co_return not_for_it("no two tools make and delete what it lists");
  }
  const Exercise& exercise = *co_await probe.exercise();
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  std::size_t judged = 0;
  for (const MadeAndDeleted& pair : pairs) {
    const std::vector<const Call*> calls = good_calls(exercise, string_or(*pair.maker, "name", ""));
    if (calls.empty()) continue;
    Finding finding = co_await judge_deleting(probe, client, pair, calls.front()->params);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  co_return judged > 0 ? passes() : not_for_it("nothing that a tool makes is listed");
}

constexpr std::size_t kHarmlessMax = 4;  // Tools that say so, that are called.
constexpr std::size_t kSharedReadingsMax = 12;
// What deletes, and how it is said that nothing brings it back.
constexpr std::array<std::string_view, 15> kDestroying = {
    "delete", "deletes", "deleted",  "remove",    "removes", "removed", "erase", "erases",
    "erased", "destroy", "destroys", "destroyed", "wiped",   "purges",  "purged"};
constexpr std::array<std::string_view, 3> kForGood = {"permanently", "irreversibly", "irrevocably"};
constexpr std::array<std::string_view, 16> kDenying = {
    " not ",  "never",  "nothing", "without",    "unless", "doesn't", "don't", "isn't",
    "unlike", "after ", "trash",   "instead of", "days",   "until",   "undo ", "restor"};

// destroys_for_good returns whether words say so: "permanently removes", "deleted for good".
bool destroys_for_good(const std::vector<std::string>& words) {
  const auto is_at = [&](std::size_t i, const auto& known) {
    return i < words.size() && std::ranges::find(known, words[i]) != known.end();
  };
  bool destroys = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool here = is_at(i, kDestroying);
    if (here && (is_at(i + 1, kForGood) || (i > 0 && is_at(i - 1, kForGood)))) return true;
    destroys = destroys || here;
    if (destroys && words[i] == "for" && i + 1 < words.size() && words[i + 1] == "good") {
      const bool noun = i + 2 < words.size() && words[i + 2] == "measure";
      if (!noun) return true;
    }
  }
  return false;
}

// says_that_it_deletes returns the sentence in which a tool says that it deletes something for
// good; empty: it does not.
std::string says_that_it_deletes(const Json& tool) {
  for (const Sentence& one : sentences_in(string_or(tool, "description", ""))) {
    if (!destroys_for_good(words_of(one.low)) || mentions_any(" " + one.low, kDenying)) continue;
    return one.text.substr(0, one.text.find_last_not_of('.') + 1);
  }
  return {};
}

// reads_the_same returns whether two calls have an id in common.
bool reads_the_same(const Json& reading, const Json& params) {
  const Json* const asked = find(reading, "arguments");
  const Json* const given = find(params, "arguments");
  if (asked == nullptr || given == nullptr || asked->size() != 1) return false;
  const auto only = asked->items().begin();
  return is_id_like(words_of(only.key())) &&
         std::ranges::find(*given, only.value()) != given->end();
}

// takes_away calls a tool, and one that only reads before and after it: its refusal counts where it
// comes twice, and where it had answered twice before.
Task<Finding> takes_away(Client client, Json params, Json reading) {
  for (int i = 0; i < 2; ++i) {
    const Reply before = co_await client.request("tools/call", reading);
    if (!has_gone_well(before)) co_return not_for_it("");
  }
  const Reply done = co_await client.request("tools/call", params);
  if (!has_gone_well(done)) co_return not_for_it("");
  Reply after;
  for (int i = 0; i < 2; ++i) {
    after = co_await client.request("tools/call", reading);
    if (!is_refused(after)) co_return passes();
  }
  co_return about(
      broken("the tool \"" + shortened(string_or(params, "name", "")) +
             "\" says destructiveHint: false, and since a call of it " + tool_in(reading) +
             " refuses " + given_in(reading) + ", which it had answered before"),
      done, after);
}

constexpr ServerCheck kToolsDeletingChecks[] = {
    {"tools.deleted-is-gone", Eras::kBoth, SessionUse::kOpens, deletes_what_is_listed},
};

}  // namespace

Task<Finding> destroys_nothing(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<Json> readings = reading_calls(probe, exercise, kSharedReadingsMax);
  std::size_t called = 0;
  std::size_t judged = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool harmless =
        says_hint(tool, "destructiveHint", false) && !says_hint(tool, "readOnlyHint", true);
    if (!harmless) continue;
    if (const std::string says = says_that_it_deletes(tool); !says.empty()) {
      Finding finding = broken("the tool \"" + shortened(name) +
                               "\" says destructiveHint: false, and \"" + shortened(says) + "\"");
      finding.evidence = evidence_of(tool);
      co_return std::move(finding);
    }
    const std::vector<const Call*> calls = good_calls(exercise, name);
    if (calls.empty() || !probe.may_call(tool) || probe.disturbs(name)) continue;
    const Json params = calls.back()->params;
    const auto same = std::ranges::find_if(
        readings, [&](const Json& reading) { return reads_the_same(reading, params); });
    if (same == readings.end() || called++ == kHarmlessMax) continue;
    Client client = co_await probe.open(probe.usual());
    if (!client.session().usable()) continue;
    Finding finding = co_await takes_away(client, params, *same);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

ServerChecks tools_deleting_checks() { return kToolsDeletingChecks; }

}  // namespace plumbline::conformance
