// Whether a call that says that it went well has done something: a tool that moves more than there
// is has to say that it did not. No clause says so much.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kTakersMax = 4;
constexpr std::size_t kReadersMax = 6;
constexpr std::size_t kChangedMax = 2;
constexpr std::chrono::seconds kTakingMost{10};
constexpr std::int64_t kMuch = 1'000'000;
constexpr std::array<std::string_view, 9> kTooMuch = {
    "more", "fewer", "exceeds", "insufficient", "enough", "less", "suffice", "overdrawn", "exceed"};
constexpr std::array<std::string_view, 7> kRefuses = {"refused", "error",    "refuses", "fails",
                                                      "fail",    "rejected", "rejects"};

// refuses_too_much returns whether a tool says that it refuses more than there is.
bool refuses_too_much(const Json& tool) {
  const std::vector<Sentence> said = sentences_in(string_or(tool, "description", ""));
  return std::ranges::any_of(said, [](const Sentence& one) {
    return says_word(one, kTooMuch) && says_word(one, kRefuses);
  });
}

// Taking is a call of a tool that takes an amount of something.
struct Taking {
  Json params;
  std::string amount;
  Json little;
  Json much;
};

std::optional<Taking> taking_of(const Json& tool, const Json& params) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr || !refuses_too_much(tool)) return std::nullopt;
  std::string amount;
  for (const auto& [name, property] : properties->items()) {
    const std::string type = string_or(property, "type", "");
    if (type != "number" && type != "integer") continue;
    if (!amount.empty()) return std::nullopt;
    amount = name;
  }
  if (amount.empty()) return std::nullopt;
  const Json* const most = find((*properties)[amount], "maximum");
  const Json much = most != nullptr && most->is_number() ? *most : Json(kMuch);
  if (much.get<double>() <= 1) return std::nullopt;
  return Taking{params, amount, Json(1), much};
}

std::vector<Taking> takings(Probe& probe, const Exercise& exercise) {
  std::vector<Taking> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool writes = !says_hint(tool, "readOnlyHint", true) && probe.may_write();
    if (!writes || !probe.may_call(tool) || probe.disturbs(name)) continue;
    for (const Call* const call : good_calls(exercise, name)) {
      auto taking = taking_of(tool, call->params);
      if (taking && found.size() < kTakersMax) found.push_back(*std::move(taking));
    }
  }
  return found;
}

Task<Reply> take_amount(Client client, const Taking* taking, Json amount) {
  Json params = taking->params;
  params["arguments"][taking->amount] = std::move(amount);
  co_return co_await client.request("tools/call", std::move(params));
}

// Readers are calls that read, and what they answered last.
struct Readers {
  std::vector<Json> calls;
  std::vector<Json> answers;
};

// changed_since returns which readers answer otherwise than before, and the same when they are
// asked again: what changes by itself shows nothing.
Task<std::vector<std::size_t>> changed_since(Client client, Readers* readers) {
  const std::vector<Json> before = readers->answers;
  readers->answers = co_await answers_to(client, readers->calls);
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (readers->answers[i] == before[i] || changed.size() == kChangedMax) continue;
    const Reply again = co_await client.request("tools/call", readers->calls[i]);
    if (has_gone_well(again) && answer_in(again) == readers->answers[i]) changed.push_back(i);
  }
  co_return std::move(changed);
}

// A little changes what is read; much says that it went well, and changes nothing.
Task<Finding> judge_taking(Client client, Taking taking, Readers* readers) {
  const Reply little = co_await take_amount(client, &taking, taking.little);
  if (!has_gone_well(little)) co_return not_for_it("");
  const std::vector<std::size_t> changed = co_await changed_since(client, readers);
  if (changed.empty()) co_return not_for_it("");
  const Reply much = co_await take_amount(client, &taking, taking.much);
  if (!has_gone_well(much)) co_return passes();
  const std::vector<Json> before = readers->answers;
  readers->answers = co_await answers_to(client, readers->calls);
  const auto stays = [&](std::size_t i) { return before[i] == readers->answers[i]; };
  if (!std::ranges::all_of(changed, stays)) co_return passes();
  if (before != readers->answers) co_return not_for_it("");
  taking.params["arguments"][taking.amount] = taking.much;
  co_return about(broken(tool_in(taking.params) + ", called with " + given_in(taking.params) +
                         ", says that it went well, and nothing has changed; it says that it "
                         "refuses more than there is"),
                  much);
}

// The calls are few: kReadersMax at first, and for each taking twice as many and four more.
Task<Finding> does_what_it_says(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<Taking> all = takings(probe, exercise);
  Readers readers{reading_calls(probe, exercise, kReadersMax), {}};
  if (all.empty() || readers.calls.empty()) {
    co_return not_for_it("no tool says that it refuses too much");
  }
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const Instant enough = after(client.loop().now(), kTakingMost);
  readers.answers = co_await answers_to(client, readers.calls);
  std::set<Json> judged;
  for (const Taking& taking : all) {
    const Json& tool = taking.params["name"];
    if (judged.contains(tool) || client.loop().now() >= enough) continue;
    Finding finding = co_await judge_taking(client, taking, &readers);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) judged.insert(tool);
  }
  co_return judged.empty() ? not_for_it("no such call changes anything that is read") : passes();
}

constexpr ServerCheck kToolsDoneChecks[] = {
    {"tools.done-is-done", Eras::kBoth, SessionUse::kOpens, does_what_it_says},
};

}  // namespace

ServerChecks tools_done_checks() { return kToolsDoneChecks; }

}  // namespace plumbline::conformance
