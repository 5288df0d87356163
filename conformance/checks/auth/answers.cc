// What clients of an authorization server may count on: that they can register by what is required
// alone, authenticate as is listed, ask for the scopes that are listed, and are answered. RFC 7591,
// sections 2 and 3; OAuth 2.1, sections 2.4, 4.1.2 and 4.1.2.1.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "conformance/checks/auth/registering.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kScopesMax = 20;  // That are tried one by one.

// texts_in returns the texts of a list in the metadata.
std::vector<std::string> texts_in(const AuthProbe& probe, std::string_view member) {
  std::vector<std::string> texts;
  const Json* const list = find(probe.authority().document(), member);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& one : *list) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
  }
  return texts;
}

Task<Finding> leaves_optional_members_out(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  if (probe.client().id.empty()) co_return not_for_it(probe.client().lack);
  if (!probe.client().scope.empty()) {
    co_return risky(
        "it registers no client that names no scope, which RFC 7591 leaves to clients (section 2): "
        "those that leave it to the server, such as GitHub Copilot CLI, cannot register");
  }
  std::vector<SparseRegistration> all = sparse_registrations(probe);
  for (auto& [member, about] : all) {
    if (member == "grant_types") continue;  // Is for auth.as-registration-code-alone.
    const Reply reply = co_await probe.register_client(std::move(about));
    if (is_registered(reply)) continue;
    if (is_busy(reply) || reply.status == 401 || reply.status == 403) {
      co_return not_for_it("its registration endpoint answers status " +
                           std::to_string(reply.status));
    }
    co_return risky("it registers no client that names no " + member +
                    (reply.status == 400 ? "" : " (status " + std::to_string(reply.status) + ")") +
                    ", which RFC 7591 leaves to clients (section 2): those that send what is "
                    "required alone cannot register");
  }
  co_return passes();
}

// TriedMethod is what came of one way to authenticate.
struct TriedMethod {
  bool tried = false;
  std::optional<Finding> wrong;
};

Task<TriedMethod> try_secret(AuthProbe& probe, std::string method) {
  TriedMethod result;
  Registered made = co_await register_for(probe, method);
  if (made.secret.empty()) {
    co_await probe.take_back(std::move(made.answer));
    co_return result;
  }
  const Reply reply = co_await with_secret(probe, method, made.id, made.secret);
  // Who looks at the token first says the same to a wrong secret.
  const Reply other = co_await with_secret(probe, method, made.id, "plumbline-wrong-secret");
  co_await probe.take_back(std::move(made.answer));
  if (reply.status == 0) {
    result.wrong = undecided("its token endpoint gave " + reply.describe());
    co_return std::move(result);
  }
  result.tried = error_of(other) != error_of(reply);
  if (error_of(reply) != "invalid_client") co_return result;
  result.wrong = broken(
      "its metadata lists " + method +
      ", it registers a client for that, and its token endpoint answers invalid_client (status " +
      std::to_string(reply.status) +
      ") to the client that shows its secret so: clients that go by the metadata get no token");
  co_return std::move(result);
}

// try_none redeems a good code as a client that is registered for "none", and so has nothing to
// show.
Task<TriedMethod> try_none(AuthProbe& probe) {
  TriedMethod result;
  if (!probe.lacks_client().empty()) co_return result;
  Registered made = co_await register_for(probe, "none");
  // The same id is the same client, which is still needed.
  if (made.id == probe.client().id) co_return result;
  Reply reply;
  if (!made.id.empty()) {
    wire::Form form = changed(probe.usual_request(), "client_id", made.id);
    const Reply granted = co_await probe.ask_for_code(std::move(form));
    std::string code = answered_fields(granted).get("code").value_or("");
    if (!code.empty() && is_sent_to(granted, probe.client().redirect_uri)) {
      const wire::Form usual = probe.redeeming(std::move(code), AuthProbe::right_verifier());
      wire::Form redeeming = changed(usual, "client_id", made.id);
      std::string endpoint = probe.authority().member("token_endpoint");
      reply = co_await probe.post(std::move(endpoint), std::move(redeeming));
    }
  }
  co_await probe.take_back(std::move(made.answer));
  result.tried = reply.status != 0;
  if (error_of(reply) != "invalid_client") co_return result;
  result.wrong = broken(
      "it registers a client for the token_endpoint_auth_method \"none\", and its token endpoint "
      "answers invalid_client (status " +
      std::to_string(reply.status) +
      ") when that client redeems a good code: public clients get no token");
  co_return std::move(result);
}

Task<Finding> authenticates_as_it_lists(AuthProbe& probe) {
  if (!has_registration(probe)) co_return not_for_it(kRegistersNobody);
  if (probe.authority().member("token_endpoint").empty()) {
    co_return not_for_it("its metadata names no token_endpoint");
  }
  const std::vector<std::string> listed = texts_in(probe, "token_endpoint_auth_methods_supported");
  bool tried = false;
  for (const std::string method : {"client_secret_basic", "client_secret_post"}) {
    if (std::ranges::find(listed, method) == listed.end()) continue;
    const TriedMethod secret = co_await try_secret(probe, method);
    if (secret.wrong) co_return *secret.wrong;
    tried |= secret.tried;
  }
  const TriedMethod none = co_await try_none(probe);
  if (none.wrong) co_return *none.wrong;
  tried |= none.tried;
  co_return tried ? passes() : not_for_it("it registers no client with a secret that it lists");
}

Task<Reply> ask_for_scope(AuthProbe& probe, std::string scope) {
  wire::Form form = probe.usual_request();
  form.add("scope", std::move(scope));
  Reply reply = co_await probe.authorize(std::move(form));
  co_return reply;
}

bool is_refused_scope(const Reply& reply) {
  return answered_fields(reply).get("error") == "invalid_scope" ||
         error_of(reply) == "invalid_scope";
}

Task<Finding> grants_listed_scopes(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::vector<std::string> scopes = texts_in(probe, "scopes_supported");
  if (scopes.empty()) co_return not_for_it("its metadata lists no scopes");
  std::string all;
  for (const std::string& scope : scopes) all += (all.empty() ? "" : " ") + scope;
  const Reply whole = co_await ask_for_scope(probe, all);
  if (!is_refused_scope(whole)) {
    const std::optional<Finding> refused = refuses_usual(whole);
    co_return refused ? *refused : passes();
  }
  std::string which = all;
  for (std::size_t i = 0; i < std::min(scopes.size(), kScopesMax) && scopes.size() > 1; ++i) {
    const Reply one = co_await ask_for_scope(probe, scopes[i]);
    if (!is_refused_scope(one)) continue;
    which = scopes[i];
    break;
  }
  co_return risky("its metadata lists the scope \"" + clipped(which) +
                  "\", and it answers invalid_scope to a client that it registered and that asks "
                  "for it: clients that ask for what is listed, as those on the official SDKs do, "
                  "cannot sign in");
}

Task<Finding> answers_with_a_code(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::string uri = probe.client().redirect_uri;
  wire::Form form = probe.usual_request();
  const Reply reply = co_await probe.ask_for_code(std::move(form));
  if (!code_in_body(reply).empty() && !probe.is_scripted()) {
    co_return broken("to a good request it answers status " + std::to_string(reply.status) +
                     " with the code in JSON, and sends the browser nowhere: the client, which "
                     "waits at \"" +
                     clipped(uri) + "\", never gets it");
  }
  if (!is_sent_to(reply, uri)) {
    Finding finding = co_await delivers_to_each(&probe, reply);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
    co_return not_for_it(probe.lacks_code());
  }
  const wire::Form back = answered_fields(reply);
  // RFC 6749, section 4.1.2: where no response_mode is asked for, the client reads the query.
  const std::string place = location_of(reply);
  const wire::Form query = wire::query_of(place.substr(0, place.find('#')));
  if (query.count("code") == 0 && back.count("code") > 0) {
    co_return broken("to a good request it sends the browser to \"" + clipped(uri) +
                     "\" with the code behind #, in the fragment, expected it in the query: the "
                     "client never sees it");
  }
  if (back.count("code") > 0) co_return co_await delivers_to_each(&probe, reply);
  if (back.count("error") > 0) co_return passes();
  co_return broken("to a good request it sends the browser to \"" + clipped(uri) +
                   "\" with neither a code nor an error: the client has nothing to go on with");
}

// Who knows the client and its redirect URI tells the client, not the user alone.
Task<Finding> tells_the_client(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::string uri = probe.client().redirect_uri;
  const wire::Form right = probe.usual_request();
  const Reply usual = co_await probe.authorize(right);
  const std::optional<Finding> refused = refuses_usual(usual);
  if (refused) co_return *refused;
  std::string wrong;
  for (const auto& [what, form] :
       {std::pair<const char*, wire::Form>("with a response_type that there is not",
                                           changed(right, "response_type", "plumbline")),
        std::pair<const char*, wire::Form>("without a code_challenge",
                                           without(right, "code_challenge"))}) {
    const Reply reply = co_await probe.authorize(form);
    if (reply.status == 0) co_return undecided("got " + reply.describe());
    if (is_sent_to(reply, uri) || reply.body.find(uri) != std::string::npos) co_return passes();
    const bool shown = reply.status / 100 == 4 || reply.status == 200;
    if (shown && !goes_on(reply, usual) && wrong.empty()) {
      wrong = std::string(what) + " got status " + std::to_string(reply.status);
    }
  }
  if (wrong.empty()) co_return not_for_it("it takes what is wrong, or tells of it elsewhere");
  co_return risky("a request " + wrong +
                  " and a page, with nothing for the client, whose redirect URI it knows: clients "
                  "that wait there, such as Claude Code and mcp-remote, wait until they give up");
}

constexpr AuthCheck kAnswerChecks[] = {
    {"auth.as-registration-optional-members", leaves_optional_members_out},
    {"auth.as-methods-as-listed", authenticates_as_it_lists},
    {"auth.as-listed-scopes-granted", grants_listed_scopes},
    {"auth.as-answers-with-a-code", answers_with_a_code},
    {"auth.as-errors-reach-the-client", tells_the_client},
};

}  // namespace

AuthChecks answer_checks() { return kAnswerChecks; }

}  // namespace plumbline::conformance
