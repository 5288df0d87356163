#include "conformance/judge/session_pool.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/peer/client.h"
#include "conformance/peer/opening.h"
#include "conformance/peer/withholding.h"
#include "conformance/wire/http_status.h"
#include "core/base/errors/errors.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kSlowStart = std::chrono::milliseconds(150);
// How many answers are waited for, about, by checks that want a session to themselves: so much work
// is spread over processes, each of which costs a start.
constexpr int kAnswersInAll = 300;
constexpr Duration kStartLeast = std::chrono::milliseconds(5);
constexpr int kProcessesLeast = 2;
constexpr int kProcessesMost = 16;
constexpr int kProcessesForFirsts = 4;
constexpr Duration kLongAnswer = std::chrono::milliseconds(50);
constexpr int kProcessesSlow = 2;  // Of those that take their time to start, at most.
// After so long without any coming back there may be one more.
constexpr Duration kStuck = std::chrono::seconds(1);
constexpr Duration kStuckSlow = std::chrono::seconds(3);
// Who goes first waits so long at most for what others have: longer than a check may take.
constexpr Duration kLentMax = std::chrono::minutes(1);
constexpr int kOpeningsFailedMax = 3;

}  // namespace

std::string way_in(const Reply& reply) {
  if (reply.status != 401) return std::string();
  return ": it wants credentials, see plumbline login";
}

bool is_page(const Reply& reply) {
  const std::string_view type = reply.headers.get("Content-Type").value_or("");
  const bool text = type.starts_with("text/html") || type.starts_with("text/plain");
  const std::size_t begin = reply.body.find_first_not_of(" \t\r\n");
  const bool json =
      begin != std::string::npos && (reply.body[begin] == '{' || reply.body[begin] == '[');
  return !reply.answered() && reply.status / 100 == 2 && text && !json;
}

// id_of returns what the program calls an answer to initialize that is none.
std::string_view id_of(const Reply& opening) {
  switch (opening.status) {
    case 401:
      return "server.wants-token";
    case 403:
      return "server.forbidden";
    case 404:
      return "server.not-found";
    case 405:
      return "server.not-allowed";
    case kTooManyRequests:
      return "server.too-many";
    default:
      break;
  }
  if (opening.status / 100 == 3) return "server.redirects";
  if (opening.status / 100 == 5) return "server.failing";
  return opening.how == Reply::How::kSilent ? "server.silent" : "server.no-answer";
}

Error refusal_in(const Reply& opening, const std::string& end) {
  constexpr ErrorCode kGone = ErrorCode::kDisconnected;
  if (is_page(opening)) {
    const std::string_view type = opening.headers.get("Content-Type").value_or("");
    return the_error_as(kGone, "server.web-page", type);
  }
  if (opening.how == Reply::How::kClosed && !end.empty()) {
    return the_error_as(kGone, "server.ended", end);
  }
  const bool unheard = opening.how == Reply::How::kEnded && opening.status == 0;
  if (unheard && !opening.why.empty()) return Error{kGone, opening.why, opening.why_id};
  Error error = the_error_as(kGone, "server.no-answer", opening.describe() + way_in(opening));
  error.id = id_of(opening);
  return error;
}

SessionOptions SessionPool::usual() const {
  SessionOptions options;
  options.revision = revision_;
  options.capabilities = all_capabilities(revision_);
  return options;
}

void SessionPool::open_ahead(int count) {
  ahead_left_ = ahead_coming_ = count;
  for (int i = 0; i < count; ++i) opening_ahead_.spawn(open_one_ahead());
}

Task<void> SessionPool::open_one_ahead() {
  co_await Sleep(subject_.loop(), subject_.loop().now());  // After the shared one.
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0);
  --ahead_coming_;
  if (opened.ok() && opened.value()->usable()) ahead_.push_back(std::move(opened).value());
  subject_.changes().tell();
}

Task<void> SessionPool::drop_ahead() {
  opening_ahead_.cancel();
  ahead_left_ = ahead_coming_ = 0;
  subject_.changes().tell();
  while (!ahead_.empty()) {
    const std::unique_ptr<Session> session = std::move(ahead_.back());
    ahead_.pop_back();
    co_await session->close();
  }
}

Task<std::unique_ptr<Session>> SessionPool::take_ahead() {
  if (ahead_left_ == 0) co_return nullptr;
  --ahead_left_;
  const auto is_there = [this] { return !ahead_.empty() || ahead_coming_ == 0; };
  co_await subject_.changes().wait(others_have_opened_by(), is_there);
  if (ahead_.empty()) co_return nullptr;
  std::unique_ptr<Session> session = std::move(ahead_.back());
  ahead_.pop_back();
  if (!session->usable()) {
    retired_.push_back(std::move(session));
    co_return nullptr;
  }
  co_return std::move(session);
}

Task<void> SessionPool::open_shared() {
  co_await try_shared();
  const bool ended = shared_ != nullptr && shared_->opening().how == Reply::How::kClosed;
  if (ahead_left_ == 0 || !ended) co_return;
  // It may bear no other beside itself.
  co_await drop_ahead();
  co_await open_shared_anew();
}

Task<void> SessionPool::open_shared_anew() {
  retired_.push_back(std::move(shared_));
  refused_ = Error{};
  co_await try_shared();
}

Task<void> SessionPool::try_shared() {
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0);
  if (!opened.ok()) {
    refused_ = opened.error();
    astray_ = subject_.spec().transport == Transport::kSse &&
              opened.error().code == ErrorCode::kUnsupported;
    co_return;
  }
  shared_ = std::move(opened).value();
  if (!shared_->usable()) co_await withhold_what_it_refuses();
  if (shared_->usable()) co_return;
  if (shared_->opening().how == Reply::How::kClosed) co_await shared_->close();
  refused_ = refusal_in(shared_->opening(), shared_->wire().how_it_ended());
  last_words_ = shared_->wire().last_words();
}

// withhold_what_it_refuses opens the shared session with less, where the server takes that.
Task<void> SessionPool::withhold_what_it_refuses() {
  if (is_stateless(revision_) || !subject_.withheld().capabilities.empty()) co_return;
  co_await withhold_what_is_refused(subject_, usual(), shared_->opening());
  if (subject_.withheld().capabilities.empty()) co_return;
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0);
  if (!opened.ok()) co_return;
  retired_.push_back(std::move(shared_));
  shared_ = std::move(opened).value();
}

Task<std::unique_ptr<Session>> SessionPool::lease() {
  ++leases_.now;
  leases_.moved = subject_.loop().now();
  if (frugal_ && shared_ != nullptr && !reviving_) {
    if (!shared_->usable()) co_await revive_shared();
    if (shared_ != nullptr && shared_->usable()) co_return std::move(shared_);
  }
  while (!idle_.empty()) {
    std::unique_ptr<Session> session = std::move(idle_.back());
    idle_.pop_back();
    if (session->usable()) co_return std::move(session);
    retired_.push_back(std::move(session));
  }
  std::unique_ptr<Session> session = co_await take_ahead();
  if (session == nullptr) {
    const auto settle = [this](Session& fresh) { return settle_era(fresh); };
    Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0, settle);
    if (!opened.ok()) {
      --leases_.now;
      subject_.changes().tell();
      co_return nullptr;
    }
    session = std::move(opened).value();
  } else {
    co_await settle_era(*session);
  }
  if (!is_stateless(revision_)) note_start(*session);  // One started ahead has waited for us.
  session->mirror_parameters(survey_.tools.items);
  note_opening(*session);
  co_return std::move(session);
}

Task<std::unique_ptr<Session>> SessionPool::lease_first() {
  ++firsts_;
  const Instant enough = after(subject_.loop().now(), kLentMax);
  while (!has_or_may_open(for_firsts()) && subject_.loop().now() < enough) {
    co_await subject_.changes().next(std::min(enough, may_lease_at()));
  }
  --firsts_;
  subject_.changes().tell();
  std::unique_ptr<Session> session = co_await lease();
  co_return std::move(session);
}

// settle_era begins as an ordinary client does: a server of both eras may take the first request
// of a connection for the era of all. Not server/discover: that is how clients find out.
Task<void> SessionPool::settle_era(Session& session) {
  if (!is_stateless(revision_) || session.wire().http()) co_return;
  for (const char* const feature : {"tools", "resources", "prompts"}) {
    if (!survey_.declares("/" + std::string(feature))) continue;
    co_await Client(session, 0).request(std::string(feature) + "/list");
    co_return;
  }
}

void SessionPool::note_start(const Session& session) {
  const bool is_process = subject_.spec().transport == Transport::kStdio;
  const std::vector<Reply>& pages = survey_.tools.pages;
  const Duration way = pages.empty() ? Duration{} : pages.front().took;
  if (!is_process || session.start_took() == Duration{}) return;
  Starts& starts = subject_.starts();
  const Duration cost = std::max(kStartLeast, session.start_took() - 2 * way);
  starts.cost = starts.cost == Duration{} ? cost : std::min(starts.cost, cost);
  starts.slow = starts.cost > kSlowStart;
  subject_.changes().tell();
}

void SessionPool::give_back(std::unique_ptr<Session> session) {
  --leases_.now;
  leases_.moved = subject_.loop().now();
  session->forget_answers();
  subject_.changes().tell();
  if (frugal_ && shared_ == nullptr) {
    shared_ = std::move(session);
    return;
  }
  (session->usable() ? idle_ : retired_).push_back(std::move(session));
}

Task<void> SessionPool::revive_shared() {
  const auto revived = [this] { return !reviving_ && shared_ != nullptr; };
  if (!co_await subject_.changes().wait(others_have_opened_by(), revived)) co_return;
  if (shared_->usable() || !dead_.empty()) co_return;
  reviving_ = true;
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0);
  reviving_ = false;
  subject_.changes().tell();
  if (!opened.ok() && subject_.spec().transport != Transport::kStdio) {
    subject_.log().note_loss(subject_.loop().now(), "");
    co_return;
  }
  if (!opened.ok()) {
    dead_ = "the subject has ended and cannot be opened again: " + opened.error().message;
    co_return;
  }
  retired_.push_back(std::move(shared_));
  shared_ = std::move(opened).value();
  shared_->mirror_parameters(survey_.tools.items);
  note_opening(*shared_);
}

void SessionPool::note_opening(const Session& session) {
  if (subject_.log().losses().first) return;  // Whether it is there at all is Presence's to tell.
  openings_failed_ = session.usable() ? 0 : openings_failed_ + 1;
  if (openings_failed_ >= kOpeningsFailedMax) {
    dead_ = "the subject no longer opens sessions: initialize was answered by " +
            session.opening().describe();
  }
}

// processes_worth_it returns how many processes do the work soonest: n of them take work / n and n
// starts, of which two are made at a time.
int SessionPool::processes_worth_it() const {
  const Duration work = subject_.pace().several(kAnswersInAll);
  const Duration start = std::max(subject_.starts().cost, kStartLeast);
  const double ratio = static_cast<double>(work.count()) / static_cast<double>(start.count());
  const int soonest = static_cast<int>(std::sqrt(2 * ratio));
  const int most = subject_.starts().slow ? kProcessesSlow : kProcessesMost;
  return std::clamp(soonest, kProcessesLeast, most);
}

// for_firsts returns how many processes more there may be for those that go first, where answers
// take long: many who have a process wait for what these bring.
int SessionPool::for_firsts() const {
  const bool worth_it = !subject_.starts().slow && subject_.pace().several(1) > kLongAnswer;
  return worth_it ? kProcessesForFirsts : 0;
}

bool SessionPool::has_or_may_open(int beyond) const {
  if (!over_stdio()) return true;
  if (frugal_) return shared_ != nullptr;
  if (!idle_.empty() || ahead_left_ > 0) return true;
  const int at_work = leases_.now + leases_.elsewhere + subject_.starts().now;
  return at_work < processes_worth_it() + beyond || subject_.loop().now() >= stuck_at();
}

// stuck_at returns when none will have come back for so long that there may be one more.
Instant SessionPool::stuck_at() const {
  return after(leases_.moved, subject_.starts().slow ? kStuckSlow : kStuck);
}

Instant SessionPool::may_lease_at() const {
  const bool by_time = over_stdio() && !frugal_ && subject_.loop().now() < stuck_at();
  return by_time ? stuck_at() : kNever;
}

void SessionPool::lent_elsewhere(int more) {
  leases_.elsewhere += more;
  subject_.changes().tell();
}

// others_have_opened_by returns when those have come to an end who are opening a session now: one
// that waits for a place, and then for its first answer.
Instant SessionPool::others_have_opened_by() const {
  return after(subject_.loop().now(), kStartsMax + subject_.pace().answer_max());
}

// is_as_good returns whether `session` can stand for one that lease() would open. In a stateless
// revision what came first on a connection may count for all of it.
bool SessionPool::is_as_good(const Session& session) const {
  const bool handshaken = session.options().handshake && session.revision() == revision_;
  if (!over_stdio() || is_stateless(revision_) || !handshaken || !session.usable()) return false;
  const Json wanted = usual().capabilities;
  return std::ranges::all_of(wanted.items(), [&](const auto& each) {
    const Json* const declared = find(session.options().capabilities, each.key());
    return declared != nullptr && *declared == each.value();
  });
}

Task<void> SessionPool::adopt(std::unique_ptr<Session> session) {
  if (is_as_good(*session)) {
    if (!session->options().initialized) co_await say_initialized(*session, 0);
    session->forget_answers();
    leases_.moved = subject_.loop().now();
    idle_.push_back(std::move(session));
    subject_.changes().tell();
    co_return;
  }
  co_await session->close();
}

Task<void> SessionPool::close() {
  TaskGroup closing;
  closing.spawn(drop_ahead());
  for (const std::unique_ptr<Session>& session : idle_) closing.spawn(session->close());
  if (shared_ != nullptr) closing.spawn(shared_->close());
  co_await closing.join(subject_.loop());
}

}  // namespace plumbline::conformance
