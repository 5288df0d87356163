#include "conformance/checks/auth/probe.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "conformance/wire/http_wire.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// The example of RFC 7636, appendix B.
constexpr const char* kVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
constexpr const char* kPkceChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

// is_beside returns whether both are addresses of one origin: what a registration is told of leads
// nowhere else.
bool is_beside(const std::string& place, const std::string& other) {
  const Result<wire::Url> one = wire::parse_url(place);
  const Result<wire::Url> two = wire::parse_url(other);
  return one.ok() && two.ok() && one.value().origin() == two.value().origin();
}

}  // namespace

Task<Reply> AuthProbe::ask(std::string url, wire::HttpRequest request) {
  Reply reply;
  const Result<wire::Url> to = wire::parse_url(url);
  if (!to.ok()) {
    reply.why = "\"" + url + "\" is no address";
    co_return reply;
  }
  const wire::HttpHeaders no_headers;
  HttpWire wire(http_, to.value(), no_headers, log_);
  const std::size_t number = wire.request(std::move(request), check_);
  Inbox& inbox = wire.inbox();
  const Instant deadline = after(inbox.loop().now(), patience_);
  while (!inbox.exchanges[number].ended) {
    if (!co_await inbox.change(deadline)) break;
  }
  co_return taken(wire, number);
}

Reply AuthProbe::taken(const HttpWire& wire, std::size_t number) {
  Reply reply;
  const Exchange& exchange = wire.inbox().exchanges[number];
  reply.how = exchange.ended ? Reply::How::kEnded : Reply::How::kSilent;
  reply.status = exchange.status;
  reply.headers = exchange.headers;
  reply.body = exchange.body;
  if (exchange.failed) reply.why = exchange.failed->message;
  reply.places = log_.places_of(wire.number(), number);
  log_.judge(check_, reply.places);
  const Json document = json_in(reply);
  for (const char* const member : {"access_token", "refresh_token", "id_token",
                                   "registration_access_token", "client_secret"}) {
    if (document.is_object()) given_.push_back(string_or(document, member, ""));
  }
  given_.push_back(answered_fields(reply).get("code").value_or(""));
  std::erase(given_, "");
  return reply;
}

Task<Reply> AuthProbe::get(std::string url) {
  wire::HttpRequest request;
  request.method = "GET";
  request.headers.set("Accept", "application/json, text/html");
  Reply reply = co_await ask(std::move(url), std::move(request));
  co_return reply;
}

Task<Reply> AuthProbe::post(std::string url, wire::Form form) {
  wire::HttpRequest request = form_request(form);
  Reply reply = co_await ask(std::move(url), std::move(request));
  co_return reply;
}

Task<Reply> AuthProbe::register_at(std::string endpoint, Json about) {
  if (!client_.scope.empty() && !about.contains("scope")) about["scope"] = client_.scope;
  wire::HttpRequest request;
  request.method = "POST";
  request.headers.set("Content-Type", "application/json");
  request.headers.set("Accept", "application/json");
  request.body = dump_json(about);
  Reply reply = co_await ask(std::move(endpoint), std::move(request));
  co_return reply;
}

Task<Reply> AuthProbe::register_client(Json about) {
  std::string endpoint = authority_.member("registration_endpoint");
  Reply reply = co_await register_at(std::move(endpoint), std::move(about));
  Json registered = reply.status == 200 || reply.status == 201 ? json_in(reply) : Json();
  co_await take_back(std::move(registered));
  co_return reply;
}

Task<Reply> AuthProbe::with_client(std::string redirect_uri, wire::Form request) {
  Json about = client_metadata(redirect_uri);
  if (redirect_uri.starts_with("https")) about["application_type"] = "web";
  wire::Form form = changed(request, "redirect_uri", std::move(redirect_uri));
  Reply reply = co_await as_registered(std::move(about), std::move(form));
  co_return reply;
}

Task<Reply> AuthProbe::as_registered(Json about, wire::Form request) {
  std::string endpoint = authority_.member("registration_endpoint");
  const Reply answer = co_await register_at(std::move(endpoint), std::move(about));
  Json registered = answer.status == 200 || answer.status == 201 ? json_in(answer) : Json();
  const std::string id = string_or(registered, "client_id", "");
  Reply reply;
  if (id.empty()) co_return reply;
  wire::Form form = changed(request, "client_id", id);
  reply = co_await authorize(std::move(form));
  co_await take_back(std::move(registered));
  co_return reply;
}

Task<void> AuthProbe::take_back(Json registered) {
  std::string place = string_or(registered, "registration_client_uri", "");
  const std::string token = string_or(registered, "registration_access_token", "");
  if (token.empty() || !is_beside(place, authority_.member("registration_endpoint"))) co_return;
  wire::HttpRequest request;
  request.method = "DELETE";
  request.headers.set("Authorization", "Bearer " + token);
  co_await ask(std::move(place), std::move(request));
}

std::string AuthProbe::lacks_client() const {
  if (authority_.member("authorization_endpoint").empty()) {
    return "its metadata names no authorization_endpoint";
  }
  return client_.id.empty() ? client_.lack : std::string();
}

std::string AuthProbe::lacks_tokens() const {
  if (authority_.member("token_endpoint").empty()) return "its metadata names no token_endpoint";
  return client_.id.empty() ? client_.lack : std::string();
}

wire::Form AuthProbe::usual_request() const {
  return {{"response_type", "code"},
          {"client_id", client_.id},
          {"redirect_uri", client_.redirect_uri},
          {"state", "plumbline"},
          {"code_challenge", kPkceChallenge},
          {"code_challenge_method", "S256"}};
}

Task<Reply> AuthProbe::authorize(wire::Form form) {
  std::string url = authority_.member("authorization_endpoint");
  url += (url.find('?') == std::string::npos ? "?" : "&") + form.text();
  Reply reply = co_await get(std::move(url));
  co_return reply;
}

std::string AuthProbe::right_verifier() { return kVerifier; }

std::string code_in_body(const Reply& reply) {
  const Json document = json_in(reply);
  const bool good = reply.status / 100 == 2 && document.is_object();
  return good ? string_or(document, "code", "") : std::string();
}

std::string AuthProbe::lacks_code() const {
  if (!refused_.empty()) return refused_;
  if (client_.has_person) return "its pages gave no code when they were filled in";
  return "it gives no code without a person who signs in: --consent auto fills in its pages";
}

Task<std::string> AuthProbe::new_code() {
  if (client_.id.empty()) co_return std::string();
  wire::Form form = usual_request();
  const Reply reply = co_await ask_for_code(std::move(form));
  if (!is_sent_to(reply, client_.redirect_uri)) co_return std::string();
  co_return answered_fields(reply).get("code").value_or("");
}

wire::Form changed(const wire::Form& form, std::string_view name, std::string value) {
  wire::Form other;
  for (const auto& [key, kept] : form.fields()) other.add(key, key == name ? value : kept);
  if (form.count(name) == 0) other.add(std::string(name), std::move(value));
  return other;
}

wire::Form without(const wire::Form& form, std::string_view name) {
  wire::Form other;
  for (const auto& [key, kept] : form.fields()) {
    if (key != name) other.add(key, kept);
  }
  return other;
}

Json client_metadata(const std::string& redirect_uri) {
  Json about = Json::object();
  about["client_name"] = "Plumbline";
  about["redirect_uris"] = Json::array({redirect_uri});
  about["grant_types"] = Json::array({"authorization_code", "refresh_token"});
  about["response_types"] = Json::array({"code"});
  about["token_endpoint_auth_method"] = "none";
  about["application_type"] = "native";
  return about;
}

Json usual_registration(const AuthProbe& probe) {
  const std::string& uri = probe.client().redirect_uri;
  Json about = client_metadata(uri);
  if (uri.starts_with("https")) about["application_type"] = "web";
  return about;
}

std::string error_of(const Reply& reply) { return string_or(json_in(reply), "error", ""); }

namespace {

// A page of errors may come with the status of a page to sign in.
bool speaks_of_error(std::string_view text) {
  const std::string page = lower_case(text);
  return page.find("error") != std::string::npos || page.find("invalid") != std::string::npos;
}

}  // namespace

std::optional<Finding> refuses_usual(const Reply& usual) {
  if (is_busy(usual)) return undecided("a good request got " + usual.describe());
  // That it does so is for auth.as-good-request-taken.
  if (usual.status >= 400) {
    return not_for_it("a good request got status " + std::to_string(usual.status));
  }
  const std::string error = answered_fields(usual).get("error").value_or("");
  if (error.empty()) return std::nullopt;
  return not_for_it("a good request is refused: the error \"" + clipped(error) + "\"");
}

bool goes_on(const Reply& reply, const Reply& usual) {
  const std::string there = location_of(reply);
  if (there.empty() || location_of(usual).empty()) {
    if (reply.status != usual.status || reply.status != 200) return false;
    return !speaks_of_error(reply.body) || speaks_of_error(usual.body);
  }
  if (answered_fields(reply).count("error") > 0) return false;
  return !speaks_of_error(there.substr(0, there.find('?')));
}

std::string location_of(const Reply& reply) {
  if (reply.status < 300 || reply.status >= 400) return {};
  return std::string(reply.headers.get("Location").value_or(""));
}

bool is_sent_to(const Reply& reply, std::string_view uri) {
  const std::string location = location_of(reply);
  if (!location.starts_with(uri)) return false;
  const std::string_view behind = std::string_view(location).substr(uri.size());
  return behind.empty() || behind.front() == '?' || behind.front() == '#' || behind.front() == '&';
}

wire::Form answered_fields(const Reply& reply) {
  const std::string location = location_of(reply);
  const std::size_t fragment = location.find('#');
  wire::Form fields = wire::query_of(location.substr(0, fragment));
  if (fragment == std::string::npos) return fields;
  const wire::Form behind = wire::Form::parse(location.substr(fragment + 1));
  for (const auto& [name, value] : behind.fields()) fields.add(name, value);
  return fields;
}

Json json_in(const Reply& reply) {
  Result<Json> document = parse_json(reply.body);
  if (!document.ok() || !document.value().is_object()) return nullptr;
  return std::move(document).value();
}

}  // namespace plumbline::conformance
