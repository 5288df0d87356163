#include "conformance/fuzz/fuzzer.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/peer/opening.h"
#include "core/base/errors/errors.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kKnownMax = 500;
constexpr std::size_t kKnownBytesMax = 16U << 10U;  // Of one that is kept.
constexpr std::size_t kHistoryMax = 300;
constexpr std::size_t kKeptBytesMax = 4U << 20U;  // Of values for tools, kept for the run.
constexpr std::size_t kHonestMax = 8;
constexpr Duration kSlowAfter = std::chrono::milliseconds(50);  // Beyond what any answer takes.
constexpr std::uint64_t kThoroughlyEach = 8;  // Of sessions that show nothing new.
constexpr int kReplaysMax = 60;               // For one finding.
constexpr int kConfirmingMax = 4;             // To see a finding come again.
constexpr Duration kFindingTimeMax = std::chrono::seconds(20);
constexpr std::size_t kMegabyte = 1U << 20U;
constexpr std::size_t kMemoryAlarm = 96 * kMegabyte;
constexpr std::size_t kMemoryGrowth = 384 * kMegabyte;  // More no right server needs.
constexpr std::uint64_t kWarmUp = 20;                   // Sessions.
constexpr std::size_t kGrowthRounds = 4'000;

// What is late shows nothing new; nor does the status of what was cut.
std::string feature_of(const FuzzStep& step, const FuzzAnswer& heard) {
  FuzzAnswer answer;
  if (heard.prompt) answer = heard;
  answer.status = step.cut ? 0 : heard.status;
  return step.method + "|" + step.twist + "|" + std::to_string(static_cast<int>(answer.how)) + "|" +
         std::to_string(answer.code) + "|" + std::to_string(answer.status) + "|" + answer.shape;
}

FuzzCase joined(const std::deque<FuzzCase>& sessions, std::size_t last) {
  FuzzCase all;
  const std::size_t first = sessions.size() - std::min(last, sessions.size());
  for (std::size_t i = first; i < sessions.size(); ++i) {
    const std::size_t begin = all.steps.size();
    all.steps.insert(all.steps.end(), sessions[i].steps.begin(), sessions[i].steps.end());
    if (begin < all.steps.size()) all.steps[begin].apart = begin > 0;
  }
  return all;
}

}  // namespace

Fuzzer::Fuzzer(Subject& subject, FuzzOptions options)
    : subject_(subject), options_(std::move(options)), memory_alarm_(kMemoryAlarm) {}

Task<void> Fuzzer::run() {
  begin_ = subject_.loop().now();
  const bool timed = options_.time_max > Duration{};
  end_ = timed ? after(begin_, options_.time_max) : kNever;
  const Instant cut_off = timed ? after(end_, options_.patience) : kNever;
  const Result<Done> done =
      co_await with_deadline(subject_.loop(), cut_off, std::string("fuzzing"), work());
  effort_.took = subject_.loop().now() - begin_;
  effort_.digest = played_.finish_hex().substr(0, 16);
  if (done.ok()) co_return;
  const bool silent = effort_.sessions == 0 && unreachable_.message.empty();
  if (silent) unreachable_ = the_error_as(ErrorCode::kDeadlineExceeded, "fuzz.silent");
  player_.reset();  // What it is in the midst of is not waited for.
}

// work does everything, as far as time goes.
Task<Done> Fuzzer::work() {
  const bool surveyed = co_await survey();
  if (!surveyed) co_return Done{};
  const Status opened = co_await player_->open();
  if (!opened.ok()) {
    unreachable_ = opened.error();
    co_return Done{};
  }
  opening_end_ = player_->log().entries().size();
  co_await learn_honest();
  if (options_.only) {
    FuzzCase only = *options_.only;
    co_await play_one(std::move(only));
  } else {
    co_await play_all();
  }
  co_await player_->close();
  co_return Done{};
}

// survey opens a session in the newest revision that is answered, and asks what there is.
Task<bool> Fuzzer::survey() {
  std::vector<std::string> tried = {std::string(kNewestStateful), std::string(kNewestStateless)};
  if (!options_.revision.empty()) tried = {options_.revision};
  for (const std::string& revision : tried) {
    SessionOptions how;
    how.revision = revision;
    how.capabilities = all_capabilities(revision);
    how.listen = false;
    Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, std::move(how), 0);
    if (!opened.ok()) {
      unreachable_ = opened.error();
      co_return false;
    }
    Session& session = *opened.value();
    const Survey found = co_await take_survey(session, 0);
    const bool answered = found.opening.result() != nullptr;
    revision_ = session.revision();
    unreachable_ = answered ? Error{} : the_error("fuzz.no-opening", found.opening.describe());
    co_await session.close();
    if (!answered) continue;
    Budget kept(Amounts().set(Resource::kValueBytes, kKeptBytesMax), &subject_.log().budget());
    maker_ = std::make_unique<SessionMaker>(found, options_.probe,
                                            subject_.spec().transport == Transport::kHttp, kept);
    player_ = std::make_unique<Player>(subject_, revision_, *maker_, options_.patience);
    co_return true;
  }
  co_return false;
}

// quick_answer asks up to three times whether `asked` is answered within that time: a busy machine
// is late now and then, a slow request always. None: it is not.
Task<FuzzAnswer> Fuzzer::quick_answer(AskedOf asked, Duration within) {
  FuzzAnswer answer;
  for (int tries = 0; tries < 3 && answer.how == FuzzAnswer::How::kNone; ++tries) {
    AskedOf once = asked;
    answer = co_await player_->ask(std::move(once), within);
  }
  co_return answer;
}

// learn_honest finds requests that are answered with the same result each time, and those that take
// their time: they are made seldom.
Task<void> Fuzzer::learn_honest() {
  AskedOf life = maker_->asked().front();
  const Instant begin = subject_.loop().now();
  (void)co_await player_->ask(std::move(life), options_.patience);
  const Duration within = subject_.loop().now() - begin + kSlowAfter;
  for (std::size_t i = 0; i < maker_->asked().size(); ++i) {
    AskedOf first_time = maker_->asked()[i];
    const FuzzAnswer first = co_await quick_answer(std::move(first_time), within);
    if (first.how == FuzzAnswer::How::kNone) maker_->note_slow(i);
    if (first.how != FuzzAnswer::How::kResult || honest_.size() == kHonestMax) continue;
    AskedOf second_time = maker_->asked()[i];
    const FuzzAnswer second = co_await player_->ask(std::move(second_time), options_.patience);
    const bool same = second.how == first.how && second.shape == first.shape;
    if (same && second.items == first.items) honest_.push_back({maker_->asked()[i], first.items});
  }
  if (!player_->worn()) co_return;
  co_await ready();
}

bool Fuzzer::over() const {
  const bool enough = options_.sessions_max > 0 && effort_.sessions >= options_.sessions_max;
  return enough || subject_.loop().now() >= end_;
}

Task<void> Fuzzer::play_all() {
  while (!over()) {
    const bool there = co_await ready();
    if (!there) co_return;
    FuzzCase session = maker_->make(options_.seed, effort_.sessions, known_);
    co_await play_one(std::move(session));
  }
}

// ready opens a new connection where the old one is worn.
Task<bool> Fuzzer::ready() {
  if (!player_->worn()) co_return true;
  history_.clear();
  memory_begin_ = 0;
  for (int tries = 0; tries < 3; ++tries) {
    const Status opened = co_await player_->open();
    ++effort_.opened;
    if (opened.ok()) {
      opening_end_ = player_->log().entries().size();
      co_return true;
    }
    unreachable_ = opened.error();
    co_await Sleep(subject_.loop(), after(subject_.loop().now(), std::chrono::seconds(1)));
  }
  if (!rows_.empty()) unreachable_ = Error{};  // What has ended it is told.
  co_return false;
}

Task<void> Fuzzer::play_one(FuzzCase session) {
  asked_ = honest_.empty() ? nullptr : &honest_[effort_.sessions % honest_.size()];
  const Played played = co_await player_->play(session, asked_);
  ++effort_.sessions;
  played_.update(spelled(session));
  effort_.messages += session.steps.size() + 1;
  history_.push_back(session);
  if (history_.size() > kHistoryMax) history_.pop_front();
  const bool fresh = is_new(session, played);
  if (fresh && known_.size() < kKnownMax && bytes_of(session) <= kKnownBytesMax) {
    known_.push_back(session);
  }
  const bool thoroughly =
      fresh || options_.only.has_value() || effort_.sessions % kThoroughlyEach == 0;
  std::vector<FuzzFinding> findings = judge(session, played, thoroughly);
  bool moved = false;
  for (FuzzFinding& finding : findings) {
    if (found_.contains(finding.key) || tries_[finding.key]++ >= kConfirmingMax) continue;
    if (options_.tell) options_.tell(finding.key + ": " + finding.message);
    FuzzCase shown = session;
    moved = true;
    co_await confirm(std::move(finding), std::move(shown));
  }
  if (moved) co_await player_->close();
  if (!moved) co_await watch_memory(played);
  const bool broken = played.hangs || !played.died.empty() || !played.gone.empty();
  if (broken && !moved) co_await player_->close();
}

// is_new returns whether something was seen for the first time.
bool Fuzzer::is_new(const FuzzCase& session, const Played& played) {
  bool any = false;
  for (std::size_t i = 0; i < session.steps.size(); ++i) {
    any |= features_.insert(feature_of(session.steps[i], played.answers[i])).second;
  }
  for (const FuzzAnswer& answer : played.met) {
    if (answer.prompt) any |= features_.insert(feature_of(FuzzStep{}, answer)).second;
  }
  effort_.features = features_.size();
  return any;
}

std::vector<FuzzFinding> Fuzzer::judge(const FuzzCase& session, const Played& played,
                                       bool thoroughly) {
  return judge_session({session, played, asked_, player_->log(), opening_end_, revision_,
                        subject_.spec().transport == Transport::kHttp},
                       thoroughly);
}

// comes_again plays a session on a fresh connection and returns whether the finding is there.
Task<bool> Fuzzer::comes_again(FuzzCase session, std::string key) {
  if (replays_left_ == 0 || subject_.loop().now() > finding_deadline_) co_return false;
  --replays_left_;
  const Status opened = co_await player_->open();
  ++effort_.opened;
  if (!opened.ok()) co_return false;
  opening_end_ = player_->log().entries().size();
  const Played played = co_await player_->play(session, asked_);
  const std::vector<FuzzFinding> findings = judge(session, played, true);
  co_return std::ranges::any_of(findings, [&](const FuzzFinding& one) { return one.key == key; });
}

// find_cause returns the sessions that bring the finding about: the last one alone, or more of
// those before it.
Task<std::optional<FuzzCase>> Fuzzer::find_cause(FuzzCase session, std::string key) {
  for (int again = 0; again < 2; ++again) {
    const bool alone = co_await comes_again(session, key);
    if (alone) co_return session;
  }
  const std::deque<FuzzCase> history = history_;
  for (std::size_t last = 2; last < 2 * history.size(); last *= 4) {
    FuzzCase longer = joined(history, last);
    const bool there = co_await comes_again(longer, key);
    if (there) co_return longer;
  }
  co_return std::nullopt;
}

// shrink leaves out steps as long as the finding stays.
Task<FuzzCase> Fuzzer::shrink(FuzzCase session, std::string key) {
  for (std::size_t part = (session.steps.size() + 1) / 2; part > 0; part /= 2) {
    for (std::size_t at = 0; at < session.steps.size() && session.steps.size() > 1;) {
      FuzzCase less = session;
      const auto begin = less.steps.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t count = std::min(part, session.steps.size() - at);
      less.steps.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
      bool there = false;
      if (!less.steps.empty()) there = co_await comes_again(less, key);
      if (there) session = std::move(less);
      if (!there) at += part;
    }
  }
  co_return session;
}

Task<void> Fuzzer::confirm(FuzzFinding finding, FuzzCase session) {
  replays_left_ = kReplaysMax;
  finding_deadline_ = std::min(end_, after(subject_.loop().now(), kFindingTimeMax));
  std::string key = finding.key;
  FuzzCase seen = session;
  std::optional<FuzzCase> cause;
  if (finding.key.ends_with(" gone")) {
    cause = session;  // Nobody can start it again.
  } else {
    cause = co_await find_cause(std::move(seen), key);
  }
  if (!cause) {
    ++effort_.unconfirmed;
  } else {
    FuzzCase whole = *std::move(cause);
    FuzzCase small = whole;
    if (!finding.key.ends_with(" gone")) {
      small = co_await shrink(std::move(whole), std::move(key));
    }
    found_.insert(finding.key);
    report(finding, small);
  }
}

// growth returns how much memory a fresh process has taken after `rounds` of a session.
Task<std::size_t> Fuzzer::growth(FuzzCase session, std::size_t rounds) {
  const Status opened = co_await player_->open();
  ++effort_.opened;
  if (!opened.ok()) co_return 0;
  opening_end_ = player_->log().entries().size();
  std::size_t first = 0;
  std::size_t grown = 0;
  for (std::size_t round = 0; round < rounds && grown < kMemoryGrowth; ++round) {
    if (player_->worn() || subject_.loop().now() > finding_deadline_) break;
    const Played played = co_await player_->play(session, nullptr);
    if (first == 0) first = played.memory_bytes;
    grown = played.memory_bytes > first ? played.memory_bytes - first : 0;
  }
  co_return grown;
}

// watch_memory looks into it when the process has grown: what makes it grow without end is told.
Task<void> Fuzzer::watch_memory(Played played) {
  if (played.memory_bytes == 0 || found_.contains(std::string(kFuzzMemory))) co_return;
  if (memory_begin_ == 0 && history_.size() >= kWarmUp) memory_begin_ = played.memory_bytes;
  if (memory_begin_ == 0 || played.memory_bytes < memory_begin_ + memory_alarm_) co_return;
  memory_alarm_ *= 2;
  finding_deadline_ = std::min(end_, after(subject_.loop().now(), kFindingTimeMax));
  const std::deque<FuzzCase> history = history_;
  std::size_t most = 0;
  FuzzCase worst;
  for (std::size_t i = history.size(); i > 0 && i + 40 > history.size(); --i) {
    if (subject_.loop().now() > finding_deadline_) break;
    FuzzCase one = history[i - 1];
    const std::size_t grown = co_await growth(std::move(one), 20);
    if (grown > most) {
      most = grown;
      worst = history[i - 1];
    }
  }
  finding_deadline_ = std::min(end_, after(subject_.loop().now(), kFindingTimeMax));
  FuzzCase again = worst;
  if (!worst.steps.empty()) most = co_await growth(std::move(again), kGrowthRounds);
  if (most < kMemoryGrowth) {
    ++effort_.unconfirmed;
  } else {
    found_.insert(std::string(kFuzzMemory));
    report({kFuzzMemory, std::string(kFuzzMemory),
            "a fresh process grew by " + std::to_string(most / kMegabyte) +
                " MB while it was sent the same again and again"},
           worst);
  }
  co_await player_->close();
}

void Fuzzer::report(const FuzzFinding& finding, const FuzzCase& session) {
  CheckResult row;
  row.id = finding.oracle;
  row.verdict = Verdict::kFail;
  row.area = "fuzz";
  row.level = "MUST";
  row.revision = revision_;
  row.transport = name_of(subject_.spec().transport);
  for (const FuzzOracle& oracle : fuzz_oracles()) {
    if (oracle.id == finding.oracle) row.title = oracle.what;
  }
  row.message = finding.message + "; brought about by " + std::to_string(session.steps.size()) +
                (session.steps.size() == 1 ? " message" : " messages");
  for (const FuzzStep& step : session.steps) {
    const Result<Json> message = parse_json(step.text);
    const Json shown = message.ok() ? message.value() : Json{{"bytes", step.text.substr(0, 200)}};
    if (row.evidence.size() < 12) row.evidence.push_back({0, "->", excerpt(shown)});
  }
  if (options_.keep) row.reproduce = options_.keep(row.id, file_of(session, finding.message));
  rows_.push_back(std::move(row));
}

std::vector<CheckResult> Fuzzer::rows() const {
  std::vector<CheckResult> all;
  for (const FuzzOracle& oracle : fuzz_oracles()) {
    const auto begin = all.size();
    for (const CheckResult& row : rows_) {
      if (row.id == oracle.id) all.push_back(row);
    }
    if (all.size() > begin) continue;
    CheckResult held;
    held.id = oracle.id;
    held.area = "fuzz";
    held.title = oracle.what;
    held.level = "MUST";
    held.revision = revision_;
    held.transport = name_of(subject_.spec().transport);
    held.observed = static_cast<std::int64_t>(effort_.sessions);
    all.push_back(std::move(held));
  }
  return all;
}

}  // namespace plumbline::conformance
