// How a session begins and ends: spec, basic/lifecycle.

#include <string>

#include "conformance/server/check.h"
#include "conformance/server/judgements.h"
#include "conformance/server/probe.h"

namespace plumbline::conformance {

namespace {

Task<Finding> answers_initialize(Probe& probe) {
  const Json* const result = probe.survey().opening.result();
  for (const char* const member : {"protocolVersion", "capabilities", "serverInfo"}) {
    if (result == nullptr || find(*result, member) == nullptr) {
      co_return broken("the result of initialize has no " + std::string(member));
    }
  }
  co_return passes();
}

Task<Finding> names_itself(Probe& probe) {
  for (const char* const member : {"name", "version"}) {
    if (!find_string(probe.survey().server_info, member)) {
      co_return broken("serverInfo has no " + std::string(member) + " that is a string");
    }
  }
  co_return passes();
}

constexpr ServerCheck kLifecycleChecks[] = {
    {"lifecycle.server-answers-initialize", Eras::kStateful, Place::kOpens, answers_initialize},
    {"lifecycle.implementation-name-and-version", Eras::kStateful, Place::kOpens, names_itself},
};

}  // namespace

ServerChecks lifecycle_checks() { return kLifecycleChecks; }

}  // namespace plumbline::conformance
