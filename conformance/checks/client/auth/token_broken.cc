// Clients that are careless with tokens, and with who knows them.

#include <string>

#include "conformance/broken/client/wire_edits.h"
#include "core/base/base64.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kStatefulUse = "2025-11-25";
constexpr const char* kStatelessUse = "2026-07-28";

std::string authorization_in(const wire::HttpRequest& request) {
  return std::string(request.headers.get("Authorization").value_or(""));
}

void uses_own_scheme(WireNotes&, wire::HttpRequest& request) {
  const std::string value = authorization_in(request);
  if (asks_server(request) && value.starts_with("Bearer ")) {
    request.headers.set("Authorization", "Token " + value.substr(7));
  }
}

void writes_scheme_small(WireNotes&, wire::HttpRequest& request) {
  const std::string value = authorization_in(request);
  if (asks_server(request) && value.starts_with("Bearer ")) {
    request.headers.set("Authorization", "bearer " + value.substr(7));
  }
}

void shows_no_token(WireNotes&, wire::HttpRequest& request) {
  if (asks_server(request)) request.headers.erase("Authorization");
}

void shows_no_token_it_has(WireNotes&, wire::HttpRequest& request) {
  if (!authorization_in(request).starts_with("Bearer ") || !asks_server(request)) return;
  request.headers.set("Authorization", "Bearer undefined");
}

void authenticates_by_basic(WireNotes&, wire::HttpRequest& request, std::string_view grant) {
  if (!asks_token(request) || parameter(request, "grant_type") != grant) return;
  const std::string id = wire::Form{{"", parameter(request, "client_id")}}.text().substr(1);
  const std::string both = id + ":";
  request.headers.set("Authorization", "Basic " + encode_base64(both));
  set_parameter(request, "client_id", "");
}

void refreshes_by_basic(WireNotes& notes, wire::HttpRequest& request) {
  authenticates_by_basic(notes, request, "refresh_token");
}

void redeems_by_basic(WireNotes& notes, wire::HttpRequest& request) {
  authenticates_by_basic(notes, request, "authorization_code");
}

// It is registered for another method than it uses.
void registers_for(WireNotes&, wire::HttpRequest& request, const char* method) {
  Json about = json_of_body(request.body);
  if (!asks_to_register(request) || !about.is_object()) return;
  about["token_endpoint_auth_method"] = method;
  request.body = dump_json(about);
}

void registers_for_a_secret(WireNotes& notes, wire::HttpRequest& request) {
  registers_for(notes, request, "client_secret_basic");
}

MoreRequests hears_of_no_secret(WireNotes&, const wire::HttpRequest& request,
                                wire::HttpResponse& response) {
  Json about = json_of_body(response.body);
  if (!asks_to_register(request) || !about.is_object()) return std::nullopt;
  about["token_endpoint_auth_method"] = "none";
  about.erase("client_secret");
  response.body = dump_json(about);
  return std::nullopt;
}

void leaves_without_token(WireNotes&, wire::HttpRequest& request) {
  if (request.method == "DELETE") request.headers.erase("Authorization");
}

void repeats_token_in_query(WireNotes&, wire::HttpRequest& request) {
  const std::string value = authorization_in(request);
  if (asks_server(request) && value.starts_with("Bearer ")) {
    request.target += "?access_token=" + value.substr(7);
  }
}

// It leaves each session with the first token that it ever had.
void leaves_with_first_token(WireNotes& notes, wire::HttpRequest& request) {
  const std::string value = authorization_in(request);
  if (!asks_server(request) || value.empty()) return;
  if (notes.memory.is_null()) notes.memory = value;
  if (request.method == "DELETE") {
    request.headers.set("Authorization", notes.memory.get<std::string>());
  }
}

MoreRequests notes_refresh(WireNotes& notes, const wire::HttpRequest& request,
                           wire::HttpResponse& response) {
  const Json body = json_of_body(response.body);
  if (asks_token(request) && notes.memory.is_null()) {
    const std::string token = string_or(body, "refresh_token", "");
    if (!token.empty()) notes.memory = token;
  }
  return std::nullopt;
}

void shows_refresh_token(WireNotes& notes, wire::HttpRequest& request) {
  if (asks_server(request) && notes.memory.is_string()) {
    request.headers.set("X-Refresh", notes.memory.get<std::string>());
  }
}

void refreshes_with_first(WireNotes& notes, wire::HttpRequest& request) {
  if (!asks_token(request) || parameter(request, "grant_type") != "refresh_token") return;
  set_parameter(request, "refresh_token", notes.memory.get<std::string>());
}

// notes_renewal remembers the first token, and that it has been renewed.
MoreRequests notes_renewal(WireNotes& notes, const wire::HttpRequest& request,
                           wire::HttpResponse& response) {
  if (!asks_token(request) || response.status != 200) return std::nullopt;
  const std::string token = string_or(json_of_body(response.body), "access_token", "");
  if (notes.memory.is_null()) notes.memory = Json::object({{"first", token}});
  notes.memory["renewed"] = parameter(request, "grant_type") == "refresh_token";
  return std::nullopt;
}

void shows_first_token(WireNotes& notes, wire::HttpRequest& request) {
  const Json* const renewed = find(notes.memory, "renewed");
  if (!asks_server(request) || renewed == nullptr || *renewed != Json(true)) return;
  request.headers.set("Authorization", "Bearer " + string_or(notes.memory, "first", ""));
}

void keeps_redeemed(WireNotes& notes, wire::HttpRequest& request) {
  if (asks_token(request)) notes.request = request;
}

// An extra request comes in between; the client hears what it was told before.
MoreRequests refreshes_with_nothing(WireNotes& notes, const wire::HttpRequest& request,
                                    wire::HttpResponse& response) {
  if (asks_token(request) && notes.response) {
    response = *notes.response;
    notes.response.reset();
    return std::nullopt;
  }
  if (asks_token(request) && response.body.find("refresh_token") != std::string::npos) {
    notes.count = 1;  // There is one.
  }
  if (response.status != 401 || notes.count > 0 || !notes.request) return std::nullopt;
  notes.count = 1;
  notes.response = response;
  wire::HttpRequest more = *notes.request;
  set_form(more, {{"grant_type", "refresh_token"},
                  {"refresh_token", "undefined"},
                  {"client_id", parameter(more, "client_id")},
                  {"resource", parameter(more, "resource")}});
  return more;
}

// wants_a_refresh_token takes a code's answer that has none for a failure.
MoreRequests wants_a_refresh_token(WireNotes&, const wire::HttpRequest& request,
                                   wire::HttpResponse& response) {
  if (!asks_token(request) || response.status != 200) return std::nullopt;
  const bool redeems = parameter(request, "grant_type") == "authorization_code";
  const bool bare = find(json_of_body(response.body), "refresh_token") == nullptr;
  if (redeems && bare) response.status = 500;
  return std::nullopt;
}

void leaves_its_secret(WireNotes&, wire::HttpRequest& request) {
  const bool shows =
      !authorization_in(request).empty() || !parameter(request, "client_secret").empty();
  if (!asks_token(request) || !shows) return;
  request.headers.erase("Authorization");
  set_parameter(request, "client_secret", "");
  set_parameter(request, "client_id", "judge-given-client");
}

bool is_second(const wire::HttpRequest& request) { return request.target.starts_with("/second/"); }

MoreRequests notes_first_client(WireNotes& notes, const wire::HttpRequest& request,
                                wire::HttpResponse& response) {
  if (asks_to_register(request) && request.target.starts_with("/first/")) {
    notes.memory = string_or(json_of_body(response.body), "client_id", "");
  }
  return std::nullopt;
}

void keeps_first_client(WireNotes& notes, wire::HttpRequest& request) {
  const bool asks = asks_authorization(request) || asks_token(request);
  if (!is_second(request) || !asks || !notes.memory.is_string()) return;
  set_parameter(request, "client_id", notes.memory.get<std::string>());
}

// It has the second authorization server's clients registered by the first.
void registers_once(WireNotes&, wire::HttpRequest& request) {
  if (is_second(request) && asks_to_register(request)) request.target = "/first/grant/enrol";
}

void takes_refresh_along(WireNotes& notes, wire::HttpRequest& request) {
  if (!is_second(request) || !asks_token(request) || !notes.memory.is_string()) return;
  set_parameter(request, "refresh_token", notes.memory.get<std::string>());
}

MoreRequests follows_with_token(WireNotes&, const wire::HttpRequest& request,
                                wire::HttpResponse& response) {
  const Result<wire::Url> to =
      wire::parse_url(std::string(response.headers.get("Location").value_or("")));
  if (response.status != 307 || !to.ok()) return std::nullopt;
  wire::HttpRequest more = request;
  more.target = to.value().target;
  more.headers.set("Host", to.value().host_header());
  return more;
}

const ClientDeviation kAuthTokenDeviations[] = {
    wrong_way("auth.bearer-header", kStatefulUse, "has a scheme of its own",
              {uses_own_scheme, nullptr}),
    wrong_way("auth.bearer-header", kStatefulUse, "writes its scheme in small letters",
              {writes_scheme_small, nullptr}),
    wrong_way("auth.bearer-header", kStatefulUse, "never shows its token",
              {shows_no_token, nullptr}),
    wrong_way("auth.bearer-header", kStatelessUse, "shows another word than its token",
              {shows_no_token_it_has, nullptr}),
    wrong_way("auth.dcr-auth-method", kStatefulUse, "refreshes by Basic, and has no secret",
              {refreshes_by_basic, nullptr}),
    wrong_way("auth.dcr-auth-method", kStatefulUse, "redeems its code by Basic, and has no secret",
              {redeems_by_basic, nullptr}),
    wrong_way("auth.dcr-auth-method", kStatefulUse, "forgets its secret",
              {registers_for_a_secret, hears_of_no_secret}),
    wrong_way("auth.bearer-on-every-request", kStatefulUse, "ends its session without the token",
              {leaves_without_token, nullptr}),
    wrong_way("auth.no-token-in-query", kStatefulUse, "puts the token into the address as well",
              {repeats_token_in_query, nullptr}),
    wrong_way("auth.only-server-as-tokens-sent", kStatefulUse,
              "ends its session with the token of another authorization server",
              {leaves_with_first_token, nullptr}),
    wrong_way("auth.refresh-confidential", kStatelessUse, "shows the server its refresh token",
              {shows_refresh_token, notes_refresh}),
    wrong_way("auth.refresh-not-assumed", kStatelessUse, "refreshes without a refresh token",
              {keeps_redeemed, refreshes_with_nothing}),
    wrong_way("auth.refresh-not-assumed", kStatelessUse, "takes no token without a refresh token",
              {nullptr, wants_a_refresh_token}),
    wrong_way("auth.token-answer-bare", kStatefulUse, "takes no token without a refresh token",
              {nullptr, wants_a_refresh_token}),
    wrong_way("auth.given-secret-shown", kStatefulUse, "leaves the secret that it was given behind",
              {leaves_its_secret, nullptr}),
    wrong_way("auth.credentials-bound-to-issuer", kStatelessUse,
              "is the same client to every authorization server",
              {keeps_first_client, notes_first_client},
              {"auth.credentials-not-reused-across-as", "auth.per-as-registration-state"}),
    wrong_way("auth.credentials-not-reused-across-as", kStatelessUse,
              "is the same client to every authorization server",
              {keeps_first_client, notes_first_client},
              {"auth.credentials-bound-to-issuer", "auth.per-as-registration-state"}),
    wrong_way("auth.re-register-on-as-change", kStatelessUse,
              "registers with the first authorization server alone", {registers_once, nullptr},
              {"auth.credentials-bound-to-issuer", "auth.credentials-not-reused-across-as",
               "auth.per-as-registration-state"}),
    wrong_way("auth.per-as-registration-state", kStatelessUse,
              "shows the second authorization server the refresh token of the first",
              {takes_refresh_along, notes_refresh}),
    wrong_way("auth.oauth21-security-practices", kStatelessUse,
              "follows redirects to other origins with its token", {nullptr, follows_with_token}),
    wrong_way("auth.token-kept-from-others", kStatefulUse,
              "follows redirects to other origins with its token", {nullptr, follows_with_token}),
    wrong_way("auth.oauth21-security-practices", kStatelessUse,
              "refreshes with the first refresh token it got",
              {refreshes_with_first, notes_refresh}),
    wrong_way("auth.refresh-token-kept", kStatefulUse,
              "refreshes with the first refresh token it got",
              {refreshes_with_first, notes_refresh}),
    wrong_way("auth.new-token-used", kStatefulUse, "shows its first token when that was renewed",
              {shows_first_token, notes_renewal}),
};

}  // namespace

ClientDeviations client_auth_token_deviations() { return kAuthTokenDeviations; }

}  // namespace plumbline::conformance
