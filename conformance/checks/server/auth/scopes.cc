// Which scopes a server asks for: spec, basic/authorization, Scope Selection Strategy and Scope
// Challenge Handling; RFC 6750, section 3.1.

#include <optional>
#include <string>
#include <utility>

#include "conformance/checks/server/auth/door.h"
#include "conformance/checks/server/check.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoneRefused = "nothing was refused for want of a scope";

std::string scopes_of(const Challenge& challenge) { return challenge.param("scope").value_or(""); }

Task<Finding> names_scopes(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  if (!scopes_of(door.bearer).empty()) co_return passes();
  co_return about(broken("the challenge of a 401 has no scope"), door.refusal);
}

Task<Finding> names_the_same_scopes(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  if (scopes_of(door.bearer).empty()) co_return not_for_it("its challenge has no scope");
  for (const bool shows : {false, true}) {
    std::optional<std::string> token;
    if (shows) token = kUnknownToken;
    const Reply again = co_await knock(probe, door.way, std::move(token));
    const std::optional<Challenge> bearer = bearer_challenge(again.headers);
    if (again.status != 401 || !bearer || scopes_of(*bearer).empty()) continue;
    if (scopes_of(*bearer) == scopes_of(door.bearer)) continue;
    co_return broken("the same request was challenged with the scope \"" +
                     clipped(scopes_of(door.bearer)) + "\", and with \"" +
                     clipped(scopes_of(*bearer)) + "\" " +
                     (shows ? "with an unknown token" : "the second time"));
  }
  co_return passes();
}

bool has_word(const std::string& text, std::string_view word) {
  const std::string spaced = " " + text + " ";
  return spaced.find(" " + std::string(word) + " ") != std::string::npos;
}

// Whether a client stays signed in is no matter of the resource.
Task<Finding> asks_for_no_offline_access(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  if (has_word(scopes_of(door.bearer), "offline_access")) {
    co_return about(broken("the challenge of a 401 has the scope offline_access"), door.refusal);
  }
  const ResourceMetadata metadata = co_await find_metadata(probe, door.bearer);
  const Json* const scopes = find(metadata.document, "scopes_supported");
  if (scopes == nullptr || !scopes->is_array()) co_return passes();
  for (const Json& scope : *scopes) {
    if (scope != "offline_access") continue;
    co_return broken("the scopes_supported of " + metadata.where + " have offline_access");
  }
  co_return passes();
}

// Refused is a request that a token had not the scope for.
struct Refused {
  std::string what;  // "tools/call"; empty: there is none.
  Reply reply;
  std::optional<Challenge> challenge;
};

// says_so returns whether a body says that a scope is missing.
bool says_so(const Reply& reply) {
  const std::string body = lower_case(reply.body);
  return body.find("insufficient_scope") != std::string::npos ||
         body.find("insufficient scope") != std::string::npos;
}

std::optional<Refused> as_refused(std::string what, const Reply& reply) {
  std::optional<Challenge> bearer = bearer_challenge(reply.headers);
  if (!bearer && reply.status == 403 && says_so(reply)) {
    return Refused{std::move(what), reply, std::nullopt};
  }
  const bool says = bearer && bearer->param("error") == "insufficient_scope";
  // A 403 may have other reasons, and then no challenge.
  if (!says && (reply.status != 403 || !bearer)) return std::nullopt;
  return Refused{std::move(what), reply, std::move(bearer)};
}

// refused_for_scope looks at what the tools and the others were answered, and knocks as the second
// user, whose token may be the weaker one.
Task<Refused> refused_for_scope(Probe& probe) {
  if (!probe.over_http() || probe.user_headers().count("Authorization") == 0) co_return Refused();
  if (const auto second = probe.second_headers().get("Authorization")) {
    const Reply reply = co_await knock(probe, Way::kOpening, std::string(*second));
    if (std::optional<Refused> refused = as_refused("the first request", reply)) co_return *refused;
  }
  const Exercise& all = *co_await probe.exercise();
  for (const Call& call : all.calls) {
    if (std::optional<Refused> refused = as_refused(call.method, call.reply)) co_return *refused;
  }
  co_return Refused();
}

Task<Finding> refuses_with_403(Probe& probe) {
  const Refused refused = co_await refused_for_scope(probe);
  if (refused.what.empty()) co_return not_for_it(kNoneRefused);
  if (refused.reply.status == 403) co_return passes();
  co_return about(broken(refused.what + " was refused for want of a scope with status " +
                         std::to_string(refused.reply.status) + ", expected 403"),
                  refused.reply);
}

Task<Finding> says_insufficient_scope(Probe& probe) {
  const Refused refused = co_await refused_for_scope(probe);
  if (refused.what.empty()) co_return not_for_it(kNoneRefused);
  if (!refused.challenge) {
    co_return about(broken("the 403 to " + refused.what +
                           " says in its body alone that a scope is missing, and has no "
                           "WWW-Authenticate: clients do not ask for more"),
                    refused.reply);
  }
  const std::string error = refused.challenge->param("error").value_or("");
  if (error == "insufficient_scope") co_return passes();
  co_return about(broken("the challenge of a 403 to " + refused.what + " has error=\"" +
                         clipped(error) + "\", expected \"insufficient_scope\""),
                  refused.reply);
}

// lacks judges a parameter that the challenge of a 403 should have.
Task<Finding> has_param(Probe& probe, std::string name) {
  const Refused refused = co_await refused_for_scope(probe);
  if (refused.what.empty()) co_return not_for_it(kNoneRefused);
  if (!refused.challenge) co_return not_for_it("its 403 has no challenge");
  if (!refused.challenge->param(name).value_or("").empty()) co_return passes();
  co_return about(broken("the challenge of " + std::to_string(refused.reply.status) + " to " +
                         refused.what + " has no " + name),
                  refused.reply);
}

Task<Finding> lists_what_is_wanted(Probe& probe) { return has_param(probe, "scope"); }
Task<Finding> leads_to_metadata(Probe& probe) { return has_param(probe, "resource_metadata"); }

constexpr ServerCheck kScopeChecks[] = {
    {"auth.challenge-has-scope", Eras::kBoth, SessionUse::kOpens, names_scopes},
    {"auth.scope-sets-consistent", Eras::kBoth, SessionUse::kOpens, names_the_same_scopes},
    {"auth.offline-access-not-in-challenge", Eras::kStateless, SessionUse::kOpens,
     asks_for_no_offline_access},
    {"auth.insufficient-permission-403", Eras::kStateful, SessionUse::kShared, refuses_with_403},
    {"auth.insufficient-scope-challenge", Eras::kBoth, SessionUse::kShared,
     says_insufficient_scope},
    {"auth.insufficient-scope-lists-all", Eras::kBoth, SessionUse::kShared, lists_what_is_wanted},
    {"auth.insufficient-scope-resource-metadata", Eras::kStateful, SessionUse::kShared,
     leads_to_metadata},
};

}  // namespace

ServerChecks scope_checks() { return kScopeChecks; }

}  // namespace plumbline::conformance
