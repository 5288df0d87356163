// Finding who gives out tokens: spec, basic/authorization, Authorization Server Discovery.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/auth/auth_script.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kResourcePath = "/.well-known/oauth-protected-resource";
constexpr std::string_view kOpenIdPath = "/.well-known/openid-configuration";

// Decoyed has metadata where the challenge says, and another's where it is looked for without.
class Decoyed final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_asked(record, "asked for the resource's metadata");
    if (const AuthHeard* const one = record.auth.first(AuthStep::kResourceMetadata)) {
      const std::string why = "it asked " + one->url + " before " + place();
      finding = one->url == place() ? passes()
                                    : at(record, *one, broken(why + ", which the challenge names"));
    }
    if (finding.verdict == Verdict::kSkip && !record.auth.heard.empty()) {
      finding = broken("it never asked " + place() + ", which the challenge names");
    }
    verdicts.say("auth.client-prm-header-first", std::move(finding));
  }

 protected:
  std::string challenge() const override { return "Bearer resource_metadata=\"" + place() + "\""; }
  Json resource_document(const std::string& url) const override {
    if (url == place()) return resource();
    if (url.find(kResourcePath) == std::string::npos) return {};
    Json decoy = resource();
    decoy["authorization_servers"] = Json::array({origin() + "/decoy"});
    return decoy;
  }

 private:
  std::string place() const { return origin() + "/about/this-resource.json"; }
};

// Challenged has metadata nowhere but where a challenge names it that is not easily read.
class Challenged : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.client-parses-www-authenticate", finding(record));
  }

 protected:
  std::string place() const { return origin() + "/about/this-resource.json"; }
  std::string challenge() const override {
    return "bearer realm=\"MCP, \\\"ours\\\"\", error=\"invalid_token\", "
           "error_description=\"none, resource_metadata=no\", Resource_Metadata=\"" +
           place() + "\"";
  }
  Json resource_document(const std::string& url) const override {
    return url == place() ? resource() : Json();
  }
  Finding finding(const Record& record) const {
    for (const AuthHeard* const one : record.auth.all(AuthStep::kResourceMetadata)) {
      if (one->url == place()) return passes();
    }
    return broken("it was answered 401 with WWW-Authenticate: " + challenge() +
                  ", and did not ask for the metadata there; " + record.how_it_ended());
  }
};

// TwoChallenges offers something else first. Many read the first challenge alone.
class TwoChallenges final : public Challenged {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.client-parses-www-authenticate", at_most_risky(finding(record)));
  }

 protected:
  std::string challenge() const override {
    return "Basic realm=\"MCP\", Bearer resource_metadata=\"" + place() + "\"";
  }
};

// BareChallenge names no metadata: it stands at the root.
class BareChallenge : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.client-prm-well-known-fallback", finding(record));
  }

 protected:
  std::string challenge() const override { return "Bearer"; }
  Json resource_document(const std::string& url) const override {
    return url == root() ? resource() : Json();
  }

  Finding finding(const Record& record) const {
    const std::vector<const AuthHeard*> asked = record.auth.all(AuthStep::kResourceMetadata);
    if (asked.empty()) {
      return broken("it was answered 401 without a metadata URL, and asked for none; " +
                    record.how_it_ended());
    }
    if (asked.front()->url != named_place()) {
      return at(record, *asked.front(),
                broken("it asked " + asked.front()->url + " first, expected " + named_place()));
    }
    const bool rooted =
        std::ranges::any_of(asked, [&](const AuthHeard* one) { return one->url == root(); });
    if (rooted) return passes();
    return broken("it got " + std::to_string(missing_status()) + " for " + asked.front()->url +
                  " and did not ask " + root());
  }

 private:
  std::string root() const { return origin() + std::string(kResourcePath); }
};

// asked_in_order says whether the metadata was looked for at `places`, in this order. What comes
// between is nobody's business.
Finding asked_in_order(const Record& record, const std::vector<std::string>& places) {
  std::size_t next = 0;
  const std::vector<const AuthHeard*> asked = record.auth.all(AuthStep::kServerMetadata);
  for (const AuthHeard* const one : asked) {
    const auto place = std::ranges::find(places, one->url);
    if (place == places.end()) continue;
    const auto index = static_cast<std::size_t>(place - places.begin());
    if (index < next) continue;  // Once more.
    if (index > next) {
      return at(record, *one, broken("it asked " + one->url + " before " + places[next]));
    }
    ++next;
  }
  if (next == places.size()) return passes();
  if (asked.empty()) return never_asked(record, "asked for the authorization server's metadata");
  return at(record, *asked.back(), broken("it did not ask " + places[next]));
}

bool was_told(const Record& record, AuthStep step) {
  const std::vector<const AuthHeard*> asked = record.auth.all(step);
  return std::ranges::any_of(asked, [](const AuthHeard* one) { return one->status == 200; });
}

// supports_both says whether the document of OpenID Connect was enough.
Finding supports_both(const Record& record) {
  if (record.auth.first(AuthStep::kServerMetadata) == nullptr) {
    return never_asked(record, "asked for the authorization server's metadata");
  }
  const bool used = record.auth.first(AuthStep::kAuthorization) != nullptr ||
                    record.auth.first(AuthStep::kToken) != nullptr ||
                    record.auth.first(AuthStep::kRegistration) != nullptr;
  if (used) return passes();
  if (was_told(record, AuthStep::kServerMetadata)) {
    return not_for_it("it read openid-configuration, and went no further");
  }
  return broken("it did not read openid-configuration, which is all there is; " +
                record.how_it_ended());
}

// OpenId has the metadata of OpenID Connect alone.
class OpenId : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const std::string& base = issuer();
    verdicts.say("auth.as-metadata-order-without-path",
                 asked_in_order(record, {base + std::string(kAuthorizationServerPath),
                                         base + std::string(kOpenIdPath)}));
    verdicts.say("auth.client-supports-both-as-discovery", supports_both(record));
  }

 protected:
  Json server_document(const std::string& url) const override {
    return url == issuer() + std::string(kOpenIdPath) ? metadata(0) : Json();
  }
};

// Tenant has an issuer with a path, and its metadata at the last place where that is looked for.
class Tenant final : public OpenId {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const std::string base = issuer().substr(0, issuer().rfind('/'));
    verdicts.say("auth.as-metadata-order-with-path",
                 asked_in_order(record, {base + std::string(kAuthorizationServerPath) + "/tenant1",
                                         base + std::string(kOpenIdPath) + "/tenant1",
                                         issuer() + std::string(kOpenIdPath)}));
    verdicts.say("auth.client-supports-both-as-discovery", supports_both(record));
  }

 protected:
  std::vector<std::string> issuer_paths() const override { return {"/tenant1"}; }
};

// ForeignIssuer answers with the metadata of somebody else.
class ForeignIssuer final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const bool saw = was_told(record, AuthStep::kServerMetadata);
    verdicts.say("auth.as-metadata-issuer-validated",
                 stopped_before(record, AuthStep::kAuthorization, saw,
                                "the metadata of " + issuer() + " is of another issuer"));
  }

 protected:
  Json metadata(std::size_t index) const override {
    Json document = AuthScript::metadata(index);
    document["issuer"] = "https://somebody-else.example";
    return document;
  }
};

// ForeignResource answers with the metadata of another resource.
class ForeignResource final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_asked(record, "asked for the resource's metadata");
    if (was_told(record, AuthStep::kResourceMetadata)) finding = passes();
    if (const AuthHeard* const asked = record.auth.first(AuthStep::kAuthorization)) {
      const std::string named = asked->form.get("resource").value_or("");
      finding = named == other()
                    ? broken("resource is " + named + ", which is not the server " + server())
                    : risky("it asked for a token although the metadata of " + server() +
                            " is of another resource");
      finding = at(record, *asked, std::move(finding));
    }
    verdicts.say("auth.resource-identifies-server", std::move(finding));
  }

 protected:
  Json resource() const override {
    Json document = AuthScript::resource();
    document["resource"] = other();
    return document;
  }

 private:
  static std::string other() { return "https://somebody-else.example/mcp"; }
};

// NoMetadata says nothing: only 2025-03-26 has endpoints that are guessed.
class NoMetadata final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    if (has_resource_metadata()) {
      verdicts.say("auth.no-metadata-aborts", gives_up(record));
      return;
    }
    const AuthHeard* const asked = record.auth.first(AuthStep::kAuthorization);
    const AuthHeard* const joins = record.auth.first(AuthStep::kRegistration);
    const AuthHeard* const looked = record.auth.first(AuthStep::kServerMetadata);
    const AuthHeard* const used = joins != nullptr ? joins : asked;
    Finding uses = broken("without metadata it did not ask " + origin() + "/authorize; " +
                          record.how_it_ended());
    if (asked != nullptr && record.auth.first(AuthStep::kToken) != nullptr) uses = passes();
    verdicts.say("auth.default-endpoints-used", std::move(uses));
    Finding before = never_asked(record, "asked for authorization");
    if (used != nullptr) {
      before = looked != nullptr && looked->place < used->place
                   ? passes()
                   : at(record, *used, broken("it asked " + used->url + " before the metadata"));
    }
    verdicts.say("auth.discovery-before-defaults", std::move(before));
  }

 protected:
  std::string challenge() const override { return "Bearer"; }
  Json resource_document(const std::string&) const override { return {}; }
  Json server_document(const std::string&) const override { return {}; }
  bool has_guessed_endpoints() const override { return true; }

 private:
  // Who knows 2025-03-26 as well may do as that says.
  static Finding gives_up(const Record& record) {
    if (const AuthHeard* const heard = beyond_metadata(record)) {
      return at(
          record, *heard,
          risky("without any metadata it asked " + heard->url + ", as only 2025-03-26 has it"));
    }
    return record.auth.heard.empty() ? never_asked(record, "asked for metadata") : passes();
  }
};

// GuardedPlaces refuses to say whether there is a document, as many a CDN does.
class GuardedPlaces final : public BareChallenge {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const AuthHeard* const first = record.auth.first(AuthStep::kResourceMetadata);
    const bool begins = first != nullptr && first->url == named_place();
    verdicts.say("auth.well-known-past-refusals",
                 begins ? at_most_risky(finding(record))
                        : not_for_it("it does not ask behind the path of the server first"));
  }

 protected:
  int missing_status() const override { return 403; }
};

constexpr std::string_view kDecoyedIds[] = {"auth.client-prm-header-first"};
constexpr std::string_view kChallengedIds[] = {"auth.client-parses-www-authenticate"};
constexpr std::string_view kBareIds[] = {"auth.client-prm-well-known-fallback"};
constexpr std::string_view kGuardedIds[] = {"auth.well-known-past-refusals"};
constexpr std::string_view kOpenIdIds[] = {"auth.as-metadata-order-without-path",
                                           "auth.client-supports-both-as-discovery"};
constexpr std::string_view kTenantIds[] = {"auth.as-metadata-order-with-path",
                                           "auth.client-supports-both-as-discovery"};
constexpr std::string_view kForeignIssuerIds[] = {"auth.as-metadata-issuer-validated"};
constexpr std::string_view kForeignResourceIds[] = {"auth.resource-identifies-server"};
constexpr std::string_view kNoMetadataIds[] = {
    "auth.no-metadata-aborts", "auth.default-endpoints-used", "auth.discovery-before-defaults"};

constexpr ClientScenario kDiscoveryScenarios[] = {
    {"auth/metadata-var3", "auth-named-metadata", Eras::kBoth, Over::kHttp, since::kScopeSelection,
     kDecoyedIds, make_script<Decoyed>, true},
    {"auth/metadata-var3", "auth-odd-challenge", Eras::kBoth, Over::kHttp, since::kResourceMetadata,
     kChallengedIds, make_script<Challenged>, true},
    {"auth/metadata-var3", "auth-two-challenges", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kChallengedIds, make_script<TwoChallenges>, true},
    {"auth/metadata-var1", "auth-bare-challenge", Eras::kBoth, Over::kHttp, since::kScopeSelection,
     kBareIds, make_script<BareChallenge>, true},
    {"auth/metadata-var1", "auth-guarded-places", Eras::kBoth, Over::kHttp, since::kScopeSelection,
     kGuardedIds, make_script<GuardedPlaces>, true},
    {"auth/metadata-var1", "auth-openid", Eras::kBoth, Over::kHttp, since::kScopeSelection,
     kOpenIdIds, make_script<OpenId>, true},
    {"auth/metadata-var2", "auth-tenant", Eras::kBoth, Over::kHttp, since::kScopeSelection,
     kTenantIds, make_script<Tenant>, true},
    {"auth/metadata-issuer-mismatch", "auth-foreign-issuer", Eras::kBoth, Over::kHttp,
     since::kStreamableHttp, kForeignIssuerIds, make_script<ForeignIssuer>, true},
    {"auth/resource-mismatch", "auth-foreign-resource", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kForeignResourceIds, make_script<ForeignResource>, true},
    {"auth/2025-03-26-oauth-endpoint-fallback", "auth-no-metadata", Eras::kStateful, Over::kHttp,
     since::kStreamableHttp, kNoMetadataIds, make_script<NoMetadata>, true},
};

}  // namespace

ClientScenarios auth_discovery_scenarios() { return kDiscoveryScenarios; }

}  // namespace plumbline::conformance
