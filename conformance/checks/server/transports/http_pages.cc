// Pages of other origins: what their browser asks before it lets them send anything (Fetch,
// section 3.2.2).

#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"
#include "conformance/peer/preflight.h"

namespace plumbline::conformance {

namespace {

Task<Finding> answers_before_pages_ask(Probe& probe) {
  Preflight page;
  page.stateless = probe.stateless();
  page.names_version = has_version_header(probe.revision()) || probe.stateless();
  page.in_session =
      !probe.stateless() && probe.survey().opening.headers.count("Mcp-Session-Id") > 0;
  page.always = probe.user_headers();
  co_return co_await judge_preflight(probe.client(), std::move(page));
}

constexpr ServerCheck kHttpPagesChecks[] = {
    {"http.preflight-answered", Eras::kBoth, SessionUse::kShared, answers_before_pages_ask},
};

}  // namespace

ServerChecks http_pages_checks() { return kHttpPagesChecks; }

}  // namespace plumbline::conformance
