// AuthCheck is one check of an authorization server: the id of a Requirement and the script that
// puts it to the test.

#pragma once

#include <span>
#include <string_view>

#include "conformance/catalogue/finding.h"
#include "core/base/task.h"

namespace plumbline::conformance {

class AuthProbe;

struct AuthCheck {
  std::string_view id;
  Task<Finding> (*run)(AuthProbe& probe);
};

using AuthChecks = std::span<const AuthCheck>;

// all_auth_checks returns every one, in the order in which reports show them.
AuthChecks all_auth_checks();

}  // namespace plumbline::conformance
