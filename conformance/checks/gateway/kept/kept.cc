// What a gateway keeps of what came before: answers, lists of another client, what the first client
// declared, subscriptions, sessions. Everything is done twice here, or by two clients.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/gateway/questions.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kSharedSession = "it has one session with the server for all its clients";
constexpr int kOldAfter = 13;
constexpr const char* kFirstUser = "Bearer user-one";
constexpr const char* kSecondUser = "Bearer user-two";
constexpr const char* kResourceChanged = "notifications/resources/updated";

// times_heard returns how often the server got what answers `judge`.
template <typename Judge>
std::ptrdiff_t times_heard(const MirrorServer& mirror, Judge judge) {
  return std::ranges::count_if(mirror.heard(),
                               [&](const MirrorServer::Heard& one) { return judge(one.message); });
}

// own_tools returns those of the tools that are listed for one client alone.
std::vector<std::string> own_tools(const Reply& reply) {
  std::vector<std::string> found;
  const Json* const tools = reply.result() == nullptr ? nullptr : find(*reply.result(), "tools");
  if (tools == nullptr || !tools->is_array()) return found;
  for (const Json& tool : *tools) {
    std::string name = string_or(tool, "name", "");
    if (name.find(kMirrorOwn) != std::string::npos) found.push_back(std::move(name));
  }
  return found;
}

Task<Reply> list_as(Session* session, std::uint32_t check, const char* token) {
  Client client(*session, check);
  Json params(Json::value_t::object);
  Json message = client.request_of("tools/list", std::move(params));
  wire::HttpHeaders headers;
  if (session->wire().http()) headers.set("Authorization", token);
  co_return co_await client.exchange(std::move(message), std::move(headers));
}

// known_caller returns by what the server knows who calls by `session`: empty: the call did not
// come.
Task<std::string> known_caller(GatewayProbe* probe, Session* session, const char* token) {
  Client client(*session, probe->check());
  const std::string mark = probe->new_mark();
  Json params(Json::value_t::object);
  params["name"] = probe->exchanges().tool("echo");
  params["arguments"] = GatewayProbe::marked(mark);
  wire::HttpHeaders headers;
  if (session->wire().http()) headers.set("Authorization", token);
  co_await client.exchange(client.request_of("tools/call", std::move(params)), std::move(headers));
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  if (heard.empty()) co_return std::string();
  const MirrorServer::Heard& call = heard.front();
  if (!is_stateless(probe->revision())) co_return std::to_string(call.session);
  co_return std::string(call.headers.get("Authorization").value_or("nobody"));
}

Task<Finding> lists_apart(GatewayProbe& probe) {
  probe.mirror().set_paged(false);
  probe.mirror().set_lists_apart(true);
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  const bool stateless = is_stateless(probe.revision());
  const std::string known_by = co_await known_caller(&probe, one, kFirstUser);
  const std::string other_by = co_await known_caller(&probe, other, kSecondUser);
  if (known_by.empty() || other_by.empty()) co_return undecided(kNeverReached);
  if (known_by == other_by) {
    co_return not_for_it(stateless ? "it hands no token of its clients on" : kSharedSession);
  }
  // What was kept of earlier lists may have to grow old first.
  Reply mine = co_await list_as(one, probe.check(), kFirstUser);
  for (int times = 1; times < kOldAfter && own_tools(mine).empty(); ++times) {
    co_await Sleep(probe.loop(), after(probe.loop().now(), std::chrono::milliseconds(250)));
    mine = co_await list_as(one, probe.check(), kFirstUser);
  }
  const Reply theirs = co_await list_as(other, probe.check(), kSecondUser);
  const std::vector<std::string> first = own_tools(mine);
  const std::vector<std::string> second = own_tools(theirs);
  if (first.empty() || second.empty()) co_return not_for_it("it lists no tools of one client");
  if (first != second) co_return passes();
  std::string said = "the server lists " + first.front() +
                     " for one client alone, and another client, of another user, was told of it";
  if (!stateless) {
    co_return about(risky(said + ": servers whose tools depend on who asks, such as the GitHub MCP "
                                 "server with its scopes, show one user's to another"),
                    theirs);
  }
  co_return about(broken(said + ", though cacheScope is private"), theirs);
}

// read_row reads what a listed template makes and no list names: `there`, as the server knows it.
Task<Finding> read_row(GatewayProbe* probe, Session* session, std::string made, std::string there) {
  Client client(*session, probe->check());
  Json params(Json::value_t::object);
  params["uri"] = probe->exchanges().resource(there);
  const Reply reply = co_await client.request("resources/read", std::move(params));
  const Json* const text =
      reply.result() == nullptr ? nullptr : at_pointer(*reply.result(), "/contents/0/text");
  if (text != nullptr && *text == Json(row_text(there))) co_return passes();
  const std::ptrdiff_t heard = times_heard(probe->mirror(), [&](const Json& message) {
    const Json* const uri = at_pointer(message, "/params/uri");
    return uri != nullptr && *uri == Json(there);
  });
  co_return about(broken("resources/read of " + there + ", which the listed template " + made +
                         " makes and no list names, " +
                         (heard == 0 ? "never reached the server, and the client got "
                                     : "was answered by the server, and the client got ") +
                         reply.describe()),
                  reply);
}

Task<Finding> reads_templates(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const Exchanged* const listed = co_await probe.exchanges().of(Ask::kTemplates, probe.check());
  if (!listed->reached) co_return not_for_it("it lists no templates");
  const Exchanged* const plain = co_await probe.exchanges().of(Ask::kText, probe.check());
  if (!plain->reached) co_return not_for_it("it passes no resources/read on");
  const std::string row(kMirrorRow);
  const Finding one = co_await read_row(&probe, session, row + "{id}", row + probe.new_mark());
  if (one.verdict != Verdict::kPass) co_return one;
  const std::string page(kMirrorPage);
  co_return co_await read_row(&probe, session, page + "{number}{?lang,sort*}",
                              page + probe.new_mark() + "?lang=de");
}

// asked_bare has the tool ask put a question by `method` to a client that declares nothing, and
// judges whether it was put.
Task<Finding> asked_bare(GatewayProbe* probe, Session* second, std::string method) {
  const std::string mark = probe->new_mark();
  const std::size_t from = second->wire().inbox().frames.size();
  Client client(*second, probe->check());
  Json params(Json::value_t::object);
  params["name"] = probe->exchanges().tool("ask");
  params["arguments"] = GatewayProbe::marked(mark);
  params["arguments"]["method"] = method;
  Json message = is_stateless(probe->revision())
                     ? client.request_declaring("tools/call", std::move(params), Json::object())
                     : client.request_of("tools/call", std::move(params));
  const Reply reply = co_await client.exchange(std::move(message));
  if (probe->heard(mark).empty()) co_return undecided(kNeverReached);
  const std::vector<Frame>& frames = second->wire().inbox().frames;
  const bool asked = std::any_of(
      frames.begin() + static_cast<std::ptrdiff_t>(from), frames.end(),
      [&](const Frame& frame) { return string_or(*frame.message, "method", "") == method; });
  const Json* const result = reply.result();
  const bool by_result =
      result != nullptr && string_or(*result, "resultType", "") == "input_required";
  if (!asked && !by_result) co_return passes();
  co_return about(
      broken("a client that declares no capability was asked by " +
             (by_result ? std::string("inputRequests") : method) +
             ": the server had been told that it can be asked, as the client before it can"),
      reply);
}

Task<Finding> declares_its_client(GatewayProbe& probe) {
  // The first declares everything; what it said must not stand for the second.
  Session* const first = co_await probe.enter();
  if (first == nullptr) co_return undecided(probe.why());
  const std::string before = probe.new_mark();
  co_await probe.call(*first, "echo", GatewayProbe::marked(before));
  Session* const second = co_await probe.enter("", Json::object());
  if (second == nullptr) co_return undecided(probe.why());
  if (probe.heard(before).empty()) co_return undecided(kNeverReached);
  for (const char* const method : {"sampling/createMessage", "elicitation/create", "roots/list"}) {
    Finding finding = co_await asked_bare(&probe, second, method);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
    if (is_stateless(probe.revision())) break;  // There it asks in one way.
  }
  co_return passes();
}

Task<Finding> keeps_others_subscriptions(GatewayProbe& probe) {
  const Exchanged* const known = co_await probe.exchanges().of(Ask::kSubscribe, probe.check());
  if (!known->reached) co_return not_for_it("it passes no subscriptions on");
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  const std::string uri = probe.exchanges().resource(kMirrorText);
  Json params(Json::value_t::object);
  params["uri"] = uri;
  Client client(*one, probe.check());
  Client neighbour(*other, probe.check());
  co_await client.request("resources/subscribe", params);
  co_await neighbour.request("resources/subscribe", params);
  const std::string mark = probe.new_mark();
  co_await probe.call(*other, "echo", GatewayProbe::marked(mark));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty()) co_return undecided(kNeverReached);
  const std::vector<Frame>& frames = other->wire().inbox().frames;
  Json update(Json::value_t::object);
  update["uri"] = kMirrorText;
  for (const bool after_it : {false, true}) {
    if (after_it) co_await client.request("resources/unsubscribe", params);
    const std::size_t from = frames.size();
    probe.mirror().tell(heard.front().session, kResourceChanged, update);
    const auto came = [&] {
      return std::any_of(frames.begin() + static_cast<std::ptrdiff_t>(from), frames.end(),
                         [](const Frame& frame) {
                           return string_or(*frame.message, "method", "") == kResourceChanged;
                         });
    };
    const Instant deadline = after(probe.loop().now(), probe.pace().answer());
    const bool told = co_await other->wire().inbox().wait(deadline, came);
    if (told) continue;
    if (!after_it) co_return not_for_it("what a server says of resources does not come through");
    co_return broken("two clients subscribed to " + uri +
                     ", one unsubscribed, and the other was told of no change any more");
  }
  co_return passes();
}

Task<Finding> keeps_the_session(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  std::vector<std::size_t> mine;
  std::vector<std::size_t> theirs;
  for (int times = 1; times <= 3; ++times) {
    for (Session* const session : {one, other}) {
      const std::string mark = probe.new_mark();
      co_await probe.call(*session, "echo", GatewayProbe::marked(mark));
      const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
      if (heard.empty()) co_return undecided(kNeverReached);
      if (is_stateless(heard.front().revision)) {
        co_return not_for_it("it speaks a revision without sessions with the server");
      }
      (session == one ? mine : theirs).push_back(heard.front().session);
    }
  }
  const auto same = [](const std::vector<std::size_t>& all) {
    return std::ranges::adjacent_find(all, std::ranges::not_equal_to()) == all.end();
  };
  if (same(mine) && same(theirs)) co_return passes();
  co_return broken(
      "calls of one session came to the server in several sessions: servers that keep something "
      "for a session (subscriptions, log levels, a browser, as Playwright's and the counter of the "
      "Rust SDK do) begin anew each time");
}

constexpr GatewayCheck kKeptChecks[] = {
    {"gateway.lists-apart", lists_apart},
    {"gateway.reads-templates", reads_templates},
    {"gateway.declares-its-client", declares_its_client},
    {"gateway.keeps-others-subscriptions", keeps_others_subscriptions},
    {"gateway.keeps-the-session", keeps_the_session},
};

}  // namespace

GatewayChecks kept_checks() { return kKeptChecks; }

}  // namespace plumbline::conformance
