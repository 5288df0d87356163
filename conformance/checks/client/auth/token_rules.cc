// What holds of every request with a token, and of tokens: spec, basic/authorization, Access Token
// Usage.

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/checks/client/auth/auth_script.h"
#include "conformance/peer/client/scenario.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoToken = "it got no token";

// given returns the token that `text` holds; nullptr: none that was given.
const Granted* given_in(const Record& record, std::string_view text) {
  for (const Granted& one : record.auth.granted) {
    if (text.find(one.token) != std::string_view::npos) return &one;
  }
  return nullptr;
}

bool holds_token(const Record& record, const wire::HttpRequest& request) {
  if (given_in(record, request.target) || given_in(record, request.body)) return true;
  return std::ranges::any_of(request.headers.fields(), [&](const wire::HttpHeaders::Field& one) {
    return given_in(record, one.second) != nullptr;
  });
}

// asked_in_vain returns a request that was refused before its client had a token, and is made again
// since without any; nullptr: there is none. Others may have been under way.
const HttpHeard* asked_in_vain(const Record& record) {
  if (record.auth.let_in > 0 || record.auth.granted.empty()) return nullptr;
  const Instant got = record.auth.granted.front().at;
  for (const HttpHeard& heard : record.http) {
    const bool refused = heard.status == 401 && heard.posted.asks && heard.at > got;
    if (!refused || heard.posted.method.empty() || holds_token(record, heard.request)) continue;
    const bool again = std::ranges::any_of(record.http, [&](const HttpHeard& before) {
      return before.status == 401 && before.posted.method == heard.posted.method && before.ended &&
             *before.ended <= got;
    });
    if (again) return &heard;
  }
  return nullptr;
}

Finding shows_bearer(const Record& record) {
  Finding well = record.auth.let_in > 0 ? passes() : not_for_it("it showed no token");
  for (std::size_t i = 1; i < record.http.size(); ++i) {
    const HttpHeard& heard = record.http[i];
    for (const auto& [name, value] : heard.request.headers.fields()) {
      if (given_in(record, value) == nullptr) continue;
      if (!equals_ignoring_case(name, "Authorization")) {
        return at(record, heard,
                  broken("the token comes in the header " + clipped(name) +
                         ", expected Authorization: Bearer"));
      }
      const std::string scheme = value.substr(0, value.find(' '));
      if (scheme == "Bearer") continue;
      if (equals_ignoring_case(scheme, "Bearer")) {
        well = at(record, heard,
                  risky("the scheme before the token is written \"" + clipped(scheme) +
                        "\", expected Bearer: servers that read it letter by letter, such as "
                        "those of Linear and Amplitude, refuse the token"));
        continue;
      }
      return at(
          record, heard,
          broken("the token comes in Authorization with the scheme \"" +
                 clipped(scheme.size() < value.size() ? scheme : "") + "\", expected Bearer"));
    }
    if (given_in(record, heard.request.body) != nullptr) {
      return at(record, heard, broken("the token comes in the body, expected a header"));
    }
  }
  if (const HttpHeard* const vain = asked_in_vain(record)) {
    const bool other = vain->request.headers.count("Authorization") > 0;
    return at(record, *vain,
              broken("it was given a token, and sent " + clipped(vain->posted.method) + " again " +
                     (other ? "with an Authorization that does not hold it"
                            : "without an Authorization header") +
                     ", expected that token in Authorization with the scheme Bearer: it is refused "
                     "for ever"));
  }
  return well;
}

// A request that was on its way when the first token came may go without.
Finding shows_it_always(const Record& record) {
  const HttpHeard* first = nullptr;
  std::size_t shown = 0;
  for (std::size_t i = 1; i < record.http.size(); ++i) {
    const HttpHeard& heard = record.http[i];
    const bool has_one = given_in(record, heard.request.headers.get("Authorization").value_or(""));
    shown += has_one ? 1 : 0;
    if (has_one && first == nullptr) first = &heard;
    const bool elsewhere = given_in(record, heard.request.target) != nullptr;
    if (first == nullptr || has_one || elsewhere || !first->ended || heard.at <= *first->ended) {
      continue;
    }
    return at(record, heard,
              broken(heard.request.method + " came without the token that an earlier request had"));
  }
  return shown > 1 ? passes() : not_for_it("it showed no token twice");
}

Finding keeps_it_out_of_addresses(const Record& record) {
  if (record.auth.granted.empty()) return not_for_it(kNoToken);
  const Finding wrong = broken("the token stands in the query of an address");
  for (std::size_t i = 1; i < record.http.size(); ++i) {
    const HttpHeard& heard = record.http[i];
    if (given_in(record, heard.request.target) != nullptr) return at(record, heard, wrong);
  }
  for (const HttpHeard& heard : record.elsewhere) {
    if (given_in(record, heard.request.target) != nullptr) return at(record, heard, wrong);
  }
  for (const AuthHeard& heard : record.auth.heard) {
    if (given_in(record, heard.request.target) != nullptr) return at(record, heard, wrong);
  }
  return record.auth.let_in > 0 ? passes() : not_for_it("it showed no token");
}

// refresh_in returns whether `text` holds a refresh token.
bool holds_refresh(const Record& record, std::string_view text) {
  return std::ranges::any_of(record.auth.granted, [&](const Granted& one) {
    return !one.refresh.empty() && text.find(one.refresh) != std::string_view::npos;
  });
}

bool holds_refresh(const Record& record, const wire::HttpRequest& request) {
  if (holds_refresh(record, request.target) || holds_refresh(record, request.body)) return true;
  return std::ranges::any_of(request.headers.fields(), [&](const wire::HttpHeaders::Field& one) {
    return holds_refresh(record, one.second);
  });
}

Finding keeps_refresh_tokens(const Record& record) {
  for (std::size_t i = 1; i < record.http.size(); ++i) {
    if (holds_refresh(record, record.http[i].request)) {
      return at(record, record.http[i], broken("the MCP server got the refresh token"));
    }
  }
  for (const AuthHeard& heard : record.auth.heard) {
    const bool in_place = heard.step == AuthStep::kToken && heard.request.method == "POST" &&
                          !holds_refresh(record, heard.request.target);
    if (in_place || !holds_refresh(record, heard.request)) continue;
    return at(record, heard,
              broken("the refresh token came in a " + heard.request.method + " to " + heard.url +
                     ", expected it in the body of a POST to the token endpoint alone"));
  }
  for (const HttpHeard& heard : record.trapped) {
    if (holds_refresh(record, heard.request)) {
      return at(record, heard, broken("another address got the refresh token"));
    }
  }
  const bool given = std::ranges::any_of(record.auth.granted,
                                         [](const Granted& one) { return !one.refresh.empty(); });
  return given ? passes() : not_for_it("it got no refresh token");
}

bool shows_basic(const wire::HttpRequest& request) {
  constexpr std::string_view kBasic = "basic ";
  const std::string value(request.headers.get("Authorization").value_or(""));
  return equals_ignoring_case(value.substr(0, kBasic.size()), kBasic);
}

// other_way says how a client authenticates in another way than `method`, for which it was
// registered; empty: it does not. RFC 6749, section 2.3: in one way with each request.
std::string other_way(const AuthHeard& asked, const std::string& method) {
  const bool in_header = shows_basic(asked.request);
  const bool in_form = !asked.form.get("client_secret").value_or("").empty();
  if (in_header && in_form) return "shows its secret in the header and in the form at once";
  const bool by_basic = method == "client_secret_basic";
  const bool known = by_basic || method == "client_secret_post" || method == "none";
  if (!known || asked.form.count("client_assertion") > 0) return {};
  if (in_header && !by_basic) return "authenticates by Basic in a header";
  if (in_form && by_basic) return "shows its secret in the form";
  const bool nothing = !in_header && !in_form && method != "none";
  return nothing ? "shows none of the secret that it was given" : "";
}

// RFC 7591, section 2: who names no method is registered for client_secret_basic, and shows that.
Finding registers_how_it_shows_itself(const Record& record) {
  const std::map<std::string_view, const AuthHeard*> by_client =
      record.auth.by_given(AuthStep::kRegistration);
  bool seen = false;
  for (const AuthHeard* const asked : record.auth.all(AuthStep::kToken)) {
    const auto found = by_client.find(asked->client_id);
    if (asked->client_id.empty() || found == by_client.end()) continue;
    seen = true;
    if (asked->form.get("client_secret") == "") {
      return at(record, *asked,
                risky("it asks for a token with client_secret left empty, and was given none: "
                      "strict servers take that for a wrong secret, and refuse it"));
    }
    const bool named = find(found->second->body, "token_endpoint_auth_method") != nullptr;
    const std::string& method = found->second->method;
    const std::string other = named ? other_way(*asked, method) : std::string();
    if (!other.empty()) {
      const bool refreshes = asked->form.get("grant_type") == "refresh_token";
      return at(record, *asked,
                broken("it is registered for the token_endpoint_auth_method \"" + clipped(method) +
                       "\", and " + other + " when it " +
                       (refreshes ? "refreshes its token" : "redeems its code") +
                       ": strict servers, such as those on FastMCP, refuse it"));
    }
    if (named) continue;
    if (asked->request.headers.count("Authorization") > 0) continue;
    const bool in_form = asked->form.count("client_secret") > 0;
    return at(record, *asked,
              broken("it registered without token_endpoint_auth_method, which stands for "
                     "client_secret_basic (RFC 7591), and asks for a token with " +
                     std::string(in_form ? "its secret in the form: \"client_secret_post\" says so"
                                         : "no secret: \"none\" says that it has none") +
                     "; strict servers, such as Notion's, refuse it"));
  }
  return seen ? passes() : not_for_it("it did not register");
}

// nested_place returns an address with two well-known places in it that was asked for.
const std::string* nested_place(const std::string& url) {
  constexpr std::string_view kPlace = "/.well-known/";
  const std::size_t first = url.find(kPlace);
  const bool again = first != std::string::npos && url.find(kPlace, first + 1) != std::string::npos;
  return again ? &url : nullptr;
}

// What a challenge names is the document, not a server that has one.
Finding takes_documents_for_what_they_are(const Record& record) {
  constexpr const char* kNested =
      ": it took the address of a document for the one of a server, and built a well-known place "
      "of that";
  for (const AuthHeard& heard : record.auth.heard) {
    if (const std::string* const url = nested_place(heard.url)) {
      return at(record, heard, broken("it asked " + clipped(*url) + kNested));
    }
  }
  for (const HttpHeard& heard : record.elsewhere) {
    if (const std::string* const target = nested_place(heard.request.target)) {
      return at(record, heard, broken("it asked " + clipped(*target) + kNested));
    }
  }
  return record.auth.heard.empty() ? not_for_it("it looked for no metadata") : passes();
}

// What belongs to another request has no place among what a client says of itself.
Finding registers_by_known_members(const Record& record) {
  bool seen = false;
  for (const AuthHeard* const asked : record.auth.all(AuthStep::kRegistration)) {
    seen = true;
    for (const char* const member : {"resource", "audience", "redirect_uri", "response_type",
                                     "grant_type", "code_challenge", "state"}) {
      if (find(asked->body, member) == nullptr) continue;
      return at(record, *asked,
                broken("it registers with the member \"" + std::string(member) +
                       "\", which is no client metadata (RFC 7591): Keycloak and others that take "
                       "no member that they do not know refuse the registration"));
    }
  }
  return seen ? passes() : not_for_it("it did not register");
}

// OAuth 2.1, section 4.3.1: who does not authenticate names itself.
Finding names_itself_to_refresh(const Record& record) {
  bool seen = false;
  for (const AuthHeard* const asked : record.auth.all(AuthStep::kToken)) {
    if (asked->form.get("grant_type") != "refresh_token") continue;
    seen = true;
    if (!asked->client_id.empty()) continue;
    return at(record, *asked,
              broken("it refreshes its token without client_id, and authenticates in no other way: "
                     "authorization servers do not know whose token that is, and refuse it"));
  }
  return seen ? passes() : not_for_it("it refreshed no token");
}

constexpr ClientRule kTokenRules[] = {
    {"auth.refresh-names-the-client", names_itself_to_refresh, true},
    {"auth.dcr-auth-method", registers_how_it_shows_itself, true},
    {"auth.dcr-known-members", registers_by_known_members, true},
    {"auth.well-known-not-nested", takes_documents_for_what_they_are, true},
    {"auth.bearer-header", shows_bearer, true},
    {"auth.bearer-on-every-request", shows_it_always, true},
    {"auth.no-token-in-query", keeps_it_out_of_addresses, true},
    {"auth.refresh-confidential", keeps_refresh_tokens, true},
};

}  // namespace

ClientRules auth_token_rules() { return kTokenRules; }

}  // namespace plumbline::conformance
