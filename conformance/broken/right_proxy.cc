#include "conformance/broken/right_proxy.h"

#include <utility>

#include "core/base/sha256.h"
#include "core/json/json.h"

namespace plumbline::conformance {

namespace {

using wire::Form;
using wire::HttpRequest;
using wire::HttpResponse;

constexpr const char* kConsent = "__Host-consent";
constexpr const char* kBrowser = "__Host-browser";
constexpr const char* kPlainConsent = "consent";

std::string cookie_in(const HttpRequest& request, std::string_view name) {
  const std::string all = "; " + std::string(request.headers.get("Cookie").value_or("")) + ";";
  const std::string key = "; " + std::string(name) + "=";
  const std::size_t at = all.find(key);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + key.size();
  return all.substr(begin, all.find(';', begin) - begin);
}

std::string signed_by_us(const std::string& text) {
  Sha256 hash;
  hash.update("a secret of the proxy " + text);
  return text + "." + hash.finish_hex();
}

HttpResponse moved(const std::string& to, const Form& fields) {
  return {302,
          {{"Location", to + (to.find('?') == std::string::npos ? "?" : "&") + fields.text()}},
          ""};
}

HttpResponse json_of(int status, const Json& document) {
  return {status, {{"Content-Type", "application/json"}}, dump_json(document)};
}

HttpResponse refused() {
  return {400, {{"Content-Type", "text/html"}}, "<p>This is not right.</p>"};
}

void set_cookie(HttpResponse& response, const std::string& name, const std::string& value,
                const char* attributes = "; Path=/; Secure; HttpOnly; SameSite=Lax") {
  response.headers.add("Set-Cookie", name + "=" + value + attributes);
}

}  // namespace

std::string RightProxy::new_name() {
  Sha256 hash;
  hash.update("name " + std::to_string(++names_));
  return hash.finish_hex().substr(0, 32);
}

OwnResponse RightProxy::answer(HttpRequest& request) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == "/.well-known/oauth-authorization-server") return metadata(origin_of(request));
  if (path == "/register") return registered(request);
  if (path == "/authorize") return authorized(request);
  if (path == "/consent") return consented(request);
  if (path == "/callback") return called_back(request);
  if (path == "/token") return token(request);
  OwnResponse at_door = keep_door(request);
  if (asks_for(request, "/.well-known/oauth-protected-resource/mcp")) {
    Json servers = Json::array();
    servers.push_back(origin_of(request));
    return with_member(std::move(at_door), "authorization_servers", std::move(servers));
  }
  if (at_door || request.body.find("\"tools/call\"") == std::string::npos) return at_door;
  HttpRequest beyond;
  beyond.method = "GET";
  beyond.target = "/things";
  const std::string own = "Bearer what the third party gave the server";
  const std::string theirs(request.headers.get("Authorization").value_or(""));
  beyond.headers.set("Authorization", flaws_.passes_tokens_on ? theirs : own);
  behind_.ask(std::move(beyond));
  return std::nullopt;
}

HttpResponse RightProxy::metadata(const std::string& origin) const {
  Json document = Json::object();
  document["issuer"] = origin;
  document["authorization_endpoint"] = origin + "/authorize";
  document["token_endpoint"] = origin + "/token";
  document["registration_endpoint"] = origin + "/register";
  document["response_types_supported"] = Json::array({"code"});
  document["grant_types_supported"] = Json::array({"authorization_code"});
  document["code_challenge_methods_supported"] = Json::array({"S256"});
  return json_of(200, document);
}

HttpResponse RightProxy::registered(const HttpRequest& request) {
  Result<Json> asked = parse_json(request.body);
  const Json* const uris = asked.ok() ? find(asked.value(), "redirect_uris") : nullptr;
  if (uris == nullptr || !uris->is_array() || uris->empty()) return refused();
  const std::string id = "client-" + std::to_string(clients_.size() + 1);
  clients_[id] = {string_or(asked.value(), "client_name", ""), uris->front().get<std::string>()};
  asked.value()["client_id"] = id;
  return json_of(201, asked.value());
}

bool RightProxy::has_consent(const HttpRequest& request, const std::string& client) const {
  const std::string cookie = cookie_in(request, flaws_.has_plain_cookie ? kPlainConsent : kConsent);
  if (flaws_.asks_once) return !cookie.empty();
  return cookie == (flaws_.signs_nothing ? client : signed_by_us(client));
}

HttpResponse RightProxy::authorized(const HttpRequest& request) {
  const Form form = wire::query_of(request.target);
  const auto client = clients_.find(form.get("client_id").value_or(""));
  const std::string uri = form.get("redirect_uri").value_or("");
  if (client == clients_.end()) return refused();
  const bool starts_so = uri.starts_with(client->second.redirect_uri);
  if (uri != client->second.redirect_uri && !(flaws_.takes_any_redirect && starts_so)) {
    return refused();
  }
  Pending pending;
  pending.client = client->first;
  pending.redirect_uri = uri;
  pending.client_state = form.get("state").value_or("");
  pending.browser = cookie_in(request, kBrowser);
  if (pending.browser.empty()) pending.browser = new_name();
  pending.state = new_name();
  if (flaws_.asks_nobody || has_consent(request, pending.client)) {
    return sent_on(request, std::move(pending), false);
  }
  const std::string id = new_name();
  asked_[id] = pending;
  return page_for(pending, id);
}

HttpResponse RightProxy::page_for(const Pending& pending, const std::string& id) const {
  const Client& client = clients_.at(pending.client);
  const std::string name = flaws_.shows_no_client ? "Somebody" : client.name;
  HttpResponse page{200, {{"Content-Type", "text/html"}}, ""};
  page.body =
      "<html><body><p>" + name + " wants to <b>read:things</b>. The code goes to " +
      pending.redirect_uri +
      "</p><form method=\"POST\" action='/consent'><input type=hidden name=\"id\" value=\"" + id +
      "\"><button name=\"decision\" value=\"deny\">No</button>"
      "<button name=\"decision\" value=\"approve\">Yes</button></form></body></html>";
  if (!flaws_.may_be_framed) page.headers.set("Content-Security-Policy", "frame-ancestors 'none'");
  set_cookie(page, kBrowser, pending.browser);
  if (flaws_.sets_state_early) set_cookie(page, "__Host-state", pending.state);
  return page;
}

HttpResponse RightProxy::consented(const HttpRequest& request) {
  const Form form = Form::parse(request.body);
  const auto found = asked_.find(form.get("id").value_or(""));
  if (found == asked_.end() || form.get("decision") != "approve") return refused();
  const bool own = cookie_in(request, kBrowser) == found->second.browser;
  if (!own && !flaws_.takes_forged_forms) return refused();
  Pending pending = std::move(found->second);
  asked_.erase(found);
  return sent_on(request, std::move(pending), true);
}

HttpResponse RightProxy::sent_on(const HttpRequest& request, Pending pending, bool asked) {
  HttpResponse response = moved(behind_.upstream + "/authorize",
                                Form({{"response_type", "code"},
                                      {"client_id", "the-proxy"},
                                      {"scope", "read:things"},
                                      {"redirect_uri", origin_of(request) + "/callback"},
                                      {"state", pending.state}}));
  if (asked) {
    const std::string consent =
        flaws_.signs_nothing ? pending.client : signed_by_us(pending.client);
    if (flaws_.has_plain_cookie) {
      set_cookie(response, kPlainConsent, consent, "; Path=/");
    } else {
      set_cookie(response, kConsent, consent);
    }
  }
  set_cookie(response, kBrowser, pending.browser);
  states_[pending.state] = std::move(pending);
  return response;
}

HttpResponse RightProxy::called_back(const HttpRequest& request) {
  const Form form = wire::query_of(request.target);
  auto found = states_.find(form.get("state").value_or(""));
  if (found == states_.end() && flaws_.takes_any_state && !states_.empty()) found = states_.begin();
  if (found == states_.end()) return refused();
  const Pending pending = found->second;
  if (cookie_in(request, kBrowser) != pending.browser && !flaws_.takes_any_state) return refused();
  if (!flaws_.takes_states_again) states_.erase(found);
  Form fields = {{"state", pending.client_state}};
  const std::string theirs = form.get("code").value_or("");
  if (theirs.empty() && !flaws_.takes_refusals) {
    fields.add("error", "access_denied");
    return moved(pending.redirect_uri, fields);
  }
  HttpRequest redeems;
  redeems.method = "POST";
  redeems.target = "/token";
  redeems.headers.set("Content-Type", "application/x-www-form-urlencoded");
  redeems.body = Form({{"grant_type", "authorization_code"}, {"code", theirs}}).text();
  behind_.ask(std::move(redeems));
  const std::string code = new_name();
  codes_[code] = flaws_.gives_foreign_token ? theirs : std::string(kRightToken);
  fields.add("code", code);
  return moved(pending.redirect_uri, fields);
}

HttpResponse RightProxy::token(const HttpRequest& request) {
  const auto found = codes_.find(Form::parse(request.body).get("code").value_or(""));
  if (found == codes_.end()) return refused();
  Json document = Json::object();
  document["access_token"] = found->second;
  document["token_type"] = "Bearer";
  codes_.erase(found);
  return json_of(200, document);
}

}  // namespace plumbline::conformance
