#include "conformance/judge/listed.h"

#include <array>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/judge/session_pool.h"

namespace plumbline::conformance {

Task<Result<Survey>> take_lists(Subject& subject) {
  constexpr std::array<std::string_view, 2> kAsked = {kNewestStateful, kNewestStateless};
  Error refused;
  for (const std::string_view revision : kAsked) {
    const Survey none;
    Leases leases;
    SessionPool sessions(subject, std::string(revision), none, leases);
    co_await sessions.open_shared();
    Session* const session = sessions.shared();
    if (session != nullptr && sessions.refused().message.empty()) {
      Survey survey = co_await take_survey(*session, 0);
      co_await sessions.close();
      if (survey.opening.result() != nullptr) co_return Result<Survey>(std::move(survey));
    }
    // Why the first one was refused says more.
    if (refused.message.empty()) refused = sessions.refused();
  }
  refused.code = ErrorCode::kDisconnected;
  co_return Result<Survey>(std::move(refused));
}

}  // namespace plumbline::conformance
