#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/questions.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kLostBefore =
    "not told apart from gateway.keeps-order: what comes behind other messages is lost";

Json marked(std::string mark) {
  Json arguments(Json::value_t::object);
  arguments["mark"] = std::move(mark);
  return arguments;
}

// hard_values are what careless JSON code changes.
Json hard_values(std::string mark) {
  Json values = marked(std::move(mark));
  values["astral"] = "\xf0\x9f\x8e\x89 \xe2\x80\xa8 \\u0041 \"quoted\" \x01";
  values["largest"] = 9007199254740991;
  values["small"] = 1e-7;
  values["empty"] = Json::array({Json::object(), Json::array(), ""});
  values["null"] = nullptr;
  values["digits"] = "00713";
  values["object"]["deep"]["list"] = Json::array({1, Json::object(), "x"});
  values["a.b/c~d e"] = Json::array({true, false, -0.5});
  return values;
}

// unreached says that a call did not get through, and that its session was lost, if it was.
Finding unreached(const Session& session, const Reply& reply) {
  const bool lost = session.wire().http() && session.session_id().empty() && reply.status >= 400;
  std::string why = "a call never reached the server: the client got " + reply.describe();
  if (lost) why += "; the answer to initialize came without the Mcp-Session-Id of the server";
  return about(broken(std::move(why)), reply);
}

Task<Finding> reaches_the_server(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return broken(probe.why());
  const std::string mark = probe.new_mark();
  const Reply reply = co_await probe.call(*session, "echo", marked(mark));
  if (probe.heard(mark).empty()) co_return unreached(*session, reply);
  if (reply.result() == nullptr)
    co_return broken("the server answered, and the client got " + reply.describe());
  co_return passes();
}

// adds_no_arguments looks at what the server got for a tool whose schema has properties, with
// defaults and without, that the client left out.
Task<Finding> adds_no_arguments(GatewayProbe* probe) {
  const Exchanged* const made = co_await probe->exchanges().of(Ask::kRich, probe->check());
  for (const Difference& one : made->there) {
    if (one.before || !one.pointer.starts_with("/params/arguments/")) continue;
    Finding added = broken("a call left out " + one.pointer.substr(18) + ", and the server got " +
                           dump_json(*one.after) +
                           " for it: to a tool, an argument that is left out is another thing than "
                           "one that is empty");
    added.evidence = made->evidence;
    co_return added;
  }
  co_return passes();
}

Task<Finding> keeps_values(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  const Json sent = hard_values(mark);
  const Reply reply = co_await probe.call(*session, "echo", sent);
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty()) {
    co_return co_await probe.unlike_others(reply, "a call with arguments of every kind");
  }
  const Json* const arguments = at_pointer(heard.front().message, "/params/arguments");
  if (*arguments != sent) {
    co_return broken("the server got the arguments " + dump_json(*arguments) + ", sent were " +
                     dump_json(sent));
  }
  const Json* const back = content_of(reply);
  if (back == nullptr || *back != sent) {
    co_return broken("the server's structuredContent came as " +
                     (back == nullptr ? "nothing" : dump_json(*back)) + ", sent was " +
                     dump_json(sent));
  }
  co_return co_await adds_no_arguments(&probe);
}

Task<Finding> keeps_unknown_members(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  const Reply reply = co_await probe.call(*session, "echo", marked(mark), "token-" + mark);
  if (reply.result() == nullptr) {
    co_return co_await probe.unlike_others(reply, "a call with a progressToken");
  }
  if (find(*reply.result(), "plumblineExtra") == nullptr) {
    co_return broken("a member of the result that the gateway does not know was dropped");
  }
  if (at_pointer(*reply.result(), "/_meta/plumbline.dev~1saw/progressToken") == nullptr) {
    co_return broken("_meta was dropped on the way to the server or back");
  }
  co_return passes();
}

Task<Finding> keeps_errors(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  const Json sent = marked(mark);
  const Reply reply = co_await probe.call(*session, "fail", sent);
  if (probe.heard(mark).empty()) co_return undecided(kNeverReached);
  if (reply.code() != -32050) {
    co_return broken("the server answered error -32050, the client got " + reply.describe());
  }
  const Json* const data = find(*reply.error(), "data");
  if (data == nullptr || *data != sent) co_return broken("the data of the error was changed");
  co_return passes();
}

// answered_a_count returns whether the mirror gave a call of count its result.
bool answered_a_count(const MirrorServer& mirror) {
  return std::ranges::any_of(mirror.said(), [](const MirrorServer::Said& one) {
    return string_or(one.request.params, "name", "") == "count" && find(one.response, "result");
  });
}

Task<Finding> keeps_order(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  co_await client.can_hear();  // What comes on the stream of GET is lost before there is one.
  const std::string token = "token-" + probe.new_mark();
  probe.mirror().forget_said();
  const Reply reply = co_await probe.call(*session, "count", Json::object(), token);
  const std::vector<Json> progress = progress_by_token(reply.along, token);
  const bool refused = reply.answered() || reply.status >= 400;
  if (reply.result() == nullptr && !refused && answered_a_count(probe.mirror())) {
    probe.exchanges().note_lost_answers();
    co_return about(
        broken("20 notifications of progress were sent, and the response behind them; "
               "the client got " +
               std::to_string(progress.size()) + " of the notifications and " + reply.describe()),
        reply);
  }
  if (reply.result() == nullptr && answered_a_count(probe.mirror())) {
    co_return co_await probe.unlike_others(
        reply, "a call that the server answered behind 20 notifications of progress");
  }
  if (reply.result() == nullptr) co_return undecided("got " + reply.describe());
  // Of what comes on another stream nobody can say whether it was sent before the response.
  const std::vector<Json> elsewhere = co_await progress_on_get(&client, token);
  if (progress.size() != 20 && progress.size() + elsewhere.size() != 20) {
    co_return broken("20 notifications of progress were sent, " + std::to_string(progress.size()) +
                     " came before the response" +
                     (elsewhere.empty()
                          ? ""
                          : ", " + std::to_string(elsewhere.size()) + " on the stream of GET"));
  }
  if (!std::ranges::is_sorted(progress) || !std::ranges::is_sorted(elsewhere))
    co_return broken("the notifications came in another order");
  co_return passes();
}

// progress_since returns what came of the progress with `token` behind so many frames, in order.
std::vector<Json> progress_since(const Inbox& inbox, std::size_t first, const std::string& token) {
  std::vector<Json> found;
  for (std::size_t i = first; i < inbox.frames.size(); ++i) {
    const Json& message = *inbox.frames[i].message;
    const Json* const said = at_pointer(message, "/params/progressToken");
    if (said != nullptr && *said == Json(token)) found.push_back(message);
  }
  return found;
}

// is_whole returns whether each notification has the words of the server, if it has any.
bool is_whole(const std::vector<Json>& progress, const std::string& words) {
  return std::ranges::all_of(progress, [&](const Json& message) {
    const Json* const said = at_pointer(message, "/params/message");
    return said == nullptr || *said == Json(words);
  });
}

// ToldTwice is what came of two notifications of progress of one call, which has the mark `words`.
struct ToldTwice {
  std::string words;
  bool reached = false;
  bool early = false;  // Both came before the response.
  std::vector<Json> came;
  Reply reply;
};

// tell_twice has the server tell of progress twice; `cut`: in two pieces, cut within a letter, the
// second of which has the second event as well.
Task<ToldTwice> tell_twice(GatewayProbe* probe, Session* session, bool cut) {
  ToldTwice told;
  told.words = probe->new_mark() + " – 🎉";
  const std::string token = "token-" + probe->new_mark();
  Client client(*session, probe->check());
  Carriage carriage;
  carriage.pieces = cut;
  probe->mirror().set_carriage(carriage);
  Client::Begun begun = probe->begin_call(*session, "hold", marked(told.words), token);
  const std::size_t first = begun.frames_before;
  told.reached = co_await probe->reached(told.words);
  probe->mirror().progress(told.words);
  Inbox& inbox = session->wire().inbox();
  const Instant deadline = after(probe->loop().now(), probe->pace().answer());
  const auto all_came = [&] { return progress_since(inbox, first, token).size() == 2; };
  told.early = told.reached && co_await inbox.wait(deadline, all_came);
  probe->mirror().release(told.words);
  told.reply = co_await client.finish(std::move(begun));
  probe->mirror().set_carriage({});
  told.came = progress_since(inbox, first, token);
  co_return std::move(told);
}

// streams_pieces judges what becomes of events that are cut. RFC 9112, section 7.1: how a body is
// cut means nothing. What is lost or changed in one piece as well is for other rules.
Task<Finding> streams_pieces(GatewayProbe* probe, Session* session) {
  const ToldTwice told = co_await tell_twice(probe, session, true);
  if (!told.reached || (told.early && is_whole(told.came, told.words))) co_return passes();
  const ToldTwice whole = co_await tell_twice(probe, session, false);
  if (!whole.early || !is_whole(whole.came, whole.words)) co_return passes();
  const std::string cut_in_two =
      "the server wrote two notifications of progress, cut in the middle of an event, as networks "
      "cut what they carry, and ";
  if (told.early) {
    co_return broken(cut_in_two + "the letter that was cut came to the client as another: " +
                     shortened(dump_json(told.came.front())));
  }
  if (told.came.size() == 2) {
    co_return broken(cut_in_two +
                     "they were kept back until the response; what comes in one piece comes at "
                     "once");
  }
  co_return about(broken(cut_in_two + "the client got " + std::to_string(told.came.size()) +
                         " of them, and the call came to " + told.reply.describe() +
                         "; what comes in one piece comes"),
                  told.reply);
}

Task<Finding> streams(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  Client client(*session, probe.check());
  co_await client.can_hear();
  Client::Begun begun = probe.begin_call(*session, "hold", marked(mark), "token-" + mark);
  const std::size_t first = begun.frames_before;
  if (!co_await probe.reached(mark)) co_return undecided(kNeverReached);
  Inbox& inbox = session->wire().inbox();
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  const auto came_early = [&] { return !progress_since(inbox, first, "token-" + mark).empty(); };
  const bool early = co_await inbox.wait(deadline, came_early);
  probe.mirror().release(mark);
  const Reply reply = co_await client.finish(std::move(begun));
  if (early) co_return co_await streams_pieces(&probe, session);
  if (progress_by_token(reply.along, "token-" + mark).empty()) {
    co_return broken("a notification of progress did not come at all");
  }
  co_return broken("a notification of progress was kept back until the response");
}

Task<Finding> asks_the_right_client(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  Questions questions;
  answer_questions(*one, *other, questions);
  const std::string mine = probe.new_mark();
  const std::string theirs = probe.new_mark();
  // Both calls are there when the first is asked about: who asks the newest client asks the other.
  Client::Begun first = probe.begin_call(*one, "hold", marked(mine), "token-" + mine);
  if (!co_await probe.reached(mine)) co_return undecided(kNeverReached);
  Client::Begun second = probe.begin_call(*other, "hold", marked(theirs), "token-" + theirs);
  if (!co_await probe.reached(theirs)) co_return undecided(kNeverReached);
  Client client(*one, probe.check());
  Client neighbour(*other, probe.check());
  co_await neighbour.hush();  // Both have a stream by then, on which progress was told.
  probe.mirror().put_question(mine);
  probe.mirror().put_question(theirs);
  const Reply reply = co_await client.finish(std::move(first));
  const Reply answer = co_await neighbour.finish(std::move(second));
  if (probe.heard(mine).empty()) co_return undecided(kNeverReached);
  one->forget_answers();
  other->forget_answers();
  Finding finding = judge_answer(reply, "one", mine, questions);
  if (finding.verdict == Verdict::kPass) finding = judge_answer(answer, "other", theirs, questions);
  const bool follows = finding.verdict == Verdict::kFail && probe.exchanges().loses_answers();
  co_return follows ? undecided(kLostBefore) : finding;
}

// has_no_stream returns whether a client was told that there is none, as it may be.
bool has_no_stream(const Session& session) {
  return std::ranges::any_of(session.wire().inbox().exchanges, [](const Exchange& exchange) {
    return exchange.method == "GET" && exchange.status == 405;
  });
}

// status_of_get returns that of the client's last GET; 0: it made none, or waits for one.
int status_of_get(const Session& session) {
  int status = 0;
  for (const Exchange& exchange : session.wire().inbox().exchanges) {
    if (exchange.method == "GET") status = exchange.status;
  }
  return status;
}

Task<Finding> tells_one_client_alone(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  co_await probe.call(*one, "echo", marked(mark));
  const std::string theirs = probe.new_mark();
  co_await probe.call(*other, "echo", marked(theirs));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  const std::vector<MirrorServer::Heard> neighbours = probe.heard(theirs);
  if (heard.empty() || neighbours.empty()) {
    co_return undecided(kNeverReached);
  }
  if (heard.front().session == neighbours.front().session) {
    co_return not_for_it("it has one session with the server for all its clients");
  }
  Client neighbour(*other, probe.check());
  co_await neighbour.can_hear();  // What is told to everybody comes on that stream.
  const std::size_t before_one = one->wire().inbox().frames.size();
  const std::size_t before_other = other->wire().inbox().frames.size();
  probe.mirror().tell(heard.front().session, "notifications/tools/list_changed");
  const auto has_more = [&] { return one->wire().inbox().frames.size() > before_one; };
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  const bool told = co_await one->wire().inbox().wait(deadline, has_more);
  co_await Sleep(probe.loop(), after(probe.loop().now(), probe.pace().quiet()));
  if (other->wire().inbox().frames.size() > before_other) {
    co_return broken("what the server told the session of one client came to another client");
  }
  if (!told && has_no_stream(*one)) {
    co_return not_for_it("it answers GET with 405: no stream for what a server says by itself");
  }
  if (!told) {
    const int status = status_of_get(*one);
    co_return broken("what the server said by itself did not come to its client" +
                     (status < 400 ? std::string()
                                   : ", whose GET was answered by status " +
                                         std::to_string(status) + ": expected a stream, or 405"));
  }
  co_return passes();
}

constexpr GatewayCheck kPassingChecks[] = {
    {"gateway.reaches-server", reaches_the_server},
    {"gateway.keeps-values", keeps_values},
    {"gateway.keeps-unknown-members", keeps_unknown_members},
    {"gateway.keeps-errors", keeps_errors},
    {"gateway.keeps-order", keeps_order},
    {"gateway.streams", streams},
    {"gateway.asks-the-right-client", asks_the_right_client},
    {"gateway.tells-one-client-alone", tells_one_client_alone},
};

}  // namespace

GatewayChecks passing_checks() { return kPassingChecks; }

}  // namespace plumbline::conformance
