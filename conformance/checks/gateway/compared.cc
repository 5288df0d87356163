#include "conformance/checks/gateway/compared.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline::conformance {

namespace {

std::ptrdiff_t steps_of(std::string_view pointer) { return std::ranges::count(pointer, '/'); }

// holder_lost returns where what `pattern` stands in was lost as a whole, empty when it was not.
std::string holder_lost(const std::vector<Difference>& differences, std::string_view pattern) {
  for (const Difference& one : differences) {
    const bool lost = one.before && !one.after && steps_of(one.pointer) < steps_of(pattern);
    if (!lost) continue;
    std::size_t end = 0;
    for (std::ptrdiff_t step = 0; step <= steps_of(one.pointer); ++step) {
      end = std::min(pattern.find('/', end + 1), pattern.size());
      if (step + 1 == steps_of(one.pointer)) break;
    }
    const std::string_view rest = pattern.substr(end);
    const bool held = rest.find('*') != std::string_view::npos || at_pointer(*one.before, rest);
    if (held && is_within(one.pointer, pattern.substr(0, end))) return one.pointer;
  }
  return {};
}

// judged returns what `differences` say of `members`. `whole`: only where a member itself is gone,
// or is new.
Finding judged(const Exchanged& made, const std::vector<Difference>& differences,
               std::string_view members, bool whole, bool there) {
  std::vector<const Difference*> found;
  for (const Difference& one : differences) {
    const bool fits = !whole || steps_of(one.pointer) == steps_of(members);
    if (fits && is_within(one.pointer, members)) found.push_back(&one);
  }
  if (found.empty()) {
    const std::string_view first = members.substr(0, members.find(' '));
    const std::string lost = whole ? std::string() : holder_lost(differences, first);
    if (lost.empty()) return passes();
    return not_for_it(lost + " is gone, and with it what the rule is about");
  }
  std::string text = there ? said_of(*found.front(), "the client", "the server")
                           : said_of(*found.front(), "the server", "the client");
  constexpr std::size_t kShown = 4;
  for (std::size_t i = 1; i < std::min(found.size(), kShown); ++i) {
    text += (i == 1 ? "; likewise " : ", ") + found[i]->pointer;
  }
  if (found.size() > kShown) text += " and " + std::to_string(found.size() - kShown) + " more";
  Finding finding = broken(std::move(text));
  finding.evidence = made.evidence;
  return finding;
}

// The rule that tells of an exchange that comes to nothing, for all that compare it.
struct Owner {
  Ask ask;
  std::string_view id;
  Ask alike;  // What comes to nothing together with this is told of there; itself: nothing does.
};

constexpr Owner kOwners[] = {
    {Ask::kRich, "gateway.keeps-content", Ask::kRich},
    {Ask::kRefuse, "gateway.keeps-is-error", Ask::kRich},
    {Ask::kBare, "gateway.keeps-structure-alone", Ask::kRich},
    {Ask::kPlain, "gateway.adds-no-members", Ask::kRich},
    {Ask::kBlob, "gateway.keeps-resource-blobs", Ask::kText},
    {Ask::kBarePrompt, "gateway.keeps-empty-arguments", Ask::kPrompt},
};

// came_to_nothing tells of an exchange that cannot be compared, by one rule of those that do: the
// server answers it when it is asked alone, and the same client is served elsewhere.
Task<Finding> came_to_nothing(GatewayProbe* probe, const Exchanged* made, Ask ask) {
  const auto owner = std::ranges::find(kOwners, ask, &Owner::ask);
  if (owner == std::end(kOwners) || owner->id != probe->rule().id) co_return undecided(made->why);
  // What was kept of an earlier answer is of gateway.calls-each-time.
  if (!made->reached && made->reply.result() != nullptr) co_return undecided(made->why);
  if (owner->alike != ask) {
    const Exchanged* const alike = co_await probe->exchanges().of(owner->alike, probe->check());
    if (!alike->why.empty() || !alike->lacks.empty()) co_return undecided(made->why);
  }
  if (!co_await probe->serves_others()) co_return undecided(made->why);
  Finding finding = broken(made->why);
  finding.evidence = made->evidence;
  co_return finding;
}

}  // namespace

Task<Finding> keeps(GatewayProbe& probe) {
  const GatewayCheck& rule = probe.rule();
  const Exchanged* const made = co_await probe.exchanges().of(rule.ask, probe.check());
  if (!made->lacks.empty()) co_return not_for_it(made->lacks);
  if (made->turned) {
    Finding lost = broken(
        "the server told of a failure in a result with isError: true, and the "
        "client got " +
        made->reply.describe() +
        ": hosts show that to nobody or end the turn, "
        "and the model cannot mend what it is not told of");
    lost.evidence = made->evidence;
    co_return lost;
  }
  if (!made->why.empty()) co_return co_await came_to_nothing(&probe, made, rule.ask);
  Finding finding = judged(*made, made->back, rule.members, false, false);
  if (finding.verdict != Verdict::kPass || rule.second == Ask::kOpening) co_return finding;
  const Exchanged* const second = co_await probe.exchanges().of(rule.second, probe.check());
  if (!second->reached) co_return finding;  // It may be kept back on purpose.
  if (second->why.empty()) co_return judged(*second, second->back, rule.members, false, false);
  finding = broken(second->why);
  finding.evidence = second->evidence;
  co_return finding;
}

Task<Finding> keeps_there(GatewayProbe& probe) {
  const GatewayCheck& rule = probe.rule();
  const Exchanged* const made = co_await probe.exchanges().of(rule.ask, probe.check());
  if (!made->lacks.empty()) co_return not_for_it(made->lacks);
  if (!made->reached) co_return undecided(made->why);
  co_return judged(*made, made->there, rule.members, false, true);
}

Task<Finding> keeps_empty_there(GatewayProbe& probe) {
  Finding called = co_await keeps_there(probe);
  if (called.verdict == Verdict::kFail) co_return std::move(called);
  const Exchanged* const made = co_await probe.exchanges().of(Ask::kBarePrompt, probe.check());
  if (!made->lacks.empty()) co_return std::move(called);
  if (!made->reached) {
    Finding lost = co_await came_to_nothing(&probe, made, Ask::kBarePrompt);
    co_return lost.verdict == Verdict::kFail ? std::move(lost) : std::move(called);
  }
  Finding got = judged(*made, made->there, probe.rule().members, false, true);
  co_return got.verdict == Verdict::kFail ? std::move(got) : std::move(called);
}

Task<Finding> keeps_each(GatewayProbe& probe) {
  const GatewayCheck& rule = probe.rule();
  const Exchanged* const made = co_await probe.exchanges().of(rule.ask, probe.check());
  if (!made->lacks.empty()) co_return not_for_it(made->lacks);
  const bool is_list = rule.ask >= Ask::kTools && rule.ask <= Ask::kTemplates;
  if (!made->why.empty() && is_list) co_return broken(made->why);
  if (!made->why.empty()) co_return co_await came_to_nothing(&probe, made, rule.ask);
  if (!made->twice.empty()) {
    Finding again = broken("the client can list \"" + made->twice +
                           "\" more than once, which the server lists once: hosts offer a model "
                           "each of them, or refuse the list");
    again.evidence = made->evidence;
    co_return again;
  }
  co_return judged(*made, made->back, rule.members, true, false);
}

Task<Finding> adds_nothing(GatewayProbe& probe) {
  const GatewayCheck& rule = probe.rule();
  const Exchanged* const made = co_await probe.exchanges().of(rule.ask, probe.check());
  if (!made->lacks.empty()) co_return not_for_it(made->lacks);
  if (!made->why.empty()) co_return co_await came_to_nothing(&probe, made, rule.ask);
  std::vector<Difference> added = made->back;
  std::erase_if(added, [](const Difference& one) { return one.before.has_value(); });
  co_return judged(*made, added, rule.members, false, false);
}

Task<Finding> goes_through(GatewayProbe& probe) {
  const GatewayCheck& rule = probe.rule();
  const Exchanged* const made = co_await probe.exchanges().of(rule.ask, probe.check());
  if (!made->lacks.empty()) co_return not_for_it(made->lacks);
  if (made->why.empty()) co_return passes();
  Finding finding = broken(made->why);
  finding.evidence = made->evidence;
  co_return finding;
}

}  // namespace plumbline::conformance
