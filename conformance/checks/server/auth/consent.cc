#include "conformance/checks/server/auth/consent.h"

#include <utility>

#include "conformance/checks/server/auth/door.h"

namespace plumbline::conformance {

namespace {

// The example of RFC 7636, appendix B.
constexpr const char* kOurChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
constexpr const char* kOurVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
constexpr const char* kCallback = "http://127.0.0.1:45678/callback";
constexpr const char* kAuthorityPlace = "/.well-known/oauth-authorization-server";

// issuer_path returns where the server says its authorization server is: a path of its own; empty:
// the root. Nothing: it is elsewhere.
Task<std::optional<std::string>> issuer_path(Probe& probe, Challenge challenge) {
  const ResourceMetadata metadata = co_await find_metadata(probe, std::move(challenge));
  const Json* const servers = find(metadata.document, "authorization_servers");
  if (servers == nullptr || !servers->is_array() || servers->empty()) co_return std::string();
  for (const Json& server : *servers) {
    if (!server.is_string()) continue;
    const Result<wire::Url> url = wire::parse_url(server.get_ref<const std::string&>());
    if (!url.ok() || !is_here(url.value(), probe.server_url())) continue;
    std::string path = url.value().target;
    while (path.ends_with('/')) path.pop_back();
    co_return std::move(path);
  }
  co_return std::nullopt;
}

// post returns the object that a good answer holds; an object without members for any other.
Task<Json> post(Probe& probe, std::string address, std::string type, std::string body) {
  const wire::HttpHeaders no_headers;
  Client raw = probe.open_raw(no_headers);
  wire::HttpRequest request;
  request.method = "POST";
  request.target = wire::parse_url(address).value().target;
  request.headers.set("Content-Type", std::move(type));
  request.headers.set("Accept", "application/json");
  request.body = std::move(body);
  const Reply reply = co_await raw.http(std::move(request));
  raw.session().wire().drop(reply.exchange);
  Result<Json> document = parse_json(reply.body);
  const bool good = document.ok() && document.value().is_object() && reply.status / 100 == 2;
  co_return good ? std::move(document).value() : Json::object();
}

}  // namespace

Task<OwnAuthority> find_own_authority(Probe& probe) {
  OwnAuthority found;
  const Door door = co_await try_door(probe);
  if (!door.shut) {
    found.unable = door.open;
    co_return found;
  }
  const std::optional<std::string> path = co_await issuer_path(probe, door.bearer);
  if (!path) {
    found.unable = "its authorization server is somebody else";
    co_return found;
  }
  std::string place = kAuthorityPlace + *path;
  const Reply reply = co_await fetch(probe, std::move(place));
  const Json document = document_in(reply);
  found.authorize = string_or(document, "authorization_endpoint", "");
  found.registers = string_or(document, "registration_endpoint", "");
  found.token = string_or(document, "token_endpoint", "");
  if (!is_at_server(probe, found.authorize) || !is_at_server(probe, found.registers)) {
    found.unable = "it is no authorization server with which clients can register";
  } else if (!probe.may_write()) {
    found.unable = "a client has to be registered with it, which --allow-writes allows";
  }
  co_return found;
}

Task<RegisteredClient> register_client(Probe& probe, OwnAuthority authority, std::string name) {
  RegisteredClient client;
  client.name = std::move(name);
  client.redirect_uri = kCallback;
  Json about = Json::object();
  about["client_name"] = client.name;
  about["redirect_uris"] = Json::array();
  about["redirect_uris"].push_back(client.redirect_uri);
  about["grant_types"] = Json::array({"authorization_code"});
  about["response_types"] = Json::array({"code"});
  about["token_endpoint_auth_method"] = "none";
  std::string type = "application/json";
  std::string body = dump_json(about);
  const Json document = co_await post(probe, authority.registers, std::move(type), std::move(body));
  client.id = string_or(document, "client_id", "");
  co_return client;
}

Task<std::string> redeem(Probe& probe, OwnAuthority authority, RegisteredClient client,
                         std::string code) {
  if (!is_at_server(probe, authority.token)) co_return std::string();
  const wire::Form form = wire::Form({{"grant_type", "authorization_code"},
                                      {"code", code},
                                      {"redirect_uri", client.redirect_uri},
                                      {"client_id", client.id},
                                      {"code_verifier", kOurVerifier}});
  std::string type = "application/x-www-form-urlencoded";
  std::string body = form.text();
  const Json document = co_await post(probe, authority.token, std::move(type), std::move(body));
  co_return string_or(document, "access_token", "");
}

std::string authorization_of(const OwnAuthority& authority, const RegisteredClient& client) {
  const wire::Form form = {{"response_type", "code"},
                           {"client_id", client.id},
                           {"redirect_uri", client.redirect_uri},
                           {"state", "plumbline"},
                           {"code_challenge", kOurChallenge},
                           {"code_challenge_method", "S256"}};
  const bool has_query = authority.authorize.find('?') != std::string::npos;
  return authority.authorize + (has_query ? "&" : "?") + form.text();
}

std::string leads_on(const Page& page, const RegisteredClient& client) {
  return page.leads_to.starts_with(client.redirect_uri) ? std::string() : page.leads_to;
}

bool is_granted(const Page& page, const RegisteredClient& client) {
  return page.leads_to.starts_with(client.redirect_uri) &&
         wire::query_of(page.leads_to).count("code") > 0;
}

Task<Visit> visit(Browser& browser, OwnAuthority authority, RegisteredClient client) {
  Visit visit;
  visit.client = std::move(client);
  std::string address = authorization_of(authority, visit.client);
  visit.first = co_await browser.open(std::move(address));
  visit.last = visit.first;
  const std::optional<PageForm> form = form_on(visit.first.reply.body);
  if (visit.first.reply.status == 200 && form && form->agrees) {
    visit.asked = true;
    visit.form = *form;
    Page page = visit.first;
    PageForm filled = *form;
    std::string own;
    visit.last = co_await browser.send(std::move(page), std::move(filled), std::move(own));
  }
  visit.on = leads_on(visit.last, visit.client);
  co_return std::move(visit);
}

Task<Walked> walk(Probe& probe, Browser& browser) {
  Walked walked;
  walked.authority = co_await find_own_authority(probe);
  walked.unable = walked.authority.unable;
  if (!walked.unable.empty()) co_return std::move(walked);
  std::string name = "Plumbline first client";
  RegisteredClient client = co_await register_client(probe, walked.authority, std::move(name));
  if (client.id.empty()) {
    walked.unable = "it registered no client";
    co_return std::move(walked);
  }
  walked.visit = co_await visit(browser, walked.authority, std::move(client));
  // A page to sign in at, somewhere else, is no third party: that is asked by another client.
  const wire::Form asked = wire::query_of(walked.visit.on);
  const std::string as = asked.get("client_id").value_or("");
  if (as.empty() || as == walked.visit.client.id || asked.count("redirect_uri") == 0) {
    walked.unable = "its authorization leads to no third party, as far as a form can be filled in";
  }
  co_return std::move(walked);
}

}  // namespace plumbline::conformance
