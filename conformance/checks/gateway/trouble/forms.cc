// Ids, headers, texts and lines of every form that is allowed (RFC 9110, sections 8.3.1
// and 12.5.1); and what a client says that is no request.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/differences.h"
#include "conformance/checks/gateway/questions.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kInitialized = "notifications/initialized";
constexpr const char* kRootsChanged = "notifications/roots/list_changed";

// keeps_like_ids_apart calls with a number for id and, meanwhile, with the same digits as a text.
Task<Finding> keeps_like_ids_apart(GatewayProbe* probe, Session* session) {
  Client client(*session, probe->check());
  const std::string held = probe->new_mark();
  Client::Begun first = probe->begin_call(*session, "hold", GatewayProbe::marked(held));
  const std::string digits = dump_json(first.id);
  if (!co_await probe->reached(held)) co_return undecided(kNeverReached);
  const std::string mark = probe->new_mark();
  Json params(Json::value_t::object);
  params["name"] = probe->exchanges().tool("echo");
  params["arguments"] = GatewayProbe::marked(mark);
  Json message = client.request_of("tools/call", std::move(params));
  message["id"] = digits;
  Client::Begun second = client.begin(std::move(message));
  Client::Begun third =
      probe->begin_call(*session, "echo", GatewayProbe::marked(probe->new_mark()));
  co_await client.hush();  // Who serves one call after the other answers when the first is done.
  const bool once = probe->heard(held).size() == 1;
  probe->mirror().release(held);
  const Reply answer = co_await client.finish(std::move(second));
  const Reply reply = co_await client.finish(std::move(first));
  const Reply unlike = co_await client.finish(std::move(third));
  // Who fails a call with another id as well does not mix them up.
  if (!once || unlike.result() == nullptr) co_return passes();
  const Json* const back = content_of(answer);
  const bool own = back != nullptr && string_or(*back, "mark", "") == mark;
  if (own && reply.result() != nullptr) co_return passes();
  const Reply& wrong = own ? reply : answer;
  const std::string which = own ? digits : dump_json(Json(digits));
  const std::string other = own ? dump_json(Json(digits)) : digits;
  co_return about(broken("a call with the id " + which + " got " + wrong.describe() +
                         " while one with the id " + other +
                         " was under way, expected its own result: they are two ids"),
                  wrong);
}

Task<Finding> keeps_ids(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  const std::string words = "id of " + probe.new_mark() + " – ü";
  const std::string number = std::to_string(session->next_id());
  for (const Json& id : {Json(0), Json(words), Json(number), Json(-7), Json("")}) {
    Json params(Json::value_t::object);
    params["name"] = probe.exchanges().tool("echo");
    params["arguments"] = GatewayProbe::marked(probe.new_mark());
    Json message = client.request_of("tools/call", std::move(params));
    message["id"] = id;
    const Reply reply = co_await client.exchange(std::move(message));
    if (reply.answered()) continue;
    co_return about(broken("a call with the id " + dump_json(id) + " got " + reply.describe() +
                           ", expected a response with this id"),
                    reply);
  }
  co_return co_await keeps_like_ids_apart(&probe, session);
}

Task<Finding> reads_crlf(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  const Reply reply = co_await probe.call(*session, "stream", GatewayProbe::marked(mark, "crlf"));
  if (probe.heard(mark).empty()) co_return undecided(kNeverReached);
  if (reply.result() != nullptr) co_return passes();
  co_return about(broken("the server answered by events whose lines end in CR LF, and the client "
                         "got " +
                         reply.describe()),
                  reply);
}

// times_heard_in returns how often the server got `method` in one session.
std::ptrdiff_t times_heard_in(const MirrorServer& mirror, std::size_t session,
                              std::string_view method) {
  return std::ranges::count_if(mirror.heard(), [&](const MirrorServer::Heard& one) {
    return one.session == session && string_or(one.message, "method", "") == method;
  });
}

// is_initialized returns whether the server learns that the one who opened a session is ready.
Task<bool> is_initialized(GatewayProbe* probe, std::size_t session) {
  const MirrorServer& mirror = probe->mirror();
  // What opened the session may be forgotten by now, and with it what came next.
  if (times_heard_in(mirror, session, "initialize") == 0) co_return true;
  const auto came = [&] { return times_heard_in(mirror, session, kInitialized) > 0; };
  const Instant deadline = after(probe->loop().now(), probe->pace().answer());
  co_return co_await probe->mirror().changes().wait(deadline, came);
}

// said_back returns what a client said by a notification and was told itself; empty: nothing.
std::string said_back(const Session& session) {
  for (const Frame& frame : session.wire().inbox().frames) {
    std::string method = string_or(*frame.message, "method", "");
    if (method == kInitialized || method == kRootsChanged) return method;
  }
  return {};
}

// made_a_request returns what reached the server in a session as a request and is a notification;
// null: nothing.
Json made_a_request(const MirrorServer& mirror, std::size_t session) {
  for (const MirrorServer::Heard& one : mirror.heard()) {
    const bool notice = string_or(one.message, "method", "").starts_with("notifications/");
    if (one.session == session && notice && find(one.message, "id")) return one.message;
  }
  return nullptr;
}

Task<Finding> passes_notifications(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session);
  if (heard.empty()) co_return undecided(kNeverReached);
  const std::size_t behind = heard.front().session;
  if (!is_stateless(heard.front().revision) && !co_await is_initialized(&probe, behind)) {
    co_return broken(
        "a session was opened with the server, and notifications/initialized never reached it: "
        "servers that wait for it serve nothing");
  }
  const Json request = made_a_request(probe.mirror(), behind);
  if (request != nullptr) {
    co_return broken(string_or(request, "method", "") + " reached the server with the id " +
                     clipped(dump_json(*find(request, "id"))) +
                     ": a notification has none, and the server answers this one by an error");
  }
  const Json* const declared = probe.mirror().declared(behind);
  const Json* const changes =
      declared == nullptr ? nullptr : at_pointer(*declared, "/roots/listChanged");
  if (changes == nullptr || *changes != Json(true)) {
    co_return not_for_it("it does not declare to the server that roots may change");
  }
  const auto times = [&] { return times_heard_in(probe.mirror(), behind, kRootsChanged); };
  const std::ptrdiff_t before = times();
  Client client(*session, probe.check());
  co_await client.notify(kRootsChanged);
  const auto came = [&] { return times() > before; };
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  const bool told = co_await probe.mirror().changes().wait(deadline, came);
  if (!told) {
    co_return broken(
        "notifications/roots/list_changed of a client did not reach the server, which "
        "was told that roots may change");
  }
  co_await client.hush();
  const std::string back = said_back(*session);
  if (back.empty()) co_return passes();
  co_return broken("a client said " + back + ", and it came back to the client itself");
}

// asks_back lets the server ask the client by `method` during a call, as ask does by `how`; null:
// it was told nothing.
Task<Json> asks_back(GatewayProbe* probe, Session* session, std::string method, std::string how,
                     Finding* finding) {
  const std::string mark = probe->new_mark();
  Json arguments = GatewayProbe::marked(mark, std::move(how));
  arguments["method"] = method;
  const std::size_t from = session->wire().inbox().exchanges.size();
  const Reply reply = co_await probe->call(*session, "ask", std::move(arguments));
  const Json* const told = content_of(reply);
  const std::string refused = refused_since(*session, from, reply.exchange);
  if (probe->heard(mark).empty()) {
    *finding = undecided(kNeverReached);
  } else if (told == nullptr) {
    *finding =
        about(broken("during a call the server asked " + method + ", and was answered nothing: " +
                     (refused.empty() ? ""
                                      : "the answer of its client was refused with " + refused +
                                            ", expected 202, and ") +
                     "the call came to " + reply.describe()),
              reply);
  } else if (find(*told, "undeclared") != nullptr) {
    *finding = not_for_it("it does not declare to the server that its client can be asked so");
  }
  co_return told == nullptr ? Json() : *told;
}

Task<Finding> passes_refusals(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  bool asked = false;
  session->answer_with("elicitation/create", [&asked](const Json&) {
    asked = true;
    Json response(Json::value_t::object);
    response["error"]["code"] = -32042;
    response["error"]["message"] = "not now";
    return response;
  });
  Finding finding;
  const Json told = co_await asks_back(&probe, session, "elicitation/create", "", &finding);
  session->forget_answers();
  if (finding.verdict == Verdict::kFail && !asked) {
    co_return undecided("the question did not reach the client");
  }
  if (finding.verdict != Verdict::kPass) co_return finding;
  const std::string action = string_or(told, "action", "");
  if (find(told, "error") != nullptr || action == "decline" || action == "cancel") {
    co_return passes();
  }
  co_return broken("the client answered a question by error -32042, and the server was told " +
                   shortened(dump_json(told)));
}

// What is said of each ping, and how it is asked. Servers on the official SDKs count what they ask:
// the ids are numbers.
constexpr std::pair<const char*, const char*> kPings[] = {
    {"", ""},
    {"the second time in one session, ", ""},
    {"of a ping whose id is a number, ", "numbered"},
};

Task<Finding> answers_pings(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  for (const auto& [again, how] : kPings) {
    Finding finding;
    const Json told = co_await asks_back(&probe, session, "ping", how, &finding);
    if (finding.verdict == Verdict::kFail) finding.message = again + finding.message;
    if (finding.verdict != Verdict::kPass) co_return finding;
    if (find(told, "error") == nullptr) continue;
    co_return broken(std::string(again) + "during a call the server sent ping, and was answered " +
                     shortened(dump_json(told)));
  }
  co_return passes();
}

// AskedForm is one form of a call: with another header, or other members.
struct AskedForm {
  const char* what;
  const char* header = nullptr;
  const char* value = nullptr;
  const char* members = nullptr;  // A JSON Merge Patch.
};

constexpr AskedForm kAskedForms[] = {
    {"Content-Type: application/json; charset=utf-8", "Content-Type",
     "application/json; charset=utf-8"},
    {"Content-Type: application/json;charset=UTF-8", "Content-Type",
     "application/json;charset=UTF-8"},
    {"Accept: text/event-stream, application/json", "Accept",
     "text/event-stream, application/json"},
    {"Accept: application/json,text/event-stream, without a blank", "Accept",
     "application/json,text/event-stream"},
    {"Accept: application/json;q=0.9, text/event-stream;q=0.5, */*;q=0.1", "Accept",
     "application/json;q=0.9, text/event-stream;q=0.5, */*;q=0.1"},
    {"Accept-Encoding: identity", "Accept-Encoding", "identity"},
    {"Accept-Language: de, en;q=0.5", "Accept-Language", "de, en;q=0.5"},
    {"a Cookie that nobody has set", "Cookie", "plumbline=a%3Db; other=\"c\""},
    {"traceparent and members of others in _meta", nullptr, nullptr,
     R"({"params": {"_meta": {"example.com/a": {"b": [null]},
         "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}})"},
    {"a progressToken that is an empty text", nullptr, nullptr,
     R"({"params": {"_meta": {"progressToken": ""}}})"},
};

// call_as calls echo in a form; null: as usual.
Task<Reply> call_as(GatewayProbe* probe, Session* session, const AskedForm* form) {
  Client client(*session, probe->check());
  Json params(Json::value_t::object);
  params["name"] = probe->exchanges().tool("echo");
  params["arguments"] = GatewayProbe::marked(probe->new_mark());
  Json message = client.request_of("tools/call", std::move(params));
  wire::HttpHeaders headers;
  if (form != nullptr && form->header != nullptr) headers.set(form->header, form->value);
  if (form != nullptr && form->members != nullptr) {
    Result<Json> members = parse_json(form->members);
    message.merge_patch(std::move(members).value());
  }
  co_return co_await client.exchange(std::move(message), std::move(headers));
}

Task<Finding> takes_every_form(GatewayProbe& probe) {
  Session* session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  for (const AskedForm& form : kAskedForms) {
    if (form.header != nullptr && !session->wire().http()) continue;
    const Reply first = co_await call_as(&probe, session, &form);
    if (first.result() != nullptr) continue;
    session = co_await probe.enter();
    if (session == nullptr) co_return undecided(probe.why());
    const Reply plain = co_await call_as(&probe, session, nullptr);
    if (plain.result() == nullptr) co_return undecided("another call came to nothing");
    const Reply again = co_await call_as(&probe, session, &form);
    if (again.result() != nullptr) continue;
    co_return about(broken("a call with " + std::string(form.what) + " came to " +
                           again.describe() + ", and one without it to its result"),
                    again);
  }
  co_return passes();
}

constexpr GatewayCheck kFormChecks[] = {
    {"gateway.keeps-ids", keeps_ids},
    {"gateway.reads-crlf", reads_crlf},
    {"gateway.passes-notifications", passes_notifications},
    {"gateway.passes-refusals", passes_refusals},
    {"gateway.answers-pings", answers_pings},
    {"gateway.takes-every-form", takes_every_form},
};

}  // namespace

GatewayChecks form_checks() { return kFormChecks; }

}  // namespace plumbline::conformance
