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
    : loop_(loop), issuer_(std::move(issuer)), script_(std::move(script)) {}

std::string AuthorizationServer::name(const char* kind) {
  return std::string(kind) + "-of-this-world-" + std::to_string(++names_);
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
  codes_[code] = {client,
                  redirect,
                  form.get("code_challenge").value_or(""),
                  form.get("resource").value_or(""),
                  form.get("scope").value_or(""),
                  ++names_};
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
  return grant.resource == resource && in_scope && !ended_.contains(grant.family);
}

void AuthorizationServer::revoke_all() {
  for (const auto& [token, access] : accesses_) ended_.insert(access.grant.family);
  for (const auto& [token, grant] : refreshes_) ended_.insert(grant.family);
}

Json AuthorizationServer::registered(const std::string& body) {
  const Result<Json> read = parse_json(body);
  const Json* const uris = read.ok() ? find(read.value(), "redirect_uris") : nullptr;
  Json answer = read.ok() ? read.value() : Json::object();
  const std::string id = name("client");
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
  if (path != "/token") return reply.respond(wire::HttpResponse{404, {}, ""});
  if (script_.redirects_tokens_to) {
    return reply.respond({307, {{"Location", *script_.redirects_tokens_to}}, ""});
  }
  const bool renews = form.get("grant_type") == "refresh_token";
  wire::HttpResponse answer = token(form);
  if (renews && script_.loses_refreshes > 0) {
    --script_.loses_refreshes;
    // A stream that is dropped is an answer without an end.
    return reply.open_stream(200, {{"Content-Type", "application/json"}});
  }
  if (script_.token_answer)
    answer = {200, {{"Content-Type", "application/json"}}, *script_.token_answer};
  reply.respond(answer);
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
  return tokens_for(grant);
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
  return tokens_for(found->second);
}

wire::HttpResponse AuthorizationServer::tokens_for(Grant grant) {
  const std::string access = name("access-token");
  Json answer = {{"access_token", access}, {"token_type", "Bearer"}};
  answer["expires_in"] = std::chrono::duration_cast<std::chrono::seconds>(script_.lifetime).count();
  if (!grant.scope.empty()) answer["scope"] = grant.scope;
  if (script_.gives_refresh_tokens && script_.rotates) {
    const std::string refresh = name("refresh-token");
    refreshes_[refresh] = grant;
    answer["refresh_token"] = refresh;
  } else if (script_.gives_refresh_tokens) {
    const std::string refresh = "refresh-token-of-family-" + std::to_string(grant.family);
    refreshes_[refresh] = grant;
    answer["refresh_token"] = refresh;
  }
  accesses_[access] = {std::move(grant), after(loop_.now(), script_.lifetime)};
  return json_answer(200, answer);
}

}  // namespace plumbline::fakes
