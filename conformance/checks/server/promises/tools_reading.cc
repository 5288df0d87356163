// Whether tools that say that they only read do: asked the same again they answer alike, and what
// else can be read is as it was. No clause says so much: schema, ToolAnnotations, readOnlyHint.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/percent.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kReadingsMax = 16;
constexpr std::size_t kSameCallsMax = 5;   // Of the same call, where two differ.
constexpr std::size_t kWitnessesMax = 2;   // Of each kind, for one call.
constexpr std::size_t kFreshMax = 4;       // Sessions for calls that name nothing.
constexpr std::size_t kNamingTextMin = 3;  // Bytes of a text that names something.
constexpr std::array<std::string_view, 8> kByChance = {"random", "roll",   "flip", "pick",
                                                       "dice",   "sample", "next", "poll"};

bool is_by_chance(const Json& params) {
  const std::vector<std::string> words = words_of(string_or(params, "name", ""));
  return std::ranges::any_of(words, [](const std::string& word) {
    return std::ranges::find(kByChance, word) != kByChance.end();
  });
}

// in_turn returns whether answers come in turn, one and the other.
bool in_turn(const std::vector<Json>& answers) {
  for (std::size_t i = 2; i < answers.size(); ++i) {
    if (answers[i] != answers[i - 2]) return false;
  }
  return answers.size() == kSameCallsMax && answers[0] != answers[1];
}

// fails_again returns whether a call goes well in a new session, and fails the second and the third
// time.
Task<bool> fails_again(Probe& probe, Json params) {
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return false;
  const Reply first = co_await client.request("tools/call", params);
  if (!has_gone_well(first)) co_return false;
  for (int i = 0; i < 2; ++i) {
    const Reply more = co_await client.request("tools/call", params);
    if (!is_refused(more)) co_return false;
  }
  co_return true;
}

// judge_first returns whether the first answer alone is another one, and so it is in a new process:
// `answers` are what came in one.
Task<Finding> judge_first(Probe& probe, Json params, std::vector<Json> answers) {
  const bool settled = std::equal(answers.begin() + 2, answers.end(), answers.begin() + 1);
  const FirstDifference difference = first_difference_of(answers[0], answers[1]);
  if (!probe.over_stdio() || !settled || tells_of_time(difference)) co_return passes();
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return passes();
  for (std::size_t i = 0; i < 2; ++i) {
    const Reply reply = co_await client.request("tools/call", params);
    if (answer_in(reply) != answers[i]) co_return passes();
  }
  co_return broken(
      tool_in(params) + " answers a call of " + shortened(dump_json(params["arguments"])) +
      " once so and from then on otherwise, in each new process: " + shown(difference) +
      "; the first call uses something up");
}

// judge_again asks the same again.
Task<Finding> judge_again(Probe& probe, Client client, Json params) {
  const Reply first = co_await client.request("tools/call", params);
  const Reply second = co_await client.request("tools/call", params);
  if (!has_gone_well(first) || !second.answered()) co_return passes();
  std::vector<Json> answers = {answer_in(first), answer_in(second)};
  if (answers[0] == answers[1]) co_return passes();
  const std::string given = shortened(dump_json(params["arguments"]));
  if (is_refused(second)) {
    // Elsewhere others use it meanwhile.
    if (!probe.over_stdio()) co_return passes();
    const bool twice = co_await fails_again(probe, params);
    if (!twice) co_return passes();
    co_return about(
        broken(tool_in(params) + " answers a call of " + given +
               " once, and the same again fails: \"" + shortened(trimmed(text_of_failure(second))) +
               "\"; the first call uses something up"),
        first, second);
  }
  while (answers.size() < kSameCallsMax) {
    const Reply more = co_await client.request("tools/call", params);
    answers.push_back(answer_in(more));
  }
  if (!in_turn(answers)) {
    Finding finding = co_await judge_first(probe, std::move(params), answers);
    if (finding.verdict != Verdict::kPass) finding.about = second.places;
    co_return std::move(finding);
  }
  co_return about(broken(tool_in(params) + " answers the same call (" + given +
                         ") in turn one way and the other: " +
                         shown(first_difference_of(answers[0], answers[1])) +
                         ", and so on; something is kept from call to call, such as the "
                         "lastIndex of a regular expression"),
                  first, second);
}

Task<Finding> answers_alike(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  std::vector<Json> calls = reading_calls(probe, exercise, kReadingsMax);
  std::erase_if(calls, is_by_chance);
  if (calls.empty()) co_return not_for_it("no tool that says that it only reads has answered");
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  for (const Json& params : calls) {
    Finding finding = co_await judge_again(probe, client, params);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  co_return passes();
}

// Witness is a request that shows something that a call is about.
struct Witness {
  std::string method;
  Json params;
  std::string shown;
  bool by_order = false;  // Whether only another order is of account.
};

// named_in returns the texts and whole numbers that a call names something by.
std::vector<Json> named_in(const Json& params) {
  std::vector<Json> named;
  const Json* const arguments = find(params, "arguments");
  if (arguments == nullptr || !arguments->is_object()) return named;
  for (const Json& value : *arguments) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text != nullptr && text->size() >= kNamingTextMin) named.push_back(value);
  }
  return named;
}

bool is_about(const std::string& text, const std::vector<Json>& named) {
  return std::ranges::any_of(
      named, [&](const Json& one) { return mentions(text, one.get_ref<const std::string&>()); });
}

// other_lists returns calls that give a list of all, for a call that is about all.
std::vector<Witness> other_lists(const std::vector<Json>& calls, const Json& params) {
  std::vector<Witness> found;
  for (const Json& other : calls) {
    const std::string tool = string_or(other, "name", "");
    const Json* const arguments = find(other, "arguments");
    const bool all = arguments == nullptr || arguments->empty();
    if (!all || tool == string_or(params, "name", "") || found.size() == kWitnessesMax) continue;
    found.push_back({"tools/call", other, "the answer of " + tool, true});
  }
  return found;
}

// in_any_order returns a value with all lists in it sorted.
Json in_any_order(Json value) {
  if (!value.is_structured()) return value;
  for (Json& inside : value) inside = in_any_order(std::move(inside));
  if (value.is_array()) std::sort(value.begin(), value.end());
  return value;
}

// witnesses returns what shows the thing that `params` names: resources, and other tools.
std::vector<Witness> witnesses(Probe& probe, const std::vector<Json>& calls, const Json& params) {
  std::vector<Witness> found;
  const std::vector<Json> named = named_in(params);
  if (named.empty()) return other_lists(calls, params);
  for (const Json& resource : probe.survey().resources.items) {
    const std::string uri = string_or(resource, "uri", "");
    if (found.size() == kWitnessesMax) break;
    if (!is_about(percent_decode(uri), named) && !is_about(string_or(resource, "name", ""), named))
      continue;
    found.push_back({"resources/read", Json{{"uri", uri}}, uri});
  }
  const std::size_t before = found.size();
  for (const Json& other : calls) {
    if (found.size() == before + kWitnessesMax) break;
    const std::string tool = string_or(other, "name", "");
    if (tool == string_or(params, "name", "") || !is_about(dump_json(other), named)) continue;
    found.push_back({"tools/call", other, "the answer of " + tool});
  }
  return found;
}

// loses returns whether a list in `is` has fewer items than in `was`, and no other ones.
bool loses(const Json& was, const Json& is) {
  if (was.is_array() && is.is_array() && is.size() < was.size()) {
    return std::ranges::all_of(is, [&](const Json& item) { return std::ranges::count(was, item); });
  }
  if (was.type() != is.type() || !was.is_structured() || was.size() != is.size()) return false;
  for (auto one = was.begin(), other = is.begin(); one != was.end(); ++one, ++other) {
    if (loses(*one, *other)) return true;
  }
  return false;
}

// Changed is what became of a witness with one call between.
struct Changed {
  bool is = false;
  bool lost = false;  // Something that was listed.
  FirstDifference difference;
  std::vector<std::size_t> places;
};

// Sighting is a witness as it was seen twice before a call, and twice after it.
struct Sighting {
  Reply earlier;
  Reply before;
  Reply after;
  Reply later;
};

// changed_in returns whether a witness stood still, and has changed after `call`.
Changed changed_in(const Sighting& looked, const Reply& call, bool by_order) {
  Changed changed;
  const bool well =
      has_gone_well(looked.before) && has_gone_well(call) && has_gone_well(looked.after);
  const Json was = answer_in(looked.before);
  const Json is = answer_in(looked.after);
  changed.difference = first_difference_of(was, is);
  // An order tells nothing of time, whatever stands at its first place; and what reads may fill a
  // store for others, but takes nothing out of one.
  changed.lost = loses(was, is);
  const bool counts = by_order ? changed.lost || in_any_order(was) == in_any_order(is)
                               : !tells_of_time(changed.difference);
  changed.is = well && counts && was != is && answer_in(looked.earlier) == was &&
               answer_in(looked.later) == is;
  changed.places = call.places;
  changed.places.insert(changed.places.end(), looked.after.places.begin(),
                        looked.after.places.end());
  return changed;
}

// changes returns for each witness whether one call has changed it.
Task<std::vector<Changed>> changes(Client client, std::vector<Witness> witnesses, Json params) {
  std::vector<Sighting> looked(witnesses.size());
  for (std::size_t i = 0; i < looked.size(); ++i) {
    looked[i].earlier = co_await client.request(witnesses[i].method, witnesses[i].params);
    looked[i].before = co_await client.request(witnesses[i].method, witnesses[i].params);
  }
  const Reply call = co_await client.request("tools/call", params);
  std::vector<Changed> changed;
  for (std::size_t i = 0; i < looked.size(); ++i) {
    looked[i].after = co_await client.request(witnesses[i].method, witnesses[i].params);
    looked[i].later = co_await client.request(witnesses[i].method, witnesses[i].params);
    changed.push_back(changed_in(looked[i], call, witnesses[i].by_order));
  }
  co_return std::move(changed);
}

// judge_reading looks at what a call is about before and after it, in two sessions: in the second
// at one thing alone, as a look at another may have changed it.
Task<Finding> judge_reading(Probe& probe, Client client, Json params,
                            std::vector<Witness> witnesses) {
  const std::vector<Changed> once = co_await changes(client, witnesses, params);
  const auto changed = std::ranges::find(once, true, &Changed::is);
  if (changed == once.end()) co_return passes();
  const auto place = static_cast<std::size_t>(changed - once.begin());
  Client other = co_await probe.open(probe.usual());
  if (!other.session().usable()) co_return passes();
  const std::vector<Witness> alone = {witnesses[place]};
  const std::vector<Changed> again = co_await changes(other, alone, params);
  if (!again.front().is) co_return passes();
  Finding finding = broken(tool_in(params) + " says readOnlyHint: true, and a call of it (" +
                           shortened(dump_json(params["arguments"])) + ") changed " +
                           shortened(witnesses[place].shown) + ": " + shown(changed->difference) +
                           (changed->lost ? "; what only reads takes nothing away"
                                          : "; it may change what is stored in place of a copy"));
  finding.about = changed->places;
  co_return std::move(finding);
}

Task<Finding> leaves_alone(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<Json> calls = reading_calls(probe, exercise, kReadingsMax);
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  bool seen = false;
  std::size_t fresh = 0;
  for (const Json& params : calls) {
    std::vector<Witness> shows = witnesses(probe, calls, params);
    if (shows.empty()) continue;
    seen = true;
    // What sorts in place has sorted for all who come after it.
    const bool by_order = shows.front().by_order;
    if (by_order && fresh++ >= kFreshMax) continue;
    if (by_order) client = co_await probe.open(probe.usual());
    Finding finding = co_await judge_reading(probe, client, params, std::move(shows));
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  co_return seen ? passes() : not_for_it("nothing else shows what a tool that reads is asked for");
}

constexpr ServerCheck kToolsReadingChecks[] = {
    {"tools.answers-alike", Eras::kBoth, SessionUse::kOpens, answers_alike},
    {"tools.reading-changes-nothing", Eras::kBoth, SessionUse::kOpens, leaves_alone},
};

}  // namespace

ServerChecks tools_reading_checks() { return kToolsReadingChecks; }

}  // namespace plumbline::conformance
