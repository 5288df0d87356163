// Challenges and tokens in other forms than the usual: RFC 9110, sections 5.6.3 and 11.2; RFC 6749,
// section 5.1.

#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/auth/auth_script.h"

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

constexpr std::string_view kSpacedChallengeIds[] = {"auth.client-parses-www-authenticate"};
constexpr std::string_view kBareTokenIds[] = {"auth.token-answer-bare"};

constexpr ClientScenario kAuthFormScenarios[] = {
    {"auth/metadata-default", "auth-spaced-challenge", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kSpacedChallengeIds, make_script<SpacedChallenge>, true},
    {"auth/metadata-default", "auth-bare-token", Eras::kBoth, Over::kHttp, since::kResourceMetadata,
     kBareTokenIds, make_script<BareToken>, true},
};

}  // namespace

ClientScenarios auth_form_scenarios() { return kAuthFormScenarios; }

}  // namespace plumbline::conformance
