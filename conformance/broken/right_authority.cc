#include "conformance/broken/right_authority.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <utility>

#include "core/base/base64.h"
#include "core/base/check.h"
#include "core/base/sha256.h"
#include "core/wire/url.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kTrusted = "trusted";  // In a code: whose verifier is not looked at.
constexpr const char* kOfPlain = "plain.";   // In a code: that its challenge is not hashed.

wire::HttpResponse json_with(int status, const Json& body) {
  return {status,
          {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          dump_json(body)};
}

wire::HttpResponse oauth_error(const char* error) {
  Json body = Json::object();
  body["error"] = error;
  return json_with(400, body);
}

wire::HttpResponse moved_to(std::string place, const wire::Form& fields) {
  place += (place.find('?') == std::string::npos ? "?" : "&") + fields.text();
  return {302, {{"Location", std::move(place)}}, ""};
}

// without_loopback_port returns a URI at a loopback address without its port, others as they are.
std::string without_loopback_port(const std::string& uri) {
  const std::string_view kStart = "http://127.0.0.1:";
  if (!uri.starts_with(kStart)) return uri;
  return std::string(kStart) + uri.substr(std::min(uri.find('/', kStart.size()), uri.size()));
}

bool may_be_redirect(const std::string& uri) {
  const Result<wire::Url> url = wire::parse_url(uri);
  if (!url.ok() || uri.find('#') != std::string::npos) return false;
  const std::string& host = url.value().host;
  const bool here = host == "127.0.0.1" || host == "localhost";
  return url.value().scheme == "https" || (url.value().scheme == "http" && here);
}

// is_challenge returns whether a text has the form of one by S256: RFC 7636, section 4.2.
bool is_challenge(const std::string& text) {
  constexpr std::size_t kLetters = 43;
  return text.size() == kLetters && std::ranges::all_of(text, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
         });
}

std::string challenge_of(const std::string& verifier) {
  Sha256 sha;
  sha.update(verifier);
  return encode_base64url(sha.finish());
}

// has_doubled returns whether a parameter comes twice that may come once: all but resource.
bool has_doubled(const wire::Form& form) {
  return std::ranges::any_of(form.fields(), [&](const auto& field) {
    return field.first != "resource" && form.count(field.first) > 1;
  });
}

}  // namespace

RightAuthority::RightAuthority(Loop& loop, net::Network& network,
                               const AuthorityDeviation& deviation)
    : deviation_(deviation), loop_(loop), server_(loop, *this, net::HttpAccess::anybody()) {
  Result<std::unique_ptr<net::Listener>> listening =
      network.listen({"127.0.0.1", 0}, std::nullopt,
                     [this](std::unique_ptr<net::Pipe> pipe) { server_.accept(std::move(pipe)); });
  check(listening.ok(), "an authorization server has no place to listen");
  listener_ = std::move(listening).value();
  issuer_ = "http://127.0.0.1:" + std::to_string(listener_->port());
}

void RightAuthority::on_request(wire::HttpRequest request, net::HttpReply reply) {
  if (deviation_.request != nullptr) {
    if (const auto own = deviation_.request(request)) return reply.respond(*own);
  }
  if (request.method == "OPTIONS") {
    return reply.respond(
        {204, {{"Access-Control-Allow-Origin", "*"}, {"Access-Control-Allow-Headers", "*"}}, ""});
  }
  const std::string path = request.target.substr(0, request.target.find('?'));
  const bool late = deviation_.forgets_codes_later || deviation_.forgets_refreshes_later;
  if (late && path == "/token") return answer_late(request, std::move(reply));
  wire::HttpResponse response = answer(request);
  if (deviation_.response != nullptr) deviation_.response(request, response);
  response.headers.set("Access-Control-Allow-Origin", "*");
  reply.respond(response);
}

// answer_late answers a moment later, and forgets what was used no sooner.
void RightAuthority::answer_late(const wire::HttpRequest& request, net::HttpReply reply) {
  const wire::Form form = wire::Form::parse(request.body);
  late_.push_back(std::make_unique<net::HttpReply>(std::move(reply)));
  net::HttpReply* const waiting = late_.back().get();
  const wire::HttpResponse response = answer(request);
  const std::string code = form.get("code").value_or("");
  const std::string token = form.get("refresh_token").value_or("");
  alarms_.push_back(std::make_unique<Alarm>([this, waiting, response, code, token] {
    if (response.status == 200) {
      codes_.erase(code);
      refreshes_.erase(token);
    }
    waiting->respond(response);
  }));
  loop_.arm(*alarms_.back(), after(loop_.now(), std::chrono::milliseconds(20)));
}

wire::HttpResponse RightAuthority::answer(const wire::HttpRequest& request) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  const bool metadata_place = path == "/.well-known/oauth-authorization-server" ||
                              path == "/.well-known/openid-configuration";
  if (metadata_place) {
    Json document = metadata();
    if (path.ends_with("openid-configuration")) {
      document["subject_types_supported"] = Json::array({"public"});
      document["id_token_signing_alg_values_supported"] = Json::array({"RS256"});
    }
    return json_with(200, document);
  }
  if (path == "/authorize") return authorized(wire::query_of(request.target));
  if (path == "/token") return token(request);
  if (path == "/register") return registered(request);
  if (path == "/revoke") return revoked(wire::Form::parse(request.body));
  if (path == "/login") return login(request);
  if (path == "/jwks") {
    Json keys = Json::object();
    keys["keys"] = Json::array();
    return json_with(200, keys);
  }
  if (!path.starts_with("/client/") || request.method != "DELETE") return {404, {}, ""};
  clients_.erase(path.substr(std::string_view("/client/").size()));
  return {204, {}, ""};
}

Json RightAuthority::metadata() const {
  Json document = Json::object();
  document["issuer"] = issuer_;
  document["authorization_endpoint"] = issuer_ + "/authorize";
  document["token_endpoint"] = issuer_ + "/token";
  document["registration_endpoint"] = issuer_ + "/register";
  document["jwks_uri"] = issuer_ + "/jwks";
  document["revocation_endpoint"] = issuer_ + "/revoke";
  document["response_types_supported"] = Json::array({"code"});
  document["response_modes_supported"] = Json::array({"query"});
  document["grant_types_supported"] = Json::array({"authorization_code", "refresh_token"});
  document["token_endpoint_auth_methods_supported"] = Json::array({"none", "client_secret_basic"});
  document["scopes_supported"] = Json::array({"notes"});
  document["code_challenge_methods_supported"] = Json::array({"S256"});
  document["authorization_response_iss_parameter_supported"] = true;
  document["client_id_metadata_document_supported"] = true;
  return document;
}

wire::HttpResponse RightAuthority::registered(const wire::HttpRequest& request) {
  Result<Json> asked = parse_json(request.body);
  const Json* const uris = asked.ok() ? find(asked.value(), "redirect_uris") : nullptr;
  const bool several = uris != nullptr && uris->is_array() && !uris->empty();
  if (!several || !std::ranges::all_of(*uris, [](const Json& uri) { return uri.is_string(); })) {
    return oauth_error("invalid_redirect_uri");
  }
  if (!may_be_redirect(uris->front().get<std::string>()) && !deviation_.takes_any_registration) {
    return oauth_error("invalid_redirect_uri");
  }
  const std::string name = string_or(asked.value(), "client_name", "");
  const bool known = deviation_.knows_clients_by_name && names_of_.contains(name);
  const std::string id = known ? names_of_[name] : "client-" + std::to_string(++names_);
  names_of_[name] = id;
  clients_[id].clear();
  for (const Json& uri : *uris) clients_[id].push_back(uri.get<std::string>());
  Json about = std::move(asked).value();
  about["client_id"] = id;
  if (string_or(about, "token_endpoint_auth_method", "") == "client_secret_basic") {
    about["client_secret"] = secrets_[id] = "secret-of-" + id;
    about["client_secret_expires_at"] = 0;
  }
  about["registration_client_uri"] = issuer_ + "/client/" + id;
  about["registration_access_token"] = "manage-" + id;
  return json_with(201, about);
}

bool RightAuthority::is_registered(const std::string& client, const std::string& uri) const {
  const auto known = clients_.find(client);
  if (known == clients_.end()) return false;
  return std::ranges::any_of(known->second, [&](const std::string& one) {
    if (one == uri) return true;
    return !deviation_.wants_one_port && without_loopback_port(one) == without_loopback_port(uri);
  });
}

wire::HttpResponse RightAuthority::authorized(const wire::Form& form) {
  const std::string uri = form.get("redirect_uri").value_or("");
  const bool spared = deviation_.takes_second_clients && form.count("client_id") > 1;
  const bool once = spared || !has_doubled(form) || deviation_.takes_doubled;
  const bool known = once && is_registered(form.get("client_id").value_or(""), uri);
  if (!known && !deviation_.takes_any_redirect) {
    return {400, {{"Content-Type", "text/html"}}, "<p>This link is not as it should be.</p>"};
  }
  wire::Form fields = {{"state", form.get("state").value_or("")}, {"iss", issuer_}};
  const auto fail = [&](const char* error) {
    fields.add("error", error);
    return moved_to(uri, fields);
  };
  if (form.get("response_type") != "code" && !deviation_.takes_any_response_type) {
    return fail("unsupported_response_type");
  }
  const bool challenged = form.count("code_challenge") > 0;
  if (!challenged && !deviation_.wants_no_challenge) return fail("invalid_request");
  const bool trusted =
      deviation_.trusts_bare_challenges && form.count("code_challenge_method") == 0;
  const bool plain = deviation_.plain_if_bare && form.count("code_challenge_method") == 0;
  const bool by_s256 = form.get("code_challenge_method") == "S256" || trusted || plain;
  if (challenged && !by_s256 && !deviation_.takes_any_method) {
    return fail("invalid_request");
  }
  if (challenged && !is_challenge(form.get("code_challenge").value_or("")) &&
      !deviation_.takes_any_challenge) {
    return fail("invalid_request");
  }
  const std::string resource = form.get("resource").value_or(issuer_);
  if (!resource.starts_with(issuer_) && !deviation_.takes_any_resource) {
    return fail("invalid_target");
  }
  if (!deviation_.asks_nobody) {
    if (form.get("prompt") == "none") return fail("login_required");
    const std::string name = std::to_string(++names_);
    asked_[name] = form;
    wire::HttpResponse response = moved_to(issuer_ + "/login", {{"interaction", name}});
    response.headers.set("Set-Cookie", "asked=" + name + "; HttpOnly; SameSite=Lax");
    return response;
  }
  return granted(form);
}

wire::HttpResponse RightAuthority::granted(const wire::Form& form) {
  const bool trusted =
      deviation_.trusts_bare_challenges && form.count("code_challenge_method") == 0;
  const bool plain = deviation_.plain_if_bare && form.count("code_challenge_method") == 0;
  // A "+" and a "/" have to be encoded in a redirect.
  const std::string code = std::to_string(++names_) + "+/." + (plain ? kOfPlain : "") +
                           (trusted ? kTrusted : form.get("code_challenge").value_or(""));
  const std::string client = form.get("client_id").value_or("");
  std::string place = form.get("redirect_uri").value_or("");
  codes_[code] = client;
  redirects_[code] = place;
  resources_[code] = form.get("resource").value_or("");
  if (deviation_.prefers_localhost && place.starts_with("http://127.0.0.1")) {
    for (const std::string& uri : clients_[client]) {
      if (uri.starts_with("http://localhost")) place = uri;
    }
  }
  return moved_to(place,
                  {{"state", form.get("state").value_or("")}, {"iss", issuer_}, {"code", code}});
}

// login asks, and hears the answer of the browser that was asked alone.
wire::HttpResponse RightAuthority::login(const wire::HttpRequest& request) {
  const std::string cookie(request.headers.get("Cookie").value_or(""));
  const std::string first = cookie.substr(0, cookie.find(';'));
  const auto asked = asked_.find(first.substr(first.find('=') + 1));
  if (cookie.empty() && deviation_.bears_one_look) asked_.clear();
  if (cookie.empty() || asked == asked_.end()) return {403, {}, ""};
  if (request.method == "POST") return granted(asked->second);
  return {200,
          {{"Content-Type", "text/html"},
           {"X-Frame-Options", "DENY"},
           {"Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"}},
          "<form method=\"post\"><input name=\"user\"><button>Allow</button></form>"};
}

wire::HttpResponse RightAuthority::revoked(const wire::Form& form) {
  const std::string token = form.get("token").value_or("");
  if (!deviation_.keeps_revoked && refreshes_.erase(token) > 0) families_.erase(token);
  return {200, {}, ""};
}

// client_of returns the client that asks, as it has shown itself; empty: it has not.
std::string RightAuthority::client_of(const wire::HttpRequest& request,
                                      const wire::Form& form) const {
  constexpr std::string_view kBasic = "Basic ";
  const std::string shown(request.headers.get("Authorization").value_or(""));
  const std::string named = form.get("client_id").value_or("");
  if (!secrets_.contains(named) && !shown.starts_with(kBasic)) return named;
  if (deviation_.reads_no_authorization) return {};
  if (!shown.starts_with(kBasic)) return {};
  const std::string both = decode_base64(shown.substr(kBasic.size())).value_or("");
  const std::string id = both.substr(0, both.find(':'));
  const auto secret = secrets_.find(id);
  const bool right = secret != secrets_.end() && both == id + ":" + secret->second;
  return right ? id : std::string();
}

// redeemed answers who shows a code.
wire::HttpResponse RightAuthority::redeemed(const std::string& client, const wire::Form& form) {
  const std::string code = form.get("code").value_or("");
  const auto known = codes_.find(code);
  if (known == codes_.end()) {
    if (!deviation_.spares_replayed_codes) end_family(code);
    return oauth_error(redirects_.contains(code) ? deviation_.used_code_error : "invalid_grant");
  }
  const bool own = known->second == client;
  const bool later = deviation_.takes_codes_again || deviation_.forgets_codes_later;
  if (!later) codes_.erase(known);
  const bool redirected = form.get("redirect_uri").value_or(redirects_[code]) != redirects_[code];
  if (redirected && !deviation_.takes_other_redirects) return oauth_error("invalid_grant");
  if (!own && !deviation_.takes_codes_of_others) return oauth_error(deviation_.foreign_code_error);
  const std::string verifier = form.get("code_verifier").value_or("");
  const std::string kept = code.substr(code.find('.') + 1);
  const bool itself = deviation_.takes_the_challenge && kept == verifier;
  const bool right = kept == challenge_of(verifier) || kept == kOfPlain + verifier || itself;
  const bool trusted = code.ends_with(kTrusted);
  return right || trusted || deviation_.takes_any_verifier ? tokens(client, "notes", code)
                                                           : oauth_error("invalid_grant");
}

// renewed answers who shows a refresh token.
wire::HttpResponse RightAuthority::renewed(const std::string& client, const wire::Form& form) {
  const std::string shown = form.get("refresh_token").value_or("");
  const std::string family = families_.contains(shown) ? families_[shown] : "";
  const auto known = refreshes_.find(shown);
  if (known == refreshes_.end()) {
    if (!deviation_.spares_successors) end_family(family);
    return oauth_error(families_.contains(shown) ? deviation_.used_refresh_error : "invalid_grant");
  }
  const bool own = known->second == client || deviation_.takes_refreshes_of_others;
  if (!own) {
    if (deviation_.eats_foreign_refreshes) refreshes_.erase(known);
    return oauth_error(deviation_.foreign_refresh_error);
  }
  const std::string meant = form.get("resource").value_or(issuer_);
  const std::string kept = resources_[family];
  const bool another = deviation_.compares_resources_by_letter && !kept.empty() && meant != kept &&
                       form.count("resource") > 0;
  if (!meant.starts_with(issuer_) || another) {
    if (deviation_.eats_refused_refreshes) refreshes_.erase(known);
    return oauth_error("invalid_target");
  }
  const bool later = deviation_.takes_refreshes_again || deviation_.forgets_refreshes_later;
  if (!later) refreshes_.erase(known);
  if (deviation_.ends_after_one_refresh && successors_.contains(shown)) {
    return oauth_error("invalid_grant");
  }
  const std::string scope =
      deviation_.widens_scopes ? form.get("scope").value_or("notes") : "notes";
  wire::HttpResponse given = tokens(client, scope, family);
  successors_.insert("refresh-" + std::to_string(names_));
  return given;
}

wire::HttpResponse RightAuthority::token(const wire::HttpRequest& request) {
  const wire::Form form = wire::Form::parse(request.body);
  const std::string grant = form.get("grant_type").value_or("");
  const std::string client = client_of(request, form);
  if (!clients_.contains(client)) {
    wire::HttpResponse refusal = oauth_error("invalid_client");
    if (request.headers.count("Authorization") == 0) return refusal;
    refusal.status = 401;
    refusal.headers.set("WWW-Authenticate", "Basic");
    return refusal;
  }
  if (grant == "authorization_code") return redeemed(client, form);
  if (grant != "refresh_token") return oauth_error("unsupported_grant_type");
  return renewed(client, form);
}

// end_family takes back what came of a code: one of two who showed the same has stolen it.
void RightAuthority::end_family(const std::string& family) {
  std::erase_if(refreshes_, [&](const auto& one) { return families_[one.first] == family; });
}

wire::HttpResponse RightAuthority::tokens(const std::string& client, const std::string& scope,
                                          const std::string& family) {
  const std::string name = std::to_string(++names_);
  refreshes_["refresh-" + name] = client;
  families_["refresh-" + name] = family;
  Json body = Json::object();
  body["access_token"] = "access-" + name;
  body["token_type"] = "Bearer";
  body["expires_in"] = 3600;
  body["refresh_token"] = "refresh-" + name;
  body["scope"] = scope;
  return json_with(200, body);
}

}  // namespace plumbline::conformance
