#include "conformance/judge/server.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/oracles/oracle.h"
#include "conformance/peer/opening.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kCheckMax = std::chrono::seconds(30);
constexpr Duration kSlowStart = std::chrono::milliseconds(150);
constexpr int kLeasesSlow = 4;
constexpr Duration kStep = std::chrono::milliseconds(2);
constexpr std::size_t kEvidenceMax = 40;

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
  Round(ServerJudge& judge, std::string revision)
      : judge_(judge),
        log_(judge.subject_.log().fresh()),
        subject_(judge.subject_, log_),
        revision_(std::move(revision)) {}

  const std::string& revision() const { return revision_; }

  // refused says why nothing can be judged; empty: nothing is known against it.
  const std::string& refused() const { return refused_; }

  // astray returns whether its endpoint is at another origin: there is a row that says so.
  bool astray() const { return astray_; }

  // surveyed returns whether the subject answers in this revision.
  bool surveyed() const { return surveyed_; }

  // ask opens the session that polite checks share, and finds out whether the subject agrees to the
  // revision.
  Task<void> ask() {
    co_await open_shared();
    if (!shared_) co_return;
    agreed_ =
        shared_->usable() && shared_->disagreement().empty() && shared_->revision() == revision_;
    if (!agreed_ && refused_.empty()) refused_ = shared_->disagreement();
    if (is_stateless(revision_)) {
      Client client(*shared_, 0);
      Client::Begun begun = client.begin(client.request_of("server/discover", Json::object()));
      const Duration patience = subject_.pace().opening();
      const Reply reply = co_await client.finish(std::move(begun), patience);
      const Json* const result = reply.result();
      const Json* const versions = result ? find(*result, "supportedVersions") : nullptr;
      agreed_ = versions && std::ranges::find(*versions, Json(revision_)) != versions->end();
    }
    if (!agreed_) co_await shared_->close();
  }

  // agreed returns whether there is something to judge in this revision.
  bool agreed() const { return agreed_ || astray_; }

  // begin takes the survey. With `whole` false only rules are judged that end with this revision.
  Task<void> begin(bool whole) {
    choose_rows(whole);
    if (!shared_ && !astray_) co_await open_shared();
    if (astray_) judge_endpoint();
    if (!refused_.empty()) co_return;
    survey_ = co_await take_survey(*shared_, 0);
    note_start(*shared_);
    surveyed_ = true;
  }

  // in_order returns the places of what is to be judged: those go first that take their time alone.
  std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order;
    for (const bool alone : {true, false}) {
      for (std::size_t place = 0; place < rows_.size(); ++place) {
        const ServerCheck* const check = rows_[place].check;
        if (check != nullptr && (check->place == Place::kAlone) == alone) order.push_back(place);
      }
    }
    return order;
  }

  // can_begin returns whether a row needs no session that cannot be had now.
  bool can_begin(std::size_t place) const {
    return rows_[place].check->place != Place::kAlone || !subject_.starts().slow ||
           judge_.leased_ < kLeasesSlow;
  }

  // busy counts the checks at work; those that only wait for what another one does are not.
  int busy() const { return begun_ - exercises_.waiting(); }

  Task<void> judge_row(std::size_t place) {
    ++begun_;
    const ServerCheck& check = *rows_[place].check;
    const Instant begin = subject_.loop().now();
    const auto number = static_cast<std::uint32_t>(place + 1);
    Finding finding;
    if (!travels(*rows_[place].rule, subject_.spec().transport)) {
      finding = not_for_it("a rule of " + std::string(rows_[place].rule->transport) + " alone");
    } else if (!log_.flood().empty()) {
      finding = undecided(log_.flood());
    } else if (!dead_.empty()) {
      finding = undecided(dead_);
    } else {
      finding = co_await run_check(check, number);
    }
    const Duration took = subject_.loop().now() - begin;
    write_row(rows_[place], std::move(finding), number, took);
    --begun_;
  }

  // end closes what is open and lets the oracles speak.
  Task<void> end() {
    TaskGroup closing;
    for (const std::unique_ptr<Session>& session : idle_) closing.spawn(session->close());
    closing.spawn(shared_->close());
    co_await closing.join(subject_.loop());
    co_await consult_oracles();
  }

  // add_rows appends those that are done.
  void add_rows(std::vector<CheckResult>& results) const {
    for (const Row& row : rows_) {
      if (!row.result.id.empty()) results.push_back(row.result);
    }
  }

 private:
  struct Row {
    const Requirement* rule = nullptr;
    const ServerCheck* check = nullptr;
    const Oracle* oracle = nullptr;
    CheckResult result;
  };

  void choose_rows(bool whole) {
    for (const ServerCheck& check : judge_.checks_) {
      if (has(check.eras, revision_)) add_row(check.id, &check, nullptr, whole);
    }
    for (const Oracle& oracle : all_oracles()) {
      if (oracle.role == "server") add_row(oracle.id, nullptr, &oracle, whole);
    }
  }

  void add_row(std::string_view id, const ServerCheck* check, const Oracle* oracle, bool whole) {
    const Requirement* const rule = find_requirement(id, revision_);
    if (rule == nullptr || !rule->binds("server")) return;
    if (!judge_.options_.selection.wants(*rule)) return;
    if (!whole && rule->until.empty()) return;
    rows_.push_back(Row{rule, check, oracle, {}});
  }

  SessionOptions usual() const {
    SessionOptions options;
    options.revision = revision_;
    options.capabilities = all_capabilities(revision_);
    return options;
  }

  // open_shared opens the session; where it cannot be used, refused_ says why.
  Task<void> open_shared() {
    Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0);
    if (!opened.ok()) {
      refused_ = opened.error().message;
      astray_ = subject_.spec().transport == Transport::kSse &&
                opened.error().code == ErrorCode::kUnsupported;
      co_return;
    }
    shared_ = std::move(opened).value();
    if (shared_->usable()) co_return;
    refused_ = "initialize was answered by " + shared_->opening().describe();
    const std::string diagnosis = shared_->wire().diagnosis();
    if (!diagnosis.empty()) refused_ += " (" + diagnosis + ")";
  }

  // judge_endpoint tells of an endpoint of HTTP+SSE to which nothing is sent: no check can.
  void judge_endpoint() {
    for (Row& row : rows_) {
      if (row.rule->id == "sse-legacy.endpoint-event") write_row(row, broken(refused_), 0, {});
    }
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
    // What it missed may have been cut off by us.
    if (!log_.flood().empty()) co_return undecided(log_.flood());
    if (!found.ok()) co_return undecided(found.error().message);
    co_return std::move(found).value();
  }

  // lease returns a session that nobody else uses: an idle one, or a new one. Null: none to be had.
  Task<std::unique_ptr<Session>> lease() {
    ++judge_.leased_;
    while (!idle_.empty()) {
      std::unique_ptr<Session> session = std::move(idle_.back());
      idle_.pop_back();
      if (session->usable()) co_return std::move(session);
      retired_.push_back(std::move(session));
    }
    Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0);
    if (!opened.ok()) {
      --judge_.leased_;
      co_return nullptr;
    }
    std::unique_ptr<Session> session = std::move(opened).value();
    co_await settle_era(*session);
    note_start(*session);
    session->mirror_parameters(survey_.tools.items);
    note_opening(*session);
    co_return std::move(session);
  }

  // settle_era begins as an ordinary client does: a server of both eras may take the first request
  // of a connection for the era of all. Not server/discover: that is how clients find out.
  Task<void> settle_era(Session& session) {
    if (!is_stateless(revision_) || session.wire().http()) co_return;
    for (const char* const feature : {"tools", "resources", "prompts"}) {
      if (!survey_.declares("/" + std::string(feature))) continue;
      co_await Client(session, 0).request(std::string(feature) + "/list");
      co_return;
    }
  }

  // note_start looks at how long `session` took to open, beyond the way there and back.
  void note_start(const Session& session) {
    const bool is_process = subject_.spec().transport == Transport::kStdio;
    const std::vector<Reply>& pages = survey_.tools.pages;
    const Duration way = pages.empty() ? Duration{} : pages.front().took;
    if (is_process && session.opening().took > kSlowStart + 2 * way) subject_.starts().slow = true;
  }

  void give_back(std::unique_ptr<Session> session) {
    --judge_.leased_;
    session->forget_answers();
    (session->usable() ? idle_ : retired_).push_back(std::move(session));
  }

  // revive_shared opens the shared session again when somebody ended it.
  Task<void> revive_shared() {
    const auto revived = [this] { return !reviving_; };
    co_await until(subject_.loop(), kNever, revived);
    if (shared_->usable() || !dead_.empty()) co_return;
    reviving_ = true;
    Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0);
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

  // consult_oracles returns to the loop between one and the next: they may have much to read.
  Task<void> consult_oracles() {
    const std::span<const LogEntry> heard = log_.before_gap();
    const std::vector<LogEntry> entries(heard.begin(), heard.end());  // The log may still grow.
    const Hearing hearing(
        {log_, entries, revision_, Sender::kSubject, subject_.spec().transport == Transport::kHttp},
        Side::kServer);
    for (Row& row : rows_) {
      if (row.oracle == nullptr) continue;
      co_await Sleep(subject_.loop(), subject_.loop().now());
      const bool travelled = travels(*row.rule, subject_.spec().transport);
      Finding finding =
          travelled ? row.oracle->judge(hearing)
                    : not_for_it("a rule of " + std::string(row.rule->transport) + " alone");
      if (finding.verdict == Verdict::kPass && !unheard().empty()) finding = undecided(unheard());
      write_row(row, std::move(finding), 0, Duration{});
    }
  }

  // unheard says why the oracles have not heard everything; empty: they have.
  std::string unheard() const {
    if (!log_.flood().empty()) return log_.flood();
    if (log_.whole()) return {};
    return "not judged to its end: the subject has said more than " +
           std::to_string(kUnaskedBytesMax >> 20U) + " MB that nobody asked for";
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
    result.message = log_.told(std::move(finding.message));
    result.observed = finding.observed;
    result.spec = std::string(rule.page);
    result.duration_ms = static_cast<double>(took.count()) / 1e6;
    const bool shows = result.verdict != Verdict::kPass && result.verdict != Verdict::kSkip;
    if (!shows) return;
    result.evidence = finding.evidence.empty() ? log_.evidence_of(number, kEvidenceMax)
                                               : std::move(finding.evidence);
    for (Evidence& row_shown : result.evidence) row_shown.message = excerpt(row_shown.message);
    if (judge_.options_.reproduce) {
      result.reproduce = judge_.options_.reproduce(result.id, revision_);
    }
  }

  ServerJudge& judge_;
  WireLog log_;
  Subject subject_;
  std::string revision_;
  std::string refused_;
  bool astray_ = false;  // Its endpoint is at another origin.
  bool agreed_ = false;
  bool surveyed_ = false;
  std::vector<Row> rows_;
  std::unique_ptr<Session> shared_;
  bool reviving_ = false;
  int begun_ = 0;  // Checks that are not done.
  std::vector<std::unique_ptr<Session>> idle_;
  std::vector<std::unique_ptr<Session>> retired_;  // Ended, but somebody may still look at them.
  int openings_failed_ = 0;
  std::string dead_;  // Why nothing more can be told.
  Survey survey_;
  Exercises exercises_{subject_, survey_, judge_.options_.probe.allow_writes};
};

ServerJudge::ServerJudge(Subject& subject, ServerChecks checks, JudgeOptions options)
    : subject_(subject), checks_(checks), options_(std::move(options)) {}

ServerJudge::~ServerJudge() = default;

Judgement ServerJudge::so_far() const {
  Judgement judgement;
  judgement.unreachable = unreachable_;
  for (const std::unique_ptr<Round>& round : rounds_) {
    if (round->surveyed()) judgement.revisions.push_back(round->revision());
    round->add_rows(judgement.results);
    const bool told = round->astray() && !judgement.results.empty();
    if (judgement.unreachable.empty() && !told) judgement.unreachable = round->refused();
  }
  return judgement;
}

Task<void> ServerJudge::choose_rounds() {
  if (options_.revision != "auto" && options_.revision != "all") {
    rounds_.push_back(std::make_unique<Round>(*this, options_.revision));
    co_return;
  }
  for (const std::string_view revision : kRevisions) {
    rounds_.push_back(std::make_unique<Round>(*this, std::string(revision)));
  }
  TaskGroup asking;
  for (const std::unique_ptr<Round>& round : rounds_) asking.spawn(round->ask());
  co_await asking.join(subject_.loop());
  std::string failure;
  for (const std::unique_ptr<Round>& round : rounds_) {
    if (!round->refused().empty()) failure = round->refused();
  }
  std::erase_if(rounds_, [](const auto& round) { return !round->agreed(); });
  if (rounds_.empty()) unreachable_ = "no revision is answered: " + failure;
}

Task<void> ServerJudge::judge() {
  co_await choose_rounds();
  const Round* newest_stateful = nullptr;
  for (const std::unique_ptr<Round>& round : rounds_) {
    if (!is_stateless(round->revision())) newest_stateful = round.get();
  }
  TaskGroup beginnings;
  for (const std::unique_ptr<Round>& round : rounds_) {
    if (options_.tell) options_.tell("judging " + round->revision());
    const bool whole = options_.revision != "auto" || is_stateless(round->revision()) ||
                       round.get() == newest_stateful;
    beginnings.spawn(round->begin(whole));
  }
  co_await beginnings.join(subject_.loop());
  fill_queue();
  co_await judge_rows();
  TaskGroup endings;
  for (const std::unique_ptr<Round>& round : rounds_) {
    if (round->surveyed()) endings.spawn(round->end());
  }
  co_await endings.join(subject_.loop());
}

// fill_queue lets each revision have its turn.
void ServerJudge::fill_queue() {
  std::vector<std::pair<Round*, std::vector<std::size_t>>> orders;
  std::size_t longest = 0;
  for (const std::unique_ptr<Round>& round : rounds_) {
    if (!round->surveyed()) continue;
    orders.emplace_back(round.get(), round->in_order());
    longest = std::max(longest, orders.back().second.size());
  }
  for (std::size_t turn = 0; turn < longest; ++turn) {
    for (const auto& [round, order] : orders) {
      if (turn < order.size()) queue_.emplace_back(round, order[turn]);
    }
  }
}

int ServerJudge::idle() const {
  int idle = options_.concurrency;
  for (const std::unique_ptr<Round>& round : rounds_) idle -= round->busy();
  return idle;
}

Task<void> ServerJudge::judge_rows() {
  const auto can_begin = [](const auto& row) { return row.first->can_begin(row.second); };
  TaskGroup checks;
  while (!queue_.empty()) {
    const auto next = idle() > 0 ? std::ranges::find_if(queue_, can_begin) : queue_.end();
    if (next == queue_.end()) {
      co_await Sleep(subject_.loop(), after(subject_.loop().now(), kStep));
      continue;
    }
    const auto [round, place] = *next;
    queue_.erase(next);
    checks.spawn(round->judge_row(place));
  }
  co_await checks.join(subject_.loop());
}

}  // namespace plumbline::conformance
