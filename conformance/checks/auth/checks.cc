// The pages of checks of authorization servers.

#include "conformance/catalogue/pages.h"
#include "conformance/checks/auth/check.h"

namespace plumbline::conformance {

using AuthPage = Page<AuthCheck>;

AuthPage authority_metadata_checks;
AuthPage redirect_checks;
AuthPage authorize_request_checks;
AuthPage grant_checks;
AuthPage refusal_checks;
AuthPage registration_checks;
AuthPage answer_checks;
AuthPage apart_checks_of_authorities;
AuthPage tolerance_checks;
AuthPage advertised_checks;
AuthPage odd_request_checks;
AuthPage main_way_checks;
AuthPage registered_redirect_checks;
AuthPage status_checks;

AuthChecks all_auth_checks() {
  static const std::vector<AuthCheck> kAll = joined<AuthCheck>({
      authority_metadata_checks,
      redirect_checks,
      authorize_request_checks,
      grant_checks,
      refusal_checks,
      registration_checks,
      answer_checks,
      apart_checks_of_authorities,
      tolerance_checks,
      advertised_checks,
      odd_request_checks,
      main_way_checks,
      registered_redirect_checks,
      status_checks,
  });
  return kAll;
}

}  // namespace plumbline::conformance
