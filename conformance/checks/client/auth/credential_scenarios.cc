// Clients and tokens that are not good everywhere, or no more: spec, basic/authorization, Client
// Registration, Authorization Server Binding, Token Handling, Refresh Tokens.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/auth/auth_script.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kRegistrationsMax = 5;  // That are refused, and still "a few".
constexpr const char* kGivenId = "judge-given-client";
constexpr const char* kMovedTo = "/moved/mcp";
constexpr const char* kKept = "auth.refresh-token-kept";
constexpr const char* kNoRefusal = "called a tool with a token";
constexpr std::string_view kUnrenewableIds[] = {"auth.refresh-not-assumed",
                                                "auth.token-answer-bare"};

std::string text_of(const AuthHeard& request, std::string_view name) {
  return request.form.get(name).value_or("");
}

// Moved has its tokens from another authorization server once a tool is called.
class Moved final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.only-server-as-tokens-sent", sends_the_new_tokens(record));
    if (!record.stateless()) return;
    const Finding carried = carries_nothing_over(record);
    verdicts.say("auth.credentials-bound-to-issuer", carried);
    verdicts.say("auth.credentials-not-reused-across-as", carried);
    verdicts.say("auth.per-as-registration-state", keeps_apart(record, carried));
    verdicts.say("auth.re-register-on-as-change", registers_again(record));
  }

 protected:
  std::vector<std::string> issuer_paths() const override { return {"/first", "/second"}; }
  std::size_t named_issuer() const override { return moved_ ? 1 : 0; }
  std::optional<wire::HttpResponse> refuses(const HttpHeard& heard, Granted& with) override {
    if (heard.posted.method == "tools/call") moved_ = true;
    if (!moved_ || with.issuer == 1) return std::nullopt;
    return unauthorized(challenge());
  }

 private:
  static constexpr const char* kStayed = "it asked nothing of the new authorization server";

  static bool was_there(const Record& record) {
    return std::ranges::any_of(record.auth.heard, [](const AuthHeard& one) {
      const bool document = one.step == AuthStep::kServerMetadata ||
                            one.step == AuthStep::kResourceMetadata || one.step == AuthStep::kGuess;
      return !document && one.issuer == 1;
    });
  }

  static Finding sends_the_new_tokens(const Record& record) {
    const auto got = std::ranges::find(record.auth.granted, std::size_t{1}, &Granted::issuer);
    if (got == record.auth.granted.end()) return not_for_it(kStayed);
    for (std::size_t i = 1; i < record.http.size(); ++i) {
      const HttpHeard& heard = record.http[i];
      const std::string shown(heard.request.headers.get("Authorization").value_or(""));
      const Granted* const with = record.auth.granted_as(shown.substr(shown.find(' ') + 1));
      if (with == nullptr || with->issuer == 1 || heard.at <= got->at) continue;
      return at(record, heard,
                broken("the server has its tokens from another authorization server "
                       "now, and still got one of the first"));
    }
    return passes();
  }

  // first_client returns whether the first authorization server has registered `client_id`.
  static bool first_client(const Record& record, const std::string& client_id) {
    return std::ranges::any_of(record.auth.heard, [&](const AuthHeard& one) {
      return one.step == AuthStep::kRegistration && one.issuer == 0 && one.status == 201 &&
             one.given == client_id;
    });
  }

  static bool registered(const Record& record, std::size_t issuer) {
    return std::ranges::any_of(record.auth.heard, [&](const AuthHeard& one) {
      return one.step == AuthStep::kRegistration && one.issuer == issuer;
    });
  }

  static Finding carries_nothing_over(const Record& record) {
    if (!was_there(record)) return not_for_it(kStayed);
    for (const AuthHeard& one : record.auth.heard) {
      if (one.issuer == 0 || one.client_id.empty()) continue;
      if (!first_client(record, one.client_id)) continue;
      return at(record, one,
                broken("the second authorization server got the client_id that the "
                       "first had given"));
    }
    return registered(record, 0) ? passes() : not_for_it("it has registered with nobody");
  }

  static Finding keeps_apart(const Record& record, const Finding& carried) {
    for (const AuthHeard& one : record.auth.heard) {
      const std::string token = text_of(one, "refresh_token");
      const bool first = std::ranges::any_of(record.auth.granted, [&](const Granted& granted) {
        return granted.issuer == 0 && !token.empty() && granted.refresh == token;
      });
      if (one.issuer == 0 || !first) continue;
      return at(record, one,
                broken("the second authorization server got a refresh token of the "
                       "first"));
    }
    return carried;
  }

  static Finding registers_again(const Record& record) {
    if (!was_there(record)) return not_for_it(kStayed);
    if (!registered(record, 0)) return not_for_it("it has registered with nobody");
    if (registered(record, 1)) return passes();
    return broken(
        "it had registered with the first authorization server, and did not register "
        "with the second");
  }

  bool moved_ = false;
};

// Expiring ends each token when a tool is first called with it; its refresh tokens are of one use.
class Expiring : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say(record.stateless() ? "auth.oauth21-security-practices" : kKept, finding(record));
    verdicts.say("auth.new-token-used", goes_on_with(record));
  }

 protected:
  std::optional<wire::HttpResponse> refuses(const HttpHeard& heard, Granted& with) override {
    const bool calls = heard.posted.method == "tools/call" && heard.request.body != ended_by_;
    if (!calls) return std::nullopt;
    ended_by_ = heard.request.body;  // The same call is taken with the next token.
    with.over = true;
    return unauthorized("Bearer error=\"invalid_token\", " +
                        challenge().substr(std::string_view("Bearer ").size()));
  }
  bool came() const { return !ended_by_.empty(); }

 private:
  // goes_on_with: calls that come when another token has been given for the one that has ended.
  // One may be under way then.
  Finding goes_on_with(const Record& record) const {
    if (!came()) return never_came(record, kNoRefusal);
    if (record.auth.granted.size() < 2) return not_for_it("it got no other token");
    const HttpHeard* stale = nullptr;
    int calls = 0;
    for (const HttpHeard& heard : record.http) {
      if (heard.posted.method != "tools/call" || heard.status != 401) continue;
      const std::string shown(heard.request.headers.get("Authorization").value_or(""));
      const auto one = std::ranges::find_if(record.auth.granted, [&](const Granted& granted) {
        return granted.over && shown.ends_with(" " + granted.token);
      });
      if (one == record.auth.granted.end() || std::next(one) == record.auth.granted.end()) continue;
      if (heard.at <= std::next(one)->at) continue;
      stale = &heard;
      ++calls;
    }
    if (calls < 2) return passes();
    return at(record, *stale,
              broken("it had got another token for the one that has ended, and called a tool with "
                     "the old one all the same, " +
                     std::to_string(calls) + " times: it is refused for ever"));
  }

  Finding finding(const Record& record) const {
    if (!came()) return never_came(record, kNoRefusal);
    std::vector<std::string> used;
    for (const AuthHeard* const one : record.auth.all(AuthStep::kToken)) {
      const std::string token = text_of(*one, "refresh_token");
      if (token.empty()) continue;
      if (one->status != 200 && std::ranges::find(used, token) != used.end()) {
        return at(record, *one,
                  broken("a refresh token that has been used came once more, though "
                         "a new one was given with the token"));
      }
      used.push_back(token);
    }
    return used.size() > 1 ? passes() : not_for_it("it did not refresh its token twice");
  }

  std::string ended_by_;
};

// Unrenewable is an Expiring that gives no refresh tokens.
class Unrenewable final : public Expiring {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = came() ? passes() : never_came(record, kNoRefusal);
    if (gave_up(record)) {
      finding = broken(kUnused + record.how_it_ended());
    }
    if (!record.stateless()) return verdicts.say(kUnrenewableIds[1], std::move(finding));
    for (const AuthHeard* const one : record.auth.all(AuthStep::kToken)) {
      if (text_of(*one, "grant_type") != "refresh_token") continue;
      finding = at(record, *one,
                   broken("it asked for a new token with a refresh token that it was "
                          "never given"));
    }
    verdicts.say(kUnrenewableIds[0], std::move(finding));
  }

 protected:
  bool gives_refresh_tokens() const override { return false; }

 private:
  static constexpr const char* kUnused =
      "it was given a token without a refresh_token, which may be left out, and made no request "
      "with it; ";
  static bool gave_up(const Record& record) {
    return !record.auth.granted.empty() && record.auth.let_in == 0 && record.falls_short();
  }
};

// Steady is an Expiring whose refresh tokens stay as they are: what answers a refresh has none.
//
// RFC 6749, section 6: the authorization server may issue a new refresh token.
class Steady final : public Expiring {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say(kKept, finding(record));
  }

 protected:
  bool renews_refresh_tokens() const override { return false; }

 private:
  Finding finding(const Record& record) const {
    if (!came()) return never_came(record, kNoRefusal);
    const auto ended = std::ranges::count_if(record.auth.granted, &Granted::over);
    std::ptrdiff_t refreshed = 0;
    for (const AuthHeard* const one : record.auth.all(AuthStep::kToken)) {
      refreshed += text_of(*one, "grant_type") == "refresh_token" && one->status == 200 ? 1 : 0;
    }
    if (refreshed == 0) return not_for_it("it did not refresh its token");
    if (ended < 2) return not_for_it("its token did not end twice");
    if (refreshed > 1) return passes();
    return risky(
        "the answer to a refresh had no refresh_token, so that the one before stays good, and when "
        "its token ended again it did not refresh with that: its user has to sign in again");
  }
};

constexpr std::string_view kPracticesIds[] = {"auth.oauth21-security-practices"};
constexpr std::string_view kElsewhereIds[] = {kPracticesIds[0], "auth.token-kept-from-others"};

// Elsewhere sends a call to another origin.
//
// RFC 6750, section 5.3: tokens are not leaked to unintended parties.
class Elsewhere final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    Finding finding = sent_ ? passes() : never_came(record, kNoRefusal);
    for (const HttpHeard& heard : record.trapped) {
      for (const auto& [name, value] : heard.request.headers.fields()) {
        for (const Granted& one : record.auth.granted) {
          if (value.find(one.token) == std::string::npos) continue;
          finding = at(record, heard,
                       broken("a redirect to another origin was followed with the "
                              "token in " +
                              name));
        }
      }
    }
    verdicts.say(record.stateless() ? kPracticesIds[0] : kElsewhereIds[1], std::move(finding));
  }

 protected:
  std::optional<wire::HttpResponse> refuses(const HttpHeard& heard, Granted&) override {
    if (heard.posted.method != "tools/call") return std::nullopt;
    sent_ = true;
    wire::HttpResponse response;
    response.status = 307;
    response.headers.set("Location", issuer() + kMovedTo);
    return response;
  }

 private:
  bool sent_ = false;
};

// Selective registers nobody.
class Selective final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.dcr-failure-handled", finding(record));
  }

 protected:
  std::optional<wire::HttpResponse> refuses_registration(const Json&) const override {
    Json body(Json::value_t::object);
    body["error"] = "invalid_redirect_uri";
    body["error_description"] = "this address is not taken";
    return json_answer(400, body);
  }

 private:
  static Finding finding(const Record& record) {
    const std::vector<const AuthHeard*> tries = record.auth.all(AuthStep::kRegistration);
    if (tries.empty()) return not_for_it("it did not register");
    const std::string why = "its registration was refused (invalid_redirect_uri), and ";
    if (tries.size() > kRegistrationsMax) {
      return at(record, *tries.back(),
                broken(why + "it tried " + std::to_string(tries.size()) + " times"));
    }
    for (const AuthHeard* const asked : record.auth.all(AuthStep::kAuthorization)) {
      const bool none = asked->client_id.empty() || asked->client_id == "undefined";
      if (!none) continue;  // It has another one.
      return at(record, *asked, broken(why + "it asked for authorization without a client_id"));
    }
    if (record.exit && record.exit->signal != 0) {
      return broken(why + record.how_it_ended());
    }
    return passes();
  }
};

constexpr std::string_view kKnownIds[] = {"auth.registration-priority", "auth.given-secret-shown"};

// Known has given the client an id and a secret, and would register it all the same.
class Known final : public AuthScript {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    const AuthHeard* const asked = record.auth.first(AuthStep::kAuthorization);
    const AuthHeard* const joined = record.auth.first(AuthStep::kRegistration);
    Finding finding = never_asked(record, "asked for authorization");
    if (asked != nullptr && asked->client_id != kGivenId) {
      finding = not_for_it("it takes no client_id from MCP_CONFORMANCE_CONTEXT");
    } else if (asked != nullptr) {
      finding = joined == nullptr
                    ? passes()
                    : at(record, *joined, broken("it registered, though it had a client id"));
    }
    verdicts.say(kKnownIds[0], std::move(finding));
    verdicts.say(kKnownIds[1], shows_its_secret(record));
  }

  Json context() const override {
    Json context(Json::value_t::object);
    context["client_id"] = kGivenId;
    context["client_secret"] = "judge-given-secret";
    context["issuer"] = issuer();
    return context;
  }

 private:
  static Finding shows_its_secret(const Record& record) {
    bool seen = false;
    for (const AuthHeard* const one : record.auth.all(AuthStep::kToken)) {
      if (one->client_id != kGivenId) continue;
      seen = true;
      if (one->request.headers.count("Authorization") > 0) continue;
      if (!(text_of(*one, "client_secret") + text_of(*one, "client_assertion")).empty()) continue;
      return at(record, *one,
                broken("it was given a client_id with a client_secret, and asked for a token by "
                       "that client_id without it, which authorization servers refuse"));
    }
    return seen ? passes() : not_for_it("it asked for no token as the client that it was given");
  }
};

constexpr std::string_view kMovedIds[] = {
    "auth.only-server-as-tokens-sent", "auth.credentials-bound-to-issuer",
    "auth.credentials-not-reused-across-as", "auth.per-as-registration-state",
    "auth.re-register-on-as-change"};
constexpr std::string_view kExpiringIds[] = {"auth.oauth21-security-practices",
                                             "auth.refresh-token-kept", "auth.new-token-used"};
constexpr std::string_view kSteadyIds[] = {"auth.refresh-token-kept"};
constexpr std::string_view kSelectiveIds[] = {"auth.dcr-failure-handled"};

constexpr ClientScenario kCredentialScenarios[] = {
    {"auth/authorization-server-migration", "auth-moved", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kMovedIds, make_script<Moved>, true},
    {"auth/metadata-default", "auth-expiring", Eras::kBoth, Over::kHttp, since::kResourceMetadata,
     kExpiringIds, make_script<Expiring>, true},
    {"auth/metadata-default", "auth-steady", Eras::kBoth, Over::kHttp, since::kResourceMetadata,
     kSteadyIds, make_script<Steady>, true},
    {"auth/metadata-default", "auth-unrenewable", Eras::kBoth, Over::kHttp,
     since::kResourceMetadata, kUnrenewableIds, make_script<Unrenewable>, true},
    {"auth/metadata-default", "auth-elsewhere", Eras::kBoth, Over::kHttp, since::kResourceMetadata,
     kElsewhereIds, make_script<Elsewhere>, true},
    {"auth/metadata-default", "auth-selective", Eras::kStateless, Over::kHttp, "", kSelectiveIds,
     make_script<Selective>, true},
    {"auth/pre-registration", "auth-known", Eras::kBoth, Over::kHttp, since::kScopeSelection,
     kKnownIds, make_script<Known>, true},
};

}  // namespace

ClientScenarios auth_credential_scenarios() { return kCredentialScenarios; }

}  // namespace plumbline::conformance
