// Servers of another make: that carry their answers in other forms, or name no session; several
// clients; what comes after trouble; and what nobody has asked for.

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/peer/opening.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

using Text = Carriage::Text;

constexpr Carriage kCarriages[] = {
    {.what = "as Content-Type: application/json; charset=utf-8",
     .json_type = "application/json; charset=utf-8"},
    {.what = "as Content-Type: application/json;charset=UTF-8",
     .json_type = "application/json;charset=UTF-8"},
    {.what = "in JSON over several lines", .text = Text::kIndented},
    {.what = "in a stream of one event", .streams = true},
    {.what = "as Content-Type: text/event-stream; charset=utf-8",
     .stream_type = "text/event-stream; charset=utf-8",
     .streams = true},
    {.what = "as Content-Type: text/event-stream;charset=UTF-8",
     .stream_type = "text/event-stream;charset=UTF-8",
     .streams = true},
    {.what = "in an event with \"event: message\"", .streams = true, .text = Text::kNamed},
    {.what = "in an event with no blank behind its colons", .streams = true, .text = Text::kTight},
    {.what = "in an event with several lines of data", .streams = true, .text = Text::kIndented},
    {.what = "behind comments and empty lines", .streams = true, .text = Text::kComments},
    {.what = "in an event with an id and \"retry:\"", .streams = true, .text = Text::kIds},
    {.what = "behind a field that is not known", .streams = true, .text = Text::kUnknown},
    {.what = "behind an event of another name",
     .streams = true,
     .text = Text::kOther,
     .strange = true},
    {.what = "in a stream whose lines end with CR",
     .streams = true,
     .text = Text::kCr,
     .strange = true},
    {.what = "in a stream that begins with a byte order mark",
     .streams = true,
     .text = Text::kBom,
     .strange = true},
};

// Echoed is a call of echo that a client has made.
struct Echoed {
  Reply reply;
  bool reached = false;
  bool streamable = true;  // The server got it over Streamable HTTP.
};

Task<Echoed> echo(GatewayProbe* probe, Session* session) {
  const std::string mark = probe->new_mark();
  Echoed made;
  made.reply = co_await probe->call(*session, "echo", GatewayProbe::marked(mark));
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  made.reached = !heard.empty();
  made.streamable = heard.empty() || heard.front().streamable;
  co_return made;
}

// echo_of_another returns what a call of a new client comes to.
Task<Echoed> echo_of_another(GatewayProbe* probe) {
  Session* const session = co_await probe->enter();
  if (session == nullptr) co_return Echoed{};
  co_return co_await echo(probe, session);
}

Task<Finding> reads_every_form(GatewayProbe& probe) {
  Session* session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  for (const Carriage& form : kCarriages) {
    probe.mirror().set_carriage(form);
    const Echoed made = co_await echo(&probe, session);
    if (made.reply.result() != nullptr || !made.reached) continue;
    probe.mirror().set_carriage({});
    session = co_await probe.enter();
    if (session == nullptr) co_return undecided(probe.why());
    const Echoed plain = co_await echo(&probe, session);
    if (plain.reply.result() == nullptr) co_return undecided("another call came to nothing");
    probe.mirror().set_carriage(form);
    const Echoed again = co_await echo(&probe, session);
    if (again.reply.result() != nullptr) continue;
    const std::string what = "the server answered a call " + std::string(form.what) +
                             ", and the client got " + again.reply.describe();
    co_return about(form.strange ? risky(what) : broken(what), again.reply);
  }
  co_return passes();
}

// Spec, basic/transports, Session Management: a server may give an id, or none.
Task<Finding> does_without_sessions(GatewayProbe& probe) {
  Carriage nameless;
  nameless.sessions = false;
  probe.mirror().set_carriage(nameless);
  Session* const session = co_await probe.enter();
  if (session == nullptr) {
    const std::string why = probe.why();
    probe.mirror().set_carriage({});
    if (co_await probe.enter() == nullptr) co_return undecided(probe.why());
    co_return broken("the server answered initialize without Mcp-Session-Id, as it may, and " +
                     why);
  }
  const Echoed made = co_await echo(&probe, session);
  if (made.reply.result() != nullptr) co_return passes();
  // Who starts a program for each request may be late with one of them.
  const Echoed again = co_await echo_of_another(&probe);
  if (again.reply.result() != nullptr) co_return passes();
  probe.mirror().set_carriage({});
  const Echoed usual = co_await echo_of_another(&probe);
  if (usual.reply.result() == nullptr) co_return undecided("another call came to nothing");
  co_return about(
      broken("the server answered initialize without Mcp-Session-Id, as it may, and a call of the "
             "client that opened so came to " +
             made.reply.describe() + (made.reached ? "" : "; it never reached the server")),
      made.reply);
}

// Spec, basic/transports, Streamable HTTP: the server handles several connections of clients.
Task<Finding> serves_several_clients(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* other = nullptr;
  if (one != nullptr) other = co_await probe.enter();
  if (other == nullptr) {
    // The judge has a session of its own open, in which it lists: that is given up.
    const std::string why = probe.why();
    if (one != nullptr) co_await one->close();
    co_await probe.exchanges().close();
    const Echoed alone = co_await echo_of_another(&probe);
    if (alone.reply.result() == nullptr) co_return undecided(why);
    co_return broken("while one client has a session, a second one gets none: " + why);
  }
  if (!one->wire().http()) co_return not_for_it("over stdio each client has a gateway of its own");
  const Echoed second = co_await echo(&probe, other);
  const Echoed first = co_await echo(&probe, one);
  if (first.reply.result() != nullptr && second.reply.result() != nullptr) co_return passes();
  const bool earlier = first.reply.result() == nullptr;
  const Reply& reply = earlier ? first.reply : second.reply;
  co_await one->close();
  co_await other->close();
  const Echoed alone = co_await echo_of_another(&probe);
  if (alone.reply.result() == nullptr) co_return undecided("no call comes to a result");
  co_return about(broken("two clients have a session each, and a call of the " +
                         std::string(earlier ? "first" : "second") + " came to " +
                         reply.describe() + "; one client alone is served"),
                  reply);
}

Json with_name(std::string name, Json arguments) {
  Json params(Json::value_t::object);
  if (!name.empty()) params["name"] = std::move(name);
  params["arguments"] = std::move(arguments);
  return params;
}

// Trouble is what may come to a session, after which it goes on.
struct Trouble {
  const char* what;
  Task<void> (*make)(GatewayProbe* probe, Session* session);
};

Task<void> fail_by(GatewayProbe* probe, Session* session, std::string how) {
  co_await probe->call(*session, "fail", GatewayProbe::marked(probe->new_mark(), std::move(how)));
}

Task<void> ask_for(GatewayProbe* probe, Session* session, std::string method, Json params) {
  Client client(*session, probe->check());
  co_await client.request(std::move(method), std::move(params));
}

Task<void> cancel_one(GatewayProbe* probe, Session* session) {
  const std::string mark = probe->new_mark();
  Client client(*session, probe->check());
  Client::Begun begun = probe->begin_call(*session, "hold", GatewayProbe::marked(mark));
  if (!co_await probe->reached(mark)) co_return;
  Json params(Json::value_t::object);
  params["requestId"] = begun.id;
  if (!is_stateless(probe->revision())) {
    co_await client.notify("notifications/cancelled", std::move(params));
  } else if (session->wire().http()) {
    session->wire().drop(begun.exchange);
  }
  probe->mirror().release(mark);
}

Task<void> leave_one(GatewayProbe* probe, Session* session) {
  const std::string mark = probe->new_mark();
  const Client::Begun begun = probe->begin_call(*session, "hold", GatewayProbe::marked(mark));
  if (!co_await probe->reached(mark)) co_return;
  if (session->wire().http()) session->wire().drop(begun.exchange);
  probe->mirror().release(mark);
}

constexpr Trouble kTroubles[] = {
    {"an error of a tool",
     [](GatewayProbe* probe, Session* session) { return fail_by(probe, session, ""); }},
    {"status 503 of the server",
     [](GatewayProbe* probe, Session* session) { return fail_by(probe, session, "status 503"); }},
    {"status 500 of the server",
     [](GatewayProbe* probe, Session* session) { return fail_by(probe, session, "status 500"); }},
    {"status 429 of the server",
     [](GatewayProbe* probe, Session* session) { return fail_by(probe, session, "status 429"); }},
    {"an answer of the server that broke off",
     [](GatewayProbe* probe, Session* session) { return fail_by(probe, session, "cut"); }},
    {"a request of a method that there is not",
     [](GatewayProbe* probe, Session* session) {
       return ask_for(probe, session, "plumbline/unknown", Json::object());
     }},
    {"a call of a tool that there is not",
     [](GatewayProbe* probe, Session* session) {
       return ask_for(probe, session, "tools/call", with_name("plumbline_unknown", Json::object()));
     }},
    {"a call whose arguments are a list",
     [](GatewayProbe* probe, Session* session) {
       return ask_for(probe, session, "tools/call",
                      with_name(probe->exchanges().tool("echo"), Json::array()));
     }},
    {"a call without a name",
     [](GatewayProbe* probe, Session* session) {
       return ask_for(probe, session, "tools/call", with_name("", Json::object()));
     }},
    {"a cursor that nobody has given",
     [](GatewayProbe* probe, Session* session) {
       Json params(Json::value_t::object);
       params["cursor"] = "plumbline";
       return ask_for(probe, session, "tools/list", std::move(params));
     }},
    {"a request that its client cancelled", cancel_one},
    {"a request whose client went away", leave_one},
};

// serves_nobody judges a gateway behind which nothing came to its result after a trouble: one that
// starts again is back soon.
Task<Finding> serves_nobody(GatewayProbe* probe, std::string what, Reply reply) {
  constexpr int kTries = 3;
  for (int times = 1; times <= kTries; ++times) {
    co_await Sleep(probe->loop(), after(probe->loop().now(), std::chrono::seconds(1)));
    const Echoed other = co_await echo_of_another(probe);
    if (other.reply.result() != nullptr) co_return undecided("no other call came through at once");
  }
  co_return about(risky("after " + what + " the next call of the same client came to " +
                        reply.describe() + ", and nobody is served any longer"),
                  reply);
}

// No clause says that a session goes on; but nothing of this ends one, and its client goes on.
Task<Finding> survives_trouble(GatewayProbe& probe) {
  Session* session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const Echoed first = co_await echo(&probe, session);
  if (first.reply.result() == nullptr) co_return undecided("a call came to nothing");
  if (!first.streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  for (const Trouble& trouble : kTroubles) {
    co_await trouble.make(&probe, session);
    const Echoed made = co_await echo(&probe, session);
    if (made.reply.result() != nullptr) continue;
    // A session that has ended is opened again; over stdio it ends with its gateway.
    const bool ended = made.reply.status == 404 || !session->wire().http();
    const Echoed other = co_await echo_of_another(&probe);
    if (other.reply.result() == nullptr) {
      co_return co_await serves_nobody(&probe, std::string(trouble.what), made.reply);
    }
    if (!ended) {
      co_return about(risky("after " + std::string(trouble.what) +
                            " the next call of the same client came to " + made.reply.describe() +
                            ", and that of another client is served: it cannot go on, and nothing "
                            "tells it to open another session"),
                      made.reply);
    }
    session = co_await probe.enter();
    if (session == nullptr) co_return undecided(probe.why());
  }
  co_return passes();
}

constexpr Duration kStandingTime = std::chrono::milliseconds(1'200);
constexpr std::size_t kMadeUpMax = 2;  // A gateway may have something to say by itself.

// made_up returns what came more often than kMadeUpMax on a stream of which the server said
// nothing; empty: nothing did.
Task<std::string> made_up(GatewayProbe* probe, Session* session) {
  const std::size_t from = session->wire().inbox().frames.size();
  ask_for_stream(*session, probe->check());
  co_await Sleep(probe->loop(), after(probe->loop().now(), kStandingTime));
  std::map<std::string, std::size_t> came;
  const std::vector<Frame>& frames = session->wire().inbox().frames;
  for (std::size_t i = from; i < frames.size(); ++i) {
    const std::string method = string_or(*frames[i].message, "method", "");
    if (!method.empty() && ++came[method] > kMadeUpMax) co_return method;
  }
  co_return std::string();
}

Task<Finding> makes_nothing_up(GatewayProbe& probe) {
  for (const StreamManner manner : {StreamManner::kOpen, StreamManner::kNone}) {
    probe.mirror().set_streams(manner);
    Session* const session = co_await probe.enter();
    if (session == nullptr) co_return undecided(probe.why());
    if (!session->wire().http()) co_return not_for_it("only over Streamable HTTP streams stand");
    const std::string method = co_await made_up(&probe, session);
    if (method.empty()) continue;
    co_return risky("a client got " + method + " again and again on its stream, and the server " +
                    (manner == StreamManner::kNone ? "has none, and " : "") +
                    "has said nothing of the kind: each time its client lists everything anew");
  }
  co_return passes();
}

// mark_in returns the mark that a request has, with its method; empty: it has none.
std::string mark_in(const Json& message) {
  const Json* const mark = at_pointer(message, "/params/arguments/mark");
  const bool asks = find(message, "id") != nullptr && find(message, "method") != nullptr;
  if (!asks || mark == nullptr || !mark->is_string()) return {};
  const bool given = at_pointer(message, "/params/inputResponses") != nullptr;
  return string_or(message, "method", "") + " of " + mark->get<std::string>() +
         (given ? ", with what was asked for" : "");
}

// is_repeated returns whether gateway.calls-once is about the calls of a tool.
bool is_repeated(const Json* tool) {
  return tool != nullptr && (*tool == Json("fail") || *tool == Json("hold"));
}

// RFC 9110, section 9.2.2: a request that changes something is not sent again by itself.
Task<Finding> asks_once(GatewayProbe& probe) {
  std::map<std::string, std::size_t> sent;
  for (const LogEntry& entry : probe.log().entries()) {
    if (entry.sender != Sender::kHarness) continue;
    const std::string mark = mark_in(*entry.message);
    if (!mark.empty()) ++sent[mark];
  }
  std::map<std::string, std::size_t> heard;
  for (const MirrorServer::Heard& one : probe.mirror().heard()) {
    const Json* const tool = at_pointer(one.message, "/params/name");
    const std::string mark = mark_in(one.message);
    if (mark.empty() || is_repeated(tool)) continue;
    const std::size_t times = ++heard[mark];
    const auto known = sent.find(mark);
    if (known == sent.end() || times <= known->second) continue;
    co_return risky("a client sent " + mark + " " + std::to_string(known->second) +
                    " times, and it reached the server " + std::to_string(times) +
                    " times: what it does is done again");
  }
  co_return sent.empty() ? not_for_it("no request had a mark") : passes();
}

constexpr GatewayCheck kVariantChecks[] = {
    {"gateway.serves-several-clients", serves_several_clients},
    {"gateway.reads-every-form", reads_every_form},
    {"gateway.does-without-sessions", does_without_sessions},
    {"gateway.survives-trouble", survives_trouble},
    {"gateway.makes-nothing-up", makes_nothing_up},
    {"gateway.asks-once", asks_once},
};

}  // namespace

GatewayChecks variant_checks() { return kVariantChecks; }

}  // namespace plumbline::conformance
