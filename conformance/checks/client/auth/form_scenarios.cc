// Challenges, metadata and tokens in other forms than the usual: RFC 9110, sections 5.6.3 and 11.2;
// RFC 6749, sections 3.1 and 5.1.

#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/auth/auth_script.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// SpacedChallenge has blanks around each = of its challenge. Nobody should write them, and whoever
// reads has to skip them; the metadata is nowhere but where the challenge says.
class SpacedChallenge final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.client-parses-www-authenticate", at_most_risky(finding(record)));
  }

 protected:
  std::string challenge() const override {
    return "Bearer realm = \"MCP\", resource_metadata = \"" + place() + "\"";
  }
  Json resource_document(const std::string& url) const override {
    return url == place() ? resource() : Json();
  }

 private:
  std::string place() const { return origin() + "/about/this-resource.json"; }
  Finding finding(const Record& record) const {
    for (const AuthHeard* const one : record.auth.all(AuthStep::kResourceMetadata)) {
      if (one->url == place()) return passes();
    }
    return broken("it was answered 401 with WWW-Authenticate: " + challenge() +
                  ", with blanks around the =, and did not ask for the metadata there; " +
                  record.how_it_ended());
  }
};

// BareToken gives tokens whose answer has what it must have alone, in small letters.
class BareToken final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_asked(record, "asked for a token");
    if (!record.auth.granted.empty()) {
      finding = record.auth.let_in > 0
                    ? passes()
                    : broken(
                          "it was given a token with the token_type \"bearer\", in small "
                          "letters, and no expires_in, which may be left out, and made no "
                          "request with it; " +
                          record.how_it_ended());
    }
    verdicts.say("auth.token-answer-bare", std::move(finding));
  }

 protected:
  Json token_answer(Json usual) const override {
    usual["token_type"] = "bearer";
    usual.erase("expires_in");
    return usual;
  }
};

constexpr const char* kTenantQuery = "plumbline";

// QueriedEndpoint has an authorization endpoint with a query of its own, and takes two of the usual
// ways to authenticate at its token endpoint. RFC 6749, section 3.1: the query is retained when
// parameters are added. RFC 8414, section 2; RFC 7591, section 2.
class QueriedEndpoint final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.client-reads-as-metadata", keeps_the_query(record));
    verdicts.say("auth.dcr-auth-method", registers_for_what_is_listed(record));
  }

 protected:
  Json metadata(std::size_t index) const override {
    Json document = AuthScript::metadata(index);
    const std::string endpoint = string_or(document, "authorization_endpoint", "");
    document["authorization_endpoint"] = endpoint + "?tenant=" + kTenantQuery;
    document["token_endpoint_auth_methods_supported"] =
        Json::array({"none", "client_secret_basic"});
    return document;
  }

 private:
  static Finding keeps_the_query(const Record& record) {
    const std::vector<const AuthHeard*> asked = record.auth.all(AuthStep::kAuthorization);
    if (asked.empty()) return never_asked(record, "asked for authorization");
    for (const AuthHeard* const one : asked) {
      const std::string tenant = one->form.get("tenant").value_or("");
      if (tenant == kTenantQuery) continue;
      const std::string what =
          "the authorization endpoint has the query \"?tenant=" + std::string(kTenantQuery) +
          "\", and it asked " + clipped(one->request.target);
      return at(record, *one,
                broken(what + (tenant.empty() ? ": the query is lost"
                                              : ": parameters are added to a query by &, not ?")));
    }
    return passes();
  }

  static Finding registers_for_what_is_listed(const Record& record) {
    const AuthHeard* const joined = record.auth.first(AuthStep::kRegistration);
    if (joined == nullptr) return not_for_it("it did not register");
    const std::string method =
        string_or(joined->body, "token_endpoint_auth_method", "client_secret_basic");
    if (method == "none" || method == "client_secret_basic") return passes();
    return at(record, *joined,
              risky("it registers with the token_endpoint_auth_method \"" + clipped(method) +
                    "\", and the metadata lists \"none\" and \"client_secret_basic\" alone: "
                    "servers refuse the registration, or the token request after it"));
  }
};

// ForOthers has an authorization endpoint whose query names another resource, as a server has that
// gives out tokens for several: what the client wants a token for stands beside it, or in its
// place.
class ForOthers final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const std::vector<const AuthHeard*> asked = record.auth.all(AuthStep::kAuthorization);
    Finding finding = asked.empty() ? never_asked(record, "asked for authorization") : passes();
    for (const AuthHeard& one : record.auth.heard) {
      const bool asks = one.step == AuthStep::kAuthorization || one.step == AuthStep::kToken;
      if (!asks || finding.verdict != Verdict::kPass || !names_the_other_alone(one)) continue;
      finding = at(record, one,
                   broken("the query of authorization_endpoint has resource=" +
                          std::string(kAnotherResource) + ", and " +
                          (one.step == AuthStep::kToken ? "the token request"
                                                        : "the authorization request") +
                          " names that in place of the server " + server()));
    }
    verdicts.say("auth.resource-identifies-server", std::move(finding));
  }

 protected:
  // The query is kept, so that the parameter may come twice.
  bool is_judged_by_resource() const override { return false; }
  Json metadata(std::size_t index) const override {
    Json document = AuthScript::metadata(index);
    const std::string endpoint = string_or(document, "authorization_endpoint", "");
    const wire::Form query{{"resource", kAnotherResource}};
    document["authorization_endpoint"] = endpoint + "?" + query.text();
    return document;
  }

 private:
  static constexpr const char* kAnotherResource = "https://somebody-else.example/mcp";

  static bool names_the_other_alone(const AuthHeard& request) {
    bool other = false;
    for (const auto& [name, value] : request.form.fields()) {
      if (name != "resource") continue;
      if (value != kAnotherResource) return false;
      other = true;
    }
    return other;
  }
};

// NamedNowhere names an authorization server that has no metadata. Endpoints where 2025-03-26 has
// them by default are there all the same.
class NamedNowhere final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.no-metadata-aborts", gives_up(record));
  }

 protected:
  Json server_document(const std::string&) const override { return {}; }
  bool has_guessed_endpoints() const override { return true; }

 private:
  Finding gives_up(const Record& record) const {
    if (const AuthHeard* const heard = beyond_metadata(record)) {
      return at(
          record, *heard,
          risky("the resource names the authorization server " + issuer() +
                ", which has no metadata, and it asked " + heard->url + ", which nobody names"));
    }
    const bool looked = record.auth.first(AuthStep::kServerMetadata) != nullptr;
    return looked ? passes() : never_asked(record, "asked for the authorization server's metadata");
  }
};

const ClientScenario* posts_guarded(int status);

// PostsGuarded wants a token of each POST, and answers other methods without one by `kOther`, as
// servers do that know no HEAD: whether to sign in is said by the 401 to a POST alone. Clients that
// ask by another method meet other answers to that as well.
template <int kOther>
class PostsGuarded final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.client-parses-www-authenticate", finding(record));
  }
  std::vector<const ClientScenario*> left() const override { return left_; }

 protected:
  wire::HttpResponse unauthenticated(const HttpHeard& heard) const override {
    if (heard.request.method == "POST") return AuthScript::unauthenticated(heard);
    wire::HttpResponse response;
    response.status = kOther;
    return response;
  }

 private:
  Finding finding(const Record& record) {
    const HttpHeard* refused = nullptr;
    const HttpHeard* other = nullptr;
    for (std::size_t i = 1; i < record.http.size(); ++i) {
      const HttpHeard& heard = record.http[i];
      const bool posted = heard.request.method == "POST";
      if (posted && heard.status == 401 && refused == nullptr) refused = &heard;
      const bool bare = heard.request.headers.count("Authorization") == 0;
      if (!posted && bare && heard.status == kOther && other == nullptr) other = &heard;
    }
    if (refused == nullptr) return not_for_it("no POST of it was refused");
    if (other == nullptr) return not_for_it("it asks for nothing by another method than POST");
    if (record.auth.first(AuthStep::kResourceMetadata) == nullptr) {
      return at(record, *other,
                broken("its " + other->request.method + " was answered " + std::to_string(kOther) +
                       ", and it did not sign in at the 401 that its POST got with "
                       "WWW-Authenticate: " +
                       challenge() + "; " + record.how_it_ended()));
    }
    if (kOther == 405) left_ = {posts_guarded(404), posts_guarded(200)};
    return passes();
  }

  std::vector<const ClientScenario*> left_;
};

constexpr std::string_view kQueriedIds[] = {"auth.client-reads-as-metadata",
                                            "auth.dcr-auth-method"};
constexpr std::string_view kForOthersIds[] = {"auth.resource-identifies-server"};
constexpr std::string_view kNamedNowhereIds[] = {"auth.no-metadata-aborts"};
constexpr std::string_view kSpacedChallengeIds[] = {"auth.client-parses-www-authenticate"};
constexpr std::string_view kBareTokenIds[] = {"auth.token-answer-bare"};

constexpr ClientScenario kAuthFormScenarios[] = {
    {"auth/metadata-default", "auth-spaced-challenge", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kSpacedChallengeIds, make_script<SpacedChallenge>, true},
    {"auth/metadata-default", "auth-bare-token", Eras::kBoth, Over::kHttp, since::kResourceMetadata,
     kBareTokenIds, make_script<BareToken>, true},
    {"auth/metadata-default", "auth-queried-endpoint", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kQueriedIds, make_script<QueriedEndpoint>, true},
    {"auth/metadata-default", "auth-for-others", Eras::kBoth, Over::kHttp, since::kResourceMetadata,
     kForOthersIds, make_script<ForOthers>, true},
    {"auth/metadata-default", "auth-named-nowhere", Eras::kStateful, Over::kHttp,
     since::kScopeSelection, kNamedNowhereIds, make_script<NamedNowhere>, true},
    {"auth/metadata-default", "auth-posts-guarded", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kSpacedChallengeIds, make_script<PostsGuarded<405>>, true},
};

constexpr ClientScenario kPostsGuarded404 = {"auth/metadata-default",
                                             "auth-posts-guarded-404",
                                             Eras::kBoth,
                                             Over::kHttp,
                                             since::kResourceMetadata,
                                             kSpacedChallengeIds,
                                             make_script<PostsGuarded<404>>,
                                             true};
constexpr ClientScenario kPostsGuarded200 = {"auth/metadata-default",
                                             "auth-posts-guarded-200",
                                             Eras::kBoth,
                                             Over::kHttp,
                                             since::kResourceMetadata,
                                             kSpacedChallengeIds,
                                             make_script<PostsGuarded<200>>,
                                             true};

const ClientScenario* posts_guarded(int status) {
  return status == 404 ? &kPostsGuarded404 : &kPostsGuarded200;
}

}  // namespace

ClientScenarios auth_form_scenarios() { return kAuthFormScenarios; }

}  // namespace plumbline::conformance
