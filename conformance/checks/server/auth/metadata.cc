// How a client finds out where to sign in: spec, basic/authorization, Authorization Server
// Discovery; 2025-03-26, Server Metadata Discovery. RFC 9728, RFC 8414.

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/auth/door.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/wire/members.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kOlderMetadata = "/.well-known/oauth-authorization-server";
constexpr const char* kOpenIdMetadata = "/.well-known/openid-configuration";

Task<Finding> can_be_found(Probe& probe) {
  const LookedUp found = co_await look_up(probe);
  if (!found.door.shut || !found.metadata.elsewhere.empty()) co_return *found.none;
  if (found.metadata.document.is_object()) {
    const Reply unknown = co_await knock(probe, found.door.way, kUnknownToken);
    std::optional<Challenge> other = bearer_challenge(unknown.headers);
    const bool same =
        !other || other->all("resource_metadata") == found.door.bearer.all("resource_metadata");
    if (same || other->all("resource_metadata").empty()) co_return passes();
    const ResourceMetadata second = co_await find_metadata(probe, std::move(*other));
    if (second.document.is_object() || !second.elsewhere.empty()) co_return passes();
    co_return about(
        broken("the challenge to an unknown token leads to no resource metadata: " + second.tried),
        unknown);
  }
  co_return broken("neither its challenge nor a well-known place leads to resource metadata: " +
                   found.metadata.tried);
}

// called_otherwise says what the metadata of the issuer `named` call it, where those stand at this
// server as well; empty: the same, or they are not here.
Task<std::string> called_otherwise(Probe& probe, std::string named) {
  const Result<wire::Url> url = wire::parse_url(named);
  if (!url.ok() || !is_here(url.value(), probe.subject().spec().url)) co_return std::string();
  std::string path = url.value().target;
  while (path.ends_with('/')) path.pop_back();
  const std::vector<std::string> places = {kOlderMetadata + path, kOpenIdMetadata + path,
                                           path + kOpenIdMetadata};
  for (const std::string& place : places) {
    const Reply reply = co_await fetch(probe, place);
    const std::string issuer = string_or(document_in(reply), "issuer", "");
    if (issuer.empty()) continue;
    const Result<wire::Url> its = wire::parse_url(issuer);
    const bool by_another_name = its.ok() && is_here(its.value(), probe.subject().spec().url) &&
                                 its.value().host != url.value().host;
    if (issuer == named || by_another_name) co_return std::string();
    co_return place + " has the issuer \"" + clipped(issuer) + "\"";
  }
  co_return std::string();
}

Task<Finding> names_authorization_servers(Probe& probe) {
  const LookedUp found = co_await look_up(probe);
  if (found.none) co_return *found.none;
  const Json* const servers = find(found.metadata.document, "authorization_servers");
  const std::string where = found.metadata.where;
  if (servers == nullptr || !servers->is_array() || servers->empty()) {
    co_return broken(where + " has " +
                     (servers == nullptr
                          ? "no authorization_servers"
                          : "authorization_servers " + clipped(dump_json(*servers))) +
                     ", expected at least one issuer");
  }
  for (const Json& server : *servers) {
    const bool url =
        server.is_string() && wire::parse_url(server.get_ref<const std::string&>()).ok();
    const std::string says = where + " names " + clipped(dump_json(server)) + " as an issuer";
    if (!url) co_return broken(says);
    const std::string issuer = server.get<std::string>();
    if (issuer.find_first_of("?#") != std::string::npos) {
      co_return broken(says + ", expected no query and no fragment (RFC 8414, section 2)");
    }
    if (issuer.find("/.well-known/") == std::string::npos) {
      const std::string other = co_await called_otherwise(probe, issuer);
      if (other.empty()) continue;
      co_return risky(says + ", and " + other +
                      ": clients that compare them letter by letter, such as GitHub Copilot CLI, "
                      "do not use these metadata (RFC 8414, section 3.3)");
    }
    co_return risky(says +
                    ", which is where metadata are, and no issuer: clients put the "
                    "well-known path into it (RFC 8414, section 3.1)");
  }
  co_return passes();
}

Task<Finding> challenges_lead_there(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  const Reply garbage = co_await knock(probe, door.way, kUnknownToken);
  Reply later;
  if (door.way == Way::kOpening && door.has_token) {
    later = co_await knock(probe, Way::kAsking, std::nullopt);
  }
  const std::vector<const Reply*> all = {&door.refusal, &garbage, &later};
  for (const Reply* const reply : all) {
    if (reply->status != 401) continue;
    const std::optional<Challenge> bearer = bearer_challenge(reply->headers);
    const std::string whom = reply == &garbage ? "with an unknown token"
                             : reply == &later ? "without a token behind the opening"
                                               : "without a token";
    if (!bearer) {
      co_return about(broken("401 " + whom + " has no WWW-Authenticate for Bearer"), *reply);
    }
    if (bearer->param("resource_metadata")) continue;
    co_return about(broken("the challenge of a 401 " + whom + " has no resource_metadata"), *reply);
  }
  co_return passes();
}

// RFC 9110, section 11.2: a parameter occurs once in a challenge.
Task<Finding> says_each_once(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  const std::vector<Challenge> challenges = challenges_in(door.refusal.headers);
  if (challenges.empty()) co_return not_for_it("its 401 has no WWW-Authenticate");
  for (const Challenge& challenge : challenges) {
    const std::string name = challenge.repeated();
    if (name.empty()) continue;
    std::string values;
    for (const std::string& value : challenge.all(name)) {
      values += (values.empty() ? "\"" : " and \"") + clipped(value) + "\"";
    }
    co_return about(broken("the challenge of its 401 has " + clipped(name) +
                           " more than once: " + values + ", expected each parameter once"),
                    door.refusal);
  }
  co_return passes();
}

// bare_value returns the first of the parameters that matter whose value is neither quoted nor a
// token, as it was written; empty: none is.
std::string bare_value(std::string_view challenge) {
  static constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  const auto fits = [](char one) {
    return std::isalnum(static_cast<unsigned char>(one)) != 0 ||
           kOthers.find(one) != std::string_view::npos;
  };
  for (const std::string_view name : {"resource_metadata", "scope", "error_description"}) {
    bool quoted = false;
    for (std::size_t at = 0; at + name.size() < challenge.size(); ++at) {
      if (challenge[at] == '"' && (at == 0 || challenge[at - 1] != '\\')) quoted = !quoted;
      const bool begins = at == 0 || challenge[at - 1] == ' ' || challenge[at - 1] == ',';
      if (quoted || !begins || !equals_ignoring_case(challenge.substr(at, name.size()), name)) {
        continue;
      }
      std::string_view value = trimmed(challenge.substr(at + name.size()));
      if (!value.starts_with('=')) continue;
      value = trimmed(value.substr(1));
      if (value.starts_with('"')) continue;
      value = value.substr(0, value.find_first_of(" ,"));
      if (std::ranges::all_of(value, fits)) continue;
      return std::string(name) + "=" + std::string(value);
    }
  }
  return {};
}

// RFC 9110, section 11.2: the value of a parameter is a token or a quoted string.
Task<Finding> quotes_its_values(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  if (!door.refusal.headers.get("WWW-Authenticate")) {
    co_return not_for_it("its 401 has no WWW-Authenticate");
  }
  for (const auto& [name, value] : door.refusal.headers.fields()) {
    if (!equals_ignoring_case(name, "WWW-Authenticate")) continue;
    const std::string bare = bare_value(value);
    if (bare.empty()) continue;
    co_return about(broken("the challenge of its 401 has " + clipped(bare) +
                           " without quotes, and a value with such letters is a quoted string: "
                           "clients that read a challenge by its grammar find no value there"),
                    door.refusal);
  }
  co_return passes();
}

// RFC 6750, section 3.1: to who has shown nothing there is nothing to say about it.
Task<Finding> blames_nobody_who_showed_nothing(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  if (door.bearer.scheme.empty()) co_return not_for_it("its 401 has no challenge for Bearer");
  const std::optional<std::string> error = door.bearer.param("error");
  if (!error) co_return passes();
  co_return about(broken("without any token the challenge has error=\"" + clipped(*error) +
                         "\", expected no error: clients take it for a word about a token of "
                         "theirs, and throw that away"),
                  door.refusal);
}

// is_open_to_all returns whether `address` may be listened to on the way.
bool is_open_to_all(const std::string& address) {
  const Result<wire::Url> url = wire::parse_url(address);
  return url.ok() && !url.value().secure() && !is_loopback(url.value().host);
}

Task<Finding> leads_over_tls(Probe& probe) {
  const LookedUp found = co_await look_up(probe);
  if (found.none) co_return *found.none;
  const Json* const servers = find(found.metadata.document, "authorization_servers");
  if (servers == nullptr || !servers->is_array()) co_return not_for_it("it names nobody");
  for (const Json& server : *servers) {
    if (!server.is_string() || !is_open_to_all(server.get<std::string>())) continue;
    co_return broken(found.metadata.where + " names the authorization server " +
                     clipped(dump_json(server)) + ", expected https");
  }
  co_return passes();
}

// The three about 2025-03-26, whose servers are their own authorization servers.

struct OlderBase {
  std::optional<Finding> none;
  Reply reply;
};

Task<OlderBase> look_at_base(Probe& probe) {
  OlderBase older;
  LookedUp found = co_await look_up(probe);
  if (!found.door.shut) {
    older.none = std::move(found.none);
  } else if (found.metadata.document.is_object() || !found.metadata.elsewhere.empty()) {
    older.none = not_for_it("it names its authorization server in resource metadata");
  } else {
    older.reply = co_await fetch(probe, kOlderMetadata);
    if (older.reply.status == 0) older.none = undecided("got " + older.reply.describe());
  }
  co_return older;
}

Task<Finding> has_metadata_at_its_root(Probe& probe) {
  const OlderBase older = co_await look_at_base(probe);
  if (older.none) co_return *older.none;
  const std::string got =
      "GET " + std::string(kOlderMetadata) + " got status " + std::to_string(older.reply.status);
  if (older.reply.status == 404) co_return passes();
  const Json document = document_in(older.reply);
  if (!document.is_object()) {
    co_return broken(got +
                     " and no JSON object, expected the metadata, or 404 where the default "
                     "endpoints are to be used");
  }
  for (const char* const member : {"issuer", "authorization_endpoint", "token_endpoint"}) {
    if (wire::parse_url(string_or(document, member, "")).ok()) continue;
    co_return broken("the metadata at " + std::string(kOlderMetadata) + " has " +
                     told_member(document, member) + ", expected an address");
  }
  co_return passes();
}

Task<Finding> has_default_endpoints(Probe& probe) {
  const OlderBase older = co_await look_at_base(probe);
  if (older.none) co_return *older.none;
  if (older.reply.status != 404) co_return not_for_it("its metadata names its endpoints");
  const wire::HttpHeaders no_headers;
  Client raw = probe.open_raw(no_headers);
  for (const char* const endpoint : {"/authorize", "/token"}) {
    wire::HttpRequest request;
    const bool asks = std::string_view(endpoint) == "/authorize";
    request.method = asks ? "GET" : "POST";
    request.target = endpoint;
    request.headers.set("Content-Type", "application/x-www-form-urlencoded");
    if (!asks) request.body = "grant_type=plumbline";
    const Reply reply = co_await raw.http(std::move(request));
    if (reply.status == 0) co_return undecided("got " + reply.describe());
    if (reply.status != 404 && reply.status != 405) continue;
    co_return broken("it has no metadata, and " + std::string(asks ? "GET " : "POST ") + endpoint +
                     " got status " + std::to_string(reply.status));
  }
  co_return passes();
}

Task<Finding> grants_to_someone(Probe& probe) {
  const OlderBase older = co_await look_at_base(probe);
  if (older.none) co_return *older.none;
  const Json document = document_in(older.reply);
  if (!document.is_object()) co_return not_for_it("it has no metadata");
  const Json* const grants = find(document, "grant_types_supported");
  if (grants == nullptr) co_return passes();  // RFC 8414: authorization_code and implicit.
  if (!grants->is_array()) {
    co_return broken("its metadata has " + told_member(document, "grant_types_supported") +
                     ", expected a list of texts");
  }
  for (const Json& grant : *grants) {
    if (grant == "authorization_code" || grant == "client_credentials") co_return passes();
  }
  co_return broken("its grant_types_supported are " + clipped(dump_json(*grants)) +
                   ", expected authorization_code or client_credentials among them");
}

constexpr const char* kForgedHost = "plumbline-elsewhere.example";

// Whoever sends these headers says where metadata are, and with them who gives out tokens.
Task<Finding> names_its_own_host(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  if (door.bearer.all("resource_metadata").empty()) {
    co_return not_for_it("its challenge names no metadata");
  }
  wire::HttpHeaders headers = probe.user_headers();
  headers.erase("Authorization");
  headers.set("X-Forwarded-Host", kForgedHost);
  headers.set("Forwarded", std::string("host=") + kForgedHost);
  const Reply reply = co_await knock_with(probe, door.way, std::move(headers));
  const std::optional<Challenge> bearer = bearer_challenge(reply.headers);
  if (!bearer) co_return passes();
  for (const std::string& named : bearer->all("resource_metadata")) {
    if (named.find(kForgedHost) == std::string::npos) continue;
    co_return about(
        risky("with X-Forwarded-Host: " + std::string(kForgedHost) +
              " in a request, its challenge leads to " + clipped(named) +
              ": where no proxy takes the header off, whoever sends it says where to sign in"),
        reply);
  }
  co_return passes();
}

// leads_astray says why clients do not get to `named`, where they are sent by the server at `own`;
// empty: they may, or it cannot be told.
std::string leads_astray(const wire::Url& named, const wire::Url& own) {
  if (named.host == "0.0.0.0" || named.host == "::" || named.host == "[::]") {
    return "an address to listen at, and none to go to";
  }
  if (is_loopback(named.host) && !is_loopback(own.host)) {
    return "which is the client's own machine";
  }
  const bool same_host = equals_ignoring_case(named.host, own.host) ||
                         (is_loopback(named.host) && is_loopback(own.host));
  if (!same_host || named.scheme == own.scheme) return {};
  if (named.port == own.port) {
    return "and this port speaks " + own.scheme +
           ": clients that go there, such as VS Code, find nobody";
  }
  constexpr int kPlainPort = 80;
  if (!own.secure() || named.port != kPlainPort) return {};
  return "and it is called by https: what is said there can be changed on the way, and clients "
         "that go by https alone do not go there";
}

// Where a server makes this address of what its proxy or its socket tells, it may be nobody's.
Task<Finding> leads_where_it_is(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  const std::vector<std::string> all = door.bearer.all("resource_metadata");
  if (all.empty()) co_return not_for_it("its challenge names no metadata");
  for (const std::string& named : all) {
    const Result<wire::Url> url = wire::parse_url(named);
    if (!url.ok()) continue;  // Is for auth.prm-location-mechanism.
    const std::string why = leads_astray(url.value(), probe.subject().spec().url);
    if (why.empty()) continue;
    co_return about(
        risky("its challenge names the resource_metadata \"" + clipped(named) + "\", " + why),
        door.refusal);
  }
  co_return passes();
}

constexpr ServerCheck kMetadataChecks[] = {
    {"auth.prm-location-mechanism", Eras::kBoth, SessionUse::kOpens, can_be_found},
    {"auth.prm-lists-authorization-servers", Eras::kBoth, SessionUse::kOpens,
     names_authorization_servers},
    {"auth.www-authenticate-on-401", Eras::kStateful, SessionUse::kOpens, challenges_lead_there},
    {"auth.challenge-params-once", Eras::kBoth, SessionUse::kOpens, says_each_once},
    {"auth.challenge-quoted", Eras::kBoth, SessionUse::kOpens, quotes_its_values},
    {"auth.no-error-without-token", Eras::kBoth, SessionUse::kOpens,
     blames_nobody_who_showed_nothing},
    {"auth.communication-security", Eras::kStateful, SessionUse::kOpens, leads_over_tls},
    {"auth.metadata-at-base-root", Eras::kStateful, SessionUse::kOpens, has_metadata_at_its_root},
    {"auth.default-endpoints-served", Eras::kStateful, SessionUse::kOpens, has_default_endpoints},
    {"auth.challenge-reachable", Eras::kBoth, SessionUse::kOpens, leads_where_it_is},
    {"auth.challenge-of-its-own-host", Eras::kBoth, SessionUse::kOpens, names_its_own_host},
    {"auth.grant-types-fit-audience", Eras::kStateful, SessionUse::kOpens, grants_to_someone},
};

}  // namespace

ServerChecks metadata_checks() { return kMetadataChecks; }

}  // namespace plumbline::conformance
