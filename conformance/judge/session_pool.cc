#include "conformance/judge/session_pool.h"

#include <chrono>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/peer/client.h"
#include "conformance/peer/opening.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kSlowStart = std::chrono::milliseconds(150);
constexpr int kLeasesSlow = 4;
constexpr int kOpeningsFailedMax = 3;

}  // namespace

SessionOptions SessionPool::usual() const {
  SessionOptions options;
  options.revision = revision_;
  options.capabilities = all_capabilities(revision_);
  return options;
}

Task<void> SessionPool::open_shared() {
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
  if (shared_->opening().status == 401) {
    refused_ += ": it wants credentials, such as --header 'Authorization: Bearer TOKEN'";
  }
  if (shared_->opening().how == Reply::How::kSilent) {
    refused_ += ": where it takes longer to start, --timeout 60s waits for it";
  }
  const std::string diagnosis = shared_->wire().diagnosis();
  if (!diagnosis.empty()) refused_ += " (" + diagnosis + ")";
}

Task<std::unique_ptr<Session>> SessionPool::lease() {
  ++leases_.now;
  while (!idle_.empty()) {
    std::unique_ptr<Session> session = std::move(idle_.back());
    idle_.pop_back();
    if (session->usable()) co_return std::move(session);
    retired_.push_back(std::move(session));
  }
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0);
  if (!opened.ok()) {
    --leases_.now;
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
  if (is_process && session.opening().took > kSlowStart + 2 * way) subject_.starts().slow = true;
}

void SessionPool::give_back(std::unique_ptr<Session> session) {
  --leases_.now;
  session->forget_answers();
  (session->usable() ? idle_ : retired_).push_back(std::move(session));
}

Task<void> SessionPool::revive_shared() {
  const auto revived = [this] { return !reviving_; };
  co_await until(subject_.loop(), kNever, revived);
  if (shared_->usable() || !dead_.empty()) co_return;
  reviving_ = true;
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject_, usual(), 0);
  reviving_ = false;
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

bool SessionPool::may_lease() const { return !subject_.starts().slow || leases_.now < kLeasesSlow; }

Task<void> SessionPool::close() {
  TaskGroup closing;
  for (const std::unique_ptr<Session>& session : idle_) closing.spawn(session->close());
  closing.spawn(shared_->close());
  co_await closing.join(subject_.loop());
}

}  // namespace plumbline::conformance
