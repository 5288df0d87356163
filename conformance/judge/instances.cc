#include "conformance/judge/instances.h"

#include <memory>
#include <utility>

#include "conformance/peer/client.h"
#include "conformance/peer/opening.h"

namespace plumbline::conformance {

namespace {

using Opened = std::unique_ptr<Session>;

Task<Opened> opened(Subject& subject, std::string revision) {
  SessionOptions options;
  options.capabilities = all_capabilities(revision);
  options.revision = std::move(revision);
  Result<Opened> session = co_await open_session(subject, std::move(options), 0);
  co_return session.ok() ? std::move(session).value() : nullptr;
}

Task<bool> answers(Session* session) {
  co_return session != nullptr && session->usable() && co_await Client(*session, 0).alive();
}

}  // namespace

Task<bool> runs_one_at_a_time(Subject& subject, std::string revision) {
  Opened one = co_await opened(subject, revision);
  if (!co_await answers(one.get())) co_return false;
  Opened other = co_await opened(subject, revision);
  const bool both = co_await answers(other.get()) && co_await answers(one.get());
  if (other) co_await other->close();
  co_await one->close();
  if (both) co_return false;
  Opened alone = co_await opened(subject, revision);
  const bool answered = co_await answers(alone.get());
  if (alone) co_await alone->close();
  co_return answered;
}

}  // namespace plumbline::conformance
