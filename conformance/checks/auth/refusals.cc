// What the token endpoint and its neighbours say of requests that they do not know: RFC 6749,
// sections 3.2, 5.1 and 5.2; RFC 7009, section 2.2; RFC 8414, section 2.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

Task<Reply> refresh_unknown(AuthProbe& probe, std::string client) {
  wire::Form form = {{"grant_type", "refresh_token"},
                     {"refresh_token", kUnknownSecret},
                     {"client_id", std::move(client)}};
  std::string endpoint = probe.authority().member("token_endpoint");
  Reply reply = co_await probe.post(std::move(endpoint), std::move(form));
  co_return reply;
}

// wants_other_client returns whether the endpoint refuses the client before it looks at the grant.
bool wants_other_client(const std::string& error) {
  return error == "invalid_client" || error == "unauthorized_client";
}

Task<Finding> knows_its_grants(AuthProbe& probe) {
  const std::string lack = probe.lacks_tokens();
  if (!lack.empty()) co_return not_for_it(lack);
  std::string client = probe.client().id;
  const Reply refresh = co_await refresh_unknown(probe, std::move(client));
  std::string verifier = AuthProbe::right_verifier();
  const Reply code = co_await probe.redeem(kUnknownSecret, std::move(verifier));
  for (const auto& [what, reply] : {std::pair<const char*, const Reply&>{"refresh token", refresh},
                                    std::pair<const char*, const Reply&>{"code", code}}) {
    if (reply.status == 0) co_return undecided("its token endpoint gave " + reply.describe());
    const std::string error = error_of(reply);
    if (error == "invalid_grant") continue;
    if (wants_other_client(error)) co_return not_for_it("it refuses the client: " + error);
    if (error == "unsupported_grant_type") continue;
    co_return broken("a made-up " + std::string(what) + " got " + refused_with(reply) +
                     ", expected \"invalid_grant\": clients sign in again for that one alone");
  }
  co_return passes();
}

Task<Reply> unknown_grant(AuthProbe& probe, std::string type,
                          std::string accept = "application/json") {
  wire::HttpRequest request;
  request.method = "POST";
  if (!accept.empty()) request.headers.set("Accept", std::move(accept));
  request.headers.set("Content-Type", type);
  wire::Form form = {{"grant_type", "plumbline"}, {"client_id", probe.client().id}};
  Json same = Json::object();
  for (const auto& [name, value] : form.fields()) same[name] = value;
  request.body = type.starts_with("application/json") ? dump_json(same) : form.text();
  std::string endpoint = probe.authority().member("token_endpoint");
  Reply reply = co_await probe.ask(std::move(endpoint), std::move(request));
  co_return reply;
}

Task<Finding> names_unknown_grants(AuthProbe& probe) {
  const std::string lack = probe.lacks_tokens();
  if (!lack.empty()) co_return not_for_it(lack);
  const Reply reply = co_await unknown_grant(probe, "application/x-www-form-urlencoded");
  if (reply.status == 0) co_return undecided("its token endpoint gave " + reply.describe());
  const std::string error = error_of(reply);
  if (error == "unsupported_grant_type") co_return passes();
  if (wants_other_client(error)) co_return not_for_it("it refuses the client: " + error);
  co_return broken("a grant_type that nobody knows got " + refused_with(reply) +
                   ", expected \"unsupported_grant_type\"");
}

// FormSent is how a client may send a form. RFC 9110, section 12.5.1.
struct FormSent {
  const char* what;
  const char* without;
  const char* type = "application/x-www-form-urlencoded";
  const char* accept = "application/json";
};

constexpr FormSent kFormsSent[] = {
    {"a form with charset=utf-8 in its Content-Type", "without it",
     "application/x-www-form-urlencoded; charset=utf-8"},
    {"a form with charset=UTF-8 and no blank before it in its Content-Type", "without it",
     "application/x-www-form-urlencoded;charset=UTF-8"},
    {"a form with Accept: */*", "with application/json", "application/x-www-form-urlencoded",
     "*/*"},
    {"a form without Accept", "with application/json", "application/x-www-form-urlencoded", ""},
};

Task<Finding> reads_forms(AuthProbe& probe) {
  const std::string lack = probe.lacks_tokens();
  if (!lack.empty()) co_return not_for_it(lack);
  const Reply plain = co_await unknown_grant(probe, "application/x-www-form-urlencoded");
  const Reply json = co_await unknown_grant(probe, "application/json");
  if (plain.status == 0) co_return undecided("its token endpoint gave " + plain.describe());
  const std::string error = error_of(plain);
  if (error != "unsupported_grant_type" && error_of(json) == "unsupported_grant_type") {
    co_return broken("a request as a form got " + refused_with(plain) +
                     ", and the same as JSON is understood: clients send forms");
  }
  for (const FormSent& sent : kFormsSent) {
    const Reply other = co_await unknown_grant(probe, sent.type, sent.accept);
    if (other.status == 0 || other.status == 429 || error_of(other) == error) continue;
    co_return broken(std::string(sent.what) + " got " + refused_with(other) + ", and " +
                     sent.without + " " + refused_with(plain));
  }
  co_return passes();
}

constexpr const char* kNobody = "plumbline-unknown-client";

// misnamed says that a refusal of somebody who is not known says something else of him.
Finding misnamed(const std::string& what) {
  return risky(what +
               " got unauthorized_client, expected \"invalid_client\": the other is for a client "
               "that is known and may not use this grant, and clients that register again for "
               "invalid_client alone ask for ever under the old id");
}

// unknown_at_code judges how somebody is refused who is not known and shows a made-up code. Which
// of the two unknowns the server meets first is its own affair.
Task<Finding> unknown_at_code(AuthProbe* probe) {
  const wire::Form known = probe->redeeming(kUnknownSecret, AuthProbe::right_verifier());
  wire::Form form = changed(known, "client_id", kNobody);
  const std::string endpoint = probe->authority().member("token_endpoint");
  const Reply reply = co_await probe->post(endpoint, std::move(form));
  const std::string error = error_of(reply);
  if (is_busy(reply) || error == "invalid_client" || error == "invalid_grant") co_return passes();
  const Reply same = co_await probe->post(endpoint, known);
  if (is_busy(same) || error_of(same) != "invalid_grant") co_return passes();
  const std::string what = "a client that nobody knows, with a made-up code,";
  if (error == "unauthorized_client") co_return misnamed(what);
  co_return broken(what + " got " + refused_with(reply) +
                   ", expected \"invalid_client\": clients register again for that one alone");
}

// unknown_at_revocation judges so who revokes a made-up token. RFC 7009, section 2.2.1.
Task<Finding> unknown_at_revocation(AuthProbe* probe) {
  const std::string endpoint = probe->authority().member("revocation_endpoint");
  if (endpoint.empty() || probe->client().id.empty()) co_return passes();
  wire::Form form = {{"token", kUnknownSecret}, {"client_id", kNobody}};
  const Reply reply = co_await probe->post(endpoint, form);
  const std::string error = error_of(reply);
  if (is_busy(reply) || reply.status / 100 == 2 || error == "invalid_client") co_return passes();
  form = changed(form, "client_id", probe->client().id);
  const Reply same = co_await probe->post(endpoint, std::move(form));
  if (same.status / 100 != 2) co_return passes();
  co_return risky("its revocation endpoint refuses a client that nobody knows with " +
                  refused_with(reply) +
                  ", expected \"invalid_client\": clients cannot tell whether to register again");
}

Task<Finding> names_unknown_clients(AuthProbe& probe) {
  if (probe.authority().member("token_endpoint").empty()) {
    co_return not_for_it("its metadata names no token_endpoint");
  }
  const Reply reply = co_await refresh_unknown(probe, kNobody);
  if (reply.status == 0) co_return undecided("its token endpoint gave " + reply.describe());
  const std::string error = error_of(reply);
  const std::string what = "a client that nobody knows";
  if (error == "unauthorized_client") co_return misnamed(what);
  if (error == "invalid_grant") {
    co_return risky(
        what +
        " got invalid_grant, expected \"invalid_client\": clients on the official SDKs register "
        "again for that one alone, and sign in for ever under the old id");
  }
  if (error != "invalid_client" && error != "unsupported_grant_type") {
    co_return broken(what + " got " + refused_with(reply) +
                     ", expected \"invalid_client\": clients register again for that one alone");
  }
  Finding code = co_await unknown_at_code(&probe);
  if (code.verdict != Verdict::kPass) co_return std::move(code);
  Finding revoking = co_await unknown_at_revocation(&probe);
  if (revoking.verdict != Verdict::kPass) co_return std::move(revoking);
  if (error == "unsupported_grant_type") co_return not_for_it("it takes no refresh tokens");
  co_return std::move(revoking);
}

Task<Finding> refuses_in_json(AuthProbe& probe) {
  std::string endpoint = probe.authority().member("token_endpoint");
  if (endpoint.empty()) co_return not_for_it("its metadata names no token_endpoint");
  const Reply reply = co_await refresh_unknown(probe, kNobody);
  if (reply.status == 0) co_return undecided("its token endpoint gave " + reply.describe());
  if (error_of(reply).empty()) co_return not_for_it("it refuses without an error in JSON");
  const std::string type = lower_case(reply.headers.get("Content-Type").value_or(""));
  if (type.starts_with("application/json")) co_return passes();
  co_return broken("its token endpoint refuses in \"" + clipped(type) +
                   "\", expected application/json");
}

Task<Finding> keeps_tokens_out_of_caches(AuthProbe& probe) {
  std::string code = co_await probe.new_code();
  if (code.empty()) co_return not_for_it(probe.lacks_code());
  const Reply reply = co_await probe.redeem(std::move(code), AuthProbe::right_verifier());
  if (is_busy(reply)) co_return undecided("a good code got " + reply.describe());
  if (reply.status != 200) co_return not_for_it("a good code is refused: " + refused_with(reply));
  const std::string caching = lower_case(reply.headers.get("Cache-Control").value_or(""));
  if (caching.find("no-store") != std::string::npos) co_return passes();
  co_return broken("the answer with a token has the Cache-Control \"" + clipped(caching) +
                   "\", expected no-store");
}

Task<Finding> revokes_unknown_tokens(AuthProbe& probe) {
  std::string endpoint = probe.authority().member("revocation_endpoint");
  if (endpoint.empty()) co_return not_for_it("its metadata names no revocation_endpoint");
  if (probe.client().id.empty()) co_return not_for_it(probe.client().lack);
  wire::Form form = {{"token", kUnknownSecret}, {"client_id", probe.client().id}};
  const Reply reply = co_await probe.post(std::move(endpoint), std::move(form));
  if (reply.status == 0) co_return undecided("its revocation endpoint gave " + reply.describe());
  if (reply.status / 100 == 2) co_return passes();
  if (wants_other_client(error_of(reply)) || reply.status == 401) {
    co_return not_for_it("it refuses the client: status " + std::to_string(reply.status));
  }
  co_return broken("revoking a token that nobody knows got " + refused_with(reply) +
                   ", expected 200");
}

bool names(const Json& list, std::string_view value) {
  return list.is_array() && std::ranges::find(list, Json(std::string(value))) != list.end();
}

Task<Finding> grants_what_it_lists(AuthProbe& probe) {
  const std::string lack = probe.lacks_tokens();
  if (!lack.empty()) co_return not_for_it(lack);
  const Json* const list = find(probe.authority().document(), "grant_types_supported");
  if (list == nullptr) co_return not_for_it("its metadata has no grant_types_supported");
  // That it is no list is for auth.as-metadata-members.
  if (!list->is_array()) co_return not_for_it("its grant_types_supported are no list");
  std::string client = probe.client().id;
  const Reply refresh = co_await refresh_unknown(probe, std::move(client));
  std::string verifier = AuthProbe::right_verifier();
  const Reply code = co_await probe.redeem(kUnknownSecret, std::move(verifier));
  for (const auto& [grant, reply] :
       {std::pair<const char*, const Reply&>{"refresh_token", refresh},
        std::pair<const char*, const Reply&>{"authorization_code", code}}) {
    const std::string error = error_of(reply);
    if (names(*list, grant) && error == "unsupported_grant_type") {
      co_return broken("its metadata lists the grant " + std::string(grant) +
                       ", and its token endpoint says unsupported_grant_type");
    }
    if (!names(*list, grant) && error == "invalid_grant") {
      co_return risky("its token endpoint knows the grant " + std::string(grant) +
                      ", and its metadata does not list it: clients do not ask for it");
    }
  }
  co_return passes();
}

constexpr AuthCheck kRefusalChecks[] = {
    {"auth.as-unknown-grants", knows_its_grants},
    {"auth.as-unsupported-grant", names_unknown_grants},
    {"auth.as-form-encoding", reads_forms},
    {"auth.as-unknown-client", names_unknown_clients},
    {"auth.as-errors-as-json", refuses_in_json},
    {"auth.as-token-no-store", keeps_tokens_out_of_caches},
    {"auth.as-revocation-unknown", revokes_unknown_tokens},
    {"auth.as-grants-as-listed", grants_what_it_lists},
};

}  // namespace

AuthChecks refusal_checks() { return kRefusalChecks; }

}  // namespace plumbline::conformance
