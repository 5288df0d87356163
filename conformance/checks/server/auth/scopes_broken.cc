#include <string>
#include <utility>

#include "conformance/broken/deviation.h"
#include "conformance/broken/door_keeper.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;

// challenged replaces a part of the challenge of a refusal with `status`.
OwnResponse challenged(HttpRequest& request, int status, std::string_view part,
                       std::string_view with) {
  OwnResponse answer = keep_door(request);
  if (!answer || answer->status != status) return answer;
  std::string challenge(answer->headers.get("WWW-Authenticate").value_or(""));
  const std::size_t at = challenge.find(part);
  if (at != std::string::npos) challenge.replace(at, part.size(), with);
  answer->headers.set("WWW-Authenticate", std::move(challenge));
  return answer;
}

constexpr std::string_view kScope = "scope=\"mcp:use\", ";

OwnResponse without_scope(HttpRequest& request) { return challenged(request, 401, kScope, ""); }

OwnResponse with_moods(HttpRequest& request) {
  const bool unknown = !shown_token(request).empty();
  return challenged(request, 401, "mcp:use", unknown ? "mcp:more" : "mcp:use");
}

OwnResponse offers_to_stay(HttpRequest& request) {
  return with_member(keep_door(request), "scopes_supported",
                     Json::array({"mcp:use", "offline_access"}));
}

OwnResponse says_401(HttpRequest& request) {
  OwnResponse answer = keep_door(request);
  if (answer && answer->status == 403) answer->status = 401;
  return answer;
}

Deviation of_scopes(std::string_view id, std::string_view revision, std::string_view what,
                    OwnResponse (*request)(HttpRequest&)) {
  Deviation deviation = at_door(id, revision, what, request);
  deviation.second_credentials = bearer(kWeakToken);
  return deviation;
}

OwnResponse with_other_error(HttpRequest& request) {
  return challenged(request, 403, "insufficient_scope", "invalid_token");
}
OwnResponse says_it_in_the_body(HttpRequest& request) {
  OwnResponse answer = keep_door(request);
  if (!answer || answer->status != 403) return answer;
  answer->headers.erase("WWW-Authenticate");
  answer->body = R"({"error":"insufficient_scope"})";
  return answer;
}
OwnResponse without_wanted(HttpRequest& request) { return challenged(request, 403, kScope, ""); }

const Deviation kScopeDeviations[] = {
    of_scopes("auth.challenge-has-scope", kJudgedStateful, "does not say which scope it wants",
              without_scope),
    of_scopes("auth.challenge-has-scope", kJudgedStateless, "does not say which scope it wants",
              without_scope),
    of_scopes("auth.scope-sets-consistent", kJudgedStateful,
              "wants another scope of who shows an unknown token", with_moods),
    of_scopes("auth.scope-sets-consistent", kJudgedStateless,
              "wants another scope of who shows an unknown token", with_moods),
    of_scopes("auth.offline-access-not-in-challenge", kJudgedStateless,
              "has offline_access among its scopes", offers_to_stay),
    of_scopes("auth.insufficient-permission-403", kJudgedStateful, "gives 401 for want of a scope",
              says_401),
    of_scopes("auth.insufficient-scope-challenge", kJudgedStateful, "calls a weak token invalid",
              with_other_error),
    of_scopes("auth.insufficient-scope-challenge", kJudgedStateless, "calls a weak token invalid",
              with_other_error),
    of_scopes("auth.insufficient-scope-challenge", kJudgedStateful,
              "says in a body that a scope is missing", says_it_in_the_body),
    of_scopes("auth.insufficient-scope-challenge", kJudgedStateless,
              "says in a body that a scope is missing", says_it_in_the_body),
    of_scopes("auth.insufficient-scope-lists-all", kJudgedStateful,
              "does not say which scope a weak token lacks", without_wanted),
    of_scopes("auth.insufficient-scope-lists-all", kJudgedStateless,
              "does not say which scope a weak token lacks", without_wanted),
    of_scopes("auth.insufficient-scope-resource-metadata", kJudgedStateful,
              "names no metadata to a weak token",
              [](HttpRequest& request) {
                return challenged(request, 403, ", resource_metadata=", ", realm=");
              }),
};

}  // namespace

Deviations scope_deviations() { return kScopeDeviations; }

}  // namespace plumbline::conformance
