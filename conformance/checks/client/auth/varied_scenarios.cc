// Every part of the way to a token in another form than the usual: metadata, client ids, codes,
// tokens. RFC 9728; RFC 8414; RFC 7591; RFC 6749, appendix A. Of challenges:
// discovery_scenarios.cc.
//
// One run has all of them. Where its client is not let in, one has none of them; where that one is
// let in, each form is played alone, twice before anybody is blamed.

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/auth/auth_script.h"

namespace plumbline::conformance {

namespace {

enum AuthForm : std::size_t {
  kPageOf401,
  kResourceMembers,
  kWrittenApart,
  kServerLists,
  kServerLeavesOut,
  kIdLetters,
  kClientMembers,
  kCodeLetters,
  kBackMembers,
  kTokenLetters,
  kTokenMembers,
  kLongLife,
  kFormsTogether,  // Those before are in one run, those behind each alone.
  kWantedByLists = kFormsTogether,
  kWantedByCalls,
  kAuthForms,
};

constexpr const char* kFormNames[kAuthForms] = {
    "a 401 that comes with a page of HTML",
    "resource metadata with members of RFC 9728 that few servers send, and some of its own",
    "JSON over several lines, as application/json; charset=utf-8",
    "metadata whose lists have values that are not known beside the usual ones",
    "metadata without grant_types_supported and other lists that have a default",
    "a client_id with a blank and the letters / + = & % : in it",
    "a registration that is answered with more members, and another client_name, than were sent",
    "a code of 700 letters with / + = & % in it",
    "an answer in the browser with parameters that are not known: session_state, scope",
    "an access token of 3000 letters with - . _ ~ + / and = in it",
    "a token answer with id_token and members that are not known",
    "a token that lives for 10 years, more milliseconds than 32 bits hold",
    "a token that is wanted by tools/list, and not by what comes before",
    "a token that is wanted by tools/call, and not by what comes before",
};

enum class AuthRun { kTogether, kPlain, kAlone, kAgain };

const ClientScenario* auth_run(std::size_t form, AuthRun run);

class Varied : public AuthScript {
 public:
  Varied(std::size_t form, AuthRun run) : form_(form), run_(run) {}

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("auth.client-forms-taken", finding(record));
  }
  std::vector<const ClientScenario*> left() const override { return left_; }

 protected:
  wire::HttpResponse unauthenticated(const HttpHeard& heard) const override {
    wire::HttpResponse response = AuthScript::unauthenticated(heard);
    if (!has(kPageOf401)) return response;
    response.headers.set("Content-Type", "text/html; charset=utf-8");
    response.body = "<!doctype html><title>401</title><p>Sign in.";
    return response;
  }

  bool wants_token(const HttpHeard& heard) const override {
    if (has(kWantedByLists)) return heard.posted.method == "tools/list";
    return !has(kWantedByCalls) || heard.posted.method == "tools/call";
  }

  Json resource() const override {
    Json document = AuthScript::resource();
    if (!has(kResourceMembers)) return document;
    document.update(json_of(R"json({"resource_name": "Größe, \u2028", "plumbline": {"a": [null]},
        "resource_documentation": "https://plumbline.example/about", "jwks_uri":
        "https://plumbline.example/keys", "resource_signing_alg_values_supported": ["RS256"],
        "tls_client_certificate_bound_access_tokens": false, "resource_name#de": "Maß",
        "dpop_bound_access_tokens_required": false, "scopes_supported": ["a:b/c.d"]})json"));
    return document;
  }

  Json metadata(std::size_t index) const override {
    Json document = AuthScript::metadata(index);
    if (has(kServerLists)) {
      document.update(json_of(R"json({"response_types_supported": ["code", "code id_token", "none"],
          "response_modes_supported": ["query", "form_post", "web_message", "plumbline"],
          "code_challenge_methods_supported": ["plain", "S256", "plumbline"],
          "token_endpoint_auth_signing_alg_values_supported": ["RS256", "EdDSA"],
          "prompt_values_supported": ["none", "create"], "plumbline": {"a": [null]},
          "ui_locales_supported": ["de", "x-y"], "require_pushed_authorization_requests": false,
          "mtls_endpoint_aliases": {}, "op_policy_uri": "https://plumbline.example/policy",
          "frontchannel_logout_supported": true, "scopes_supported": ["a:b/c.d"]})json"));
    }
    if (has(kServerLeavesOut)) {
      document.erase("grant_types_supported");
      document.erase("token_endpoint_auth_methods_supported");
    }
    return document;
  }

  Json registered(Json usual) const override {
    if (!has(kClientMembers)) return usual;
    usual.update(json_of(R"json({"client_name": "another", "client_id_issued_at": 1764374400,
        "registration_access_token": "plumbline", "client_secret_expires_at": 0,
        "registration_client_uri": "https://plumbline.example/client/1", "plumbline": [null],
        "subject_type": "public", "require_auth_time": false})json"));
    return usual;
  }

  wire::Form brought_back(wire::Form usual) const override {
    if (!has(kBackMembers)) return usual;
    wire::Form more{{"session_state", "a.b/c="}, {"scope", "a b"}};
    for (const auto& [name, value] : usual.fields()) more.add(name, value);
    more.add("plumbline", "");
    return more;
  }

  Json token_answer(Json usual) const override {
    if (has(kLongLife)) usual["expires_in"] = 315'360'000;
    if (!has(kTokenMembers)) return usual;
    usual.update(json_of(R"json({"id_token": "a.b.c", "not-before-policy": 0, "plumbline": {},
        "session_state": "a", "ext_expires_in": 3600, "refresh_expires_in": 0})json"));
    return usual;
  }

  std::string worded(AuthStep of, std::string usual) const override {
    if (of == AuthStep::kRegistration && has(kIdLetters)) return usual + " /a+b=c&d%41:e";
    if (of == AuthStep::kAuthorization && has(kCodeLetters))
      return usual + letters(680) + "/+=&d%41";
    if (of == AuthStep::kToken && has(kTokenLetters)) return usual + letters(2'970) + "-._~+/==";
    return usual;
  }

  wire::HttpResponse written(int status, const Json& body) const override {
    wire::HttpResponse response = AuthScript::written(status, body);
    if (!has(kWrittenApart)) return response;
    response.headers.set("Content-Type", "application/json; charset=utf-8");
    response.body = "\r\n" + pretty_json(body) + "\n";
    return response;
  }

 private:
  bool has(std::size_t form) const {
    if (run_ == AuthRun::kTogether) return form < kFormsTogether;
    return run_ != AuthRun::kPlain && form == form_;
  }

  // wrong_id returns what was asked under a client id that is not the registered one.
  static const AuthHeard* wrong_id(const Record& record) {
    const AuthHeard* const joined = record.auth.first(AuthStep::kRegistration);
    if (joined == nullptr || record.auth.all(AuthStep::kRegistration).size() > 1) return nullptr;
    for (const AuthStep step : {AuthStep::kAuthorization, AuthStep::kToken}) {
      const AuthHeard* const asked = record.auth.first(step);
      const bool named = asked != nullptr && !asked->client_id.empty();
      if (named && asked->client_id != joined->given) return asked;
    }
    return nullptr;
  }

  static bool was_refused(const Record& record) {
    return std::ranges::any_of(record.http, [](const HttpHeard& one) { return one.status == 401; });
  }

  void play_each(std::size_t from, std::size_t to) {
    for (std::size_t form = from; form < to; ++form) {
      left_.push_back(auth_run(form, AuthRun::kAlone));
    }
  }

  Finding finding(const Record& record) {
    const bool alone = run_ == AuthRun::kAlone || run_ == AuthRun::kAgain;
    if (record.auth.heard.empty() && !alone) {
      return not_for_it("it asks for no token: MCP's authorization is optional");
    }
    const AuthHeard* const wrong = wrong_id(record);
    const bool in = record.auth.let_in > 0 && (wrong == nullptr || !has(kIdLetters));
    if (run_ == AuthRun::kTogether && in) play_each(kFormsTogether, kAuthForms);
    if (run_ == AuthRun::kTogether && !in) left_.push_back(auth_run(0, AuthRun::kPlain));
    if (run_ == AuthRun::kPlain && in) play_each(0, kAuthForms);
    if (run_ == AuthRun::kPlain && !in) return never_asked(record, "was let in");
    if (in) return passes();
    if (run_ == AuthRun::kTogether) return not_for_it("it met too much at a time");
    if (!was_refused(record)) return not_for_it("it asked for nothing that needs a token");
    if (run_ == AuthRun::kAlone) {
      left_.push_back(auth_run(form_, AuthRun::kAgain));
      return passes();
    }
    std::string what = "it met " + std::string(kFormNames[form_]);
    if (record.auth.let_in > 0) {
      return at(record, *wrong, risky(what + ", and names itself \"" + wrong->client_id + "\""));
    }
    what += ", and showed no good token, as it did without; " + record.how_it_ended();
    return record.auth.heard.empty() ? risky(what)
                                     : at(record, record.auth.heard.back(), risky(what));
  }

  std::size_t form_;
  AuthRun run_;
  std::vector<const ClientScenario*> left_;
};

template <std::size_t kForm, AuthRun kRun>
class VariedBy final : public Varied {
 public:
  VariedBy() : Varied(kForm, kRun) {}
};

constexpr std::string_view kVariedIds[] = {"auth.client-forms-taken"};

template <AuthRun kRun, std::size_t... kVariedForms>
constexpr std::array<ClientScenario, sizeof...(kVariedForms)> runs_of(
    std::index_sequence<kVariedForms...>) {
  return {ClientScenario{"auth/metadata-default", "auth-forms", Eras::kBoth, Over::kHttp,
                         since::kResourceMetadata, kVariedIds,
                         make_script<VariedBy<kVariedForms, kRun>>, true}...};
}

template <AuthRun kRun>
constexpr auto kRuns = runs_of<kRun>(std::make_index_sequence<kAuthForms>());

constexpr ClientScenario kVariedScenarios[] = {kRuns<AuthRun::kTogether>[0]};

const ClientScenario* auth_run(std::size_t form, AuthRun run) {
  switch (run) {
    case AuthRun::kTogether:
      return &kRuns<AuthRun::kTogether>[form];
    case AuthRun::kPlain:
      return &kRuns<AuthRun::kPlain>[form];
    case AuthRun::kAlone:
      return &kRuns<AuthRun::kAlone>[form];
    case AuthRun::kAgain:
      return &kRuns<AuthRun::kAgain>[form];
  }
  return nullptr;
}

}  // namespace

ClientScenarios auth_varied_scenarios() { return kVariedScenarios; }

}  // namespace plumbline::conformance
