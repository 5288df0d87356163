// Dynamic registration: RFC 7591, sections 2 and 3; spec, basic/authorization, Communication
// Security, for what a redirect URI may be.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "conformance/checks/auth/registering.h"
#include "conformance/wire/members.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::int64_t kNoSeconds = 100'000'000'000;  // The year 5138.

// AnswerFlaw is what is wrong with the answer to a registration; empty: nothing.
struct AnswerFlaw {
  std::string text;
  bool advice = false;  // No clause says that it must not be so.
};

// unset_member says which member of an answer stands for nothing, and should not be there.
std::string unset_member(const Json& about) {
  for (const auto& [name, value] : about.items()) {
    const bool null = value.is_null();
    if (!null && value != Json("")) continue;
    const bool text = name == "contacts" || name == "token_endpoint_auth_method" ||
                      name.ends_with("_uri") || name == "client_secret";
    if (text) return "has the " + clipped(name) + (null ? " null" : " \"\"");
  }
  return {};
}

// advice_on says what readers of the answer stumble over, though no clause forbids it.
std::string advice_on(const Json& about) {
  const std::string unset = unset_member(about);
  if (!unset.empty()) return unset + ", expected no such member: strict clients cannot read it";
  const bool secret = !string_or(about, "client_secret", "").empty();
  if (!secret || string_or(about, "token_endpoint_auth_method", "") != "none") return {};
  return "has a client_secret and the token_endpoint_auth_method \"none\": clients cannot tell "
         "whether to show it";
}

// RFC 7591, sections 2 and 3.2.1.
constexpr TypedMember kTextMembers[] = {
    {"client_secret", MemberType::kText},
    {"client_name", MemberType::kText},
    {"client_uri", MemberType::kText},
    {"scope", MemberType::kText},
    {"token_endpoint_auth_method", MemberType::kText},
    {"contacts", MemberType::kTexts},
    {"registration_client_uri", MemberType::kText},
    {"registration_access_token", MemberType::kText},
};

// answer_flaw judges the answer to a registration. RFC 7591, sections 2 and 3.2.1.
AnswerFlaw answer_flaw(const Json& about, const std::string& uri) {
  if (string_or(about, "client_id", "").empty()) {
    return {"has " + told_member(about, "client_id") + ", expected a text"};
  }
  for (const char* const member : {"grant_types", "response_types"}) {
    const Json* const list = find(about, member);
    if (list == nullptr || list->is_array()) continue;
    return {"has the " + std::string(member) + " " + clipped(dump_json(*list)) +
            ", expected a list or none: clients cannot read it"};
  }
  const Json* const uris = find(about, "redirect_uris");
  if (uris == nullptr || *uris != Json::array({uri})) {
    return {"has " + told_member(about, "redirect_uris") + ", expected what is registered: [\"" +
            uri + "\"]"};
  }
  const bool secret = !string_or(about, "client_secret", "").empty();
  if (secret && !find_int(about, "client_secret_expires_at")) {
    return {"has a client_secret and no client_secret_expires_at"};
  }
  for (const char* const member : {"client_id_issued_at", "client_secret_expires_at"}) {
    const Json* const time = find(about, member);
    if (time == nullptr) continue;
    const std::optional<std::int64_t> seconds = as_int(*time);
    if (seconds && *seconds < kNoSeconds) continue;
    return {"has the " + std::string(member) + " " + clipped(dump_json(*time)) +
            ", expected seconds since 1970"};
  }
  const Mistyped mistyped = mistyped_in(about, kTextMembers);
  if (!mistyped.text.empty() && !mistyped.null) return {"has " + mistyped.text};
  return {advice_on(about), true};
}

// unlisted_method says that a client was given a way to authenticate that is not listed.
std::string unlisted_method(const AuthProbe& probe, const Json& about) {
  const std::string method = string_or(about, "token_endpoint_auth_method", "");
  const Json* const methods =
      find(probe.authority().document(), "token_endpoint_auth_methods_supported");
  const bool unlisted = methods != nullptr && methods->is_array() && !method.empty() &&
                        std::ranges::find(*methods, Json(method)) == methods->end();
  if (!unlisted) return {};
  return "has the token_endpoint_auth_method \"" + clipped(method) +
         "\", which its metadata does not list: clients that go by the metadata get no token";
}

struct OtherKind {
  std::string what;
  Json about;
};

// other_kinds returns the registrations of other clients than the judge's usual one.
std::vector<OtherKind> other_kinds(const AuthProbe& probe) {
  const Json usual = usual_registration(probe);
  std::vector<OtherKind> kinds;
  kinds.push_back({" with the grant type authorization_code alone", usual});
  kinds.back().about["grant_types"] = Json::array({"authorization_code"});
  for (const char* const member :
       {"grant_types", "response_types", "client_name", "token_endpoint_auth_method"}) {
    kinds.push_back({" without " + std::string(member), usual});
    kinds.back().about.erase(member);
  }
  const Json* const methods =
      find(probe.authority().document(), "token_endpoint_auth_methods_supported");
  for (const char* const method : {"client_secret_basic", "client_secret_post"}) {
    const bool listed = methods != nullptr && methods->is_array() &&
                        std::ranges::find(*methods, Json(method)) != methods->end();
    if (!listed) continue;
    kinds.push_back({" for " + std::string(method), usual});
    kinds.back().about["token_endpoint_auth_method"] = method;
  }
  return kinds;
}

// judge_answer judges the answer to one registration.
Finding judge_answer(const AuthProbe& probe, const Reply& reply, const std::string& kind) {
  const Json about = json_in(reply);
  const std::string start = "the answer to a registration" + kind + " ";
  AnswerFlaw flaw = answer_flaw(about, probe.client().redirect_uri);
  if (flaw.text.empty() || flaw.advice) {
    const std::string unlisted = unlisted_method(probe, about);
    const std::string type = other_type(reply);
    if (!type.empty()) flaw = {type + " (RFC 7591, section 3.2)"};
    if (!unlisted.empty()) flaw = {unlisted};
  }
  if (flaw.text.empty()) return passes();
  return flaw.advice ? risky(start + flaw.text) : broken(start + flaw.text);
}

Task<Finding> tells_what_it_registered(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  Json about = client_metadata(probe.client().redirect_uri);
  const Reply reply = co_await probe.register_client(std::move(about));
  const std::string why = closed_registration(reply);
  if (!why.empty()) co_return not_for_it(why);
  const bool said_yes = reply.status / 100 == 2 && error_of(reply).empty();
  if (!is_registered(reply) && !said_yes) {
    co_return not_for_it("it registered no client: status " + std::to_string(reply.status));
  }
  Finding found = judge_answer(probe, reply, "");
  if (found.verdict == Verdict::kFail) co_return std::move(found);
  if (reply.status != 201) {
    found = risky("a registration got status " + std::to_string(reply.status) +
                  ", expected 201: strict clients refuse it");
  }
  std::vector<OtherKind> kinds = other_kinds(probe);
  for (OtherKind& kind : kinds) {
    const Reply other = co_await probe.register_client(std::move(kind.about));
    if (other.status == 429) break;
    if (!is_registered(other)) continue;  // What it may refuse is for other rules.
    Finding next = judge_answer(probe, other, kind.what);
    if (next.verdict == Verdict::kFail) co_return std::move(next);
    if (found.verdict == Verdict::kPass) found = std::move(next);
  }
  co_return std::move(found);
}

Task<Finding> refuses_in_words(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  Json about = client_metadata("https://plumbline.example/callback");
  about["redirect_uris"] = Json::array();
  const Reply reply = co_await probe.register_client(about);
  const bool wants = reply.status == 401 || reply.status == 403;
  if (wants && error_of(reply).empty() && reply.headers.count("WWW-Authenticate") == 0) {
    co_return risky(
        "a registration got status " + std::to_string(reply.status) +
        " and neither JSON with an error nor WWW-Authenticate: who may register is not said");
  }
  const bool kept = wants || reply.status == 429;
  if (kept || reply.status == 0) co_return not_for_it(closed_registration(reply));
  const std::string what =
      "a registration without redirect URIs got status " + std::to_string(reply.status);
  if (is_registered(reply)) co_return broken("it registers a client without redirect URIs");
  if (reply.status != 400) co_return broken(what + ", expected 400");
  about.erase("redirect_uris");
  const Reply none = co_await probe.register_client(std::move(about));
  if (is_registered(none)) {
    co_return broken(
        "it registers a client that leaves redirect_uris out, and none whose list is "
        "empty: no code can be sent to it");
  }
  const std::string lack = error_lack(reply);
  if (!lack.empty()) co_return broken(what + " and " + lack);
  const std::string type = other_type(reply);
  if (type.empty()) co_return passes();
  co_return broken("the refusal of a registration " + type + " (RFC 7591, section 3.2.2)");
}

Task<Finding> ignores_unknown_members(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  if (probe.client().id.empty()) co_return not_for_it(probe.client().lack);
  Json about = client_metadata(probe.client().redirect_uri);
  about["plumbline_unknown"] = "x";
  const Reply reply = co_await probe.register_client(std::move(about));
  const std::string why = closed_registration(reply);
  if (!why.empty() && reply.status < 500) co_return not_for_it(why);
  if (is_registered(reply)) co_return passes();
  co_return broken("a registration with a member that nobody knows got status " +
                   std::to_string(reply.status) + ", expected that it is ignored");
}

// RFC 7591, section 2: who names no grant_types has the code alone, and may say so.
Task<Finding> registers_the_code_alone(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  if (probe.client().id.empty()) co_return not_for_it(probe.client().lack);
  for (const bool named : {true, false}) {
    Json about = client_metadata(probe.client().redirect_uri);
    about.erase("grant_types");
    if (named) about["grant_types"] = Json::array({"authorization_code"});
    const Reply reply = co_await probe.register_client(std::move(about));
    const std::string why = closed_registration(reply);
    if (!why.empty()) co_return not_for_it(why);
    if (is_registered(reply)) continue;
    co_return risky(
        std::string("it does not register a client ") +
        (named ? "with the grant type authorization_code alone" : "that names no grant_types") +
        " (status " + std::to_string(reply.status) +
        "): clients that do not refresh tokens cannot sign in");
  }
  co_return passes();
}

Task<Finding> advertises_registration(AuthProbe& probe) {
  if (has_registration(probe)) co_return passes();
  if (!probe.authority().document().is_object()) co_return not_for_it("it has no metadata");
  const Result<wire::Url> issuer = wire::parse_url(probe.authority().issuer);
  if (!issuer.ok()) co_return not_for_it("its issuer is no address");
  const std::string place = issuer.value().origin() + "/register";
  Json about = client_metadata("http://127.0.0.1:33418/callback");
  const Reply reply = co_await probe.register_at(place, std::move(about));
  Json made = is_registered(reply) ? json_in(reply) : Json();
  const bool client = !string_or(made, "client_id", "").empty();
  co_await probe.take_back(std::move(made));
  if (!client) co_return not_for_it(kRegistersNobody);
  co_return risky("it registers clients at " + place +
                  ", and its metadata names no registration_endpoint: clients go by that, and do "
                  "not find it");
}

// refuses_it returns whether an answer refuses who asks, and not what is asked.
bool refuses_it(const Reply& reply) {
  if (answered_fields(reply).get("error") == "unauthorized_client") return true;
  return reply.status == 400 || reply.status == 404;
}

// serves_each_redirect registers a client with two redirect URIs, and asks with each.
Task<Finding> serves_each_redirect(AuthProbe* probe, wire::Form right) {
  const std::string uris[] = {"http://127.0.0.1:33418/callback",
                              "http://127.0.0.1:33418/second-callback"};
  // Whoever refuses the first by itself does so for another reason.
  const Reply alone = co_await probe->with_client(uris[0], right);
  if (alone.status == 0 || refuses_it(alone)) co_return passes();
  Json about = client_metadata(uris[0]);
  about["redirect_uris"].push_back(uris[1]);
  const Reply made = co_await probe->register_at(probe->authority().member("registration_endpoint"),
                                                 std::move(about));
  Json client = is_registered(made) ? json_in(made) : Json();
  const std::string id = string_or(client, "client_id", "");
  Finding finding = passes();
  for (const std::string& uri : uris) {
    if (id.empty()) break;
    wire::Form form = changed(changed(right, "client_id", id), "redirect_uri", uri);
    const Reply reply = co_await probe->authorize(std::move(form));
    if (reply.status == 0 || !refuses_it(reply)) continue;
    finding =
        broken("it registers a client with the redirect_uris \"" + uris[0] + "\" and \"" + uris[1] +
               "\", and refuses its request for authorization with the " +
               (uri == uris[0] ? "first" : "second") + ": status " + std::to_string(reply.status));
    break;
  }
  co_await probe->take_back(std::move(client));
  co_return std::move(finding);
}

// The client that it has registered may ask for authorization, and so may the usual others.
Task<Finding> serves_whom_it_registers(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  wire::Form right = probe.usual_request();
  // Some want to be told what for.
  const Json* const scopes = find(probe.authority().document(), "scopes_supported");
  if (scopes != nullptr && scopes->is_array() && !scopes->empty() && scopes->front().is_string()) {
    right.add("scope", scopes->front().get<std::string>());
  }
  for (const std::string& uri :
       {probe.client().redirect_uri, std::string("http://localhost:33418/callback"),
        std::string("https://plumbline.example/callback")}) {
    const Reply reply = co_await probe.with_client(uri, right);
    if (reply.status == 0 || !refuses_it(reply)) continue;
    co_return broken("it registers a client with the redirect URI \"" + clipped(uri) +
                     "\", and refuses its request for authorization with status " +
                     std::to_string(reply.status));
  }
  std::vector<SparseRegistration> sparse = sparse_registrations(probe);
  for (SparseRegistration& one : sparse) {
    const Reply reply = co_await probe.as_registered(std::move(one.about), right);
    if (reply.status == 0 || !refuses_it(reply)) continue;
    co_return broken("it registers a client that names no " + one.member +
                     ", and refuses its request for authorization with status " +
                     std::to_string(reply.status));
  }
  co_return co_await serves_each_redirect(&probe, std::move(right));
}

// RFC 6749, section 3.1.2: the query of a redirect URI is kept.
Task<Finding> keeps_the_query(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::string place = probe.client().redirect_uri;
  const std::string uri =
      place + (place.find('?') == std::string::npos ? "?" : "&") + "from=plumbline";
  const wire::Form right = probe.usual_request();
  constexpr std::pair<const char*, const char*> kWays[] = {{"prompt", "none"},
                                                           {"response_type", "plumbline"}};
  for (const auto& [name, value] : kWays) {
    wire::Form form = changed(right, name, value);
    const Reply reply = co_await probe.with_client(uri, std::move(form));
    if (reply.status == 0) co_return not_for_it("it registers no redirect URI with a query");
    if (!is_sent_to(reply, place)) continue;
    const wire::Form back = answered_fields(reply);
    // That a state is missing is told by another rule.
    const bool is_answer = back.count("error") == 1 || back.count("code") == 1;
    if (back.get("from") == "plumbline" && is_answer) co_return passes();
    co_return broken("registered is \"" + clipped(uri) + "\", and it sends the browser to \"" +
                     clipped(location_of(reply)) +
                     "\": expected that its query is kept, and what is answered added to it");
  }
  co_return not_for_it("nothing comes back to the client before somebody signs in");
}

constexpr AuthCheck kRegistrationChecks[] = {
    {"auth.as-registration-code-alone", registers_the_code_alone},
    {"auth.as-registration-advertised", advertises_registration},
    {"auth.as-registered-is-served", serves_whom_it_registers},
    {"auth.as-redirect-query-kept", keeps_the_query},
    {"auth.as-registration-answer", tells_what_it_registered},
    {"auth.as-registration-errors", refuses_in_words},
    {"auth.as-registration-ignores-unknown", ignores_unknown_members},
};

}  // namespace

AuthChecks registration_checks() { return kRegistrationChecks; }

}  // namespace plumbline::conformance
