// Which redirect URIs are registered: spec, basic/authorization, Communication Security; RFC 7591,
// section 3.2.2.

#include <string>
#include <string_view>
#include <utility>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "conformance/checks/auth/registering.h"

namespace plumbline::conformance {

namespace {

struct BadRedirect {
  const char* uri;
  const char* why;
  bool advice = false;  // The rule binds who registers it.
};

constexpr BadRedirect kBadRedirects[] = {
    {"http://plumbline.example/callback", "is neither https nor of this machine"},
    {"javascript:alert(1)", "runs a script in the page of the server"},
    {"/callback", "is no absolute URI"},
    {"https://plumbline.example/callback#part", "has a fragment (RFC 6749, section 3.1.2)", true},
};

// Schemes are the same in all letters, and browsers take tabs and blanks out of them: RFC 3986,
// section 3.1; WHATWG URL, section 4.4. A host is the whole of it, and not how it begins.
constexpr BadRedirect kDisguisedRedirects[] = {
    {"JavaScript:alert(1)",
     "runs a script in the page of the server: a scheme is the same in all letters"},
    {"java\tscript:alert(1)", "runs a script in the page of the server: browsers take a tab out"},
    {" javascript:alert(1)",
     "runs a script in the page of the server: browsers take a blank before it off"},
    {"DATA:text/html,plumbline", "is a page of its own: a scheme is the same in all letters"},
    {"HTTP://plumbline.example/callback",
     "is neither https nor of this machine: a scheme is the same in all letters"},
    {"http://localhost.plumbline.example/callback",
     "is neither https nor of this machine: its host begins with localhost alone"},
    {"http://127.0.0.1@plumbline.example/callback",
     "is neither https nor of this machine: a user stands before the @, and the host behind it"},
};

Finding registers_bad(const BadRedirect& bad) {
  const std::string said =
      "it registers the redirect URI " + dump_json(Json(bad.uri)) + ", which " + bad.why;
  return bad.advice ? risky(said) : broken(said);
}

Task<Finding> refuses_bad_redirects(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  for (const BadRedirect& bad : kBadRedirects) {
    Json about = client_metadata(bad.uri);
    const Reply reply = co_await probe.register_client(std::move(about));
    const std::string why = closed_registration(reply);
    if (!why.empty()) co_return not_for_it(why);
    if (is_registered(reply)) co_return registers_bad(bad);
  }
  // Who registers nobody refuses these as well.
  Json good = usual_registration(probe);
  const Reply reply = co_await probe.register_client(std::move(good));
  if (!is_registered(reply)) {
    co_return not_for_it("it registers no good client either: status " +
                         std::to_string(reply.status));
  }
  for (const BadRedirect& bad : kDisguisedRedirects) {
    Json about = client_metadata(bad.uri);
    const Reply other = co_await probe.register_client(std::move(about));
    if (!closed_registration(other).empty()) break;  // Enough has been asked.
    if (is_registered(other)) co_return registers_bad(bad);
  }
  co_return passes();
}

Task<Finding> takes_usual_redirects(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  if (probe.client().id.empty()) co_return not_for_it(probe.client().lack);
  for (const char* const uri :
       {"http://localhost:33418/callback", "https://plumbline.example/callback"}) {
    Json about = client_metadata(uri);
    const bool hosted = std::string_view(uri).starts_with("https");
    about["application_type"] = hosted ? "web" : "native";
    const Reply reply = co_await probe.register_client(std::move(about));
    const std::string why = closed_registration(reply);
    if (!why.empty()) co_return not_for_it(why);
    if (is_registered(reply)) continue;
    co_return risky(std::string("it does not register \"") + uri + "\": " +
                    (hosted ? "clients on the web, such as Claude and ChatGPT, cannot sign in"
                            : "clients that listen at localhost, such as Claude Code and MCP "
                              "Inspector, cannot sign in"));
  }
  co_return passes();
}

constexpr AuthCheck kRegisteredRedirectChecks[] = {
    {"auth.as-registration-redirects", refuses_bad_redirects},
    {"auth.as-registration-usual-redirects", takes_usual_redirects},
};

}  // namespace

AuthChecks registered_redirect_checks() { return kRegisteredRedirectChecks; }

}  // namespace plumbline::conformance
