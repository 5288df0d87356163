// What a gateway owes as a client of the server, and as a server of its clients: the forms that it
// accepts, statuses, streams that open at once, changes that are told.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/opening.h"
#include "core/base/text.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

// all_of returns each value of a header, of several fields with one name as well.
std::string all_of(const wire::HttpHeaders& headers, std::string_view name) {
  std::string all;
  for (const auto& [field, value] : headers.fields()) {
    if (equals_ignoring_case(field, name)) all += (all.empty() ? "" : ", ") + value;
  }
  return all;
}

Task<Finding> accepts_both_forms(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Reply reply;
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session, &reply);
  if (heard.empty()) co_return undecided(kNeverReached);
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  const std::string accept = all_of(heard.front().headers, "Accept");
  for (const char* const type : {"application/json", "text/event-stream"}) {
    if (lower_case(accept).find(type) != std::string::npos) continue;
    co_return about(
        broken("a call came to the server with " +
               (accept.empty() ? "no Accept" : "Accept: " + clipped(accept)) +
               ", expected application/json and text/event-stream: servers on the official "
               "TypeScript and Python SDKs answer 406"),
        reply);
  }
  co_return passes();
}

// keeps_status_of_unknown asks for what there is not, which the server answers by an error with
// status 200, and the gateway may by itself.
Task<Finding> keeps_status_of_unknown(GatewayProbe* probe, Session* session) {
  Client client(*session, probe->check());
  for (const std::string method : {"tools/call", "plumbline/unknown"}) {
    Json params(Json::value_t::object);
    const bool calls = method == "tools/call";
    if (calls) params["name"] = probe->exchanges().tool(kNobodysName);
    const Reply reply = co_await client.request(method, std::move(params));
    if (reply.error() == nullptr || reply.status < 400) continue;
    co_return about(
        broken(std::string(calls ? "a call of a tool" : "a request of a method") +
               " that there is not got its error with status " + std::to_string(reply.status) +
               ", expected 200: clients on the official TypeScript SDK, mcp-remote among them, "
               "give up the connection"),
        reply);
  }
  co_return passes();
}

Task<Finding> keeps_error_status(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients see no status");
  const std::string mark = probe.new_mark();
  const Reply reply = co_await probe.call(*session, "fail", GatewayProbe::marked(mark));
  if (probe.heard(mark).empty()) co_return undecided(kNeverReached);
  if (reply.error() == nullptr) co_return undecided("the client got " + reply.describe());
  if (reply.status < 400) co_return co_await keeps_status_of_unknown(&probe, session);
  co_return about(
      broken("the server answered a call by error -32050 with status 200, and the client got it "
             "with status " +
             std::to_string(reply.status) +
             ": clients on the official TypeScript SDK, mcp-remote among them, give up the "
             "connection"),
      reply);
}

Task<Finding> opens_streams_at_once(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("only over Streamable HTTP streams are opened");
  const std::size_t number = ask_for_stream(*session, probe.check());
  Inbox& inbox = session->wire().inbox();
  const auto came = [&] {
    return inbox.exchanges[number].status != 0 || inbox.exchanges[number].ended;
  };
  const Duration patience = probe.pace().answer();
  const bool answered = co_await inbox.wait(after(probe.loop().now(), patience), came);
  Client client(*session, probe.check());
  const int status = inbox.exchanges[number].status;
  if (answered && status >= 500) {
    co_return about_exchange(
        broken("a GET of a session got status " + std::to_string(status) +
               ", and the server has a stream for it, on which nothing has come yet: expected a "
               "stream or 405"),
        client, number);
  }
  if (answered) co_return passes();
  co_return about_exchange(
      broken("a GET of a session got no status within " +
             std::to_string(milliseconds_of(patience)) +
             " ms, expected a stream or 405 at once: clients on the Go SDK wait for it before they "
             "go on"),
      client, number);
}

// left_unanswered judges a notification that got no status: calls get theirs, or all is lost.
Task<Finding> left_unanswered(GatewayProbe* probe, Reaction reaction) {
  Session* const session = co_await probe->enter();
  if (session == nullptr) co_return undecided("got " + reaction.describe());
  Reply reply;
  co_await probe->heard_of_a_call(session, &reply);
  if (reply.result() == nullptr) co_return undecided("got " + reaction.describe());
  co_return about(broken("a notification of a client got no status, which the server takes with "
                         "202, and a call its result: clients wait for the end of the POST of "
                         "notifications/initialized, and go on no more"),
                  reaction);
}

Task<Finding> accepts_notifications(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients see no status");
  Client client(*session, probe.check());
  const Reaction reaction = co_await client.notify("notifications/roots/list_changed");
  if (reaction.status == 0) co_return co_await left_unanswered(&probe, reaction);
  if (reaction.status == 202 || probe.revision() < since::kStreamableHttp) {
    if (reaction.status / 100 == 2) co_return passes();
  } else if (reaction.status / 100 == 2) {
    co_return about(
        broken("a notification of a client got status " + std::to_string(reaction.status) +
               ", which the server takes with 202: expected 202 and no body"),
        reaction);
  }
  co_return about(
      broken("a notification of a client got status " + std::to_string(reaction.status) +
             ", which the server takes with 202: a client that is refused "
             "notifications/initialized gives up"),
      reaction);
}

// A list that may change: its capability, and what a server says then.
struct Changing {
  const char* capability;
  const char* method;
};

constexpr Changing kChanging[] = {
    {"/capabilities/tools/listChanged", "notifications/tools/list_changed"},
    {"/capabilities/prompts/listChanged", "notifications/prompts/list_changed"},
    {"/capabilities/resources/listChanged", "notifications/resources/list_changed"},
};

bool declares(const Reply& opening, const char* capability) {
  const Json* const result = opening.result();
  const Json* const flag = result == nullptr ? nullptr : at_pointer(*result, capability);
  return flag != nullptr && *flag == Json(true);
}

// is_told lets the server say `method` to the session `behind`, and returns whether it comes.
Task<bool> is_told(GatewayProbe* probe, Session* session, std::size_t behind, std::string method) {
  Inbox& inbox = session->wire().inbox();
  const std::vector<Frame>& frames = inbox.frames;
  const std::size_t from = frames.size();
  probe->mirror().tell(behind, method);
  const auto came = [&] {
    return std::any_of(
        frames.begin() + static_cast<std::ptrdiff_t>(from), frames.end(),
        [&](const Frame& frame) { return string_or(*frame.message, "method", "") == method; });
  };
  co_return co_await inbox.wait(after(probe->loop().now(), probe->pace().answer()), came);
}

// told_twice returns the method of kChanging that came more than once as frame `from` or later, a
// moment after the last was told; empty: none.
Task<std::string> told_twice(GatewayProbe* probe, Session* session, std::size_t from) {
  co_await Sleep(probe->loop(), after(probe->loop().now(), probe->pace().quiet()));
  const std::vector<Frame>& frames = session->wire().inbox().frames;
  for (const auto& [capability, method] : kChanging) {
    const auto times = std::count_if(
        frames.begin() + static_cast<std::ptrdiff_t>(from), frames.end(),
        [&](const Frame& frame) { return string_or(*frame.message, "method", "") == method; });
    if (times > 1) co_return method;
  }
  co_return std::string();
}

Task<Finding> tells_of_changes(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const bool any = std::ranges::any_of(
      kChanging, [&](const Changing& one) { return declares(session->opening(), one.capability); });
  if (!any) co_return not_for_it("it does not declare to its clients that lists may change");
  Reply reply;
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session, &reply);
  if (heard.empty()) co_return undecided(kNeverReached);
  Client client(*session, probe.check());
  if (session->wire().http() && !co_await client.can_hear()) {
    co_return not_for_it("it has no stream for what a server says by itself");
  }
  const std::size_t behind = heard.front().session;
  const auto hears = [&] { return probe.mirror().hears(behind); };
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  if (!co_await probe.mirror().changes().wait(deadline, hears)) {
    co_return risky(
        "it declares that lists may change, and has no stream open on which the server could say "
        "so: its clients keep what they have listed");
  }
  const std::size_t from = session->wire().inbox().frames.size();
  for (const auto& [capability, method] : kChanging) {
    if (!declares(session->opening(), capability)) continue;
    if (co_await is_told(&probe, session, behind, method)) continue;
    co_return broken("the server said " + std::string(method) +
                     ", which the gateway declares that it says, and nothing came to the client: "
                     "it keeps what it has listed");
  }
  const std::string twice = co_await told_twice(&probe, session, from);
  if (twice.empty()) co_return passes();
  co_return risky("the server said " + twice +
                  " once, and it came to the client twice: each client lists everything twice");
}

// No clause says so: an event without a name is a message (HTML, 9.2.6).
Task<Finding> keeps_event_names(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients get no events");
  Carriage named;
  named.streams = true;
  named.text = Carriage::Text::kNamed;
  probe.mirror().set_carriage(named);
  Reply reply;
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session, &reply);
  probe.mirror().set_carriage({});
  if (heard.empty()) co_return undecided(kNeverReached);
  if (reply.result() == nullptr) co_return undecided("a call came to " + reply.describe());
  const Inbox& inbox = session->wire().inbox();
  if (reply.exchange == 0 || !inbox.exchanges[reply.exchange].events) {
    co_return not_for_it("it answers calls by no stream");
  }
  for (const Frame& frame : inbox.frames) {
    if (frame.exchange != reply.exchange || frame.event_name == "message") continue;
    const bool none = frame.event_name.empty();
    co_return about(risky("the server named an event \"message\", and the client got it " +
                          (none ? "without a name: that is a message as well, and clients on "
                                  "@ai-sdk/mcp, which takes events of this name alone, wait for it"
                                : "as \"" + clipped(frame.event_name) +
                                      "\": clients on the official TypeScript SDK wait for it") +
                          " in vain"),
                    reply);
  }
  co_return passes();
}

// points_to returns whether content leads to the resource `uri`, by a link or as what it embeds.
bool points_to(const Json& content, std::string_view uri) {
  if (!content.is_array()) return false;
  return std::ranges::any_of(content, [&](const Json& item) {
    const Json* const embedded = find(item, "resource");
    return string_or(embedded == nullptr ? item : *embedded, "uri", "") == uri;
  });
}

// opens returns whether a tool of `list` has the page `uri`, as hosts of MCP Apps open it.
bool opens(const Json* list, std::string_view uri) {
  const Json* const tools = list == nullptr ? nullptr : find(*list, "tools");
  return tools != nullptr && tools->is_array() && std::ranges::any_of(*tools, [&](const Json& one) {
           const Json* const page = at_pointer(one, "/_meta/ui/resourceUri");
           return page != nullptr && *page == Json(uri);
         });
}

Task<Finding> renames_throughout(GatewayProbe& probe) {
  const Exchanged* const listed = co_await probe.exchanges().of(Ask::kResources, probe.check());
  if (!listed->lacks.empty()) co_return not_for_it(listed->lacks);
  const std::string known = probe.exchanges().resource(kMirrorBlob);
  if (known == kMirrorBlob) co_return not_for_it("it does not rename resources");
  const Exchanged* const rich = co_await probe.exchanges().of(Ask::kRich, probe.check());
  const Json* const result = rich->reply.result();
  if (result == nullptr) co_return undecided("a call came to " + rich->reply.describe());
  const Json* const content = find(*result, "content");
  const bool points = content != nullptr && points_to(*content, kMirrorBlob);
  const Exchanged* const tools = co_await probe.exchanges().of(Ask::kTools, probe.check());
  if (!points && !opens(tools->reply.result(), kMirrorBlob)) co_return passes();
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  Json params(Json::value_t::object);
  params["uri"] = kMirrorBlob;
  const Reply reply = co_await client.request("resources/read", std::move(params));
  if (reply.result() != nullptr) co_return passes();
  co_return about(
      broken("it lists a resource by the uri \"" + clipped(known) + "\", and hands on a " +
             (points ? "result" : "tool") + " that points to it by \"" + std::string(kMirrorBlob) +
             "\", which it does not serve: hosts that show what a result points to, as "
             "those of MCP Apps do, find nothing"),
      reply);
}

constexpr GatewayCheck kBothEndsChecks[] = {
    {"gateway.accepts-both-forms", accepts_both_forms},
    {"gateway.keeps-error-status", keeps_error_status},
    {"gateway.opens-streams-at-once", opens_streams_at_once},
    {"gateway.accepts-notifications", accepts_notifications},
    {"gateway.tells-of-changes", tells_of_changes},
    {"gateway.keeps-event-names", keeps_event_names},
    {"gateway.renames-throughout", renames_throughout},
};

}  // namespace

GatewayChecks both_ends_checks() { return kBothEndsChecks; }

}  // namespace plumbline::conformance
