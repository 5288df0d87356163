// What one user may see of another one's: spec 2025-11-25, basic/utilities/tasks, Task Isolation
// and Access Control; 2026-07-28, basic/patterns/mrtr. Only where the judge was given both.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/hints.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/tasks/extension_tasks.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/peer/answers.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kOneUser = "no second user was given (--second-header)";
constexpr const char* kStranger = "the second user is not let in";

// other_user opens the server as the second user; nothing: it does not let them in.
Task<std::optional<Client>> other_user(Probe& probe) {
  SessionOptions options = probe.usual();
  options.second_user = true;
  options.listen = false;
  Client client = co_await probe.open(std::move(options));
  if (!client.session().usable()) co_return std::nullopt;
  const wire::HttpHeaders unchanged;
  const Reply reply = co_await ask_harmlessly(client, unchanged);
  if (reply.result() == nullptr) co_return std::nullopt;
  co_return client;
}

// The session of the first user, and the token of the second.
Task<Finding> gives_sessions_to_their_users(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  if (client.session().session_id().empty()) co_return not_for_it("it gives no session ids");
  const std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  const Reply reply = co_await ask_harmlessly(client, probe.second_headers());
  if (reply.result() == nullptr) co_return passes();
  co_return broken("a request of the second user in a session of the first got " +
                   reply.describe() + ", expected it to be refused");
}

// task_of_first makes a task of the stateful era and returns its id; empty: it cannot.
Task<std::string> task_of_first(Probe& probe, Client& client) {
  if (!probe.survey().declares("/tasks/requests/tools/call")) co_return std::string();
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const support = at_pointer(tool, "/execution/taskSupport");
    if (support == nullptr || *support == Json("forbidden") || !probe.may_call(tool)) continue;
    Json params = probe.call_params(tool);
    params["task"]["ttl"] = 60'000;
    const Reply reply = co_await client.request("tools/call", std::move(params));
    const Json* const task = at_pointer(*reply.message, "/result/task");
    if (task != nullptr) co_return string_or(*task, "taskId", "");
  }
  co_return std::string();
}

Task<Finding> gives_tasks_to_their_users(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  Client client = co_await open_quietly(probe);
  const std::string id = co_await task_of_first(probe, client);
  if (id.empty()) co_return not_for_it("no call of a tool that may be called became a task");
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    Json params = Json::object();
    params["taskId"] = id;
    const Reply reply = co_await other->request(method, std::move(params));
    if (reply.result() == nullptr) continue;
    co_return broken(std::string(method) + " of the second user for a task of the first got " +
                     reply.describe() + ", expected it to be refused");
  }
  co_return passes();
}

Task<Finding> lists_tasks_to_their_users(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  if (!probe.survey().declares("/tasks/list")) co_return not_for_it("it does not list tasks");
  Client client = co_await open_quietly(probe);
  const std::string id = co_await task_of_first(probe, client);
  if (id.empty()) co_return not_for_it("no call of a tool that may be called became a task");
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  const Listing all = co_await list_all(other->session(), probe.check(), "tasks/list", "tasks");
  if (Survey::item(all, "taskId", id) == nullptr) co_return passes();
  co_return broken("tasks/list shows a task of the first user to the second");
}

Task<Finding> authorizes_tasks(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 1);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  for (const char* const method : {"tasks/get", "tasks/cancel"}) {
    const Reply reply = co_await about_task(*other, method, made.id);
    if (reply.result() == nullptr) continue;
    co_return broken(std::string(method) + " of the second user for a task of the first got " +
                     reply.describe() + ", expected it to be refused");
  }
  co_return passes();
}

// goes_on_as_second asks as the first user, and goes on as the second with what that was given:
// where `method` is asked for, or with any state if it is empty. What asks again knows no more than
// before: only what is served is wrong.
Task<Finding> goes_on_as_second(Probe& probe, std::string method) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  Client client = co_await open_quietly(probe);
  const Exercise& all = *co_await probe.exercise();
  bool seen = false;
  for (const Call& call : all.calls) {
    if (!call.first || !asks_for_input(call.reply)) continue;
    if (!method.empty() && std::ranges::find(call.wants, method) == call.wants.end()) continue;
    const Reply asked = co_await client.request(call.method, call.params);
    if (!asks_for_input(asked) || find(*asked.result(), "requestState") == nullptr) continue;
    const Json retry = retry_of(call.params, *asked.result());
    const Reply theirs = co_await other->request(call.method, retry);
    seen = true;
    if (!succeeded(theirs)) continue;
    co_return broken(
        "the second user went on with the requestState that the first was given, and "
        "got " +
        theirs.describe() + ", expected it to be refused");
  }
  co_return seen ? passes() : not_for_it("nothing gives a requestState");
}

Task<Finding> gives_states_to_their_users(Probe& probe) {
  std::string any;
  co_return co_await goes_on_as_second(probe, std::move(any));
}

Task<Finding> gives_questions_to_their_users(Probe& probe) {
  std::string method = "elicitation/create";
  co_return co_await goes_on_as_second(probe, std::move(method));
}

// Both is what either user got from one tool; `unable` says why there is nothing to compare.
struct Both {
  Finding unable = passes();
  Reply first;
  Reply second;
};

Task<Both> call_as_both(Probe& probe, Shows what) {
  Both both;
  both.unable = not_for_it(kOneUser);
  if (probe.second_headers().fields().empty()) co_return std::move(both);
  const std::optional<ToolUse> use = co_await probe.tool_that(what);
  both.unable = needs(what);
  if (!use) co_return std::move(both);
  std::optional<Client> other = co_await other_user(probe);
  both.unable = not_for_it(kStranger);
  if (!other) co_return std::move(both);
  Client client = co_await open_quietly(probe);
  both.first = co_await client.call("tools/call", use->params);
  both.second = co_await other->call("tools/call", use->params);
  both.unable = undecided("the first user got " + both.first.describe());
  if (succeeded(both.first)) both.unable = passes();
  co_return std::move(both);
}

Task<Finding> guards_tools(Probe& probe) {
  const Both both = co_await call_as_both(probe, Shows::kPrivate);
  if (both.unable.verdict != Verdict::kPass) co_return both.unable;
  if (!succeeded(both.second)) co_return passes();
  co_return broken("the second user called a tool that is the first user's alone, and got " +
                   both.second.describe() + ", expected it to be refused");
}

bool is_public(const Listing& listing) {
  return !listing.pages.empty() && listing.pages.front().result() != nullptr &&
         string_or(*listing.pages.front().result(), "cacheScope", "") == "public";
}

Task<Finding> guards_what_public_lists_name(Probe& probe) {
  if (!is_public(probe.survey().tools)) co_return not_for_it("its list of tools is not public");
  co_return co_await guards_tools(probe);
}

// What may be kept for everybody is the same for everybody.
Task<Finding> shows_all_the_same(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  Client client = co_await open_quietly(probe);
  Finding finding = not_for_it("no list is public");
  for (const auto& [method, key] :
       {std::pair("tools/list", "tools"), std::pair("prompts/list", "prompts"),
        std::pair("resources/list", "resources")}) {
    const Listing first = co_await list_all(client.session(), probe.check(), method, key);
    if (!is_public(first) || !first.whole) continue;
    const Listing second = co_await list_all(other->session(), probe.check(), method, key);
    const Listing again = co_await list_all(client.session(), probe.check(), method, key);
    if (!second.whole || again.items != first.items) continue;
    finding = passes();
    if (second.items == first.items) continue;
    co_return about(broken(std::string(method) + " is public, and shows the second user " +
                           std::to_string(second.items.size()) + " others than the first " +
                           std::to_string(first.items.size())),
                    second.pages.back());
  }
  co_return std::move(finding);
}

Task<Finding> knows_users_by_their_tokens(Probe& probe) {
  const Both both = co_await call_as_both(probe, Shows::kUser);
  if (both.unable.verdict != Verdict::kPass) co_return both.unable;
  if (!succeeded(both.second)) co_return undecided("the second user got " + both.second.describe());
  if (*both.first.result() != *both.second.result()) co_return passes();
  co_return broken("with the tokens of two users the same tool says that they are the same");
}

// user_named_in returns how a result calls its user: its first text, if that is short; empty: it
// has none.
std::string user_named_in(const Reply& reply) {
  constexpr std::size_t kNameBytesMax = 100;
  const Json* const text = at_pointer(*reply.message, "/result/content/0/text");
  if (text == nullptr || !text->is_string()) return {};
  std::string name = text->get<std::string>();
  return name.size() <= kNameBytesMax ? name : std::string();
}

// What the second user says of themselves, in the places where servers have been seen to look.
Task<Reply> claim_to_be(Client& other, ToolUse use, std::string name) {
  wire::HttpHeaders headers;
  for (const char* const field : {"X-User-Id", "X-User", "X-User-Email", "X-Forwarded-User",
                                  "X-Forwarded-Email", "X-Remote-User"}) {
    if (wire::is_header_value(name)) headers.set(field, name);
  }
  Json message = other.request_of("tools/call", use.params);
  for (const char* const member : {"user", "userId", "user_id", "sub"}) {
    message["params"]["_meta"][member] = name;
  }
  Reply reply = co_await other.exchange(std::move(message), std::move(headers));
  co_return reply;
}

Task<Finding> takes_nobodys_word(Probe& probe) {
  const Both both = co_await call_as_both(probe, Shows::kUser);
  if (both.unable.verdict != Verdict::kPass) co_return both.unable;
  if (!succeeded(both.second)) co_return undecided("the second user got " + both.second.describe());
  const std::string first = user_named_in(both.first);
  if (first.empty() || first == user_named_in(both.second)) {
    co_return not_for_it("what it says of its users is no name");
  }
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kUser);
  std::optional<Client> other = co_await other_user(probe);
  if (!use || !other) co_return undecided("the second user was let in once, and not again");
  const Reply claimed = co_await claim_to_be(*other, *use, first);
  if (user_named_in(claimed) != first) co_return passes();
  co_return broken(
      "the second user, who said in headers and _meta to be the first, is taken for the first");
}

// An answer to a question of the server's, in the session of the first user, by the second.
Task<Finding> takes_answers_of_its_user(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  const Exercise& all = *co_await probe.exercise();
  const std::vector<const Call*> asking = all.asking("elicitation/create");
  if (asking.empty()) co_return not_for_it("it never asks the user");
  Client client = co_await open_quietly(probe);
  if (client.session().session_id().empty()) co_return not_for_it("it gives no session ids");
  client.session().answer_with("elicitation/create", [](const Json&) { return Json(); });
  Json request = client.request_of(asking.front()->method, asking.front()->params);
  const Client::Begun begun = client.begin(std::move(request));
  Inbox& inbox = client.session().wire().inbox();
  const Instant deadline = after(client.loop().now(), client.pace().work());
  Json question;
  for (std::size_t at = 0; question.is_null();) {
    while (at < inbox.frames.size() && question.is_null()) {
      const Json& message = *inbox.frames[at++].message;
      if (string_or(message, "method", "") == "elicitation/create") question = message;
    }
    if (question.is_null() && !co_await inbox.change(deadline)) break;
  }
  const Json* const id = find(question, "id");
  if (id == nullptr) co_return undecided("it asked its user once, and not again");
  Json answer = Json::object();
  answer["jsonrpc"] = "2.0";
  answer["id"] = *id;
  answer["result"] = granted(question);
  const Json own = answer;
  co_await client.provoke(dump_json(answer), probe.second_headers());
  const Reply after_other = co_await client.finish(begun, client.pace().quiet());
  if (after_other.answered()) {
    co_return broken(
        "the second user answered what the server asked the first, in the first one's session, and "
        "the call went on with that: " +
        after_other.describe());
  }
  const wire::HttpHeaders unchanged;
  co_await client.provoke(dump_json(own), unchanged);
  const Reply after_own = co_await client.finish(begun);
  if (after_own.answered()) co_return passes();
  co_return undecided("it went on with no answer, neither the second user's nor the first's");
}

const Json* offered_in(const Reply& reply) {
  return reply.result() == nullptr ? nullptr : at_pointer(*reply.message, "/result/completion");
}

// offers returns whether a completion holds one of `values`.
bool offers(const Json* completion, const std::vector<std::string>& values) {
  const Json* const all = completion == nullptr ? nullptr : find(*completion, "values");
  if (all == nullptr || !all->is_array()) return false;
  for (const std::string& value : values) {
    if (std::ranges::find(*all, Json(value)) != all->end()) return true;
  }
  return false;
}

// complete_as_second looks at each completion that is the first user's alone. With `traces` at what
// it tells besides, compared with what nothing begins with.
Task<Finding> complete_as_second(Probe& probe, bool traces) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  if (probe.private_completions().empty()) {
    co_return not_for_it("no completion is known to be the first user's alone; --hint names one");
  }
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  Client client = co_await open_quietly(probe);
  for (const PrivateCompletion& one : probe.private_completions()) {
    const Reply own = co_await client.request("completion/complete", one.params);
    if (!offers(offered_in(own), one.values)) {
      co_return undecided("the first user is not offered what the hint says");
    }
    const Reply theirs = co_await other->request("completion/complete", one.params);
    if (offers(offered_in(theirs), one.values)) {
      co_return broken("the second user is offered a completion that is the first user's alone");
    }
    if (!traces) continue;
    Json nothing = one.params;
    nothing["argument"]["value"] = "plumbline-nothing-begins-so";
    const Reply none = co_await other->request("completion/complete", std::move(nothing));
    const Json* const told = offered_in(theirs);
    const Json* const usual = offered_in(none);
    if (told == nullptr || usual == nullptr || *told == *usual) continue;
    co_return about(broken("the second user is told " + clipped(dump_json(*told)) +
                           " of what only the first may see, and " + clipped(dump_json(*usual)) +
                           " of what there is not"),
                    theirs);
  }
  co_return passes();
}

Task<Finding> keeps_suggestions(Probe& probe) {
  co_return co_await complete_as_second(probe, false);
}

Task<Finding> leaves_no_traces(Probe& probe) { co_return co_await complete_as_second(probe, true); }

constexpr ServerCheck kTwoUsersChecks[] = {
    {"security.session-bound-to-user", Eras::kStateful, SessionUse::kOpens,
     gives_sessions_to_their_users},
    {"tasks.bound-to-authorization", Eras::kStateful, SessionUse::kOpens,
     gives_tasks_to_their_users},
    {"tasks.list-own-context-only", Eras::kStateful, SessionUse::kOpens,
     lists_tasks_to_their_users},
    {"tasks.authorization-checked", Eras::kStateless, SessionUse::kShared, authorizes_tasks},
    {"mrtr.request-state-bound-to-principal", Eras::kStateless, SessionUse::kOpens,
     gives_states_to_their_users},
    {"elicitation.bound-to-client-and-user", Eras::kStateless, SessionUse::kOpens,
     gives_questions_to_their_users},
    {"elicitation.state-bound-to-user", Eras::kStateless, SessionUse::kOpens,
     gives_questions_to_their_users},
    {"elicitation.state-bound-to-user", Eras::kStateful, SessionUse::kOpens,
     takes_answers_of_its_user},
    {"elicitation.client-claimed-identity-not-trusted", Eras::kBoth, SessionUse::kOpens,
     takes_nobodys_word},
    {"elicitation.user-from-authorization", Eras::kBoth, SessionUse::kOpens,
     knows_users_by_their_tokens},
    {"tools.access-control", Eras::kBoth, SessionUse::kOpens, guards_tools},
    {"caching.access-control-applied", Eras::kStateless, SessionUse::kOpens,
     guards_what_public_lists_name},
    {"caching.public-no-user-data", Eras::kStateless, SessionUse::kOpens, shows_all_the_same},
    {"completion.suggestions-access-controlled", Eras::kBoth, SessionUse::kOpens,
     keeps_suggestions},
    {"completion.no-information-disclosure", Eras::kBoth, SessionUse::kOpens, leaves_no_traces},
};

}  // namespace

ServerChecks two_users_checks() { return kTwoUsersChecks; }

}  // namespace plumbline::conformance
