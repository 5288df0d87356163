#include <string>
#include <utility>
#include <vector>

#include "conformance/broken/deviation.h"
#include "conformance/broken/door_keeper.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

bool is_metadata(const HttpRequest& request) {
  return request.target.starts_with("/.well-known/oauth-protected-resource");
}

// with_metadata is right but for a member of its metadata.
OwnResponse with_metadata(HttpRequest& request, std::string_view member, Json value) {
  return with_member(keep_door(request), member, std::move(value));
}

// without_metadata is right but that it has none.
OwnResponse without_metadata(HttpRequest& request) {
  if (is_metadata(request)) return HttpResponse{404, {}, ""};
  return keep_door(request);
}

OwnResponse with_bare_401(HttpRequest& request) {
  OwnResponse answer = keep_door(request);
  if (answer && answer->status == 401) {
    const bool unknown = !shown_token(request).empty();
    answer->headers.set("WWW-Authenticate", unknown ? "Bearer error=\"invalid_token\"" : "Bearer");
  }
  return answer;
}

// with_challenge_more adds to the challenge of a 401 without a token.
OwnResponse with_challenge_more(HttpRequest& request, std::string_view more) {
  OwnResponse answer = keep_door(request);
  const bool bare = shown_token(request).empty();
  if (answer && answer->status == 401 && bare) {
    const std::string challenge(answer->headers.get("WWW-Authenticate").value_or("Bearer"));
    answer->headers.set("WWW-Authenticate", challenge + std::string(more));
  }
  return answer;
}

OwnResponse with_no_quotes(HttpRequest& request) {
  OwnResponse answer = keep_door(request);
  if (!answer || answer->status != 401) return answer;
  std::string challenge(answer->headers.get("WWW-Authenticate").value_or(""));
  std::erase(challenge, '"');
  answer->headers.set("WWW-Authenticate", challenge);
  return answer;
}

Deviation of_metadata(std::string_view id, std::string_view revision, std::string_view what,
                      OwnResponse (*request)(HttpRequest&),
                      std::vector<std::string_view> also = {}) {
  Deviation deviation = at_door(id, revision, what, request);
  deviation.also = std::move(also);
  return deviation;
}

// with_forged_host builds the address of its metadata of what a request says of a proxy.
OwnResponse with_forged_host(HttpRequest& request) {
  const std::string host(request.headers.get("X-Forwarded-Host").value_or(""));
  OwnResponse answer = keep_door(request);
  if (host.empty() || !answer || answer->status != 401) return answer;
  answer->headers.set("WWW-Authenticate", "Bearer resource_metadata=\"https://" + host +
                                              "/.well-known/oauth-protected-resource\"");
  return answer;
}

// with_start has the challenge name its metadata at an address that begins in another way.
OwnResponse with_start(HttpRequest& request, const std::string& start) {
  OwnResponse answer = keep_door(request);
  if (!answer || answer->status != 401) return answer;
  std::string challenge(answer->headers.get("WWW-Authenticate").value_or(""));
  constexpr std::string_view kStart = "http://127.0.0.1";
  const std::size_t at = challenge.find(kStart);
  if (at != std::string::npos) challenge.replace(at, kStart.size(), start);
  answer->headers.set("WWW-Authenticate", std::move(challenge));
  return answer;
}

// as_page serves its metadata as a page.
OwnResponse as_page(HttpRequest& request) {
  OwnResponse answer = keep_door(request);
  if (answer && answer->status == 200) answer->headers.set("Content-Type", "text/html");
  return answer;
}

// opens_to_all wants a token for what comes behind the opening, and challenges without
// resource_metadata.
OwnResponse opens_to_all(HttpRequest& request) {
  if (request.body.find("\"initialize\"") != std::string::npos) return std::nullopt;
  return with_bare_401(request);
}

// bare_behind challenges without resource_metadata what comes behind the opening.
OwnResponse bare_behind(HttpRequest& request) {
  const bool opens = request.body.find("\"initialize\"") != std::string::npos;
  return opens ? keep_door(request) : with_bare_401(request);
}

// astray leads who shows an unknown token to nowhere.
OwnResponse astray(HttpRequest& request) {
  OwnResponse answer = keep_door(request);
  if (!answer || answer->status != 401 || shown_token(request).empty()) return answer;
  answer->headers.set("WWW-Authenticate",
                      "Bearer error=\"invalid_token\", scope=\"mcp:use\", resource_metadata=\"" +
                          origin_of(request) + "/nowhere\"");
  return answer;
}

// wants_sessions_first misses a session before it misses a token.
OwnResponse wants_sessions_first(HttpRequest& request) {
  const bool opens = request.body.find("\"initialize\"") != std::string::npos;
  const bool shows = request.headers.count("Authorization") > 0 ||
                     request.headers.count("Mcp-Session-Id") > 0 || request.method == "GET";
  return opens || shows ? keep_door(request) : HttpResponse{400, {}, ""};
}

// known_inside names itself by an address that is known inside alone.
OwnResponse known_inside(HttpRequest& request) {
  constexpr const char* kInside = "http://inside.example:8080";
  OwnResponse answer = with_metadata(request, "resource", std::string(kInside) + "/mcp");
  if (!answer || answer->status != 401) return answer;
  std::string challenge(answer->headers.get("WWW-Authenticate").value_or(""));
  const std::string own = origin_of(request);
  const std::size_t at = challenge.find(own);
  if (at != std::string::npos) challenge.replace(at, own.size(), kInside);
  answer->headers.set("WWW-Authenticate", std::move(challenge));
  return answer;
}

// slashed is its own authorization server, and names it with a slash more.
OwnResponse slashed(HttpRequest& request) {
  const std::string origin = origin_of(request);
  if (asks_for(request, "/.well-known/oauth-authorization-server")) return keep_older_door(request);
  return with_metadata(request, "authorization_servers", Json::array({origin + "/"}));
}

const Deviation kMetadataDeviations[] = {
    of_metadata("auth.missing-token-401", "2025-11-25", "misses a session before a token",
                wants_sessions_first),
    of_metadata("auth.prm-implemented", "2025-11-25", "is known by an inner address", known_inside),
    of_metadata("auth.prm-implemented", "2026-07-28", "is known by an inner address", known_inside),
    of_metadata("auth.prm-lists-authorization-servers", "2025-11-25",
                "names itself as an issuer with a slash more", slashed),
    of_metadata("auth.challenge-reachable", "2025-11-25", "names its metadata by another scheme",
                [](HttpRequest& request) { return with_start(request, "https://127.0.0.1"); }),
    of_metadata("auth.challenge-reachable", "2026-07-28",
                "names its metadata at the address it listens at",
                [](HttpRequest& request) { return with_start(request, "http://0.0.0.0"); }),
    of_metadata("auth.challenge-of-its-own-host", "2025-11-25",
                "names its metadata by the host that a request says", with_forged_host),
    of_metadata("auth.challenge-of-its-own-host", "2026-07-28",
                "names its metadata by the host that a request says", with_forged_host),
    of_metadata("auth.prm-implemented", "2025-11-25", "names the server of somebody else",
                [](HttpRequest& request) {
                  return with_metadata(request, "resource", "https://other.example/mcp");
                }),
    of_metadata("auth.prm-implemented", "2026-07-28", "names no resource",
                [](HttpRequest& request) { return with_metadata(request, "resource", nullptr); }),
    of_metadata("auth.prm-implemented", "2025-11-25", "names its whole origin beside its path",
                [](HttpRequest& request) {
                  const std::string host(request.headers.get("Host").value_or(""));
                  return with_metadata(request, "resource", "http://" + host);
                }),
    of_metadata("auth.prm-implemented", "2025-11-25", "names its resource in a list",
                [](HttpRequest& request) {
                  const Json list = Json::array({origin_of(request) + "/mcp"});
                  return with_metadata(request, "resource", list);
                }),
    of_metadata("auth.prm-implemented", "2025-11-25", "names its resource with a fragment",
                [](HttpRequest& request) {
                  return with_metadata(request, "resource", origin_of(request) + "/mcp#notes");
                }),
    of_metadata("auth.prm-implemented", "2026-07-28", "names its resource with a slash more",
                [](HttpRequest& request) {
                  return with_metadata(request, "resource", origin_of(request) + "/mcp/");
                }),
    of_metadata("auth.prm-implemented", "2025-11-25", "lists its scopes in a text",
                [](HttpRequest& request) {
                  return with_metadata(request, "scopes_supported", "notes more");
                }),
    of_metadata("auth.prm-implemented", "2026-07-28", "has null for the way to show a token",
                [](HttpRequest& request) {
                  return with_metadata(request, "bearer_methods_supported", nullptr);
                }),
    of_metadata("auth.prm-implemented", "2025-11-25", "serves its metadata as a page", as_page),
    of_metadata("auth.prm-implemented", "2026-07-28", "puts two scopes into one text",
                [](HttpRequest& request) {
                  const Json joined = Json::array({"mcp:use mcp:more"});
                  return with_metadata(request, "scopes_supported", joined);
                }),
    of_metadata("auth.prm-implemented", "2025-11-25", "names a way to show a token of its own",
                [](HttpRequest& request) {
                  const Json ways = Json::array({"authorization_header"});
                  return with_metadata(request, "bearer_methods_supported", ways);
                }),
    of_metadata("auth.prm-implemented", "2026-07-28", "takes tokens in the address alone",
                [](HttpRequest& request) {
                  const Json ways = Json::array({"query"});
                  return with_metadata(request, "bearer_methods_supported", ways);
                }),
    of_metadata("auth.prm-lists-authorization-servers", "2025-11-25",
                "names the metadata of its authorization server as the issuer",
                [](HttpRequest& request) {
                  const Json all =
                      Json::array({"https://as.example/.well-known/oauth-authorization-server"});
                  return with_metadata(request, "authorization_servers", all);
                }),
    of_metadata("auth.prm-lists-authorization-servers", "2026-07-28",
                "names an issuer with a query",
                [](HttpRequest& request) {
                  const Json all = Json::array({"https://as.example?tenant=one"});
                  return with_metadata(request, "authorization_servers", all);
                }),
    of_metadata("auth.www-authenticate-on-401", "2025-06-18",
                "wants a token behind the opening, and leads nowhere", opens_to_all),
    of_metadata("auth.www-authenticate-on-401", "2025-06-18",
                "leads to its metadata at the opening alone", bare_behind),
    of_metadata("auth.prm-location-mechanism", "2025-11-25",
                "leads who shows an unknown token to nowhere", astray),
    of_metadata("auth.prm-location-mechanism", "2025-11-25",
                "has no metadata at the address it names", without_metadata,
                {"auth.prm-implemented"}),
    of_metadata("auth.prm-location-mechanism", "2026-07-28",
                "has no metadata at the address it names", without_metadata,
                {"auth.prm-implemented"}),
    of_metadata("auth.prm-lists-authorization-servers", "2025-06-18",
                "names no authorization server",
                [](HttpRequest& request) {
                  return with_metadata(request, "authorization_servers", Json::array());
                }),
    of_metadata("auth.prm-lists-authorization-servers", "2026-07-28",
                "names an authorization server that is no address",
                [](HttpRequest& request) {
                  return with_metadata(request, "authorization_servers", Json::array({"ours"}));
                }),
    of_metadata("auth.www-authenticate-on-401", "2025-06-18",
                "challenges without resource_metadata", with_bare_401),
    of_metadata("auth.challenge-params-once", "2025-11-25", "names two places for its metadata",
                [](HttpRequest& request) {
                  return with_challenge_more(
                      request, ", resource_metadata=\"" + origin_of(request) + "/nowhere\"");
                }),
    of_metadata("auth.challenge-quoted", "2025-11-25",
                "writes the address of its metadata without quotes", with_no_quotes),
    of_metadata("auth.challenge-quoted", "2026-07-28",
                "writes the address of its metadata without quotes", with_no_quotes),
    of_metadata("auth.no-error-without-token", "2025-11-25", "calls no token a wrong one",
                [](HttpRequest& request) {
                  return with_challenge_more(request, ", error=\"invalid_token\"");
                }),
    of_metadata("auth.communication-security", "2025-11-25",
                "leads to an authorization server without TLS",
                [](HttpRequest& request) {
                  return with_metadata(request, "authorization_servers",
                                       Json::array({"http://as.example"}));
                }),
    of_metadata("auth.resource-no-trailing-slash", "2025-11-25",
                "writes a slash behind its resource",
                [](HttpRequest& request) {
                  const std::string host(request.headers.get("Host").value_or(""));
                  return with_metadata(request, "resource", "http://" + host + "/mcp/");
                }),
    of_metadata("auth.metadata-at-base-root", "2025-03-26",
                "has a page where its metadata should be",
                [](HttpRequest& request) -> OwnResponse {
                  if (!asks_for(request, "/.well-known/oauth-authorization-server")) {
                    return keep_older_door(request);
                  }
                  return HttpResponse{200, {{"Content-Type", "text/html"}}, "<p>Welcome</p>"};
                }),
    of_metadata("auth.default-endpoints-served", "2025-03-26",
                "has neither metadata nor the default endpoints",
                [](HttpRequest& request) -> OwnResponse {
                  const bool own = request.target == "/authorize" || request.target == "/token";
                  if (own || request.target.starts_with("/.well-known/")) {
                    return HttpResponse{404, {}, ""};
                  }
                  return keep_older_door(request);
                }),
    of_metadata("auth.grant-types-fit-audience", "2025-03-26", "takes passwords alone",
                [](HttpRequest& request) {
                  return with_member(keep_older_door(request), "grant_types_supported",
                                     Json::array({"password"}));
                }),
};

}  // namespace

Deviations metadata_deviations() { return kMetadataDeviations; }

}  // namespace plumbline::conformance
