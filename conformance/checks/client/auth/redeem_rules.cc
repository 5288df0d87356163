// What holds of the request that redeems a code, wherever it goes: RFC 6749, sections 3.2
// and 4.1.3; OAuth 2.1, the same.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/client/auth/auth_script.h"
#include "conformance/peer/client/scenario.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoCode = "it redeemed no code";
constexpr std::string_view kFormType = "application/x-www-form-urlencoded";

// is_redeeming returns whether these are the parameters of a request for a token by a code.
bool is_redeeming(const Record& record, const wire::Form& form) {
  if (form.get("grant_type") == "authorization_code") return true;
  const std::string code = form.get("code").value_or("");
  if (code.empty()) return false;
  return record.auth.by_given(AuthStep::kAuthorization).contains(code);
}

// Redeeming is the form of a request for a token by a code; kNot: it is none.
enum class Redeeming { kNot, kForm, kJson, kQuery };

Redeeming redeeming_in(const Record& record, const wire::HttpRequest& request) {
  if (is_redeeming(record, wire::Form::parse(request.body))) return Redeeming::kForm;
  if (is_redeeming(record, form_of_json(request.body))) return Redeeming::kJson;
  const bool asks = is_redeeming(record, wire::query_of(request.target));
  return asks ? Redeeming::kQuery : Redeeming::kNot;
}

// sent_astray says that the request that redeems a code went to `place`.
Finding sent_astray(const Record& record, const std::string& place) {
  return broken("it sends the request that redeems its code to " + place +
                ", expected it at the token_endpoint of the metadata, " +
                clipped(record.auth.token_endpoints.back()));
}

std::string address_of(const HttpHeard& heard) {
  const std::string host(heard.request.headers.get("Host").value_or(""));
  const std::string& target = heard.request.target;
  return clipped("http://" + host + target.substr(0, target.find('?')));
}

// RFC 8414, section 2: token_endpoint is where tokens are asked for.
Finding redeems_at_the_endpoint(const Record& record) {
  if (record.auth.token_endpoints.empty()) {
    return not_for_it("it read no metadata of an authorization server");
  }
  const auto redeems = [&](const wire::HttpRequest& request) {
    return redeeming_in(record, request) != Redeeming::kNot;
  };
  for (std::size_t i = 1; i < record.http.size(); ++i) {
    const HttpHeard& heard = record.http[i];
    if (!redeems(heard.request)) continue;
    return at(record, heard,
              sent_astray(record, "the address of the MCP server itself, " + record.auth.server));
  }
  for (const AuthHeard& heard : record.auth.heard) {
    if (heard.step == AuthStep::kToken || !redeems(heard.request)) continue;
    return at(record, heard, sent_astray(record, clipped(heard.url)));
  }
  for (const std::vector<HttpHeard>* const others : {&record.elsewhere, &record.trapped}) {
    for (const HttpHeard& heard : *others) {
      if (redeems(heard.request)) return at(record, heard, sent_astray(record, address_of(heard)));
    }
  }
  return record.auth.first(AuthStep::kToken) != nullptr ? passes() : not_for_it(kNoCode);
}

// named_nobody says how a client id is none; empty: it may be one.
std::string named_nobody(const std::string& client_id) {
  if (client_id.empty()) return "without client_id";
  const bool none = client_id == "undefined" || client_id == "null" || client_id == "None";
  return none ? "with the client_id \"" + client_id + "\"" : "";
}

// Who is not authenticated in another way, which may be by what nobody here sees, is named.
Finding names_itself_to_redeem(const Record& record) {
  const auto by_code = record.auth.by_given(AuthStep::kAuthorization);
  bool seen = false;
  for (const AuthHeard* const asked : record.auth.all(AuthStep::kToken)) {
    if (asked->form.get("grant_type") != "authorization_code") continue;
    seen = true;
    const bool authenticates = asked->form.count("client_assertion") > 0 ||
                               asked->request.headers.count("Authorization") > 0;
    const auto found = by_code.find(asked->form.get("code").value_or(""));
    const bool known = found != by_code.end() && named_nobody(found->second->client_id).empty();
    if (authenticates || !known) continue;  // Another rule.
    const std::string none = named_nobody(asked->client_id);
    if (!none.empty()) {
      return at(record, *asked,
                broken("it redeems its code " + none +
                       ", and authenticates in no other way: authorization servers do not know "
                       "whose code that is, and refuse it (invalid_client)"));
    }
    const std::string named = asked->form.get("client_id").value_or("");
    if (named.empty() || found->second->client_id == named) continue;
    return at(record, *asked,
              broken("it redeems its code with the client_id \"" + clipped(named) +
                     "\", and asked for it with \"" + clipped(found->second->client_id) +
                     "\": a code is bound to its client"));
  }
  return seen ? passes() : not_for_it(kNoCode);
}

// media_type returns the type in a Content-Type, without its parameters, in small letters.
std::string media_type(const wire::HttpRequest& request) {
  const std::string whole(request.headers.get("Content-Type").value_or(""));
  std::string type = whole.substr(0, whole.find(';'));
  while (type.ends_with(' ')) type.pop_back();
  return lower_case(type);
}

Finding redeems_by_a_posted_form(const Record& record) {
  bool seen = false;
  for (const AuthHeard* const asked : record.auth.all(AuthStep::kToken)) {
    const Redeeming form = redeeming_in(record, asked->request);
    if (form == Redeeming::kNot) continue;
    seen = true;
    const std::string expected = ", expected POST with a body that is " + std::string(kFormType);
    if (form == Redeeming::kQuery || asked->request.method != "POST") {
      return at(record, *asked,
                broken("it redeems its code by " + asked->request.method +
                       (form == Redeeming::kQuery ? " with a query" : "") + expected));
    }
    const std::string type = media_type(asked->request);
    if (form == Redeeming::kJson || (!type.empty() && type != kFormType)) {
      return at(record, *asked,
                broken("it redeems its code by a body " +
                       (form == Redeeming::kJson ? std::string("of JSON")
                                                 : "with Content-Type: " + clipped(type)) +
                       expected));
    }
    if (!type.empty()) continue;
    return at(record, *asked,
              risky("it redeems its code without Content-Type" + expected +
                    ": servers read no parameters of a body whose type they are not told"));
  }
  return seen ? passes() : not_for_it(kNoCode);
}

constexpr ClientRule kRedeemRules[] = {
    {"auth.client-reads-as-metadata", redeems_at_the_endpoint, true},
    {"auth.code-names-the-client", names_itself_to_redeem, true},
    {"auth.code-redeemed-by-form", redeems_by_a_posted_form, true},
};

}  // namespace

ClientRules auth_redeem_rules() { return kRedeemRules; }

}  // namespace plumbline::conformance
