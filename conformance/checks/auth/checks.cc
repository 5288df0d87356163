// The pages of checks of authorization servers.

#include "conformance/catalogue/pages.h"
#include "conformance/checks/auth/check.h"

namespace plumbline::conformance {

using AuthPage = Page<AuthCheck>;

AuthPage authority_metadata_checks;
AuthPage redirect_checks;
AuthPage grant_checks;

AuthChecks all_auth_checks() {
  static const std::vector<AuthCheck> kAll = joined<AuthCheck>({
      authority_metadata_checks,
      redirect_checks,
      grant_checks,
  });
  return kAll;
}

}  // namespace plumbline::conformance
