// What a server asks the client of a call: forms, pages of its own, roots. Everything is asked more
// than once: what was answered before must not stand for what is answered now.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/differences.h"
#include "conformance/checks/gateway/questions.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kElicitation = "elicitation/create";
constexpr const char* kRootsList = "roots/list";

Json form_answer(const char* word) {
  Json answer(Json::value_t::object);
  answer["action"] = "accept";
  answer["content"]["word"] = word;
  return answer;
}

Json roots_answer(const char* uri) {
  Json answer(Json::value_t::object);
  answer["roots"][0]["uri"] = uri;
  answer["roots"][0]["name"] = "Wörd – 🎉";
  return answer;
}

// lost_of returns what of the server's question did not reach the client as it was; nothing: all
// did. Who numbers elicitations anew does so in what is told of them, too.
std::optional<Difference> lost_of(const Json& asked, const Json& question) {
  const Json* const params = find(question, "params");
  for (const Difference& one :
       differences(asked["params"], params == nullptr ? Json::object() : *params)) {
    const bool renumbered = one.pointer == "/elicitationId" && one.after && one.after->is_string();
    if (one.before && !renumbered) return one;
  }
  return std::nullopt;
}

// Inquiry is what is asked: by which method, in which mode, and what the client answers.
struct Inquiry {
  std::string method;
  std::string mode;
  Json answer;
  bool numbered = false;  // The id of the question is a number.
};

// ask lets the mirror ask the client, and judges what both were told. `question` is what came.
Task<Finding> ask(GatewayProbe* probe, Session* session, Inquiry asked, Json* question) {
  session->answer_with(asked.method, [question, answer = asked.answer](const Json& request) {
    *question = request;
    Json response(Json::value_t::object);
    response["result"] = answer;
    return response;
  });
  const std::string mark = probe->new_mark();
  Json arguments = GatewayProbe::marked(mark, asked.numbered ? "numbered" : "");
  arguments["method"] = asked.method;
  if (!asked.mode.empty()) arguments["mode"] = asked.mode;
  const std::size_t from = session->wire().inbox().exchanges.size();
  const Reply reply = co_await probe->call(*session, "ask", std::move(arguments));
  session->forget_answers();
  const Json* const back = content_of(reply);
  if (back != nullptr && find(*back, "undeclared") != nullptr) {
    co_return not_for_it("it does not declare to the server that its client can be asked so");
  }
  if (probe->heard(mark).empty()) co_return undecided(kNeverReached);
  if (question->is_null()) {
    co_return about(broken("the server asked " + asked.method +
                           " during a call, which did not reach the client: the call came to " +
                           reply.describe()),
                    reply);
  }
  const std::optional<Difference> lost =
      lost_of(MirrorServer::question(asked.method, mark, asked.mode), *question);
  if (lost) co_return broken(said_of(*lost, "the server", "the client"));
  if (back != nullptr && *back == asked.answer) co_return passes();
  const std::string refused = refused_since(*session, from, reply.exchange);
  if (back == nullptr && !refused.empty()) {
    co_return about(broken("the answer of the client was refused with " + refused +
                           ", expected 202, and the call came to " + reply.describe()),
                    reply);
  }
  co_return broken("the client answered " + dump_json(asked.answer) + ", and the server was told " +
                   (back == nullptr ? reply.describe() : shortened(dump_json(*back))));
}

Task<Finding> ask_again(GatewayProbe* probe, Session* session, Inquiry asked) {
  Json question;
  const bool numbered = asked.numbered;
  Finding finding = co_await ask(probe, session, std::move(asked), &question);
  if (finding.verdict == Verdict::kFail) {
    finding.message = (numbered ? "when the server asked by an id that is a number, "
                                : "when the server asked again, ") +
                      finding.message;
  }
  co_return finding;
}

// ask_by_url asks by a page of the server's own, and waits to be told that the user is done there.
//
// Spec 2025-11-25, client/elicitation, URL mode and Completion Notifications.
Task<Finding> ask_by_url(GatewayProbe* probe, Session* session) {
  Json question;
  Inquiry asked{kElicitation, "url", Json::object()};
  asked.answer["action"] = "accept";
  Client client(*session, probe->check());
  const std::size_t from = frames_of(client);
  Finding finding = co_await ask(probe, session, std::move(asked), &question);
  if (finding.verdict == Verdict::kFail) {
    finding.message = "of an elicitation in the mode url, " + finding.message;
  }
  if (finding.verdict != Verdict::kPass) co_return finding;
  constexpr const char* kComplete = "notifications/elicitation/complete";
  const Duration patience = probe->pace().answer();
  const Json told = co_await await_notice(client, from, kComplete, patience);
  if (told.is_null()) {
    co_return broken("the server said " + std::string(kComplete) +
                     " during the call, and nothing came to the client: it waits for a user who "
                     "is done");
  }
  const Json* const named = at_pointer(told, "/params/elicitationId");
  const Json* const known = at_pointer(question, "/params/elicitationId");
  if (named != nullptr && known != nullptr && *named == *known) co_return passes();
  co_return broken("an elicitation came to the client with the elicitationId " +
                   (known == nullptr ? "null" : dump_json(*known)) + ", and its end as " +
                   shortened(dump_json(told)));
}

Task<Finding> asks_by_elicitation(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Json question;
  Inquiry first{kElicitation, "", form_answer("Wörd – 🎉")};
  Finding finding = co_await ask(&probe, session, std::move(first), &question);
  if (finding.verdict != Verdict::kPass) co_return finding;
  Inquiry second{kElicitation, "", form_answer("another")};
  finding = co_await ask_again(&probe, session, std::move(second));
  if (finding.verdict != Verdict::kPass) co_return finding;
  Inquiry numbered{kElicitation, "", form_answer("by a number"), true};
  finding = co_await ask_again(&probe, session, std::move(numbered));
  if (finding.verdict != Verdict::kPass) co_return finding;
  finding = co_await ask_by_url(&probe, session);
  co_return finding.verdict == Verdict::kSkip ? passes() : finding;
}

Task<Finding> asks_for_roots(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Json question;
  Inquiry first{kRootsList, "", roots_answer("file:///caf%C3%A9")};
  Finding finding = co_await ask(&probe, session, std::move(first), &question);
  if (finding.verdict != Verdict::kPass) co_return finding;
  Client client(*session, probe.check());
  co_await client.notify("notifications/roots/list_changed");
  Inquiry second{kRootsList, "", roots_answer("file:///elsewhere")};
  finding = co_await ask_again(&probe, session, std::move(second));
  if (finding.verdict != Verdict::kPass) co_return finding;
  Inquiry numbered{kRootsList, "", roots_answer("file:///by/a/number"), true};
  finding = co_await ask_again(&probe, session, std::move(numbered));
  co_return finding;
}

// Put is what became of a question that the server put to the client of a call.
struct Put {
  bool reached = false;  // The call did, and the server asked.
  bool came = false;
  bool by_get = false;  // On a stream of GET.
  Reply reply;
};

// put_during has the server ask by `method` during a call.
Task<Put> put_during(GatewayProbe* probe, Session* session, std::string method) {
  const std::size_t from = session->wire().inbox().frames.size();
  Json arguments = GatewayProbe::marked(probe->new_mark());
  arguments["method"] = method;
  const std::string mark = string_or(arguments, "mark", "");
  Client client(*session, probe->check());
  Client::Begun begun = probe->begin_call(*session, "ask", std::move(arguments));
  Put put;
  put.reply = co_await client.finish(std::move(begun), probe->pace().answer());
  const Json* const back = content_of(put.reply);
  const bool undeclared = back != nullptr && find(*back, "undeclared") != nullptr;
  put.reached = !undeclared && !probe->heard(mark).empty();
  const Inbox& inbox = session->wire().inbox();
  for (std::size_t i = from; i < inbox.frames.size(); ++i) {
    if (string_or(*inbox.frames[i].message, "method", "") != method) continue;
    put.came = true;
    put.by_get = put.by_get || inbox.exchanges[inbox.frames[i].exchange].method == "GET";
  }
  co_return put;
}

// misses_its_question judges what becomes of a question whose client has no stream of GET.
Task<Finding> misses_its_question(GatewayProbe* probe, std::string method, bool by_get) {
  Session* const alone = co_await probe->enter("", nullptr, false);
  if (alone == nullptr) co_return undecided(probe->why());
  const Put put = co_await put_during(probe, alone, method);
  const bool missed = put.reached && !put.came && put.reply.result() == nullptr;
  const std::string said = "the server asked " + method +
                           " on the stream of a call, and the question came to the client " +
                           (by_get ? "on its stream of GET" : "who has a stream of GET");
  if (missed) {
    co_return about(broken(said + "; a client without one was not asked, and its call came to " +
                           put.reply.describe()),
                    put.reply);
  }
  if (!by_get) co_return passes();
  co_return broken(said + ": it belongs on the stream of its request");
}

// Spec 2025-11-25, basic/transports, Sending Messages to the Server, and Listening for Messages
// from the Server: what relates to a request is said on the stream of that.
Task<Finding> asks_on_its_stream(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients have one stream for everything");
  Client client(*session, probe.check());
  co_await client.can_hear();
  std::string asked;
  for (const char* const method : {"elicitation/create", "sampling/createMessage", "roots/list"}) {
    const Put put = co_await put_during(&probe, session, method);
    if (!put.reached || !put.came) continue;  // That it is not asked at all is for other rules.
    if (put.by_get) co_return co_await misses_its_question(&probe, method, true);
    if (asked.empty()) asked = method;
  }
  if (asked.empty()) co_return not_for_it("its clients are asked nothing");
  co_return co_await misses_its_question(&probe, asked, false);
}

constexpr GatewayCheck kAskingChecks[] = {
    {"gateway.asks-by-elicitation", asks_by_elicitation},
    {"gateway.asks-for-roots", asks_for_roots},
    {"gateway.asks-on-its-stream", asks_on_its_stream},
};

}  // namespace

GatewayChecks asking_checks() { return kAskingChecks; }

}  // namespace plumbline::conformance
