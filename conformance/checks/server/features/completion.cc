// Completion of arguments: spec, server/utilities/completion.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/outcomes.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kValuesMax = 100;
constexpr std::size_t kRoundNumber = 5;  // Whoever cuts a list short cuts it at a multiple of this.
constexpr std::size_t kLettersTyped = 26;
constexpr const char* kNoCompletions = "it does not declare completions";
constexpr const char* kNothingToComplete = "it has no prompt argument and no template variable";

const Json* completion_in(const Reply& reply) {
  const Json* const result = reply.result();
  return result == nullptr ? nullptr : find(*result, "completion");
}

// values_in returns the values of one completion as strings.
std::vector<std::string> values_in(const Reply& reply) {
  std::vector<std::string> values;
  const Json* const completion = completion_in(reply);
  const Json* const found = completion == nullptr ? nullptr : find(*completion, "values");
  if (found == nullptr || !found->is_array()) return values;
  for (const Json& value : *found) {
    if (value.is_string()) values.push_back(value.get_ref<const std::string&>());
  }
  return values;
}

Json typed(Json params, std::string value) {
  params["argument"]["value"] = std::move(value);
  return params;
}

bool declares_completions(Probe& probe) {
  return probe.survey().declares("/completions") || !knows_completions_capability(probe.revision());
}

Task<Finding> declares_completion(Probe& probe) {
  const std::vector<Json> arguments = completable(probe.survey());
  if (arguments.empty()) co_return not_for_it(kNothingToComplete);
  Client client = probe.client();
  const Reply reply = co_await client.request("completion/complete", arguments.front());
  if (!reply.answered()) co_return undecided("got " + reply.describe());
  const bool declared = probe.survey().declares("/completions");
  const bool works = reply.result() != nullptr;
  if (declared && reply.code() == -32601) {
    co_return about(broken("it declares completions, and completion/complete is no method of it"),
                    reply);
  }
  if (!declared && works && find(*reply.result(), "completion") == nullptr) {
    Finding empty = risky(
        "arguable: completion/complete is answered, though with nothing in it, and "
        "completions are not declared");
    empty.reason = outcome::kEmptyResult;
    co_return std::move(empty);
  }
  if (!declared && works) {
    Finding finding =
        about(broken("completion/complete has a result, and completions are not declared"), reply);
    finding.about = probe.survey().opening.places;
    finding.about.insert(finding.about.end(), reply.places.begin(), reply.places.end());
    co_return std::move(finding);
  }
  co_return works ? passes() : not_for_it("it does not complete");
}

std::string counts_problem(const Json& completion, std::size_t count) {
  const Json* const total = find(completion, "total");
  const Json* const more = find(completion, "hasMore");
  const auto number = total == nullptr ? std::nullopt : as_int(*total);
  if (total != nullptr && (!number || *number < 0)) return "a total of " + dump_json(*total);
  if (more != nullptr && !more->is_boolean()) return "hasMore " + dump_json(*more);
  if (number && static_cast<std::size_t>(*number) < count) {
    return "a total of " + std::to_string(*number) + " and " + std::to_string(count) + " values";
  }
  if (more == nullptr || !number) return "";
  const bool rest = static_cast<std::size_t>(*number) > count;
  if (rest == *more) return "";
  return std::string("hasMore ") + (*more ? "true" : "false") + ", a total of " +
         std::to_string(*number) + " and " + std::to_string(count) + " values";
}

// says_that_is_all returns whether a completion says that there are no more values than those.
bool says_that_is_all(const Json& completion, std::size_t count) {
  const Json* const more = find(completion, "hasMore");
  if (more != nullptr) return *more == Json(false);
  return int_or(completion, "total", -1) == static_cast<std::int64_t>(count);
}

// hides_some types letters where all values are said to be there, and so many that they may have
// been cut: a value that begins so was there before, too.
Task<Finding> hides_some(Probe& probe, Client& client, Json params, std::vector<std::string> all) {
  if (all.empty() || all.size() % kRoundNumber != 0) co_return passes();
  for (std::size_t i = 0; i < probe.as_many(kLettersTyped); ++i) {
    const std::string letter(1, static_cast<char>('a' + i));
    const Reply reply = co_await client.request("completion/complete", typed(params, letter));
    for (const std::string& value : values_in(reply)) {
      const bool fits = value.size() > 1 && lower_case(value).starts_with(letter);
      if (!fits || std::ranges::find(all, value) != all.end()) continue;
      co_return about(risky("with nothing typed it gave " + std::to_string(all.size()) +
                            " values and said that there are no more, and with \"" + letter +
                            "\" it gave \"" + shortened(value) +
                            "\", which was not among them; expected hasMore: true, and a total "
                            "of all that match"),
                      reply);
    }
  }
  co_return passes();
}

Task<Finding> returns_a_hundred_at_most(Probe& probe) {
  if (!declares_completions(probe)) co_return not_for_it(kNoCompletions);
  Client client = probe.client();
  Tally tally;
  Finding contradiction;
  for (const Json& params : completable(probe.survey())) {
    const Reply reply = co_await client.request("completion/complete", params);
    if (reply.result() == nullptr) continue;
    tally.saw();
    const std::string of = "the completion of " + dump_json(params["argument"]["name"]);
    const Json* const completion = completion_in(reply);
    const Json* const values = completion == nullptr ? nullptr : find(*completion, "values");
    const auto is_string = [](const Json& value) { return value.is_string(); };
    if (values == nullptr || !values->is_array() || !std::ranges::all_of(*values, is_string)) {
      tally.wrong(of + " has no array of strings as its values", reply);
      continue;
    }
    if (values->size() > kValuesMax) {
      tally.wrong(of + " has " + std::to_string(values->size()) + " values, expected 100 at most",
                  reply);
    }
    const std::string wrong = counts_problem(*completion, values->size());
    if (!wrong.empty()) {
      contradiction =
          about(risky("the counts of " + of + " contradict each other: " + wrong), reply);
    } else if (contradiction.verdict == Verdict::kPass &&
               says_that_is_all(*completion, values->size())) {
      contradiction = co_await hides_some(probe, client, params, values_in(reply));
    }
  }
  if (tally.clean() && contradiction.verdict != Verdict::kPass) co_return std::move(contradiction);
  co_return tally.finding("no completion was given");
}

// A prompt by its name and a template by its URI: nothing else is needed to name them.
Task<Finding> completes_what_it_lists(Probe& probe) {
  if (!declares_completions(probe)) co_return not_for_it(kNoCompletions);
  Client client = probe.client();
  std::string before;  // The kind of reference that was asked for last: one of each is enough.
  Finding finding = not_for_it(kNothingToComplete);
  for (const Json& params : completable(probe.survey())) {
    const std::string kind = string_or(params["ref"], "type", "");
    if (kind == before) continue;
    before = kind;
    const Reply reply = co_await client.request("completion/complete", params);
    if (!reply.answered()) co_return undecided("got " + reply.describe());
    if (reply.code() == -32601) co_return not_for_it("it does not complete");
    finding = passes();
    if (reply.result() != nullptr) continue;
    co_return about(
        broken("completion/complete with the reference " + shortened(dump_json(params["ref"])) +
               ", which it lists, got " + reply.describe() + ", expected values, or none"),
        reply);
  }
  co_return std::move(finding);
}

Task<Finding> has_no_such_method(Probe& probe) {
  if (probe.survey().declares("/completions")) co_return not_for_it("it declares completions");
  Client client = probe.client();
  Json params = Json::object();
  params["ref"]["type"] = "ref/prompt";
  params["ref"]["name"] = "plumbline_no_such_prompt";
  params["argument"]["name"] = "argument";
  params["argument"]["value"] = "";
  const Reply reply = co_await client.request("completion/complete", std::move(params));
  co_return expect_error(reply, {-32601});
}

Task<Finding> refuses_unknown_prompts_in_refs(Probe& probe) {
  if (!declares_completions(probe)) co_return not_for_it(kNoCompletions);
  if (!probe.survey().declares("/prompts")) co_return not_for_it("it has no prompts");
  Client client = probe.client();
  Json params = Json::object();
  params["ref"]["type"] = "ref/prompt";
  params["ref"]["name"] = "plumbline_no_such_prompt";
  params["argument"]["name"] = "argument";
  params["argument"]["value"] = "";
  const Reply reply = co_await client.request("completion/complete", std::move(params));
  if (reply.code() == -32601 && !probe.survey().declares("/completions")) {
    co_return not_for_it("it does not complete");
  }
  co_return expect_error(reply, {-32602});
}

Task<Finding> refuses_missing_members(Probe& probe) {
  if (!declares_completions(probe)) co_return not_for_it(kNoCompletions);
  const std::vector<Json> arguments = completable(probe.survey());
  if (arguments.empty()) co_return not_for_it(kNothingToComplete);
  Client client = probe.client();
  for (const char* const member : {"argument", "ref"}) {
    Json params = arguments.front();
    params.erase(member);
    const Reply reply = co_await client.request("completion/complete", std::move(params));
    Finding finding = expect_error(reply, {-32602});
    if (finding.verdict == Verdict::kPass) continue;
    finding.message.insert(0, "completion/complete without " + std::string(member) + " ");
    co_return std::move(finding);
  }
  co_return passes();
}

Task<Finding> has_the_best_match_first(Probe& probe) {
  if (!declares_completions(probe)) co_return not_for_it(kNoCompletions);
  Client client = probe.client();
  Tally tally;
  for (const Json& params : completable(probe.survey())) {
    const Reply untyped = co_await client.request("completion/complete", params);
    const std::vector<std::string> all = values_in(untyped);
    if (all.size() < 2) continue;
    // The last one: a server that always says the same has another one first.
    const std::string& whole = all.back();
    const Reply reply = co_await client.request("completion/complete", typed(params, whole));
    const std::vector<std::string> some = values_in(reply);
    if (some.empty()) continue;
    tally.saw();
    if (some.front() == whole) continue;
    tally.wrong("\"" + shortened(whole) + "\" was typed in full, and \"" + shortened(some.front()) +
                    "\" came first",
                reply);
  }
  co_return tally.finding("nothing has two completions");
}

Task<Finding> validates_completions(Probe& probe) {
  if (!declares_completions(probe)) co_return not_for_it(kNoCompletions);
  const std::vector<Json> arguments = completable(probe.survey());
  if (arguments.empty()) co_return not_for_it(kNothingToComplete);
  Client client = probe.client();
  std::vector<Json> bad(6, arguments.front());
  bad[0]["ref"]["type"] = "ref/plumbline";
  bad[1]["ref"] = 4711;
  bad[2]["argument"] = Json::array();
  bad[3]["argument"]["value"] = Json::object();
  bad[4]["argument"]["value"] = std::string(20'000, 'a');
  bad[5]["argument"]["value"] = "../../../../etc/passwd";
  for (Json& params : bad) {
    const std::string shown = shortened(dump_json(params));
    const std::vector<Json>::size_type place = static_cast<std::size_t>(&params - bad.data());
    const Reply reply = co_await client.request("completion/complete", std::move(params));
    if (reply.how == Reply::How::kClosed) co_return broken("it ended on " + shown);
    if (!reply.answered() && reply.status == 0) co_return undecided("got " + reply.describe());
    const Json* const completion = completion_in(reply);
    const Json* const values = completion == nullptr ? nullptr : find(*completion, "values");
    const bool completes = values != nullptr && values->is_array() && !values->empty();
    if (completes && place < 4) {
      co_return broken("got values for what is no completion: " + shown +
                       "; expected an error, or none");
    }
  }
  co_return passes();
}

constexpr ServerCheck kCompletionChecks[] = {
    {"completion.listed-is-served", Eras::kBoth, SessionUse::kShared, completes_what_it_lists},
    {"completion.capability-declared", Eras::kBoth, SessionUse::kShared, declares_completion},
    {"completion.max-100-values", Eras::kBoth, SessionUse::kShared, returns_a_hundred_at_most},
    {"completion.unsupported-method-not-found", Eras::kBoth, SessionUse::kShared,
     has_no_such_method},
    {"completion.invalid-ref-error", Eras::kBoth, SessionUse::kShared,
     refuses_unknown_prompts_in_refs},
    {"completion.missing-argument-error", Eras::kBoth, SessionUse::kShared,
     refuses_missing_members},
    {"completion.sorted-and-fuzzy", Eras::kStateful, SessionUse::kShared, has_the_best_match_first},
    {"completion.inputs-validated", Eras::kBoth, SessionUse::kAlone, validates_completions},
};

}  // namespace

ServerChecks completion_checks() { return kCompletionChecks; }

}  // namespace plumbline::conformance
