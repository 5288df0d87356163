// What comes back from the authorization server, and may not be trusted: spec, basic/authorization,
// Authorization Response Validation, Open Redirection, Authorization Code Protection.

#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/auth/auth_script.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kForeignError = "plumbline-text-of-a-stranger";

// with_field returns `form` with another value of `name`; empty: without it.
wire::Form with_field(const wire::Form& form, std::string_view name, const std::string& value) {
  wire::Form changed;
  for (const auto& [key, old] : form.fields()) {
    if (key != name) changed.add(key, old);
  }
  changed.add_filled(std::string(name), value);
  return changed;
}

// redeemed_nothing says whether a client dropped an answer of which `why` is wrong.
Finding redeemed_nothing(const Record& record, const std::string& why) {
  for (const AuthHeard* const asked : record.auth.all(AuthStep::kToken)) {
    if (asked->form.get("grant_type") != "authorization_code") continue;
    return at(record, *asked, broken("it redeemed the code although " + why));
  }
  if (record.auth.first(AuthStep::kAuthorization) != nullptr) return passes();
  return never_asked(record, "came to see that " + why);
}

// NoPkce does not say that it knows PKCE.
class NoPkce : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    bool saw = false;
    for (const AuthHeard* const one : record.auth.all(AuthStep::kServerMetadata)) {
      saw = saw || one->status == 200;
    }
    const Finding finding = stopped_before(record, AuthStep::kAuthorization, saw,
                                           "the metadata has no code_challenge_methods_supported");
    verdicts.say("auth.pkce-missing-refused", finding);
    verdicts.say("auth.pkce-support-verified", finding);
  }

 protected:
  Json metadata(std::size_t index) const override {
    Json document = AuthScript::metadata(index);
    document.erase("code_challenge_methods_supported");
    return document;
  }
};

// NoPkceOpenId likewise, in the document of OpenID Connect.
class NoPkceOpenId final : public NoPkce {
 protected:
  Json server_document(const std::string& url) const override {
    return url == issuer() + "/.well-known/openid-configuration" ? metadata(0) : Json();
  }
};

// PlainEndpoint has one of its endpoints at plain http and at an address that is not loopback: the
// unspecified one, which leads here all the same.
template <const char* kEndpoint, AuthStep kStep>
class PlainEndpoint final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    bool saw = false;
    for (const AuthHeard* const one : record.auth.all(AuthStep::kServerMetadata)) {
      saw = saw || one->status == 200;
    }
    const bool opens = kStep == AuthStep::kAuthorization;
    Finding finding = stopped_before(record, kStep, saw,
                                     std::string("the ") + kEndpoint +
                                         " is plain http at an address that is not loopback, "
                                         "0.0.0.0");
    if (finding.verdict == Verdict::kFail) {
      finding.verdict = Verdict::kWarn;  // A client may take this one for its own machine.
      finding.message = "arguable: " + finding.message;
    }
    verdicts.say(opens ? "security.authorization-url-scheme" : "auth.communication-security",
                 std::move(finding));
  }

 protected:
  Json metadata(std::size_t index) const override {
    Json document = AuthScript::metadata(index);
    std::string place = string_or(document, kEndpoint, "");
    const std::string loopback = "127.0.0.1";
    const std::size_t at = place.find(loopback);
    if (at != std::string::npos) place.replace(at, loopback.size(), "0.0.0.0");
    document[kEndpoint] = place;
    return document;
  }
};

constexpr char kAuthorizationEndpoint[] = "authorization_endpoint";
constexpr char kTokenEndpoint[] = "token_endpoint";
using PlainAuthorization = PlainEndpoint<kAuthorizationEndpoint, AuthStep::kAuthorization>;
using PlainToken = PlainEndpoint<kTokenEndpoint, AuthStep::kToken>;

// ChangedState answers another question than the client's; NoState, none.
class ChangedState : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const AuthHeard* const asked = record.auth.first(AuthStep::kAuthorization);
    Finding finding = redeemed_nothing(record, what());
    if (asked != nullptr && asked->form.count("state") == 0) {
      finding = at(record, *asked, broken("the authorization request has no state"));
    }
    verdicts.say("auth.state-verified", std::move(finding));
  }

 protected:
  virtual std::string what() const { return "the state that came back is another"; }
  wire::Form brought_back(wire::Form usual) const override {
    return with_field(usual, "state", "plumbline-of-another-question");
  }
};

class NoState final : public ChangedState {
 protected:
  std::string what() const override { return "no state came back"; }
  wire::Form brought_back(wire::Form usual) const override {
    return with_field(usual, "state", "");
  }
};

// WrongIss answers as another authorization server, and had promised iss; UnexpectedIss had not.
class WrongIss : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.iss-mismatch-rejected",
                 redeemed_nothing(record, "iss is of another authorization server"));
  }

 protected:
  wire::Form brought_back(wire::Form usual) const override {
    return with_field(usual, "iss", "https://somebody-else.example");
  }
};

class UnexpectedIss final : public WrongIss {
 protected:
  bool promises_issuer() const override { return false; }
};

// MissingIss breaks its promise; NoIss has made none.
class MissingIss final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.iss-missing-when-advertised-rejected",
                 redeemed_nothing(record, "iss did not come, which was promised"));
  }

 protected:
  wire::Form brought_back(wire::Form usual) const override { return with_field(usual, "iss", ""); }
};

class NoIss final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = passes();
    if (record.auth.first(AuthStep::kAuthorization) == nullptr) {
      finding = never_asked(record, "asked for authorization");
    } else if (record.auth.first(AuthStep::kToken) == nullptr) {
      finding = at(record, *record.auth.first(AuthStep::kAuthorization),
                   broken("it did not redeem a code that came without iss, which nobody had "
                          "promised; " +
                          record.how_it_ended()));
    }
    verdicts.say("auth.iss-absent-unadvertised-proceeds", std::move(finding));
  }

 protected:
  bool promises_issuer() const override { return false; }
};

// SimilarIss is the issuer but for a slash.
class SimilarIss final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.iss-no-normalization",
                 redeemed_nothing(record, "iss is " + issuer() + "/, and the issuer " + issuer()));
  }

 protected:
  wire::Form brought_back(wire::Form usual) const override {
    return with_field(usual, "iss", issuer() + "/");
  }
};

// ForeignRefusal is a refusal by another authorization server, with words of its own.
class ForeignRefusal final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = passes();
    if (record.auth.first(AuthStep::kAuthorization) == nullptr) {
      finding = never_asked(record, "asked for authorization");
    } else if (record.stderr_tail.find(kForeignError) != std::string::npos) {
      finding = broken(
          "an answer with a foreign iss was refused, and its error_description shown "
          "on stderr");
    }
    verdicts.say("auth.iss-mismatch-error-not-shown", std::move(finding));
  }

 protected:
  wire::Form brought_back(wire::Form usual) const override {
    wire::Form refusal{{"error", "access_denied"}, {"error_description", kForeignError}};
    if (usual.count("state") > 0) refusal.add("state", *usual.get("state"));
    refusal.add("iss", "https://somebody-else.example");
    return refusal;
  }
};

constexpr std::size_t kAsksMax = 4;  // A client may begin anew, in another era as well.

// UserRefuses sends the browser back with the refusal of its user: RFC 6749, section 4.1.2.1.
class UserRefuses final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.refusal-heeded", finding(record));
  }

 protected:
  wire::Form brought_back(wire::Form usual) const override {
    wire::Form refusal{{"error", "access_denied"}, {"error_description", "The user has refused"}};
    for (const std::string_view name : {"state", "iss"}) {
      refusal.add_filled(std::string(name), usual.get(name).value_or(""));
    }
    return refusal;
  }

 private:
  static Finding finding(const Record& record) {
    const std::string why =
        "the authorization endpoint has sent the browser back with "
        "error=access_denied and no code, ";
    const std::vector<const AuthHeard*> asks = record.auth.all(AuthStep::kAuthorization);
    if (asks.empty()) return never_asked(record, "asked for authorization");
    for (const AuthHeard* const one : record.auth.all(AuthStep::kToken)) {
      const std::string grant = one->form.get("grant_type").value_or("");
      // Who has another grant may try that.
      const bool other = !grant.empty() && grant != "authorization_code";
      if (other || one->at < asks.front()->at) continue;
      const std::string code = one->form.get("code").value_or("");
      return at(record, *one,
                broken(why + "and it asked for a token all the same, " +
                       (code.empty() ? std::string("without a code")
                                     : "with the code \"" + clipped(code) + "\"")));
    }
    if (asks.size() <= kAsksMax) return passes();
    return at(record, *asks.back(),
              risky(why + "and it has asked " + std::to_string(asks.size()) +
                    " times: a user who refuses is asked without end"));
  }
};

constexpr std::string_view kNoPkceIds[] = {"auth.pkce-missing-refused",
                                           "auth.pkce-support-verified"};
constexpr std::string_view kPlainAuthorizationIds[] = {"security.authorization-url-scheme"};
constexpr std::string_view kPlainTokenIds[] = {"auth.communication-security"};
constexpr std::string_view kStateIds[] = {"auth.state-verified"};
constexpr std::string_view kWrongIssIds[] = {"auth.iss-mismatch-rejected"};
constexpr std::string_view kMissingIssIds[] = {"auth.iss-missing-when-advertised-rejected"};
constexpr std::string_view kNoIssIds[] = {"auth.iss-absent-unadvertised-proceeds"};
constexpr std::string_view kSimilarIssIds[] = {"auth.iss-no-normalization"};
constexpr std::string_view kUserRefusesIds[] = {"auth.refusal-heeded"};
constexpr std::string_view kForeignRefusalIds[] = {"auth.iss-mismatch-error-not-shown"};

constexpr ClientScenario kAnswerScenarios[] = {
    {"auth/metadata-default", "auth-no-pkce", Eras::kBoth, Over::kHttp, since::kScopeSelection,
     kNoPkceIds, make_script<NoPkce>, true},
    {"auth/metadata-var1", "auth-no-pkce-openid", Eras::kBoth, Over::kHttp, since::kScopeSelection,
     kNoPkceIds, make_script<NoPkceOpenId>, true},
    {"auth/metadata-default", "auth-plain-authorization", Eras::kStateful, Over::kHttp,
     since::kResourceMetadata, kPlainAuthorizationIds, make_script<PlainAuthorization>, true},
    {"auth/metadata-default", "auth-plain-token", Eras::kStateful, Over::kHttp,
     since::kResourceMetadata, kPlainTokenIds, make_script<PlainToken>, true},
    {"auth/metadata-default", "auth-changed-state", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kStateIds, make_script<ChangedState>, true},
    {"auth/metadata-default", "auth-no-state", Eras::kBoth, Over::kHttp, since::kResourceMetadata,
     kStateIds, make_script<NoState>, true},
    {"auth/iss-wrong-issuer", "auth-wrong-iss", Eras::kStateless, Over::kHttp, "", kWrongIssIds,
     make_script<WrongIss>, true},
    {"auth/iss-unexpected", "auth-unexpected-iss", Eras::kStateless, Over::kHttp, "", kWrongIssIds,
     make_script<UnexpectedIss>, true},
    {"auth/iss-supported-missing", "auth-missing-iss", Eras::kStateless, Over::kHttp, "",
     kMissingIssIds, make_script<MissingIss>, true},
    {"auth/iss-not-advertised", "auth-no-iss", Eras::kStateless, Over::kHttp, "", kNoIssIds,
     make_script<NoIss>, true},
    {"auth/iss-normalized", "auth-similar-iss", Eras::kStateless, Over::kHttp, "", kSimilarIssIds,
     make_script<SimilarIss>, true},
    {"auth/iss-wrong-issuer", "auth-foreign-refusal", Eras::kStateless, Over::kHttp, "",
     kForeignRefusalIds, make_script<ForeignRefusal>, true},
    {"auth/metadata-default", "auth-user-refuses", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kUserRefusesIds, make_script<UserRefuses>, true},
};

}  // namespace

ClientScenarios auth_answer_scenarios() { return kAnswerScenarios; }

}  // namespace plumbline::conformance
