#include "conformance/server/judge.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>

#include "conformance/invariants/oracle.h"
#include "conformance/requirements/requirement.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kCheckMax = std::chrono::seconds(30);
constexpr Duration kLeaseStep = std::chrono::milliseconds(2);
constexpr Duration kSlowStart = std::chrono::milliseconds(150);
constexpr int kLeasesSlow = 4;
constexpr Duration kReviveStep = std::chrono::milliseconds(5);
constexpr std::size_t kEvidenceMax = 40;

bool names(const std::vector<std::string>& ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

bool wanted(const JudgeOptions& options, const Requirement& rule) {
  if (!options.only.empty()) return names(options.only, rule.id);
  if (names(options.skip, rule.id)) return false;
  if (options.levels == Levels::kAll) return true;
  return rule.must() || (options.levels == Levels::kShould && rule.level.starts_with("SHOULD"));
}

bool is_of(Eras eras, std::string_view revision) {
  if (eras == Eras::kBoth) return true;
  return (eras == Eras::kStateless) == is_stateless(revision);
}

// travels returns whether a rule ("any", "http", "stdio") concerns a subject over this transport.
bool travels(const Requirement& rule, Transport over) {
  if (rule.transport == "any") return true;
  if (rule.transport == "stdio") return over == Transport::kStdio;
  if (rule.area == "sse-legacy") return over == Transport::kSse;
  // What came with Streamable HTTP is no rule of the transport before it.
  const bool of_streamable = rule.area == "http" && rule.since > kRevisions.front();
  return over == Transport::kHttp || (over == Transport::kSse && !of_streamable);
}

}  // namespace

// Round is the judgement of one revision.
class ServerJudge::Round {
 public:
  // With `whole` false, only rules are judged that end with this revision.
  Round(ServerJudge& judge, std::string revision, bool whole)
      : judge_(judge),
        subject_(judge.subject_),
        revision_(std::move(revision)),
        whole_(whole),
        entries_before_(subject_.log().entries().size()) {
    judge_.round_ = this;
  }
  ~Round() {
    add_rows(judge_.judgement_.results);
    judge_.round_ = nullptr;
  }

  // add_rows appends those that are done.
  void add_rows(std::vector<CheckResult>& results) const {
    for (const Row& row : rows_) {
      if (!row.result.id.empty()) results.push_back(row.result);
    }
  }

  // run returns why the subject could not be opened, empty when it was judged.
  Task<std::string> run() {
    choose();
    put_in_order();
    std::string refused = co_await open_shared();
    if (!refused.empty()) co_return std::move(refused);
    const std::uint32_t nobody = 0;
    survey_ = co_await take_survey(*shared_, nobody);
    limit_leases(*shared_);
    TaskGroup workers;
    for (int i = 0; i < judge_.options_.concurrency; ++i) workers.spawn(work());
    co_await workers.join(subject_.loop());
    TaskGroup closing;
    for (const std::unique_ptr<Session>& session : idle_) closing.spawn(session->close());
    closing.spawn(shared_->close());
    co_await closing.join(subject_.loop());
    consult_oracles();
    co_return std::string();
  }

 private:
  struct Row {
    const Requirement* rule = nullptr;
    const ServerCheck* check = nullptr;
    const Oracle* oracle = nullptr;
    CheckResult result;
  };

  void choose() {
    for (const ServerCheck& check : judge_.checks_) {
      if (is_of(check.eras, revision_)) add_row(check.id, &check, nullptr);
    }
    for (const Oracle& oracle : all_oracles()) {
      if (oracle.role == "server") add_row(oracle.id, nullptr, &oracle);
    }
  }

  // put_in_order lets those go first that take their time alone.
  void put_in_order() {
    for (const bool alone : {true, false}) {
      for (std::size_t place = 0; place < rows_.size(); ++place) {
        const ServerCheck* const check = rows_[place].check;
        const bool goes_alone = check != nullptr && check->place == Place::kAlone;
        if (goes_alone == alone) order_.push_back(place);
      }
    }
  }

  void add_row(std::string_view id, const ServerCheck* check, const Oracle* oracle) {
    const Requirement* const rule = find_requirement(id, revision_);
    if (rule == nullptr || !rule->binds("server") || !wanted(judge_.options_, *rule)) return;
    if (!whole_ && rule->until.empty()) return;
    rows_.push_back(Row{rule, check, oracle, {}});
  }

  SessionOptions usual() const {
    SessionOptions options;
    options.revision = revision_;
    options.capabilities = all_capabilities(revision_);
    return options;
  }

  Task<std::string> open_shared() {
    shared_ = std::move(judge_.opened_[revision_]);
    if (!shared_) {
      Result<std::unique_ptr<Session>> opened = co_await Session::open(subject_, usual(), 0);
      if (!opened.ok()) co_return opened.error().message;
      shared_ = std::move(opened).value();
    }
    if (!shared_->usable()) {
      co_return "initialize was answered by " + shared_->opening().describe();
    }
    co_return std::string();
  }

  // work takes one row after another until none is left.
  Task<void> work() {
    while (next_ < order_.size()) {
      const std::size_t place = order_[next_++];
      if (rows_[place].check != nullptr) co_await judge_row(place);
    }
  }

  Task<void> judge_row(std::size_t place) {
    const ServerCheck& check = *rows_[place].check;
    const Instant begin = subject_.loop().now();
    const auto number = static_cast<std::uint32_t>(place + 1) + kNumbersOf * round_number();
    Finding finding;
    if (!travels(*rows_[place].rule, subject_.spec().transport)) {
      finding = not_for_it("a rule of " + std::string(rows_[place].rule->transport) + " alone");
    } else if (!dead_.empty()) {
      finding = undecided(dead_);
    } else {
      finding = co_await run_check(check, number);
    }
    const Duration took = subject_.loop().now() - begin;
    write_row(rows_[place], std::move(finding), number, took);
  }

  Task<Finding> run_check(ServerCheck check, std::uint32_t number) {
    std::unique_ptr<Session> alone;
    Session* session = nullptr;
    if (check.place == Place::kShared) {
      co_await revive_shared();
      session = shared_.get();
    }
    if (check.place == Place::kAlone) {
      alone = co_await lease();
      session = alone.get();
    }
    if (check.place != Place::kOpens && (session == nullptr || !session->usable())) {
      co_return undecided("the subject could not be opened again");
    }
    Probe probe(subject_, survey_, judge_.options_.probe, exercises_, session, number);
    const Instant deadline = after(subject_.loop().now(), kCheckMax);
    Result<Finding> found =
        co_await with_deadline(subject_.loop(), deadline, std::string(check.id), check.run(probe));
    co_await probe.close();
    if (alone) give_back(std::move(alone));
    if (!found.ok()) co_return undecided(found.error().message);
    co_return std::move(found).value();
  }

  // lease returns a session that nobody else uses: an idle one, or a new one. Null: none to be had.
  //
  // A subject that is slow to start gets few processes at a time: they would only wait for each
  // other.
  Task<std::unique_ptr<Session>> lease() {
    while (leased_ >= leases_max_) {
      co_await Sleep(subject_.loop(), after(subject_.loop().now(), kLeaseStep));
    }
    ++leased_;
    while (!idle_.empty()) {
      std::unique_ptr<Session> session = std::move(idle_.back());
      idle_.pop_back();
      if (session->usable()) co_return std::move(session);
      retired_.push_back(std::move(session));
    }
    Result<std::unique_ptr<Session>> opened = co_await Session::open(subject_, usual(), 0);
    if (!opened.ok()) {
      --leased_;
      co_return nullptr;
    }
    std::unique_ptr<Session> session = std::move(opened).value();
    limit_leases(*session);
    session->mirror_parameters(survey_.tools.items);
    note_opening(*session);
    co_return std::move(session);
  }

  // limit_leases looks at how long `session` took to open, beyond the way there and back.
  void limit_leases(const Session& session) {
    const bool is_process = subject_.spec().transport == Transport::kStdio;
    const std::vector<Reply>& pages = survey_.tools.pages;
    const Duration way = pages.empty() ? Duration{} : pages.front().took;
    if (is_process && session.opening().took > kSlowStart + 2 * way) leases_max_ = kLeasesSlow;
  }

  void give_back(std::unique_ptr<Session> session) {
    --leased_;
    session->forget_answers();
    (session->usable() ? idle_ : retired_).push_back(std::move(session));
  }

  // revive_shared opens the shared session again when somebody ended it.
  Task<void> revive_shared() {
    while (reviving_) co_await Sleep(subject_.loop(), after(subject_.loop().now(), kReviveStep));
    if (shared_->usable() || !dead_.empty()) co_return;
    reviving_ = true;
    Result<std::unique_ptr<Session>> opened = co_await Session::open(subject_, usual(), 0);
    reviving_ = false;
    if (!opened.ok()) {
      dead_ = "the subject has ended and cannot be opened again: " + opened.error().message;
      co_return;
    }
    retired_.push_back(std::move(shared_));
    shared_ = std::move(opened).value();
    shared_->mirror_parameters(survey_.tools.items);
    note_opening(*shared_);
  }

  void note_opening(const Session& session) {
    openings_failed_ = session.usable() ? 0 : openings_failed_ + 1;
    if (openings_failed_ >= 3) {
      dead_ = "the subject no longer opens sessions: initialize was answered by " +
              session.opening().describe();
    }
  }

  void consult_oracles() {
    const std::span<const LogEntry> all = subject_.log().entries();
    const Hearing hearing({subject_.log(), all.subspan(entries_before_), revision_,
                           Sender::kSubject, subject_.spec().transport == Transport::kHttp},
                          Side::kServer);
    for (Row& row : rows_) {
      if (row.oracle == nullptr) continue;
      Finding finding =
          travels(*row.rule, subject_.spec().transport)
              ? row.oracle->judge(hearing)
              : not_for_it("a rule of " + std::string(row.rule->transport) + " alone");
      write_row(row, std::move(finding), 0, Duration{});
    }
  }

  void write_row(Row& row, Finding finding, std::uint32_t number, Duration took) {
    CheckResult& result = row.result;
    const Requirement& rule = *row.rule;
    result.id = std::string(rule.id);
    result.verdict = finding.verdict;
    if (finding.verdict == Verdict::kFail && !rule.must()) result.verdict = Verdict::kWarn;
    result.level = std::string(rule.level);
    std::ranges::replace(result.level, '_', ' ');
    result.area = std::string(rule.area);
    result.revision = revision_;
    result.transport = std::string(name_of(subject_.spec().transport));
    result.title = std::string(rule.summary);
    result.message = std::move(finding.message);
    result.spec = std::string(rule.page);
    result.duration_ms = static_cast<double>(took.count()) / 1e6;
    const bool shows = result.verdict != Verdict::kPass && result.verdict != Verdict::kSkip;
    if (!shows) return;
    result.evidence = finding.evidence.empty() ? subject_.log().evidence_of(number, kEvidenceMax)
                                               : std::move(finding.evidence);
    if (judge_.options_.reproduce) {
      result.reproduce = judge_.options_.reproduce(result.id, revision_);
    }
  }

  // Numbers of checks are never used twice in one log.
  static constexpr std::uint32_t kNumbersOf = 10'000;
  std::uint32_t round_number() const {
    return static_cast<std::uint32_t>(judge_.judgement_.revisions.size());
  }

  ServerJudge& judge_;
  Subject& subject_;
  std::string revision_;
  bool whole_;
  std::size_t entries_before_;
  std::vector<Row> rows_;
  std::vector<std::size_t> order_;  // In which the rows are judged.
  std::size_t next_ = 0;            // In order_.
  std::unique_ptr<Session> shared_;
  bool reviving_ = false;
  std::vector<std::unique_ptr<Session>> idle_;
  std::vector<std::unique_ptr<Session>> retired_;  // Ended, but somebody may still look at them.
  int openings_failed_ = 0;
  int leased_ = 0;
  int leases_max_ = std::numeric_limits<int>::max();
  std::string dead_;  // Why nothing more can be told.
  Survey survey_;
  Exercises exercises_{subject_, survey_, judge_.options_.probe.allow_writes};
};

ServerJudge::ServerJudge(Subject& subject, ServerChecks checks, JudgeOptions options)
    : subject_(subject), checks_(checks), options_(std::move(options)) {}

ServerJudge::~ServerJudge() = default;

Task<void> ServerJudge::ask(std::string revision) {
  SessionOptions options;
  options.revision = revision;
  options.capabilities = all_capabilities(revision);
  Result<std::unique_ptr<Session>> opened = co_await Session::open(subject_, std::move(options), 0);
  if (!opened.ok()) {
    failure_ = opened.error().message;
    co_return;
  }
  std::unique_ptr<Session> session = std::move(opened).value();
  bool agreed = session->usable() && session->revision() == revision;
  if (is_stateless(revision)) {
    Client client(*session, 0);
    Client::Begun begun = client.begin(client.request_of("server/discover", Json::object()));
    const Duration patience = subject_.pace().opening();
    const Reply reply = co_await client.finish(std::move(begun), patience);
    const Json* const result = reply.result();
    const Json* const versions = result ? find(*result, "supportedVersions") : nullptr;
    agreed = versions && std::ranges::find(*versions, Json(revision)) != versions->end();
  } else if (!session->usable()) {
    failure_ = session->opening().describe();
    const std::string diagnosis = session->wire().diagnosis();
    if (!diagnosis.empty()) failure_ += " (" + diagnosis + ")";
  }
  if (agreed) {
    opened_[revision] = std::move(session);
  } else {
    co_await session->close();
  }
}

Judgement ServerJudge::so_far() const {
  Judgement judgement = judgement_;
  if (round_ != nullptr) round_->add_rows(judgement.results);
  return judgement;
}

Task<void> ServerJudge::judge() {
  std::vector<std::string> revisions;
  if (options_.revision != "auto" && options_.revision != "all") {
    revisions.push_back(options_.revision);
  } else {
    TaskGroup asking;
    for (const std::string_view revision : kRevisions) asking.spawn(ask(std::string(revision)));
    co_await asking.join(subject_.loop());
    for (const auto& [revision, session] : opened_) revisions.push_back(revision);
  }
  if (revisions.empty()) {
    judgement_.unreachable = "no revision is answered: " + failure_;
    co_return;
  }
  std::string newest_stateful;
  for (const std::string& revision : revisions) {
    if (!is_stateless(revision)) newest_stateful = revision;
  }
  for (const std::string& revision : revisions) {
    const bool whole =
        options_.revision != "auto" || is_stateless(revision) || revision == newest_stateful;
    co_await judge_revision(revision, whole);
  }
}

Task<void> ServerJudge::judge_revision(std::string revision, bool whole) {
  if (options_.tell) options_.tell("judging " + revision);
  Round round(*this, revision, whole);
  std::string refused = co_await round.run();
  if (refused.empty()) {
    judgement_.revisions.push_back(std::move(revision));
  } else if (judgement_.unreachable.empty()) {
    judgement_.unreachable = std::move(refused);
  }
}

}  // namespace plumbline::conformance
