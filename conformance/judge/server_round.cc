#include "conformance/judge/server_round.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <utility>

#include "conformance/checks/server/ordinary_use.h"
#include "conformance/checks/server/probe.h"
#include "conformance/peer/client.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kCheckMax = std::chrono::seconds(30);
// What a check of a slow subject may wait for, beyond that.
constexpr int kAnswersMax = 20;
constexpr int kCallsWaitedFor = 4;
constexpr std::size_t kEvidenceMax = 40;
constexpr const char* kStartsUsedUp = "it may not be started again: --starts";
constexpr const char* kOneProcess =
    "it is not started again: of two of its processes one ends, so that it is judged in one alone";
constexpr const char* kLimited =
    "the server answers 429, it limits how much it may be asked: allow more for this check";
// What calls that were given up tell of their progress is heard so long after they were made: many
// tell of it every second or two.
constexpr Duration kToldMax = std::chrono::milliseconds(2'200);

// travels returns whether a rule ("any", "http", "stdio") concerns a subject over this transport.
bool travels(const Requirement& rule, Transport over) {
  if (rule.transport == "any") return true;
  if (rule.transport == "stdio") return over == Transport::kStdio;
  if (rule.area == "sse-legacy") return over == Transport::kSse;
  // What came with Streamable HTTP is no rule of the transport before it.
  const bool of_streamable = rule.area == "http" && rule.since > kRevisions.front();
  return over == Transport::kHttp || (over == Transport::kSse && !of_streamable);
}

// told_by returns when the calls of `exercise` that were given up have had that time.
Instant told_by(const Exercise& exercise) {
  Instant end;
  for (const Call& call : exercise.calls) {
    if (call.reply.how != Reply::How::kSilent || call.evidence.empty()) continue;
    const std::chrono::milliseconds made(call.evidence.front().at_ms);
    end = std::max(end, after(Instant{} + made, kToldMax));
  }
  return end;
}

}  // namespace

ServerRound::ServerRound(Subject& subject, const JudgeOptions& options, Leases& leases,
                         Openings& openings, std::string revision)
    : options_(options),
      log_(subject.log().fresh()),
      subject_(subject, log_),
      revision_(std::move(revision)),
      writer_(log_.redactor(), revision_, name_of(subject.spec().transport), options.reproduce),
      openings_(openings),
      sessions_(subject_, revision_, survey_, leases),
      exercises_(subject_, survey_, options.probe, sessions_) {}

Task<void> ServerRound::begin(ServerChecks checks, bool whole) {
  choose_rows(checks, whole);
  const bool unasked = sessions_.shared() == nullptr && refused_.message.empty();
  if (unasked && !astray()) co_await open_shared();
  if (astray()) judge_endpoint();
  if (!refused_.message.empty()) {
    if (sessions_.shared() == nullptr) co_return;
    if (is_page(sessions_.shared()->opening())) co_return;  // No server of MCP.
    co_await judge_opening(sessions_.shared()->opening());
    co_await judge_door(sessions_.shared()->opening().status);
    co_return;
  }
  if (!whole && subject_.spec().transport == Transport::kStdio) sessions_.be_frugal();
  if (!whole && !has_work()) {
    surveyed_ = true;
    if (!is_stateless(revision_)) openings_.spare(sessions_.yield());
    co_return;
  }
  survey_ = co_await take_survey(*sessions_.shared(), 0);
  survey_.judged_whole = whole;
  if (is_stateless(revision_) && is_one(options_.revision)) {
    const std::string why = co_await stateless_refusal();
    if (!why.empty()) {
      refuse(why);
      // A refusal is no fault; an answer that cannot be read as one is.
      const bool refused = survey_.opening.answered() || survey_.opening.status >= 300;
      if (!refused) co_await judge_opening(survey_.opening);
      co_await judge_door(survey_.opening.status);
      co_return;
    }
  }
  sessions_.note_start(*sessions_.shared());
  if (whole && !checks.empty() && options_.selection.only.empty()) exercises_.start();
  surveyed_ = true;
}

void ServerRound::choose_rows(ServerChecks checks, bool whole) {
  for (const ServerCheck& check : checks) {
    if (has(check.eras, revision_)) add_row(check.id, &check, nullptr, whole);
  }
  for (const Oracle& oracle : all_oracles()) {
    if (oracle.role == "server") add_row(oracle.id, nullptr, &oracle, whole);
  }
}

void ServerRound::add_row(std::string_view id, const ServerCheck* check, const Oracle* oracle,
                          bool whole) {
  const Requirement* const rule = find_requirement(id, revision_);
  if (rule == nullptr || !rule->binds("server")) return;
  if (!options_.selection.wants(*rule)) return;
  const bool everywhere = check != nullptr && check->everywhere && concerns_rule(*rule);
  if (!whole && rule->until.empty() && !everywhere) return;
  rows_.push_back(Row{rule, check, oracle, {}});
}

bool ServerRound::told() const {
  return !surveyed_ &&
         std::ranges::any_of(rows_, [](const Row& row) { return !row.result.id.empty(); });
}

bool ServerRound::concerns(const Row& row) const { return concerns_rule(*row.rule); }

bool ServerRound::concerns_rule(const Requirement& rule) const {
  return travels(rule, subject_.spec().transport);
}

// has_work returns whether any rule can be judged over this transport.
bool ServerRound::has_work() const {
  return std::ranges::any_of(rows_, [this](const Row& row) { return concerns(row); });
}

bool ServerRound::has_oracles() const {
  const auto is_oracle = [this](const Row& row) { return row.oracle != nullptr && concerns(row); };
  return std::ranges::any_of(rows_, is_oracle);
}

std::vector<std::size_t> ServerRound::in_order() const {
  // A process that was opened for one rule serves others after it.
  const bool processes = subject_.spec().transport == Transport::kStdio;
  const SessionUse first = processes ? SessionUse::kOpens : SessionUse::kAlone;
  const SessionUse second = processes ? SessionUse::kAlone : SessionUse::kOpens;
  std::vector<std::size_t> order;
  for (const SessionUse use : {SessionUse::kWaits, first, second, SessionUse::kShared}) {
    for (std::size_t place = 0; place < rows_.size(); ++place) {
      const ServerCheck* const check = rows_[place].check;
      if (check != nullptr && check->session == use) order.push_back(place);
    }
  }
  return order;
}

bool ServerRound::can_begin(std::size_t place) const {
  if (subject_.presence().troubled()) return false;
  if (!concerns(rows_[place])) return true;
  const SessionUse use = rows_[place].check->session;
  const bool leases = use == SessionUse::kAlone || (use == SessionUse::kShared && !shares());
  return !leases || sessions_.may_lease();
}

Task<void> ServerRound::judge_row(std::size_t place) {
  ++begun_;
  const ServerCheck& check = *rows_[place].check;
  const Instant begin = subject_.loop().now();
  const auto number = static_cast<std::uint32_t>(place + 1);
  Finding finding;
  if (!concerns(rows_[place])) {
    finding = only_over(*rows_[place].rule);
  } else if (!log_.flood().empty()) {
    finding = undecided(log_.flood());
  } else if (!subject_.presence().gone().empty()) {
    finding = undecided(subject_.presence().gone());
  } else if (!sessions_.dead().empty()) {
    finding = undecided(sessions_.dead());
  } else {
    finding = co_await put_to_test(check, number);
  }
  const Duration took = subject_.loop().now() - begin;
  write_row(rows_[place], std::move(finding), number, took);
  --begun_;
}

Task<Finding> ServerRound::run_check(ServerCheck check, std::uint32_t number) {
  const bool shared = check.session == SessionUse::kShared && shares();
  std::unique_ptr<Session> alone;
  if (shared) co_await sessions_.revive_shared();
  const bool opens = check.session == SessionUse::kOpens || check.session == SessionUse::kWaits;
  if (!shared && !opens) alone = co_await sessions_.lease();
  Session* const session = shared ? sessions_.shared() : alone.get();
  if (!opens && (session == nullptr || !session->usable())) {
    co_return undecided("the subject could not be opened again");
  }
  const int refused = subject_.starts().refused;
  const std::size_t limits = log_.limits();
  Probe probe(subject_, survey_, options_.probe, exercises_, openings_, sessions_, session, number);
  const Pace& pace = subject_.pace();
  // Who begins before all others has not seen yet how long its tools take.
  const bool first = check.session == SessionUse::kWaits;
  const Duration call = first ? pace.work() : pace.longest_work();
  const Duration patience = kCheckMax + pace.several(kAnswersMax) + kCallsWaitedFor * call;
  const Instant deadline = after(subject_.loop().now(), patience);
  Result<Finding> found =
      co_await with_deadline(subject_.loop(), deadline, std::string(check.id), check.run(probe));
  co_await probe.close();
  if (alone) sessions_.give_back(std::move(alone));
  // What it missed may have been cut off by us.
  if (!log_.flood().empty()) co_return undecided(log_.flood());
  if (std::string why = probe.unsure(); !why.empty()) co_return undecided(std::move(why));
  if (!found.ok()) co_return undecided(found.error().message);
  if (shows_evidence(found.value().verdict) && log_.limits() > limits)
    co_return undecided(kLimited);
  const bool lacked =
      subject_.starts().refused > refused && found.value().verdict != Verdict::kPass;
  if (lacked) co_return undecided(options_.one_process ? kOneProcess : kStartsUsedUp);
  co_return std::move(found).value();
}

std::size_t ServerRound::tools_uncalled() const {
  const auto uncalled = [&](const Json& tool) { return !may_call_tool(tool, options_.probe); };
  return static_cast<std::size_t>(std::ranges::count_if(survey_.tools.items, uncalled));
}

Task<Json> ServerRound::explore() {
  const Exercise& all = *co_await exercises_.of(Declared::kAll);
  co_return hint_file(survey_, all, options_.probe, log_.budget());
}

// put_to_test runs a check, and once more where the subject ended meanwhile, or where it may only
// have been slow, or one of its processes may have been lost.
Task<Finding> ServerRound::put_to_test(ServerCheck check, std::uint32_t number) {
  Presence& presence = subject_.presence();
  Presence::Turn turn(presence);
  const int life = presence.lives();
  Finding finding = co_await run_check(check, number);
  co_await presence.look(log_);
  if (!presence.gone().empty()) co_return undecided(presence.gone());
  if (presence.lives() != life) {
    co_await turn.alone();
    finding = co_await put_to_test_alone(check, number);
    co_return finding;
  }
  Silences& silences = subject_.silences();
  Starts& starts = subject_.starts();
  if (shows_evidence(finding.verdict) && silences.lost(number) && !starts.silent_again) {
    silences.forget(number);
    finding = co_await run_check(check, number);
    starts.silent_again = starts.silent_again || silences.lost(number);
  }
  const Duration waited = silences.longest(number);
  if (!has_doubts(finding, number) || !co_await is_slow(waited)) co_return finding;
  silences.forget(number);
  Finding again = co_await run_check(check, number);
  const Duration longer = silences.longest(number);
  if (!has_doubts(again, number) || !co_await is_slow(longer)) co_return again;
  co_return undecided("the server takes up to " +
                      std::to_string(milliseconds_of(subject_.pace().slowest())) +
                      " ms for an answer, and within " + std::to_string(milliseconds_of(longer)) +
                      " ms there was none: --timeout gives it longer (" + again.message + ")");
}

// put_to_test_alone shows whether it is this check that ends the server.
Task<Finding> ServerRound::put_to_test_alone(ServerCheck check, std::uint32_t number) {
  Presence& presence = subject_.presence();
  if (!presence.gone().empty()) co_return undecided(presence.gone());
  const int life = presence.lives();
  Finding finding = co_await run_check(check, number);
  co_await presence.look(log_);
  if (!presence.gone().empty()) co_return undecided(presence.gone());
  if (presence.lives() == life) co_return finding;
  if (!shows_evidence(finding.verdict)) co_return undecided("the server ended when it was asked");
  finding.message += "; it ended, and was started again";
  co_return finding;
}

// has_doubts returns whether a finding may rest on nothing but that we did not wait.
bool ServerRound::has_doubts(const Finding& finding, std::uint32_t number) {
  return shows_evidence(finding.verdict) && subject_.pace().known() &&
         subject_.silences().longest(number) > Duration{};
}

// is_slow returns whether the subject now takes so long to answer something ordinary that having
// waited for `waited` says nothing.
Task<bool> ServerRound::is_slow(Duration waited) {
  if (3 * subject_.pace().slowest() > waited) co_return true;
  co_await sessions_.revive_shared();
  Session* const shared = sessions_.shared();
  if (shared != nullptr && shared->usable()) {
    const Reply reply = co_await Client(*shared, 0).request(survey_.answered_method());
    if (reply.answered()) co_return 3 * reply.took > waited;
  }
  std::unique_ptr<Session> fresh = co_await sessions_.lease();
  if (fresh == nullptr) co_return true;
  const Reply reply = co_await Client(*fresh, 0).request(survey_.answered_method());
  sessions_.give_back(std::move(fresh));
  co_return !reply.answered() || 3 * reply.took > waited;
}

// use_at_last gives the oracles something to read. Without them, what is wrong may be the SDK's
// doing, and that has to be known.
Task<void> ServerRound::use_at_last() {
  const bool wrong =
      std::ranges::any_of(rows_, [](const Row& row) { return shows_evidence(row.result.verdict); });
  if ((!has_oracles() && !wrong) || !sessions_.dead().empty() || !log_.flood().empty()) co_return;
  co_await sessions_.revive_shared();
  if (!sessions_.dead().empty() || sessions_.shared() == nullptr) co_return;
  if (!has_oracles()) co_return co_await show_make(*sessions_.shared(), &survey_);
  co_await use_ordinarily(*sessions_.shared(), &survey_, exercises_);
  const Exercise& all = *co_await exercises_.of(Declared::kAll);
  const Instant end = told_by(all);
  if (end > subject_.loop().now()) co_await Sleep(subject_.loop(), end);
}

Task<void> ServerRound::end() {
  co_await sessions_.close();
  co_await consult_oracles();
}

// consult_oracles returns to the loop between one and the next: they may have much to read.
Task<void> ServerRound::consult_oracles() {
  const std::span<const LogEntry> heard = log_.before_gap();
  const std::vector<LogEntry> entries(heard.begin(), heard.end());  // The log may still grow.
  const Transcript transcript(
      {log_, entries, revision_, Sender::kSubject, subject_.spec().transport == Transport::kHttp},
      Side::kServer);
  for (Row& row : rows_) {
    if (row.oracle == nullptr) continue;
    co_await Sleep(subject_.loop(), subject_.loop().now());
    Finding finding = concerns(row) ? row.oracle->judge(transcript) : only_over(*row.rule);
    if (finding.verdict == Verdict::kPass && !unheard().empty()) finding = undecided(unheard());
    write_row(row, std::move(finding), 0, Duration{});
  }
}

// unheard says why the oracles have not heard everything; empty: they have.
std::string ServerRound::unheard() const {
  if (!log_.flood().empty()) return log_.flood();
  if (log_.whole()) return {};
  return "not judged to its end: the subject has said more than " +
         std::to_string(kUnaskedBytesMax >> 20U) + " MB that nobody asked for";
}

void ServerRound::write_row(Row& row, Finding finding, std::uint32_t number, Duration took) {
  if (shows_evidence(finding.verdict)) {
    if (finding.evidence.empty())
      finding.evidence = log_.evidence_of(number, kEvidenceMax, finding.about);
    for (Evidence& each : finding.evidence) each.message = excerpt(each.message);
  }
  row.result = writer_.row(shown_of(*row.rule), std::move(finding), took);
}

void ServerRound::add_rows(std::vector<CheckResult>& results) const {
  for (const Row& row : rows_) {
    if (!row.result.id.empty()) results.push_back(row.result);
  }
}

}  // namespace plumbline::conformance
