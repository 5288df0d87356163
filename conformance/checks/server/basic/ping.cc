// ping: spec, basic/utilities/ping.

#include <string>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

Task<Finding> answers_ping(Probe& probe) {
  Client client = probe.client();
  const Reply reply = co_await client.request("ping");
  const Json* const result = reply.result();
  if (result == nullptr) co_return broken("ping got " + reply.describe() + ", expected a result");
  const bool meta = result->is_object() && result->size() == 1 && result->contains("_meta");
  if (meta || (result->is_object() && result->empty())) co_return passes();
  co_return broken("the result of ping is " + shortened(dump_json(*result)) + ", expected {}");
}

constexpr ServerCheck kPingChecks[] = {
    {"ping.empty-result", Eras::kStateful, SessionUse::kShared, answers_ping},
};

}  // namespace

ServerChecks ping_checks() { return kPingChecks; }

}  // namespace plumbline::conformance
