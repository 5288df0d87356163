// Progress: spec, basic/utilities/progress. What the server reports is judged by oracles; here it
// is given occasion to.

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

Task<Finding> ignores_unknown_progress(Probe& probe) {
  Client client = probe.client();
  if (const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kProgress)) {
    const std::array<Json, 2> tokens = {Json("plumbline-text"), Json(4242)};
    for (const Json& token : tokens) {
      Json params = use->params;
      params["_meta"]["progressToken"] = token;
      co_await client.request("tools/call", std::move(params));
    }
  }
  const std::string text =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
      "{\"progressToken\":\"plumbline-nobody\",\"progress\":1}}";
  const Reaction reaction = co_await client.provoke(text);
  if (!reaction.alive) co_return broken("it no longer answers after progress of an unknown token");
  if (reaction.error() == nullptr) co_return passes();
  co_return broken("got " + reaction.describe() + " to progress of an unknown token");
}

constexpr ServerCheck kProgressChecks[] = {
    {"progress.track-tokens", Eras::kStateful, SessionUse::kAlone, ignores_unknown_progress},
};

}  // namespace

ServerChecks progress_checks() { return kProgressChecks; }

}  // namespace plumbline::conformance
