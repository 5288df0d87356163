#include "conformance/checks/server/auth/door.h"

#include <utility>

#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/peer/opening.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kBearer = "Bearer ";
constexpr const char* kWellKnown = "/.well-known/oauth-protected-resource";

std::string path_of(const wire::Url& url) { return url.target.substr(0, url.target.find('?')); }

}  // namespace

bool is_here(const wire::Url& url, const wire::Url& server) {
  const bool same_host = equals_ignoring_case(url.host, server.host) ||
                         (is_loopback(url.host) && is_loopback(server.host));
  return same_host && url.port == server.port && url.scheme == server.scheme;
}

std::string user_token(const Probe& probe) {
  const std::string value(probe.user_headers().get("Authorization").value_or(""));
  if (!equals_ignoring_case(value.substr(0, kBearer.size()), kBearer)) return {};
  return value.substr(kBearer.size());
}

bool is_taken(const Reply& reply) {
  return reply.result() != nullptr || (reply.status >= 200 && reply.status < 300);
}

Task<Reply> knock(Probe& probe, Way way, std::optional<std::string> authorization,
                  std::string query) {
  wire::HttpHeaders headers = probe.user_headers();
  headers.erase("Authorization");
  if (authorization) headers.set("Authorization", std::move(*authorization));
  Reply reply = co_await knock_with(probe, way, std::move(headers), std::move(query));
  co_return reply;
}

namespace {

// send posts `message` to the endpoint with `headers` of its conversation.
Task<Reply> send(Probe& probe, Client raw, Json message, wire::HttpHeaders headers,
                 std::string query) {
  wire::HttpRequest request;
  request.method = "POST";
  request.headers = std::move(headers);
  request.headers.set("Content-Type", "application/json");
  request.headers.set("Accept", "application/json, text/event-stream");
  if (!query.empty()) request.target = probe.subject().spec().url.target + query;
  request.body = dump_json(message);
  Reply reply = co_await raw.http(std::move(request));
  co_return reply;
}

// knock_later does so in a conversation that was opened with what the user gave.
Task<Reply> knock_later(Probe& probe, Way way, wire::HttpHeaders headers, std::string query) {
  const Json* const tool = probe.callable();
  if (way == Way::kCalling && tool == nullptr) co_return Reply();
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return Reply();
  std::string method = probe.survey().answered_method();
  Json message = way == Way::kCalling ? client.request_of("tools/call", probe.call_params(*tool))
                                      : client.request_of(std::move(method), Json::object());
  wire::HttpHeaders own = client.session().headers_for(message);
  Client raw = probe.open_raw(std::move(headers));
  Reply reply = co_await send(probe, raw, std::move(message), std::move(own), std::move(query));
  co_return reply;
}

}  // namespace

Task<Reply> knock_with(Probe& probe, Way way, wire::HttpHeaders headers, std::string query) {
  Reply reply;
  if (way != Way::kOpening) {
    reply = co_await knock_later(probe, way, std::move(headers), std::move(query));
    co_return reply;
  }
  Client raw = probe.open_raw(std::move(headers));
  const SessionOptions options = probe.usual();
  Json message = probe.stateless() ? raw.request_of("server/discover", Json::object())
                                   : raw.request_of("initialize", initialize_params(options));
  wire::HttpHeaders own = raw.session().headers_for(message);
  reply = co_await send(probe, raw, std::move(message), std::move(own), std::move(query));
  co_return reply;
}

Task<Reply> knock_outside(Probe& probe, bool listens) {
  wire::HttpHeaders headers = probe.user_headers();
  headers.erase("Authorization");
  Client raw = probe.open_raw(std::move(headers));
  Json message = raw.request_of(std::string(probe.survey().answered_method()), Json::object());
  wire::HttpHeaders own = raw.session().headers_for(message);
  if (!listens) {
    Reply reply = co_await send(probe, raw, std::move(message), std::move(own), "");
    co_return reply;
  }
  wire::HttpRequest request;
  request.method = "GET";
  request.headers = std::move(own);
  request.headers.set("Accept", "text/event-stream");
  Reply reply = co_await raw.http(std::move(request));
  co_return reply;
}

namespace {

// shows_authorization returns whether a server that refuses with 401 follows MCP's authorization in
// any way. That is optional: others have keys of their own.
Task<bool> shows_authorization(Probe& probe, Challenge bearer) {
  if (!bearer.scheme.empty()) co_return true;
  const ResourceMetadata metadata = co_await find_metadata(probe, std::move(bearer));
  if (metadata.document.is_object() || !metadata.elsewhere.empty()) co_return true;
  const std::vector<std::string> places = {"/.well-known/oauth-authorization-server",
                                           "/.well-known/openid-configuration"};
  for (const std::string& place : places) {
    const Reply reply = co_await fetch(probe, place);
    if (document_in(reply).is_object()) co_return true;
  }
  co_return false;
}

// was_shut_out returns whether a list was refused with 401.
bool was_shut_out(const Survey& survey) {
  for (const Listing* const list :
       {&survey.tools, &survey.resources, &survey.templates, &survey.prompts}) {
    for (const Reply& page : list->pages) {
      if (page.status == 401) return true;
    }
  }
  return false;
}

// forbids_a_list returns whether who shows no token is forbidden what the user was listed.
bool forbids_a_list(const Probe& probe, Way way, const Reply& refusal) {
  const bool lists = probe.survey().answered_method().ends_with("/list");
  return way == Way::kAsking && refusal.status == 403 && lists;
}

// find_the_door asks without a token, in one way after the other until one is refused. What was
// found once is where the next begins: of whoever lets everybody in, all ways are tried once.
Task<void> find_the_door(Probe& probe, Door& door) {
  constexpr std::array kWays = {Way::kOpening, Way::kAsking, Way::kCalling};
  std::size_t& known = probe.subject().first_refusal(probe.revision());
  const bool let_in = known == kWays.size();
  const std::size_t begin = let_in ? 0 : known;
  const std::size_t end = let_in ? 1 : kWays.size();
  for (std::size_t i = begin; i < end; ++i) {
    Reply refusal = co_await knock(probe, kWays[i], std::nullopt);
    const bool found = refusal.status == 401 || forbids_a_list(probe, kWays[i], refusal);
    if (i == begin || found) {
      door.way = kWays[i];
      door.shut = refusal.status == 401;
      door.refusal = std::move(refusal);
    }
    if (found) known = i;
    if (found || !is_taken(door.refusal)) co_return;
  }
  known = kWays.size();
}

}  // namespace

Task<Door> try_door(Probe& probe) {
  Door door;
  if (!probe.over_http()) {
    door.open = "its requests do not come one by one";
    co_return door;
  }
  door.has_token = probe.user_headers().count("Authorization") > 0;
  // Who was let in without credentials wants none.
  const bool opens = probe.survey().opening.result() != nullptr;
  if (!door.has_token && opens && !was_shut_out(probe.survey())) {
    door.open = "it wants no token";
    co_return door;
  }
  co_await find_the_door(probe, door);
  if (std::optional<Challenge> bearer = bearer_challenge(door.refusal.headers)) {
    door.bearer = std::move(*bearer);
  }
  if (!door.shut) {
    door.open = "without a token it gave " + door.refusal.describe() + ", not 401";
  } else if (!co_await shows_authorization(probe, door.bearer)) {
    door.shut = false;
    door.own_key = true;
    door.open =
        "it shows nothing of MCP's authorization, which is optional: it may have a key of its own";
  }
  co_return door;
}

Task<Reply> fetch(Probe& probe, std::string target) {
  wire::HttpHeaders none;
  Reply reply = co_await fetch_with(probe, std::move(none), std::move(target));
  co_return reply;
}

Task<Reply> fetch_with(Probe& probe, wire::HttpHeaders headers, std::string target) {
  Client raw = probe.open_raw(std::move(headers));
  wire::HttpRequest request;
  request.method = "GET";
  request.target = std::move(target);
  request.headers.set("Accept", "application/json");
  Reply reply = co_await raw.http(std::move(request));
  raw.session().wire().drop(reply.exchange);
  co_return reply;
}

Json document_in(const Reply& reply) {
  if (reply.status != 200) return nullptr;
  Result<Json> document = parse_json(reply.body);
  if (!document.ok() || !document.value().is_object()) return nullptr;
  return std::move(document).value();
}

Task<ResourceMetadata> find_metadata(Probe& probe, Challenge challenge) {
  ResourceMetadata found;
  const wire::Url& server = probe.subject().spec().url;
  std::vector<std::string> places;
  // Named twice is another fault than not being there: each is gone to.
  const std::vector<std::string> all_named = challenge.all("resource_metadata");
  for (const std::string& named : all_named) {
    const Result<wire::Url> url = wire::parse_url(named);
    if (!url.ok()) {
      found.tried = "the challenge names \"" + clipped(named) + "\", which is no address";
      co_return found;
    }
    if (!is_here(url.value(), server)) {
      found.elsewhere = clipped(named);
      co_return found;
    }
    places.push_back(url.value().target);
  }
  if (all_named.empty()) {
    const std::string path = path_of(server);
    if (path != "/") places.push_back(kWellKnown + path);
    places.emplace_back(kWellKnown);
  }
  for (const std::string& place : places) {
    const Reply reply = co_await fetch(probe, place);
    found.document = document_in(reply);
    found.where = place;
    found.headers = reply.headers;
    if (found.document.is_object()) break;
    const std::string came =
        reply.status == 200 ? "no JSON object" : "status " + std::to_string(reply.status);
    found.tried += (found.tried.empty() ? "" : ", ") + place + " gave " +
                   (reply.status == 0 ? reply.describe() : came);
  }
  co_return found;
}

Task<LookedUp> look_up(Probe& probe) {
  LookedUp found;
  found.door = co_await try_door(probe);
  if (!found.door.shut) {
    found.none = not_for_it(found.door.open);
    co_return found;
  }
  found.metadata = co_await find_metadata(probe, found.door.bearer);
  if (!found.metadata.elsewhere.empty()) {
    found.none = not_for_it("its metadata is at another origin, which is not asked: " +
                            found.metadata.elsewhere);
  } else if (!found.metadata.document.is_object()) {
    found.none = not_for_it("it has no resource metadata");
  }
  co_return found;
}

}  // namespace plumbline::conformance
