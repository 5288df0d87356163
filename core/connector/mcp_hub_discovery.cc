// How McpHub learns what its servers offer.

#include <algorithm>
#include <utility>

#include "core/base/rare.h"
#include "core/base/retry_policy.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/connector/mcp_hub.h"
#include "core/rpc/message.h"

namespace plumbline::connector {

namespace {

using mcp::Failure;
using mcp::Reply;
using List = mcp::ClientSession::List;

constexpr int kLooksMax = 4;  // At a server that says "not so fast".

// How long a request still waits for a server that was waited for in vain, when it is asked again.
constexpr Duration kGrace = std::chrono::milliseconds(250);

bool offers_anything(const Finding& finding) {
  return finding.manifest && !finding.manifest->capabilities.empty();
}

}  // namespace

// discover_one asks once more, over a new session, when an earlier one turns out to be lost: over
// HTTP nobody learns before the next request that the server has forgotten its session. So it does
// when an answer was lost and the session was not, as on a connection that was idle for too long: a
// list changes nothing. A server that is asked too fast is left alone for as long as it says,
// within the time that connecting may take.
//
// Spec 2025-11-25, basic/transports, Session Management (MUST start a new session on 404).
Task<void> McpHub::discover_one(std::string server, Finding& finding) {
  const bool known = connector_.connection(server) != nullptr;
  const Instant until = after(loop_.now(), options_.connect_timeout);
  const RetryPolicy patience = {.cap = options_.connect_timeout};
  int refusals = 0;
  for (int looks = 1;; ++looks) {
    co_await look_at(server, finding);
    const bool gone = connector_.connection(server) == nullptr;
    if (looks == 1 && known && (finding.lost || gone)) {
      finding = Finding();
      continue;
    }
    if (!finding.limited || looks == kLooksMax) co_return;
    const Instant next = after(loop_.now(), patience.wait(++refusals, finding.patience));
    if (next >= until) co_return;
    co_await Sleep(loop_, next);
    finding = Finding();
  }
}

// look_at asks for each list. While somebody waits, one that does not come in time is the last that
// is asked for: the others would be waited for as long.
Task<void> McpHub::look_at(std::string server, Finding& finding) {
  Reply<Held> opened = co_await open(server);
  if (!opened.ok()) {
    finding.fail(server, opened.error());
    co_return;
  }
  Held& held = opened.value();
  held.link->listen_for_changes();
  const mcp::ServerInfo info = held.link->session().server();
  finding.manifest.emplace();
  finding.manifest->server = server;
  finding.manifest->name = redactor_.contain(info.name);
  finding.manifest->version = redactor_.contain(info.version);
  const transport::Place place = held.link->place();
  finding.manifest->place = redactor_.redact(place.text);
  finding.manifest->place_digest = place.digest;
  finding.manifest->revision = std::string(mcp::name_of(info.revision));
  if (info.has("tools")) co_await look_for("tools/list", tool_of, held, finding);
  if (info.has("resources")) {
    co_await look_for("resources/list", resource_of, held, finding);
    co_await look_for("resources/templates/list", resource_template_of, held, finding);
  }
  if (info.has("prompts")) co_await look_for("prompts/list", prompt_of, held, finding);
  if (held.link->open()) connector_.listed(held);
}

// look_for adds one list of a server to what was found, as far as it can be had. One that a server
// announces and does not know costs that list alone, and is not asked for again. Templates are
// optional within their capability: a server without them may not know the method.
Task<void> McpHub::look_for(std::string method, Finding::Reader read, Held& held,
                            Finding& finding) {
  const bool waited_for = !peer_of(held.link->server()).slow;
  if ((finding.timed_out && waited_for) || held.link->absent.contains(method)) co_return;
  const Instant deadline = after(loop_.now(), options_.connect_timeout);
  Reply<List> listed = co_await connector_.list(held, method, deadline);
  if (!listed.ok()) {
    const bool unknown = listed.error().code == rpc::kMethodNotFound;
    if (unknown) held.link->absent.insert(method);
    if (unknown && method == "resources/templates/list") co_return;
    Failure failure = std::move(listed).error();
    failure = co_await connector_.explained(std::move(failure), held.link);
    finding.fail(held.link->server(), failure);
    co_return;
  }
  List& list = listed.value();
  for (Json& entry : list.items) redactor_.contain(entry);
  const bool whole = !list.cut;
  finding.add(held.link->server(), std::move(list.items), read, !whole);
  if (method == "tools/list") pins_.look(*finding.manifest, whole);
  if (whole) co_return;
  Failure failure = *std::move(list.cut);
  failure.message = method + " is cut: " + failure.message;
  failure = co_await connector_.explained(std::move(failure), held.link);
  finding.fail(held.link->server(), failure);
}

// look_again asks for the list in which stands what a server does not know, once, and says in
// `failure` when it is gone. A resource may be one of a template, and in no list.
Task<void> McpHub::look_again(McpRequest call, Held& held, Failure& failure) {
  std::string method = list_of(call.method);
  held.link->session().forget_list(method);
  if (call.method == "resources/read" || peer_of(call.server).slow) co_return;
  const Instant deadline = after(loop_.now(), options_.connect_timeout);
  Reply<List> listed = co_await connector_.list(held, std::move(method), deadline);
  if (!listed.ok() || listed.value().cut) co_return;
  const std::string name = string_or(call.params, "name", "");
  const auto named = [&name](const Json& entry) { return string_or(entry, "name", "") == name; };
  if (std::ranges::any_of(listed.value().items, named)) co_return;
  failure.message += "; the server has changed its list, and it is not there any more";
}

// look_now asks a server while the request waits for it.
Task<void> McpHub::look_now(std::string server, Finding& finding) {
  co_await discover_one(server, finding);
  Peer& peer = peer_of(server);
  peer.slow = finding.timed_out;
  if (peer.slow) peer.known = finding;
}

// look_behind asks a server that was waited for in vain, while nobody waits.
Task<void> McpHub::look_behind(std::string server) {
  Peer& peer = peer_of(server);
  Finding finding;
  co_await discover_one(server, finding);
  peer.slow = finding.timed_out || !finding.manifest;
  if (peer.slow) {
    peer.looks.failed(loop_.now(), Duration(), "it did not answer");
  } else {
    peer.looks = Pace();
  }
  peer.known = std::move(finding);
  peer.looked.set();
}

void McpHub::spawn_looks(TaskGroup& group, const std::string& server, Finding& finding) {
  Peer& peer = peer_of(server);
  if (!peer.slow) return group.spawn(look_now(server, finding));
  if (!peer.behind.done() || peer.looks.refusal(loop_.now())) return;
  peer.looked.reset();
  peer.behind = look_behind(server);
  peer.behind.start();
  if (!peer.behind.done()) group.spawn(wait_for(peer, kGrace));
}

Task<void> McpHub::wait_for(Peer& peer, Duration at_most) {
  const Instant until = after(loop_.now(), at_most);
  co_await peer.looked.wait(loop_, until);
}

Task<Discovery> McpHub::discover() {
  const std::vector<std::string> servers = options_.servers;  // Which may change meanwhile.
  std::vector<Finding> findings(servers.size());
  std::vector<Peer*> behind;  // In the order of the servers; null: is asked now.
  for (const std::string& server : servers) {
    Peer& peer = peer_of(server);
    behind.push_back(peer.slow ? &peer : nullptr);
  }
  TaskGroup group;
  const bool backwards = rare(Rare::kHubOrder);
  const bool one_by_one = rare(Rare::kHubOneByOne);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::size_t which = backwards ? findings.size() - 1 - i : i;
    spawn_looks(group, servers[which], findings[which]);
    if (one_by_one) co_await group.join(loop_);
  }
  co_await group.join(loop_);
  bool served = std::ranges::any_of(findings, offers_anything);
  for (const Peer* const peer : behind) served = served || (peer && offers_anything(peer->known));
  for (Peer* const peer : behind) {
    if (peer && !served && !peer->behind.done()) {
      group.spawn(wait_for(*peer, options_.connect_timeout));
    }
  }
  co_await group.join(loop_);
  Discovery discovery;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!is_configured(servers[i])) continue;
    Peer* const peer = behind[i];
    Finding finding = peer ? peer->known : std::move(findings[i]);
    if (finding.manifest) discovery.manifest.servers.push_back(std::move(*finding.manifest));
    for (DiscoveryProblem& problem : finding.problems) {
      discovery.problems.push_back(std::move(problem));
    }
  }
  co_return discovery;
}

}  // namespace plumbline::connector
