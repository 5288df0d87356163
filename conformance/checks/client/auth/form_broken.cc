// Clients that know one form of a challenge, and one of an answer with a token.

#include <string>

#include "conformance/broken/client/wire_edits.h"

namespace plumbline::conformance {

namespace {

MoreRequests skips_no_blanks(WireNotes&, const wire::HttpRequest&, wire::HttpResponse& response) {
  const std::string challenge(response.headers.get("WWW-Authenticate").value_or(""));
  if (challenge.find(" = ") != std::string::npos) {
    response.headers.set("WWW-Authenticate", "Bearer");
  }
  return std::nullopt;
}

// wants_a_life_span takes what has no expires_in for a failure.
MoreRequests wants_a_life_span(WireNotes&, const wire::HttpRequest& request,
                               wire::HttpResponse& response) {
  const bool token = asks_token(request) && response.status == 200;
  if (token && response.body.find("expires_in") == std::string::npos) response.status = 500;
  return std::nullopt;
}

// forgets_refresh_tokens refreshes with nothing where the last answer had no refresh token.
MoreRequests forgets_refresh_tokens(WireNotes& notes, const wire::HttpRequest& request,
                                    wire::HttpResponse& response) {
  if (asks_token(request) && response.status == 200) {
    notes.count = response.body.find("refresh_token") == std::string::npos ? 1 : 0;
  }
  return std::nullopt;
}

void shows_what_it_kept(WireNotes& notes, wire::HttpRequest& request) {
  const bool refreshes = asks_token(request) && parameter(request, "grant_type") == "refresh_token";
  if (refreshes && notes.count == 1) set_parameter(request, "refresh_token", "undefined");
}

const ClientDeviation kAuthFormDeviations[] = {
    wrong_way("auth.client-parses-www-authenticate", "2025-11-25",
              "reads no parameter with blanks around its =", {nullptr, skips_no_blanks}),
    wrong_way("auth.token-answer-bare", "2025-11-25", "takes no token without expires_in",
              {nullptr, wants_a_life_span}),
    wrong_way("auth.refresh-token-kept", "2025-11-25",
              "forgets its refresh token when it is given none",
              {shows_what_it_kept, forgets_refresh_tokens}),
};

}  // namespace

ClientDeviations client_auth_form_deviations() { return kAuthFormDeviations; }

}  // namespace plumbline::conformance
