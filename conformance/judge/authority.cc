#include "conformance/judge/authority.h"

#include <chrono>
#include <utility>

#include "conformance/catalogue/causes.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/wire/challenges.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kAuthCheckMax = std::chrono::seconds(30);
constexpr std::size_t kAuthEvidenceMax = 40;
constexpr const char* kOurRedirect = "http://127.0.0.1:33418/callback";
constexpr const char* kWebRedirect = "https://plumbline.example/callback";
constexpr std::string_view kOauthName = "/.well-known/oauth-authorization-server";
constexpr std::string_view kOidcName = "/.well-known/openid-configuration";
constexpr std::string_view kResourceName = "/.well-known/oauth-protected-resource";

// path_in returns the path of an address without the slashes at its end.
std::string path_in(const wire::Url& url) {
  std::string path = url.target.substr(0, url.target.find('?'));
  while (path.ends_with('/')) path.pop_back();
  return path;
}

// issuer_of_place returns of which issuer `url` is a well-known place; empty: of none.
std::string issuer_of_place(const wire::Url& url) {
  const std::string path = path_in(url);
  for (const std::string_view name : {kOauthName, kOidcName}) {
    const std::size_t at = path.find(name);
    if (at == std::string::npos) continue;
    return url.origin() + path.substr(0, at) + path.substr(at + name.size());
  }
  return {};
}

// rule_of returns the newest form of a rule.
const Requirement* rule_of(std::string_view id) {
  for (const std::string_view revision : {kNewestStateless, kNewestStateful}) {
    if (const Requirement* const rule = find_requirement(id, revision)) return rule;
  }
  return nullptr;
}

std::string_view revision_of(const Requirement& rule) {
  return is_stateless(rule.since) ? kNewestStateless : kNewestStateful;
}

// listed_scopes returns what the metadata lists, as a request names them; empty: nothing.
std::string listed_scopes(const Json& document) {
  const Json* const scopes = find(document, "scopes_supported");
  std::string all;
  if (scopes == nullptr || !scopes->is_array()) return all;
  for (const Json& scope : *scopes) {
    if (scope.is_string()) all += (all.empty() ? "" : " ") + scope.get<std::string>();
  }
  return all;
}

// first_issuer returns the first authorization server of resource metadata; empty: there is none.
std::string first_issuer(const Reply& reply) {
  const Json document = reply.status == 200 ? json_in(reply) : Json();
  const Json* const servers = find(document, "authorization_servers");
  if (servers == nullptr || !servers->is_array() || servers->empty()) return {};
  const Json& first = servers->front();
  return first.is_string() ? first.get<std::string>() : std::string();
}

}  // namespace

AuthorityJudge::AuthorityJudge(net::HttpClient& http, WireLog& log, AuthorityJudgeOptions options)
    : http_(http), log_(log), options_(std::move(options)) {}

Task<void> AuthorityJudge::judge() {
  AuthProbe probe(http_, log_, authority_, client_, options_.patience, 0, given_);
  co_await find_issuer(probe);
  co_await find_documents(probe);
  if (!authority_.answered) {
    unreachable_ = options_.url + ": " + authority_.tried;
    co_return;
  }
  co_await become_client(probe);
  co_await judge_all();
  name_causes(results_);
  co_await leave(probe);
}

Task<void> AuthorityJudge::find_issuer(AuthProbe& probe) {
  const Result<wire::Url> url = wire::parse_url(options_.url);
  authority_.issuer = url.ok() ? issuer_of_place(url.value()) : std::string();
  if (!authority_.issuer.empty() || !url.ok()) co_return;
  const Reply refusal = co_await probe.get(options_.url);
  std::vector<std::string> places;
  const std::optional<Challenge> bearer = bearer_challenge(refusal.headers);
  if (bearer && bearer->param("resource_metadata")) {
    places.push_back(*bearer->param("resource_metadata"));
  }
  // Both well-known places are read whatever the challenge says: RFC 9728, section 3.1.
  places.push_back(url.value().origin() + std::string(kResourceName) + path_in(url.value()));
  places.push_back(url.value().origin() + std::string(kResourceName));
  for (std::string& place : places) {
    const Reply reply = co_await probe.get(std::move(place));
    authority_.issuer = first_issuer(reply);
    if (authority_.issuer.empty()) continue;
    const std::string resource = string_or(json_in(reply), "resource", "");
    const Result<wire::Url> there = wire::parse_url(resource);
    authority_.resource = resource.empty() ? options_.url : resource;
    authority_.resource_is_own = there.ok() && there.value().origin() == url.value().origin();
    co_return;
  }
  authority_.issuer = options_.url;
}

// Spec 2025-11-25, basic/authorization, Authorization Server Metadata Discovery.
Task<void> AuthorityJudge::find_documents(AuthProbe& probe) {
  const Result<wire::Url> issuer = wire::parse_url(authority_.issuer);
  if (!issuer.ok()) {
    authority_.tried = "\"" + authority_.issuer + "\" is no address";
    co_return;
  }
  const std::string origin = issuer.value().origin();
  const std::string path = path_in(issuer.value());
  std::vector<std::pair<Json*, std::string>> places = {
      {&authority_.oauth, origin + std::string(kOauthName) + path},
      {&authority_.oidc, origin + std::string(kOidcName) + path}};
  if (!path.empty()) places.emplace_back(&authority_.oidc, origin + path + std::string(kOidcName));
  for (const auto& [document, place] : places) {
    if (document->is_object()) continue;
    const Reply reply = co_await probe.get(place);
    if (!authority_.document().is_object()) authority_.places = reply.places;
    authority_.answered = authority_.answered || reply.status != 0;
    if (reply.status == 200) *document = json_in(reply);
    if (document->is_object() && authority_.place.empty()) authority_.place = place;
    const std::string type = document->is_object() ? other_type(reply) : std::string();
    if (!type.empty() && authority_.type.empty()) authority_.type = place + " " + type;
    if (reply.status == 200 && !document->is_object()) authority_.page = place;
    if (document->is_object()) continue;
    const std::string came =
        reply.status == 0 ? reply.describe() : "status " + std::to_string(reply.status);
    authority_.tried += (authority_.tried.empty() ? "" : ", ") + place + " gave " + came;
  }
}

Task<void> AuthorityJudge::become_client(AuthProbe& probe) {
  client_.redirect_uri = options_.redirect_uri.empty() ? kOurRedirect : options_.redirect_uri;
  client_.has_person = options_.consent == Consent::kAuto;
  client_.id = options_.client_id;
  if (!client_.id.empty()) co_return;
  const std::string endpoint = authority_.member("registration_endpoint");
  if (endpoint.empty()) {
    client_.lack = "it registers nobody: --client-id and --redirect-uri name a client of it";
    co_return;
  }
  const Reply first = co_await register_with(probe, client_.redirect_uri, "");
  if (client_.id.empty() && first.status == 400) {
    co_await register_with(probe, client_.redirect_uri, listed_scopes(authority_.document()));
  }
  // One on the web, where it takes no other.
  if (client_.id.empty() && first.status == 400 && options_.redirect_uri.empty()) {
    co_await register_with(probe, kWebRedirect, "");
  }
  if (client_.id.empty()) {
    client_.lack = "it registered no client: status " + std::to_string(first.status) +
                   "; --client-id and --redirect-uri name one";
  }
}

// register_with registers the client with this redirect URI, and with `scope` unless it is empty.
Task<Reply> AuthorityJudge::register_with(AuthProbe& probe, std::string uri, std::string scope) {
  Json about = client_metadata(uri);
  if (uri.starts_with("https")) about["application_type"] = "web";
  if (!scope.empty()) about["scope"] = scope;
  std::string endpoint = authority_.member("registration_endpoint");
  const Reply reply = co_await probe.register_at(std::move(endpoint), std::move(about));
  registration_ = reply.status == 200 || reply.status == 201 ? json_in(reply) : Json();
  client_.id = string_or(registration_, "client_id", "");
  if (client_.id.empty()) co_return reply;
  client_.is_ours = true;
  client_.method = string_or(registration_, "token_endpoint_auth_method", "");
  client_.redirect_uri = std::move(uri);
  client_.scope = std::move(scope);
  co_return reply;
}

// leave takes the registration back (RFC 7592).
Task<void> AuthorityJudge::leave(AuthProbe& probe) { co_await probe.take_back(registration_); }

Task<void> AuthorityJudge::judge_all() {
  for (const AuthCheck& check : all_auth_checks()) {
    const Requirement* const rule = rule_of(check.id);
    if (rule == nullptr || !options_.selection.wants(*rule)) continue;
    const auto number = static_cast<std::uint32_t>(results_.size() + 1);
    const Instant begin = http_.loop().now();
    AuthProbe probe(http_, log_, authority_, client_, options_.patience, number, given_);
    log_.judge(number, authority_.places);  // Until it asks something itself.
    Result<Finding> found = co_await with_deadline(http_.loop(), after(begin, kAuthCheckMax),
                                                   std::string(check.id), check.run(probe));
    Finding finding;
    if (found.ok()) {
      finding = std::move(found).value();
    } else {
      finding = undecided(found.error().message);
    }
    if (shows_evidence(finding.verdict)) {
      finding.evidence = log_.evidence_of(number, kAuthEvidenceMax, finding.about);
      for (Evidence& each : finding.evidence) each.message = excerpt(each.message);
    }
    const RowWriter writer(log_.redactor(), std::string(revision_of(*rule)), "http",
                           options_.reproduce);
    const Duration took = http_.loop().now() - begin;
    results_.push_back(writer.row(shown_of(*rule), std::move(finding), took));
  }
}

}  // namespace plumbline::conformance
