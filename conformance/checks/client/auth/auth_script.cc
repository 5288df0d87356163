#include "conformance/checks/client/auth/auth_script.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "core/base/base64.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kAuthorization = "/grant/ask";
constexpr const char* kToken = "/grant/redeem";
constexpr const char* kRegistration = "/grant/enrol";
constexpr std::string_view kUsualEndpoints[] = {"/authorize", "/token", "/register"};
constexpr std::int64_t kLifetimeSeconds = 3'600;
constexpr std::string_view kSecretFields[] = {"client_secret", "client_assertion", "code_verifier",
                                              "refresh_token", "code"};

wire::HttpResponse oauth_error(int status, const char* code) {
  Json body(Json::value_t::object);
  body["error"] = code;
  return json_answer(status, body);
}

// basic_user returns the name in an Authorization header of the scheme Basic; empty for none.
std::string basic_user(const wire::HttpHeaders& headers) {
  const std::string value(headers.get("Authorization").value_or(""));
  constexpr std::string_view kBasic = "basic ";
  if (value.size() < kBasic.size() ||
      !equals_ignoring_case(value.substr(0, kBasic.size()), kBasic)) {
    return {};
  }
  const std::string pair = decode_base64(value.substr(kBasic.size())).value_or("");
  const wire::Form decoded = wire::Form::parse("user=" + pair.substr(0, pair.find(':')));
  return decoded.get("user").value_or("");
}

std::string bearer_in(const wire::HttpHeaders& headers) {
  const std::string value(headers.get("Authorization").value_or(""));
  constexpr std::string_view kBearer = "bearer ";
  if (value.size() <= kBearer.size() ||
      !equals_ignoring_case(value.substr(0, kBearer.size()), kBearer)) {
    return {};
  }
  return value.substr(kBearer.size());
}

// shown_step is what the log keeps of a request: no secret of the client's.
Json shown_step(const AuthHeard& heard) {
  Json what(Json::value_t::object);
  what["http"] = heard.request.method + " " + heard.url;
  what["answered"] = heard.status;
  for (const auto& [name, value] : heard.form.fields()) {
    const bool secret = std::ranges::find(kSecretFields, name) != std::end(kSecretFields);
    what["form"][name] = secret ? "..." : clipped(value);
  }
  if (heard.body.is_object()) {
    what["body"] = heard.body;
    what["body"].erase("software_statement");
  }
  return what;
}

}  // namespace

wire::Form form_of_json(const std::string& body) {
  wire::Form form;
  const Result<Json> read = parse_json(body);
  if (!read.ok() || !read.value().is_object()) return form;
  for (auto member = read.value().begin(); member != read.value().end(); ++member) {
    if (member->is_string()) form.add(member.key(), member->get<std::string>());
  }
  return form;
}

wire::HttpResponse json_answer(int status, const Json& body) {
  wire::HttpResponse response;
  response.status = status;
  response.headers.set("Content-Type", "application/json");
  response.headers.set("Cache-Control", "no-store");
  response.body = dump_json(body);
  return response;
}

wire::HttpResponse AuthScript::written(int status, const Json& body) const {
  return json_answer(status, body);
}

void AuthScript::prepare(ScriptedPeer& peer) {
  has_resource_metadata_ = names_authorization_servers(peer.revision());
  stateless_ = peer.stateless();
  server_ = peer.url();
  origin_ = server_.substr(0, server_.rfind('/'));
  const std::string base = gives_its_own_tokens()   ? server_
                           : has_resource_metadata_ ? peer.trap().url("")
                                                    : origin_;
  for (const std::string& path : issuer_paths()) issuers_.push_back(base + path);
  peer.takes_get = false;
  AuthRecord& auth = peer.record().auth;
  auth.server = server_;
  auth.names_resource = resource_document(named_place()).is_object();
  auth.right_resource = is_judged_by_resource() && string_or(resource(), "resource", "") == server_;
  peer.offer.tools = {bare_tool("first_look"), bare_tool("second_look")};
}

std::string AuthScript::named_place() const {
  return origin_ + "/.well-known/oauth-protected-resource" + server_.substr(origin_.size());
}

std::string AuthScript::challenge() const {
  if (!has_resource_metadata_) return "Bearer";
  return "Bearer resource_metadata=\"" + named_place() + "\"";
}

Json AuthScript::resource() const {
  Json document(Json::value_t::object);
  document["resource"] = server_;
  document["authorization_servers"] = Json::array({issuers_[named_issuer()]});
  document["bearer_methods_supported"] = Json::array({"header"});
  return document;
}

Json AuthScript::resource_document(const std::string& url) const {
  return has_resource_metadata_ && url == named_place() ? resource() : Json();
}

Json AuthScript::metadata(std::size_t index) const {
  const std::string& base = issuers_[index];
  Json document(Json::value_t::object);
  document["issuer"] = base;
  document["authorization_endpoint"] = base + kAuthorization;
  document["token_endpoint"] = base + kToken;
  document["registration_endpoint"] = base + kRegistration;
  document["response_types_supported"] = Json::array({"code"});
  document["grant_types_supported"] = Json::array({"authorization_code", "refresh_token"});
  document["token_endpoint_auth_methods_supported"] =
      Json::array({"none", "client_secret_basic", "client_secret_post"});
  document["code_challenge_methods_supported"] = Json::array({"S256"});
  if (promises_issuer()) document["authorization_response_iss_parameter_supported"] = true;
  // What OpenID Connect Discovery wants beside it.
  document["jwks_uri"] = base + "/grant/keys";
  document["subject_types_supported"] = Json::array({"public"});
  document["id_token_signing_alg_values_supported"] = Json::array({"RS256"});
  return document;
}

// The document is that of RFC 8414, section 3.1.
Json AuthScript::server_document(const std::string& url) const {
  for (std::size_t index = 0; index < issuers_.size(); ++index) {
    const std::string& base = issuers_[index];
    const std::size_t path = std::min(base.find('/', base.find("//") + 2), base.size());
    const std::string place =
        base.substr(0, path) + "/.well-known/oauth-authorization-server" + base.substr(path);
    if (url == place) return metadata(index);
  }
  return {};
}

wire::HttpResponse AuthScript::unauthorized(std::string challenge) {
  wire::HttpResponse response;
  response.status = 401;
  response.headers.set("WWW-Authenticate", std::move(challenge));
  return response;
}

wire::HttpResponse AuthScript::forbidden(std::string challenge) {
  wire::HttpResponse response = unauthorized(std::move(challenge));
  response.status = 403;
  return response;
}

bool AuthScript::on_http(ScriptedPeer& peer, std::size_t exchange, net::HttpReply& reply) {
  Record& record = peer.record();
  HttpHeard& heard = record.http[exchange];
  const std::string token = bearer_in(heard.request.headers);
  std::optional<wire::HttpResponse> refusal;
  Granted* with = nullptr;
  for (Granted& one : record.auth.granted) {
    if (one.token == token) with = &one;
  }
  const bool good = with != nullptr && !with->over;
  if (!good && !wants_token(heard)) return false;
  refusal = good ? refuses(heard, *with) : unauthenticated(heard);
  if (!refusal) {
    ++record.auth.let_in;
    return false;
  }
  heard.status = refusal->status;
  heard.ended = peer.now();
  reply.respond(*refusal);
  return true;
}

// step_of says what a URL is of what OAuth has; nothing: none of it.
std::optional<AuthHeard> AuthScript::step_of(const std::string& url) const {
  AuthHeard heard;
  heard.url = url;
  if (url.find("/.well-known/oauth-protected-resource") != std::string::npos ||
      resource_document(url).is_object()) {
    heard.step = AuthStep::kResourceMetadata;
    return heard;
  }
  if (url.find("/.well-known/oauth-authorization-server") != std::string::npos ||
      url.find("/.well-known/openid-configuration") != std::string::npos) {
    heard.step = AuthStep::kServerMetadata;
    return heard;
  }
  for (std::size_t index = 0; index < issuers_.size(); ++index) {
    heard.issuer = index;
    heard.step = url == issuers_[index] + kAuthorization  ? AuthStep::kAuthorization
                 : url == issuers_[index] + kToken        ? AuthStep::kToken
                 : url == issuers_[index] + kRegistration ? AuthStep::kRegistration
                                                          : AuthStep::kGuess;
    if (heard.step != AuthStep::kGuess) return heard;
  }
  heard.issuer = 0;
  if (has_guessed_endpoints()) {
    heard.step = url == origin_ + "/authorize"  ? AuthStep::kAuthorization
                 : url == origin_ + "/token"    ? AuthStep::kToken
                 : url == origin_ + "/register" ? AuthStep::kRegistration
                                                : AuthStep::kGuess;
    if (heard.step != AuthStep::kGuess) return heard;
  }
  const std::string_view last = std::string_view(url).substr(url.rfind('/'));
  if (std::ranges::find(kUsualEndpoints, last) == std::end(kUsualEndpoints)) return std::nullopt;
  return heard;
}

std::optional<wire::HttpResponse> AuthScript::on_document(ScriptedPeer& peer,
                                                          const std::string& origin,
                                                          const wire::HttpRequest& request) {
  const std::size_t end = std::min(request.target.find('?'), request.target.size());
  std::optional<AuthHeard> found = step_of(origin + request.target.substr(0, end));
  if (!found) return std::nullopt;
  // A form that is posted there asks for no authorization.
  if (found->step == AuthStep::kAuthorization && request.method != "GET") return std::nullopt;
  AuthHeard heard = std::move(*found);
  heard.at = peer.now();
  heard.request = request;
  const bool posted = heard.step == AuthStep::kToken && request.method == "POST";
  heard.form = posted ? wire::Form::parse(request.body) : wire::query_of(request.target);
  // What is wrong with it is for the rules to say.
  if (posted && request.body.starts_with('{')) heard.form = form_of_json(request.body);
  if (heard.step == AuthStep::kRegistration) {
    Result<Json> body = parse_json(request.body);
    if (body.ok()) heard.body = std::move(body).value();
  }
  heard.client_id = heard.form.get("client_id").value_or("");
  if (posted && heard.client_id.empty()) heard.client_id = basic_user(request.headers);
  const wire::HttpResponse response = answer(peer.record(), heard);
  heard.status = response.status;
  heard.place = peer.note(shown_step(heard), 0);
  if (heard.step == AuthStep::kToken && !heard.given.empty()) {
    peer.record().auth.granted.back().at = heard.at;
  }
  peer.record().auth.heard.push_back(std::move(heard));
  return response;
}

wire::HttpResponse AuthScript::answer(Record& record, AuthHeard& heard) {
  wire::HttpResponse missing;
  missing.status = 404;
  const bool posts = heard.step == AuthStep::kToken || heard.step == AuthStep::kRegistration;
  if (heard.step == AuthStep::kGuess) return missing;
  if (heard.request.method != (posts ? "POST" : "GET")) {
    missing.status = 405;
    return missing;
  }
  if (heard.step == AuthStep::kAuthorization) return authorize(heard);
  if (heard.step == AuthStep::kToken) return redeem(record, heard);
  if (heard.step == AuthStep::kRegistration) return enrol(heard);
  const bool of_resource = heard.step == AuthStep::kResourceMetadata;
  const Json document = of_resource ? resource_document(heard.url) : server_document(heard.url);
  if (!document.is_object()) {
    missing.status = missing_status();
    return missing;
  }
  const Json* const documents = find(document, "client_id_metadata_document_supported");
  if (documents != nullptr && *documents == true) record.auth.takes_documents = true;
  const std::string endpoint = of_resource ? "" : string_or(document, "token_endpoint", "");
  if (!endpoint.empty()) record.auth.token_endpoints.push_back(endpoint);
  return written(200, document);
}

// Whatever is asked for is granted: what is wrong with the request is for the rules to say.
wire::HttpResponse AuthScript::authorize(AuthHeard& heard) {
  const std::string redirect = heard.form.get("redirect_uri").value_or("");
  if (redirect.empty() || !wire::is_header_value(redirect)) {
    return oauth_error(400, "invalid_request");
  }
  heard.given = worded(AuthStep::kAuthorization, name("judge-code-"));
  codes_.push_back({heard.given, heard.form.get("scope").value_or(""), heard.issuer});
  wire::Form back{{"code", heard.given}};
  if (const std::optional<std::string> state = heard.form.get("state")) back.add("state", *state);
  if (promises_issuer()) back.add("iss", issuers_[heard.issuer]);
  wire::HttpResponse response;
  response.status = 302;
  const char* const mark = redirect.find('?') == std::string::npos ? "?" : "&";
  response.headers.set("Location", redirect + mark + brought_back(std::move(back)).text());
  return response;
}

wire::HttpResponse AuthScript::redeem(Record& record, AuthHeard& heard) {
  const std::string grant = heard.form.get("grant_type").value_or("");
  Granted granted;
  granted.issuer = heard.issuer;
  granted.scope = heard.form.get("scope").value_or("");
  if (grant == "authorization_code") {
    const std::string code = heard.form.get("code").value_or("");
    const auto found = std::ranges::find(codes_, code, &Code::code);
    if (found == codes_.end()) return oauth_error(400, "invalid_grant");
    granted.scope = found->scope;
    codes_.erase(found);
  } else if (grant == "refresh_token") {
    const std::string token = heard.form.get("refresh_token").value_or("");
    const auto found = std::ranges::find(record.auth.granted, token, &Granted::refresh);
    const bool known = !token.empty() && found != record.auth.granted.end() && !found->renewed;
    if (!known) return oauth_error(400, "invalid_grant");
    found->renewed = renews_refresh_tokens();
    if (granted.scope.empty()) granted.scope = found->scope;
  } else if (grant != "client_credentials") {
    return oauth_error(400, "unsupported_grant_type");
  }
  granted.token = heard.given = worded(AuthStep::kToken, name("judge-token-"));
  const bool renews = grant != "refresh_token" || renews_refresh_tokens();
  if (gives_refresh_tokens() && renews && grant != "client_credentials") {
    granted.refresh = name("judge-refresh-");
  }
  Json body(Json::value_t::object);
  body["access_token"] = granted.token;
  body["token_type"] = "Bearer";
  body["expires_in"] = kLifetimeSeconds;
  if (!granted.scope.empty()) body["scope"] = granted.scope;
  if (!granted.refresh.empty()) body["refresh_token"] = granted.refresh;
  record.auth.granted.push_back(std::move(granted));
  return written(200, token_answer(std::move(body)));
}

wire::HttpResponse AuthScript::enrol(AuthHeard& heard) {
  if (!heard.body.is_object()) return oauth_error(400, "invalid_client_metadata");
  if (std::optional<wire::HttpResponse> refusal = refuses_registration(heard.body)) {
    return *refusal;
  }
  heard.given = worded(AuthStep::kRegistration, name("judge-client-"));
  Json body = heard.body;
  body["client_id"] = heard.given;
  const std::string method = string_or(body, "token_endpoint_auth_method", "client_secret_basic");
  body["token_endpoint_auth_method"] = method;
  if (method != "none") {
    body["client_secret"] = name("judge-secret-");
    body["client_secret_expires_at"] = 0;
  }
  const Json answer = registered(std::move(body));
  heard.method = string_or(answer, "token_endpoint_auth_method", "");
  return written(201, answer);
}

const AuthHeard* beyond_metadata(const Record& record) {
  const auto found = std::ranges::find_if(record.auth.heard, [](const AuthHeard& heard) {
    return heard.step != AuthStep::kResourceMetadata && heard.step != AuthStep::kServerMetadata;
  });
  return found == record.auth.heard.end() ? nullptr : &*found;
}

Finding never_asked(const Record& record, const std::string& what) {
  return not_for_it("on its way to a token it never " + what + ": " + record.how_it_ended());
}

Finding stopped_before(const Record& record, AuthStep step, bool saw, const std::string& why) {
  if (const AuthHeard* const asked = record.auth.first(step)) {
    return at(record, *asked, broken("it went on although " + why));
  }
  return saw ? passes() : never_asked(record, "came to see that " + why);
}

std::vector<std::string> scopes_of(const AuthHeard& request) {
  std::vector<std::string> scopes;
  const std::string text = request.form.get("scope").value_or("");
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) scopes.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return scopes;
}

bool holds_scope(const std::vector<std::string>& scopes, std::string_view scope) {
  return std::ranges::find(scopes, scope) != scopes.end();
}

}  // namespace plumbline::conformance
