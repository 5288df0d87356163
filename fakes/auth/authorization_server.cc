#include "fakes/auth/authorization_server.h"

#include <utility>

#include "core/base/base64.h"
#include "core/base/sha256.h"

namespace plumbline::fakes {

namespace {

wire::HttpResponse json_answer(int status, const Json& body) {
  return {status, {{"Content-Type", "application/json"}}, dump_json(body)};
}

wire::HttpResponse refusal(const char* error) { return json_answer(400, {{"error", error}}); }

std::string s256_of(const std::string& verifier) {
  Sha256 hash;
  hash.update(verifier);
  return encode_base64url(hash.finish());
}

}  // namespace

AuthorizationServer::AuthorizationServer(Loop& loop, std::string issuer, AuthorizationScript script)
    : loop_(loop),
      issuer_(std::move(issuer)),
      script_(std::move(script)),
      clients_(script_.clients) {}

std::string AuthorizationServer::name(const char* kind) {
  return std::string(kind) + kSecretMark + std::to_string(++names_);
}

void AuthorizationServer::tell(SecretKind kind, const std::string& text, const Grant& grant,
                               bool renewed, Instant ends) {
  if (on_secret_) on_secret_({kind, text, grant.resource, renewed, ends});
}

Json AuthorizationServer::metadata() const {
  Json all = {{"issuer", issuer_},
              {"authorization_endpoint", issuer_ + "/authorize"},
              {"token_endpoint", issuer_ + "/token"},
              {"registration_endpoint", issuer_ + "/register"},
              {"revocation_endpoint", issuer_ + "/revoke"},
              {"code_challenge_methods_supported", {"S256"}},
              {"authorization_response_iss_parameter_supported", true},
              {"token_endpoint_auth_methods_supported", {"none"}}};
  for (const auto& [key, value] : script_.metadata.items()) {
    all[key] = value;
    if (value.is_null()) all.erase(key);
  }
  return all;
}

std::string AuthorizationServer::authorize(const std::string& url) {
  const wire::Form form = wire::query_of(url);
  const std::string client = form.get("client_id").value_or("");
  const std::string redirect = form.get("redirect_uri").value_or("");
  const auto known = clients_.find(client);
  const bool right = known != clients_.end() && known->second == redirect &&
                     form.get("code_challenge_method") == "S256" &&
                     form.get("response_type") == "code" && form.count("resource") == 1;
  if (!right) return "";
  const std::string code = name("code");
  Grant& grant = codes_[code];
  grant = {client,
           redirect,
           form.get("code_challenge").value_or(""),
           form.get("resource").value_or(""),
           form.get("scope").value_or(""),
           ++names_};
  tell(SecretKind::kCode, code, grant);
  const wire::Form back{
      {"code", code}, {"state", form.get("state").value_or("")}, {"iss", issuer_}};
  return redirect + "?" + back.text();
}

bool AuthorizationServer::accepts(const std::string& access_token, const std::string& resource,
                                  const std::string& scope) const {
  const auto found = accesses_.find(access_token);
  if (found == accesses_.end() || loop_.now() >= found->second.ends) return false;
  const Grant& grant = found->second.grant;
  const bool in_scope =
      scope.empty() || (" " + grant.scope + " ").find(" " + scope + " ") != std::string::npos;
  return found->second.audience == resource && in_scope && !ended_.contains(grant.family);
}

AuthorizationServer::Given AuthorizationServer::give(const std::string& client,
                                                     const std::string& redirect_uri,
                                                     const std::string& resource,
                                                     const std::string& scope, Instant ends) {
  clients_[client] = redirect_uri;
  const Grant grant{client, redirect_uri, "", resource, scope, ++names_};
  const Given given{name("access-token"), name("refresh-token")};
  accesses_[given.access_token] = {grant, resource, ends};
  refreshes_[given.refresh_token] = grant;
  tell(SecretKind::kAccess, given.access_token, grant, false, ends);
  tell(SecretKind::kRefresh, given.refresh_token, grant);
  return given;
}

void AuthorizationServer::revoke_all() {
  for (const auto& [token, access] : accesses_) ended_.insert(access.grant.family);
  for (const auto& [token, grant] : refreshes_) ended_.insert(grant.family);
}

Json AuthorizationServer::registered(const std::string& body) {
  const Result<Json> read = parse_json(body);
  const Json* const uris = read.ok() ? find(read.value(), "redirect_uris") : nullptr;
  Json answer = read.ok() ? read.value() : Json::object();
  const std::string id = "client-" + std::to_string(++names_);
  clients_[id] = uris != nullptr && !uris->empty() ? uris->front().get<std::string>() : "";
  answer["client_id"] = id;
  return answer;
}

void AuthorizationServer::on_request(wire::HttpRequest request, net::HttpReply reply) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  const wire::Form form = wire::Form::parse(request.body);
  if (path == "/.well-known/oauth-authorization-server") {
    ++asked_.documents;
    return reply.respond(json_answer(200, metadata()));
  }
  if (path == "/register") {
    ++asked_.registrations;
    return reply.respond(json_answer(201, registered(request.body)));
  }
  if (path == "/revoke") {
    ++asked_.revocations;
    const auto found = refreshes_.find(form.get("token").value_or(""));
    if (found != refreshes_.end()) ended_.insert(found->second.family);
    accesses_.erase(form.get("token").value_or(""));
    return reply.respond(wire::HttpResponse());
  }
  if (path == "/authorize") {
    const bool denies = request.headers.get("Person") == "denies";
    return reply.respond(sent_back(request.target, denies));
  }
  if (path != "/token") return reply.respond(wire::HttpResponse{404, {}, ""});
  ++asked_.tokens;
  if (script_.redirects_tokens_to) {
    return reply.respond({307, {{"Location", *script_.redirects_tokens_to}}, ""});
  }
  const bool renews = form.get("grant_type") == "refresh_token";
  wire::HttpResponse answer = script_.refusal ? *script_.refusal : token(form);
  if (renews && script_.loses_refreshes > 0) {
    --script_.loses_refreshes;
    // A stream that is dropped is an answer without an end.
    return reply.open_stream(200, {{"Content-Type", "application/json"}});
  }
  if (script_.token_answer)
    answer = {200, {{"Content-Type", "application/json"}}, *script_.token_answer};
  reply.respond(answer);
}

// sent_back is what a browser is answered with at the authorization endpoint. One that shows a
// client or an address that nobody knows is sent nowhere.
wire::HttpResponse AuthorizationServer::sent_back(const std::string& url, bool denies) {
  const wire::Form form = wire::query_of(url);
  const std::string resource = form.get("resource").value_or("");
  const bool refuses = !script_.resource.empty() && resource != script_.resource;
  std::string back = denies || refuses ? "" : authorize(url);
  const auto known = clients_.find(form.get("client_id").value_or(""));
  const bool at_home = known != clients_.end() && known->second == form.get("redirect_uri");
  if (back.empty() && at_home && (denies || refuses)) {
    const wire::Form said{{"error", denies ? "access_denied" : "invalid_target"},
                          {"state", form.get("state").value_or("")},
                          {"iss", issuer_}};
    back = known->second + "?" + said.text();
  }
  if (back.empty()) return refusal("invalid_request");
  return {302, {{"Location", back}}, ""};
}

wire::HttpResponse AuthorizationServer::token(const wire::Form& form) {
  if (form.get("grant_type") == "refresh_token") return refreshed(form);
  const auto found = codes_.find(form.get("code").value_or(""));
  if (!clients_.contains(form.get("client_id").value_or(""))) {
    return json_answer(401, {{"error", "invalid_client"}});
  }
  if (found == codes_.end()) return refusal("invalid_grant");
  const Grant grant = found->second;
  codes_.erase(found);
  const bool right = form.get("client_id") == grant.client &&
                     form.get("redirect_uri") == grant.redirect_uri &&
                     form.get("resource") == grant.resource &&
                     s256_of(form.get("code_verifier").value_or("")) == grant.challenge;
  if (!right) return refusal("invalid_grant");
  ++asked_.codes;
  return tokens_for(grant, false);
}

wire::HttpResponse AuthorizationServer::refreshed(const wire::Form& form) {
  ++asked_.refreshes;
  if (script_.refuses_refreshes > 0) {
    --script_.refuses_refreshes;
    return {503, {}, ""};
  }
  const std::string token = form.get("refresh_token").value_or("");
  const auto found = refreshes_.find(token);
  if (found == refreshes_.end() || form.get("client_id") != found->second.client ||
      ended_.contains(found->second.family)) {
    return refusal("invalid_grant");
  }
  if (script_.rotates && !used_.insert(token).second) {
    ++asked_.reuses;
    ended_.insert(found->second.family);
    return refusal("invalid_grant");
  }
  return tokens_for(Grant(found->second), true);
}

wire::HttpResponse AuthorizationServer::tokens_for(const Grant& grant, bool renewed) {
  const std::string access = name("access-token");
  Json answer = {{"access_token", access}, {"token_type", "Bearer"}};
  answer["expires_in"] = std::chrono::duration_cast<std::chrono::seconds>(script_.lifetime).count();
  if (!grant.scope.empty()) answer["scope"] = grant.scope;
  if (script_.gives_refresh_tokens) {
    const std::string refresh = script_.rotates ? name("refresh-token")
                                                : std::string("refresh-token") + kSecretMark +
                                                      "family-" + std::to_string(grant.family);
    answer["refresh_token"] = refresh;
    tell(SecretKind::kRefresh, refresh, grant);
    refreshes_[refresh] = grant;
  }
  const Instant ends = after(loop_.now(), script_.lifetime);
  tell(SecretKind::kAccess, access, grant, renewed, ends);
  accesses_[access] = {grant, script_.audience.empty() ? grant.resource : script_.audience, ends};
  return json_answer(200, answer);
}

}  // namespace plumbline::fakes
