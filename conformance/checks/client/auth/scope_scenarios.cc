// Which scopes are asked for, and when: spec, basic/authorization, Scope Selection Strategy and
// Step-Up Authorization Flow.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/auth/auth_script.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoRequest = "asked for authorization";
constexpr std::string_view kOfOthers = "accounts:delete";  // A scope of no server here.
constexpr std::size_t kStepsMax = 5;  // Authorizations in vain, which are still "a few".

// of_whoever_gives_tokens is what an authorization server says that gives them out for others as
// well: more scopes than any server here has.
Json of_whoever_gives_tokens(Json metadata) {
  metadata["scopes_supported"] =
      Json::array({"files:read", "files:write", "files:secret", "files:admin", kOfOthers});
  return metadata;
}

std::string shown_scope(const AuthHeard& asked) {
  return "scope is \"" + asked.form.get("scope").value_or("") + "\"";
}

// ChallengedScopes wants scopes of which its metadata names one, and another that is not wanted.
class ChallengedScopes final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const AuthHeard* const asked = record.auth.first(AuthStep::kAuthorization);
    if (asked == nullptr) {
      for (const char* const id : kAll) verdicts.say(id, never_asked(record, kNoRequest));
      return;
    }
    const std::vector<std::string> scopes = scopes_of(*asked);
    const bool known = holds_scope(scopes, "files:read");
    const bool unknown = holds_scope(scopes, "files:secret");
    const auto say = [&](const char* id, bool holds, const std::string& expected) {
      verdicts.say(
          id, holds ? passes()
                    : at(record, *asked, broken(shown_scope(*asked) + ", expected " + expected)));
    };
    const std::string both = "the scopes of the challenge: files:read files:secret";
    say("auth.challenge-scopes-authoritative", known && unknown, both);
    say("auth.no-scope-relation-assumed", unknown || !known,
        both + ", whatever scopes_supported has");
    const bool more = holds_scope(scopes, "files:admin") || holds_scope(scopes, kOfOthers);
    say("auth.least-privilege-scopes", !more, both + ", and no more");
    say("auth.scope-selection-order", known && unknown, both);
  }

 protected:
  std::string challenge() const override {
    return AuthScript::challenge() + ", scope=\"files:read files:secret\"";
  }
  Json resource() const override {
    Json document = AuthScript::resource();
    document["scopes_supported"] = Json::array({"files:read", "files:admin"});
    return document;
  }
  Json metadata(std::size_t index) const override {
    return of_whoever_gives_tokens(AuthScript::metadata(index));
  }

 private:
  static constexpr const char* kAll[] = {
      "auth.challenge-scopes-authoritative", "auth.no-scope-relation-assumed",
      "auth.least-privilege-scopes", "auth.scope-selection-order"};
};

// SupportedScopes wants none in the challenge; NoScopes knows none.
class SupportedScopes final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const AuthHeard* const asked = record.auth.first(AuthStep::kAuthorization);
    Finding finding = never_asked(record, kNoRequest);
    if (asked != nullptr) {
      const std::vector<std::string> scopes = scopes_of(*asked);
      const bool all = holds_scope(scopes, "files:read") && holds_scope(scopes, "files:write");
      finding = all ? passes()
                    : at(record, *asked,
                         broken(shown_scope(*asked) +
                                ", expected all of scopes_supported: files:read files:write"));
      if (all && holds_scope(scopes, kOfOthers)) {
        finding = at(record, *asked,
                     broken(shown_scope(*asked) +
                            ", expected scopes_supported of the resource: files:read files:write, "
                            "and not those of the authorization server, which serves others, too"));
      }
    }
    verdicts.say("auth.scope-selection-order", std::move(finding));
  }

 protected:
  Json resource() const override {
    Json document = AuthScript::resource();
    document["scopes_supported"] = Json::array({"files:read", "files:write"});
    return document;
  }
  Json metadata(std::size_t index) const override {
    return of_whoever_gives_tokens(AuthScript::metadata(index));
  }
};

class NoScopes final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const AuthHeard* const asked = record.auth.first(AuthStep::kAuthorization);
    Finding finding = never_asked(record, kNoRequest);
    // What a user has configured cannot be told from what was made up.
    if (asked != nullptr) {
      finding = asked->form.count("scope") == 0
                    ? passes()
                    : at(record, *asked,
                         risky(shown_scope(*asked) + ", though the server names no scope"));
    }
    verdicts.say("auth.scope-selection-order", std::move(finding));
  }
};

// StepUp wants one more scope for a call than for the rest; EndlessStepUp is never content.
class StepUp : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_came(record, "called a tool with a token");
    Finding whole = not_for_it("it made no second authorization request");
    if (refused_at_ != 0) {
      finding = risky(
          "a call was answered 403 insufficient_scope, and no authorization request "
          "for the scope followed; " +
          record.how_it_ended());
      const AuthHeard* const again = second(record);
      if (again != nullptr) {
        const std::vector<std::string> scopes = scopes_of(*again);
        finding = holds_scope(scopes, "files:write")
                      ? passes()
                      : at(record, *again, broken(shown_scope(*again) + ", expected files:write"));
        whole = holds_scope(scopes, "files:read")
                    ? passes()
                    : at(record, *again,
                         broken(shown_scope(*again) + ", which leaves out files:read, which it "
                                                      "had asked for before"));
      }
    }
    verdicts.say("auth.step-up-attempted", std::move(finding));
    if (record.stateless()) verdicts.say("auth.reauth-scope-union", std::move(whole));
  }

 protected:
  std::string challenge() const override {
    return AuthScript::challenge() + ", scope=\"files:read\"";
  }
  std::optional<wire::HttpResponse> refuses(const HttpHeard& heard, Granted& with) override {
    if (heard.posted.method != "tools/call" || is_content(with)) return std::nullopt;
    if (refused_at_ == 0) refused_at_ = heard.place;
    return forbidden("Bearer error=\"insufficient_scope\", scope=\"files:write\", " +
                     AuthScript::challenge().substr(std::string_view("Bearer ").size()));
  }
  virtual bool is_content(const Granted& with) const {
    return with.scope.find("files:write") != std::string::npos;
  }

  std::size_t refused_at_ = 0;  // In the log.

 private:
  const AuthHeard* second(const Record& record) const {
    for (const AuthHeard& asked : record.auth.heard) {
      // A client that acts for itself asks for a token at once.
      const bool for_itself =
          asked.step == AuthStep::kToken && asked.form.get("grant_type") == "client_credentials";
      const bool asks = for_itself || asked.step == AuthStep::kAuthorization;
      if (asks && asked.place > refused_at_) return &asked;
    }
    return nullptr;
  }
};

class EndlessStepUp final : public StepUp {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = never_came(record, "called a tool with a token");
    if (refused_at_ != 0) {
      std::size_t times = 0;
      const AuthHeard* last = nullptr;
      for (const AuthHeard* const asked : record.auth.all(AuthStep::kAuthorization)) {
        if (asked->place <= refused_at_) continue;
        last = asked;
        ++times;
      }
      finding = times == 0 ? not_for_it("it made no second authorization request") : passes();
      if (times > kStepsMax) {
        finding = at(record, *last,
                     broken("it asked " + std::to_string(times) +
                            " times for the same scope of a server that is never content"));
      }
    }
    verdicts.say("auth.step-up-retry-limit", std::move(finding));
  }

 protected:
  bool is_content(const Granted&) const override { return false; }
};

constexpr std::string_view kChallengedScopesIds[] = {
    "auth.challenge-scopes-authoritative", "auth.no-scope-relation-assumed",
    "auth.least-privilege-scopes", "auth.scope-selection-order"};
constexpr std::string_view kOrderIds[] = {"auth.scope-selection-order"};
constexpr std::string_view kStepUpIds[] = {"auth.step-up-attempted", "auth.reauth-scope-union"};
constexpr std::string_view kEndlessStepUpIds[] = {"auth.step-up-retry-limit"};

constexpr ClientScenario kScopeScenarios[] = {
    {"auth/scope-from-www-authenticate", "auth-challenged-scopes", Eras::kBoth, Over::kHttp,
     since::kScopeSelection, kChallengedScopesIds, make_script<ChallengedScopes>, true},
    {"auth/scope-from-scopes-supported", "auth-supported-scopes", Eras::kBoth, Over::kHttp,
     since::kScopeSelection, kOrderIds, make_script<SupportedScopes>, true},
    {"auth/scope-omitted-when-undefined", "auth-no-scopes", Eras::kBoth, Over::kHttp,
     since::kScopeSelection, kOrderIds, make_script<NoScopes>, true},
    {"auth/scope-step-up", "auth-step-up", Eras::kBoth, Over::kHttp, since::kScopeSelection,
     kStepUpIds, make_script<StepUp>, true},
    {"auth/scope-retry-limit", "auth-endless-step-up", Eras::kBoth, Over::kHttp,
     since::kScopeSelection, kEndlessStepUpIds, make_script<EndlessStepUp>, true},
};

}  // namespace

ClientScenarios auth_scope_scenarios() { return kScopeScenarios; }

}  // namespace plumbline::conformance
