// Sessions through a gateway: streams of their own, and lists that change.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/opening.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr int kListsMax = 20;

Json mark_of(std::string mark) {
  Json arguments(Json::value_t::object);
  arguments["mark"] = std::move(mark);
  return arguments;
}

// is_told_by_stream lets the server say something by itself, and returns whether it comes.
Task<bool> is_told_by_stream(GatewayProbe* probe, Session* session, std::size_t behind) {
  constexpr const char* kSaid = "notifications/tools/list_changed";
  Client client(*session, probe->check());
  const std::size_t from = frames_of(client);
  probe->mirror().tell(behind, kSaid);
  const Duration patience = probe->pace().answer();
  const Json told = co_await await_notice(client, from, kSaid, patience);
  co_return !told.is_null();
}

// leave_streams closes the streams that a session has open for what a server says by itself.
void leave_streams(Session* session) {
  const auto& exchanges = session->wire().inbox().exchanges;
  for (std::size_t number = 0; number < exchanges.size(); ++number) {
    const Exchange& one = exchanges[number];
    if (one.method == "GET" && !one.ended) session->wire().drop(number);
  }
}

// opens_its_stream_again closes the stream of a session and asks for it once more.
Task<Finding> opens_its_stream_again(GatewayProbe* probe) {
  constexpr int kTries = 10;  // The gateway has to see first that its client has left.
  Session* const session = co_await probe->enter();
  if (session == nullptr) co_return undecided(probe->why());
  Client client(*session, probe->check());
  const std::string mark = probe->new_mark();
  co_await probe->call(*session, "echo", mark_of(mark));
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  if (heard.empty() || !co_await client.can_hear()) co_return passes();
  const std::size_t behind = heard.front().session;
  if (!co_await is_told_by_stream(probe, session, behind)) co_return passes();
  leave_streams(session);
  int status = 409;
  for (int times = 1; times <= kTries && status == 409; ++times) {
    co_await Sleep(probe->loop(), after(probe->loop().now(), std::chrono::milliseconds(100)));
    const std::size_t number = ask_for_stream(*session, probe->check());
    Inbox& inbox = session->wire().inbox();
    const auto came = [&] { return inbox.exchanges[number].status != 0; };
    co_await inbox.wait(after(probe->loop().now(), probe->pace().answer()), came);
    status = inbox.exchanges[number].status;
  }
  if (status == 405) co_return passes();
  if (status != 200) {
    co_return broken("a client closed the stream of its GET, asked for it again, and got status " +
                     std::to_string(status) + ", expected a stream or 405");
  }
  co_await client.hush();
  for (int times = 1; times <= 2; ++times) {
    if (co_await is_told_by_stream(probe, session, behind)) co_return passes();
  }
  co_return broken(
      "a client closed the stream of its GET and opened it again, and what the server said then "
      "did not come to it");
}

Task<Finding> survives_a_second_stream(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("only over Streamable HTTP streams are opened");
  Client client(*session, probe.check());
  const Reply before = co_await probe.call(*session, "echo", mark_of(probe.new_mark()));
  if (before.result() == nullptr) co_return undecided("a call came to " + before.describe());
  for (int stream = 2; stream <= 3; ++stream) {
    ask_for_stream(*session, probe.check());
    co_await client.hush();
    const Reply reply = co_await probe.call(*session, "echo", mark_of(probe.new_mark()));
    if (reply.result() == nullptr) {
      co_return about(broken("after GET " + std::to_string(stream) +
                             " of one session, a call came to " + reply.describe()),
                      reply);
    }
  }
  Session* const other = co_await probe.enter();
  if (other == nullptr) {
    co_return broken("after a second GET of one session, another client could not enter: " +
                     probe.why());
  }
  co_return co_await opens_its_stream_again(&probe);
}

Task<Finding> reads_a_streamed_opening(GatewayProbe& probe) {
  Session* const plain = co_await probe.enter();
  if (plain == nullptr) co_return undecided(probe.why());
  probe.mirror().set_odd_opening(true);
  Session* const session = co_await probe.enter();
  if (session == nullptr) {
    co_return broken(
        "the server answered initialize as a stream that begins with an empty "
        "event, and " +
        probe.why());
  }
  Client client(*session, probe.check());
  if (co_await client.alive()) co_return passes();
  co_return broken(
      "the server answered initialize as a stream that begins with an empty event, "
      "and nothing was answered behind it");
}

// listed_tool returns a tool as the client is told of it; null: it is not.
Task<Json> listed_tool(Session* session, std::uint32_t check, std::string name) {
  Client client(*session, check);
  Json params(Json::value_t::object);
  const Reply reply = co_await client.request("tools/list", std::move(params));
  const Json* const tools = reply.result() == nullptr ? nullptr : find(*reply.result(), "tools");
  if (tools == nullptr || !tools->is_array()) co_return Json();
  const auto found = std::ranges::find_if(
      *tools, [&](const Json& tool) { return string_or(tool, "name", "") == name; });
  co_return found == tools->end() ? Json() : *found;
}

Task<bool> lists_tool(Session* session, std::uint32_t check, std::string name) {
  const Json tool = co_await listed_tool(session, check, std::move(name));
  co_return !tool.is_null();
}

bool is_read_only(const Json& tool) {
  const Json* const annotations = find(tool, "annotations");
  return annotations != nullptr && bool_or(*annotations, "readOnlyHint", false);
}

// lists_changed judges how a tool is listed that was read-only `at_first`, and is no longer.
Task<Finding> lists_changed(GatewayProbe* probe, Session* session, std::string name,
                            Json at_first) {
  if (!is_read_only(at_first)) co_return passes();
  const Json now = co_await listed_tool(session, probe->check(), std::move(name));
  if (!is_read_only(now)) co_return passes();
  co_return broken(
      "a list that has changed is served with its new tool, and of a tool that destroys since it "
      "has the annotations of before, " +
      shortened(dump_json(now["annotations"])) + ": hosts go on to call it unasked");
}

Task<Finding> lists_again(GatewayProbe& probe) {
  probe.mirror().set_paged(false);
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session);
  if (heard.empty()) co_return undecided(kNeverReached);
  const std::string known = probe.exchanges().tool("echo");
  if (!co_await lists_tool(session, probe.check(), known)) {
    co_return undecided("it lists no " + known);
  }
  const std::string plain = probe.exchanges().tool("plain");
  const Json at_first = co_await listed_tool(session, probe.check(), plain);
  probe.mirror().list_more("late");
  const std::size_t behind = heard.front().session;
  const bool told = probe.mirror().hears(behind);
  if (!is_stateless(probe.revision())) {
    probe.mirror().tell(behind, "notifications/tools/list_changed");
  }
  const std::string late = probe.exchanges().tool("late");
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  for (int times = 0; times < kListsMax && probe.loop().now() < deadline; ++times) {
    if (co_await lists_tool(session, probe.check(), late)) {
      co_return co_await lists_changed(&probe, session, plain, at_first);
    }
    co_await Sleep(probe.loop(), after(probe.loop().now(), std::chrono::milliseconds(100)));
  }
  if (is_stateless(probe.revision())) {
    co_return broken("a list with ttlMs 0 was served again after another tool had come");
  }
  const std::string stale = "the server has another tool, and the list stays without it";
  co_return told ? broken("tools/list_changed was said: " + stale)
                 : risky(stale + "; no stream was open on which tools/list_changed could come");
}

constexpr GatewayCheck kSessionChecks[] = {
    {"gateway.survives-second-stream", survives_a_second_stream},
    {"gateway.reads-streamed-opening", reads_a_streamed_opening},
    {"gateway.lists-again", lists_again},
};

}  // namespace

GatewayChecks session_checks() { return kSessionChecks; }

}  // namespace plumbline::conformance
