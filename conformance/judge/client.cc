#include "conformance/judge/client.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "conformance/catalogue/causes.h"
#include "conformance/catalogue/introduced.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/client/scenarios.h"
#include "conformance/checks/client/together.h"
#include "conformance/judge/client_refusal.h"
#include "conformance/oracles/oracle.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

bool carried(Over over, Transport transport) {
  if (over == Over::kAny) return true;
  return (over == Over::kHttp) == (transport == Transport::kHttp);
}

}  // namespace

// Round is the judgement of one revision.
class ClientJudge::Round {
 public:
  Round(ClientJudge& judge, std::string revision, bool any_revision)
      : judge_(judge),
        subject_(judge.subject_),
        revision_(std::move(revision)),
        any_revision_(any_revision) {}

  // run returns why the program could not be judged, empty when it was.
  Task<std::string> run() {
    // The first run tells whether the program is any good, and what it speaks.
    std::unique_ptr<ClientRun> first = begin(*first_scenario());
    co_await first->run();
    std::string refused = refusal_of(first->record());
    if (!refused.empty()) co_return std::move(refused);
    revision_ = first->record().revision;
    any_revision_ = false;
    choose();
    co_await judge_run(*first, 0);
    const std::vector<const Heard*> asked = first->record().requests();
    if (!asked.empty()) introduced_ = introduced_by(asked.front()->message);
    lists_tools_ = !first->record().requests("tools/list").empty();
    calls_tools_ = !first->record().requests("tools/call").empty();
    idle_ = idleness(*first);
    if (!idle_.empty()) {
      absent_ = !first->record().connected() && !first->record().exit;
      co_return std::string();
    }
    first.reset();
    if (door_ != nullptr) co_await try_the_door();
    TaskGroup workers;
    for (int i = 0; i < judge_.options_.concurrency; ++i) workers.spawn(work());
    co_await workers.join(subject_.loop);
    co_return std::string();
  }

  // results returns the rows that the runs so far give.
  std::vector<CheckResult> results() const {
    std::vector<CheckResult> all;
    const RowWriter writer(subject_.redactor, revision_, name_of(subject_.transport),
                           judge_.options_.reproduce);
    for (const Row& row : rows_) all.push_back(writer.row(shown_of(*row.rule), finding_of(row)));
    return all;
  }

  // idle returns whether the program asked for nothing, so that all there is to say is that it has
  // to; absent, whether it did not even come in time.
  bool idle() const { return !idle_.empty(); }
  bool absent() const { return absent_; }
  const Introduced& introduced() const { return introduced_; }

  // flooded returns whether the program said more than is kept: it is not run again.
  bool flooded() const { return !flood_.empty(); }

  const std::string& revision() const { return revision_; }

 private:
  struct Row {
    const Requirement* rule = nullptr;
    bool fits_transport = true;
  };

  // Told is what counts most of what the runs say of one rule, and the number of that run.
  struct Told {
    Finding finding;
    std::size_t run = 0;
    bool missed_in_streams =
        false;  // Nothing was seen that is wrong, in answers that were streams.
  };

  std::unique_ptr<ClientRun> begin(const ClientScenario& scenario) {
    auto run = std::make_unique<ClientRun>(subject_, scenario, revision_, any_revision_);
    run->expect(lists_tools_, calls_tools_);
    return run;
  }

  // idleness says why nothing can be judged of a program that is to ask, and does not; empty: it
  // did. What it has to do all the same is broken.
  std::string idleness(const ClientRun& first) {
    const Record& record = first.record();
    if (!record.requests().empty()) return {};
    const char* const rule =
        record.stateless() ? "base.support-core-components" : "base.core-and-lifecycle-supported";
    const std::string what =
        record.connected() ? "it connected and asked for nothing" : "it did not connect";
    keep(rule, broken(what + ", though a correct server was there; " + record.how_it_ended()), 0);
    if (!record.stateless()) {
      keep("lifecycle.client-sends-initialize",
           broken(what + ", expected initialize; " + record.how_it_ended()), 0);
    }
    return what + ": see " + rule;
  }

  void choose() {
    bool everywhere = false;
    bool guarded = false;
    for (const ClientRule& rule : all_client_rules()) {
      const bool wanted = add_row(rule.id);
      (rule.guarded ? guarded : everywhere) |= wanted;
    }
    for (const Oracle& oracle : all_oracles()) {
      if (oracle.role == "client") everywhere |= add_row(oracle.id);
    }
    for (const ClientScenario& scenario : all_client_scenarios()) {
      if (!has(scenario.eras, revision_) || scenario.since > revision_) continue;
      const bool told_here = std::ranges::any_of(scenario.ids, [&](std::string_view id) {
        return find_requirement(id, revision_) != nullptr;
      });
      if (!told_here) continue;
      bool asked_for = scenario.guarded ? guarded : everywhere;
      for (const std::string_view id : scenario.ids) asked_for |= add_row(id);
      if (!carried(scenario.over, subject_.transport)) continue;
      const bool skipped = std::ranges::all_of(
          scenario.ids, [&](std::string_view id) { return judge_.options_.selection.skips(id); });
      if (!asked_for || skipped || &scenario == first_scenario()) continue;
      if (scenario.guarded && door_ == nullptr) door_ = first_guarded();
      if (&scenario != door_) chosen_.push_back(&scenario);
    }
    join();
  }

  // join has those played in one run that can be.
  void join() {
    const bool over_http = subject_.transport == Transport::kHttp;
    for (const ClientBundle& bundle : all_client_bundles()) {
      const auto is_in = [&](const ClientScenario& scenario) {
        return std::ranges::find(bundle.members, scenario.name) != bundle.members.end();
      };
      const auto plays_in = [&](const ClientScenario& scenario) {
        return is_in(scenario) && plays(scenario, revision_, over_http);
      };
      const auto is_chosen = [&](const ClientScenario* scenario) { return is_in(*scenario); };
      const auto chosen = std::ranges::count_if(chosen_, is_chosen);
      if (chosen < 2 || chosen != std::ranges::count_if(all_client_scenarios(), plays_in)) continue;
      std::erase_if(chosen_, is_chosen);
      chosen_.insert(chosen_.begin(), &bundle.scenario);
    }
  }

  static const ClientScenario* first_guarded() {
    return &*std::ranges::find_if(all_client_scenarios(), &ClientScenario::guarded);
  }

  // try_the_door runs the first scenario with a server that wants tokens. Of a program that gets
  // none there, the others tell nothing but those that it leaves: authorization is optional.
  Task<void> try_the_door() {
    const std::unique_ptr<ClientRun> run = begin(*door_);
    co_await run->run();
    co_await judge_run(*run, 1);
    const AuthRecord& auth = run->record().auth;
    if (auth.let_in > 0) co_return;
    std::erase_if(chosen_, [](const ClientScenario* scenario) { return scenario->guarded; });
    std::ranges::copy(run->left(), std::back_inserter(chosen_));
    shut_out_ = auth.heard.empty() ? "it asks for no token, which is optional"
                                   : "it got no token in the scenario " + std::string(door_->name) +
                                         ", see docs/porting-a-client.md";
    shut_out_ += "; " + run->record().how_it_ended();
  }

  static const ClientScenario* first_scenario() { return &all_client_scenarios().front(); }

  bool add_row(std::string_view id) {
    for (const Row& row : rows_) {
      if (row.rule->id == id) return row.fits_transport;
    }
    const Requirement* const rule = find_requirement(id, revision_);
    if (rule == nullptr || !rule->binds("client")) return false;
    if (!judge_.options_.selection.wants(*rule)) return false;
    const bool over_http = subject_.transport == Transport::kHttp;
    const bool fits_transport =
        rule->transport == "any" || (rule->transport == "http") == over_http;
    rows_.push_back(Row{rule, fits_transport});
    return fits_transport;
  }

  bool has_row(std::string_view id) const {
    return std::ranges::any_of(rows_, [&](const Row& row) { return row.rule->id == id; });
  }

  // work takes one scenario after another until none is left.
  Task<void> work() {
    while (next_ < chosen_.size() && !flooded()) {
      const ClientScenario* const scenario = chosen_[next_++];
      const std::size_t number = next_;
      const std::unique_ptr<ClientRun> run = begin(*scenario);
      co_await run->run();
      co_await judge_run(*run, number);
      std::ranges::copy(run->left(), std::back_inserter(chosen_));
      if (judge_.options_.tell) {
        judge_.options_.tell(std::string(scenario->name) + ": " + run->record().how_it_ended());
      }
    }
  }

  // judge_run returns to the loop between one rule and the next: they may have much to read. What
  // was said before a flood counts, what was missed does not.
  Task<void> judge_run(ClientRun& run, std::size_t number) {
    const Record& record = run.record();
    const std::string flood = run.flood();
    if (flood_.empty()) flood_ = flood;
    Verdicts verdicts;
    for (const std::string_view id : run.scenario().ids) {  // Some compare what they see with it.
      if (const auto found = told_.find(id); found != told_.end()) {
        verdicts.say(id, found->second.finding);
      }
    }
    if (flood.empty()) run.judge(verdicts);
    if (!run.explains().empty()) explains_ = run.explains();
    verdicts.about(flood.empty() ? &record : nullptr);
    if (record.connected() && !record.two_eras) {
      for (const ClientRule& rule : all_client_rules()) {
        if (!has_row(rule.id) || rule.guarded != run.scenario().guarded) continue;
        co_await Sleep(subject_.loop, subject_.loop.now());
        verdicts.say(rule.id, rule.judge(record));
      }
      const std::vector<LogEntry> entries = record.log.entries();  // The log may still grow.
      const Transcript transcript(
          {record.log, entries, revision_, Sender::kSubject, record.over_http}, Side::kClient);
      for (const Oracle& oracle : all_oracles()) {
        const bool guarded = run.scenario().guarded;  // It ends anywhere.
        if (guarded || oracle.role != "client" || !has_row(oracle.id)) continue;
        co_await Sleep(subject_.loop, subject_.loop.now());
        verdicts.say(oracle.id, oracle.judge(transcript));
      }
    }
    for (const auto& [id, finding] : verdicts.all()) {
      if (flood.empty() || !finding.evidence.empty()) {
        keep(id, told_in(run.scenario(), finding), number, misses_in_streams(run, id, finding));
      }
    }
  }

  // misses_in_streams returns whether all that `finding` says is what the client did not do, in a
  // run whose answers were streams.
  static bool misses_in_streams(const ClientRun& run, std::string_view id, const Finding& finding) {
    const Record& record = run.record();
    const bool its_own = std::ranges::find(run.scenario().ids, id) != run.scenario().ids.end();
    if (!its_own || !record.streamed || finding.verdict == Verdict::kPass) return false;
    const bool in_order = record.exit && record.exit->code == 0 && record.exit->signal == 0;
    if (finding.verdict == Verdict::kSkip) return record.falls_short() || !in_order;
    return std::ranges::none_of(finding.evidence, &Evidence::judged);
  }

  // told_in returns `finding` with the scenario that it comes from before its evidence.
  static Finding told_in(const ClientScenario& scenario, Finding finding) {
    if (!shows_evidence(finding.verdict) || finding.evidence.empty()) return finding;
    if (find(finding.evidence.front().message, "scenario") != nullptr) return finding;
    Json what(Json::value_t::object);
    what["scenario"] = scenario.name;
    finding.evidence.insert(finding.evidence.begin(), WireLog::note(std::move(what)));
    return finding;
  }

  void keep(const std::string& id, const Finding& finding, std::size_t run,
            bool missed_in_streams = false) {
    const Told told{finding, run, missed_in_streams};
    const auto [place, is_new] = told_.try_emplace(id, told);
    const int before = rank(place->second.finding.verdict);
    const int now = rank(finding.verdict);
    const bool counts = now > before || (now == before && run < place->second.run);
    if (!is_new && counts) place->second = told;
  }

  // explained returns what is to be said where another failure explains what was missed.
  Finding explained(const Row& row, const Told& told) const {
    const bool may_be = told.missed_in_streams && !explains_.empty() && row.rule->id != explains_ &&
                        told.finding.verdict != Verdict::kInconclusive;
    if (!may_be) return told.finding;
    return undecided("not told apart from " + explains_ + ", which fails: " + told.finding.message);
  }

  // finding_of returns what the runs say of a rule. In a flood nothing is known to hold.
  Finding finding_of(const Row& row) const {
    if (!row.fits_transport) return only_over(*row.rule);
    const auto found = told_.find(row.rule->id);
    const bool wrong =
        found != told_.end() && rank(found->second.finding.verdict) > rank(Verdict::kPass);
    if (flooded() && !wrong) return undecided(flood_);
    if (idle() && !wrong) return not_for_it(idle_);
    if (row.rule->area == "auth" && !shut_out_.empty() && !wrong) return not_for_it(shut_out_);
    return found == told_.end() ? not_for_it("no scenario shows it here")
                                : explained(row, found->second);
  }

  ClientJudge& judge_;
  ClientSubject& subject_;
  std::string revision_;
  bool any_revision_;
  std::vector<Row> rows_;
  std::vector<const ClientScenario*> chosen_;
  const ClientScenario* door_ = nullptr;  // The first that wants tokens; null: none is asked for.
  std::string shut_out_;                  // Why the others tell nothing; empty: they do.
  std::size_t next_ = 0;
  std::map<std::string, Told, std::less<>> told_;  // By the rule's id.
  std::string idle_;  // What is to be said of a program that asks for nothing; empty: it asks.
  bool absent_ = false;
  Introduced introduced_;
  bool lists_tools_ = false;  // The program asked for the tools in its first run,
  bool calls_tools_ = false;  // and called one.
  std::string explains_;      // The rule whose failure explains what is missed in streams. Or none.
  std::string flood_;         // What is to be said of a program that floods; empty: it does not.
};

ClientJudge::ClientJudge(ClientSubject& subject, ClientJudgeOptions options)
    : subject_(subject), options_(std::move(options)) {}

ClientJudge::~ClientJudge() = default;

Task<ClientJudge::Came> ClientJudge::judge_revision(std::string revision, bool any_revision) {
  if (options_.tell) options_.tell("judging " + revision);
  round_ = std::make_unique<Round>(*this, std::move(revision), any_revision);
  std::string refused = co_await round_->run();
  const Came came = !refused.empty() ? Came::kRefused
                    : round_->idle() ? Came::kIdle
                                     : Came::kJudged;
  if (came == Came::kIdle) {
    absent_ = round_->absent();
    if (idle_.results.empty()) {
      idle_.results = round_->results();
      idle_.revisions = {round_->revision()};
    }
  } else if (came == Came::kJudged) {
    std::vector<CheckResult> rows = round_->results();
    std::ranges::move(rows, std::back_inserter(judgement_.results));
    judgement_.revisions.push_back(round_->revision());
    judgement_.name = round_->introduced().name;
    judgement_.version = round_->introduced().version;
  } else if (judgement_.unreachable.message.empty()) {
    judgement_.unreachable = Error{ErrorCode::kDisconnected, std::move(refused), "check.no-client"};
  }
  flooded_ = round_->flooded();
  round_.reset();
  co_return came;
}

Judgement ClientJudge::so_far() const {
  Judgement judgement = judgement_;
  if (round_) {
    std::vector<CheckResult> rows = round_->results();
    std::ranges::move(rows, std::back_inserter(judgement.results));
  }
  name_causes(judgement.results);
  return judgement;
}

Task<void> ClientJudge::judge() {
  if (options_.revision == "auto") {
    co_await judge_revision(std::string(kNewestStateful), true);
    if (goes_on()) co_await judge_revision(std::string(kNewestStateless), false);
  } else if (!is_one(options_.revision)) {
    for (const std::string_view revision : kRevisions) {
      const bool asked = is_asked(options_.revision, revision);
      if (asked && goes_on()) co_await judge_revision(std::string(revision), false);
    }
  } else {
    co_await judge_revision(options_.revision, false);
  }
  // A program that asks in one era has a right to be silent in the other.
  const bool to_blame = std::ranges::any_of(
      idle_.results, [](const CheckResult& row) { return row.verdict == Verdict::kFail; });
  if (judgement_.results.empty() && to_blame) judgement_ = std::move(idle_);
  if (judgement_.results.empty() && judgement_.unreachable.message.empty() &&
      !idle_.results.empty()) {
    judgement_.unreachable =
        Error{ErrorCode::kDisconnected, idle_.results.front().message, "check.no-client"};
  }
  if (!judgement_.results.empty()) judgement_.unreachable = Error{};
}

}  // namespace plumbline::conformance
