#include "core/agents/mcp_hub.h"

#include <algorithm>
#include <utility>

#include "core/base/rare.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/rpc/message.h"

namespace plumbline::agents {

namespace {

using mcp::Failure;
using mcp::Reply;

constexpr Duration kLastWordsWait = std::chrono::milliseconds(10);

// How often a server that says "not so fast" is looked at, and how long it is left alone when it
// does not say for how long; twice as long each time.
constexpr int kLooksMax = 4;
constexpr Duration kPatience = std::chrono::seconds(1);

}  // namespace

// Link is one live server. The session refers to the connection, so it goes first. `absent` are
// the lists it has and does not know.
struct McpHub::Link {
  std::string server;
  std::set<std::string> absent;
  std::unique_ptr<transport::Connection> connection;
  std::unique_ptr<mcp::ClientSession> session;
};

// Finding is what one server told, and what was wrong with it.
struct McpHub::Finding {
  std::optional<ServerManifest> manifest;
  std::vector<DiscoveryProblem> problems;
  std::set<std::pair<CapabilityType, std::string>> seen;  // Tools and prompts by name.
  int again = 0;  // Entries of this list that were seen before.
  bool lost = false;                 // Asking once more may help.
  bool limited = false;              // So it may, but later.
  std::optional<Duration> patience;  // As the server asks.

  void fail(const std::string& server, mcp::FailureClass kind, std::string message) {
    problems.push_back(DiscoveryProblem{server, kind, std::move(message)});
  }

  void fail(const std::string& server, const Failure& failure) {
    const mcp::FailureClass kind = mcp::classify(failure);
    lost = lost || kind == mcp::FailureClass::kNetwork;
    if (kind == mcp::FailureClass::kRateLimit) {
      limited = true;
      const std::optional<std::int64_t> ms = mcp::retry_after_ms(failure);
      if (ms)
        patience =
            std::max(patience.value_or(Duration{}), Duration(std::chrono::milliseconds(*ms)));
    }
    fail(server, kind, mcp::describe(failure));
  }

  // add reads the entries of one list. One bad entry does not cost the others, and one that comes
  // again counts once.
  void add(const std::string& server, std::vector<Json> entries, Reader read) {
    for (Json& entry : entries) {
      Result<Capability> capability = read(server, std::move(entry));
      if (capability.ok()) {
        keep(server, std::move(capability).value());
      } else {
        fail(server, mcp::FailureClass::kProtocol, capability.error().message);
      }
    }
    if (again > 0) {
      fail(server, mcp::FailureClass::kProtocol,
           "server \"" + server + "\" lists " + std::to_string(std::exchange(again, 0)) +
               " entries that it has listed before");
    }
  }

  void keep(const std::string& server, Capability capability) {
    const bool resource = capability.type == CapabilityType::kResource;
    if (!seen.emplace(capability.type, resource ? capability.uri : capability.name).second) {
      ++again;
      return;
    }
    for (std::string& flaw : std::exchange(capability.flaws, {})) {
      fail(server, mcp::FailureClass::kProtocol, std::move(flaw));
    }
    manifest->capabilities.push_back(std::move(capability));
  }
};

McpHub::McpHub(Loop& loop, transport::Connector& connector, HubOptions options,
               const Redactor& redactor, EventSink* events)
    : loop_(loop),
      connector_(connector),
      options_(std::move(options)),
      redactor_(redactor),
      events_(events) {
  // A server that is named twice is one server.
  std::vector<std::string> once;
  for (std::string& server : options_.servers) {
    if (std::ranges::find(once, server) == once.end()) once.push_back(std::move(server));
  }
  options_.servers = std::move(once);
  options_.client.ask_for_progress = true;
  options_.client.extend_on_progress = options_.request_timeout;
  options_.client.extended_total_max = options_.request_total_max;
}

McpHub::~McpHub() = default;

// open returns the live session of `server`, or makes one, as often as its pace allows. A first
// failure by the end of the connection is tried again at once: many a server is slow to be there
// only the first time.
Task<Reply<McpHub::Link*>> McpHub::open(std::string server) {
  if (is_open(server)) co_return links_[server].get();
  for (;;) {
    const Instant began = loop_.now();
    if (const std::optional<std::string> why = paces_[server].refusal(began)) {
      co_return Failure(Failure::Kind::kDisconnected, *why);
    }
    Reply<Link*> opened = co_await try_open(server);
    Pace& pace = paces_[server];
    if (opened.ok()) {
      pace.opened(loop_.now());
      co_return opened;
    }
    const bool ended = opened.error().kind == Failure::Kind::kDisconnected;
    const bool again = ended && links_[server] != nullptr && pace.may_repeat();
    const Duration silent = ended ? Duration() : loop_.now() - began;
    pace.failed(loop_.now(), silent, opened.error().message);
    if (!again) co_return opened;
  }
}

// try_open opens the conversation the way that worked before. An older server may end at a probe
// that it does not know: it is then started once more, for initialize. How a server opened is
// remembered, until that no longer works.
//
// Spec 2026-07-28, basic/versioning, Backward Compatibility (SHOULD remember the era).
Task<Reply<McpHub::Link*>> McpHub::try_open(std::string server) {
  const std::optional<mcp::Revision> older = mcp::newest_stateful(options_.client);
  mcp::ClientOptions client = options_.client;
  const bool probes = mcp::is_stateless(client.preferred) && !older_.contains(server);
  if (!probes && older) client.preferred = *older;
  Reply<Link*> opened = co_await connect(server, client);
  const bool ended = probes && !opened.ok() && opened.error().kind == Failure::Kind::kDisconnected;
  const bool reached = links_[server] != nullptr;
  if (ended && reached && older) {
    client.preferred = *older;
    opened = co_await connect(server, client);
  }
  if (!opened.ok()) {
    older_.erase(server);
  } else if (!mcp::is_stateless(opened.value()->session->server().revision)) {
    older_.insert(server);
  }
  co_return opened;
}

// connect starts the server and opens the conversation, within the connect timeout. The diagnosis
// of a server that died is part of the failure.
Task<Reply<McpHub::Link*>> McpHub::connect(std::string server, mcp::ClientOptions client) {
  std::unique_ptr<Link>& slot = links_[server];
  slot = nullptr;
  const Instant deadline = after(loop_.now(), options_.connect_timeout);
  Task<Result<std::unique_ptr<transport::Connection>>> connecting = connector_.connect(server);
  Result<Result<std::unique_ptr<transport::Connection>>> in_time =
      co_await with_deadline(loop_, deadline, "connecting to " + server, std::move(connecting));
  if (!in_time.ok()) co_return Failure(Failure::Kind::kTimeout, in_time.error().message);
  Result<std::unique_ptr<transport::Connection>> connected = std::move(in_time).value();
  if (!connected.ok()) {
    co_return Failure(Failure::Kind::kDisconnected, redactor_.redact(connected.error().message));
  }
  slot = std::make_unique<Link>();
  Link& link = *slot;
  link.server = server;
  link.connection = std::move(connected).value();
  link.session = std::make_unique<mcp::ClientSession>(loop_, link.connection->channel(),
                                                      std::move(client), server, events_);
  Reply<mcp::ServerInfo> initialized = co_await link.session->initialize(deadline);
  if (!initialized.ok()) {
    Failure failure = std::move(initialized).error();
    co_return co_await explained(std::move(failure), link);
  }
  co_return &link;
}

// explained adds what is known of a dead or silent server: how it ended, its last words, and what
// it got wrong, with secrets taken out. How a process ended is known a moment after its streams
// have.
Task<Failure> McpHub::explained(Failure failure, Link& link) {
  const bool lost = failure.kind == Failure::Kind::kDisconnected;
  if (lost) co_await Sleep(loop_, loop_.now() + kLastWordsWait);
  const bool silent = failure.kind == Failure::Kind::kTimeout;
  const std::string diagnosis = lost || silent ? link.connection->diagnosis() : std::string();
  if (!diagnosis.empty()) failure.message += " (" + diagnosis + ")";
  if (silent && link.session->violations() > 0) {
    failure.message += "; it broke the protocol: " + link.session->last_violation();
  }
  redact(failure);
  co_return failure;
}

void McpHub::redact(Failure& failure) const {
  failure.message = redactor_.redact(std::move(failure.message));
  redactor_.redact(failure.data);
}

bool McpHub::is_open(const std::string& server) const {
  const auto link = links_.find(server);
  return link != links_.end() && link->second && link->second->session &&
         link->second->session->open();
}

// discover_one asks once more, over a new session, when an earlier one turns out to be lost: over
// HTTP nobody learns before the next request that the server has forgotten its session. So it does
// when an answer was lost and the session was not, as on a connection that was idle for too long: a
// list changes nothing. A server that is asked too fast is left alone for as long as it says,
// within the time that connecting may take.
//
// Spec 2025-11-25, basic/transports, Session Management (MUST start a new session on 404).
Task<void> McpHub::discover_one(std::string server, Finding& finding) {
  const bool known = is_open(server);
  const Instant until = after(loop_.now(), options_.connect_timeout);
  Duration patience = kPatience;
  for (int looks = 1;; ++looks) {
    co_await look_at(server, finding);
    if (looks == 1 && known && (finding.lost || !is_open(server))) {
      finding = Finding();
      continue;
    }
    if (!finding.limited || looks == kLooksMax) co_return;
    const Instant next = after(loop_.now(), finding.patience.value_or(patience));
    if (next >= until) co_return;
    co_await Sleep(loop_, next);
    finding = Finding();
    patience *= 2;
  }
}

Task<void> McpHub::look_at(std::string server, Finding& finding) {
  Reply<Link*> opened = co_await open(server);
  if (!opened.ok()) {
    finding.fail(server, opened.error());
    co_return;
  }
  Link& link = *opened.value();
  const mcp::ServerInfo info = link.session->server();
  finding.manifest.emplace();
  finding.manifest->server = server;
  finding.manifest->name = redactor_.redact(info.name);
  finding.manifest->version = redactor_.redact(info.version);
  finding.manifest->revision = std::string(mcp::name_of(info.revision));
  if (info.has("tools")) co_await look_for("tools/list", tool_of, link, finding);
  if (info.has("resources")) {
    co_await look_for("resources/list", resource_of, link, finding);
    co_await look_for("resources/templates/list", resource_template_of, link, finding);
  }
  if (info.has("prompts")) co_await look_for("prompts/list", prompt_of, link, finding);
}

// look_for adds one list of a server to what was found. One that a server announces and does not
// know costs that list alone, and is not asked for again. Templates are optional within their
// capability: a server without them may not know the method.
Task<void> McpHub::look_for(std::string method, Reader read, Link& link, Finding& finding) {
  if (link.absent.contains(method)) co_return;
  const Instant deadline = after(loop_.now(), options_.connect_timeout);
  Reply<std::vector<Json>> entries = co_await link.session->list(method, deadline);
  if (entries.ok()) {
    for (Json& entry : entries.value()) redactor_.redact(entry);
    finding.add(link.server, std::move(entries).value(), read);
    if (method == "tools/list") pins_.look(*finding.manifest);
    co_return;
  }
  const bool unknown = entries.error().code == rpc::kMethodNotFound;
  if (unknown) link.absent.insert(method);
  if (unknown && method == "resources/templates/list") co_return;
  Failure failure = std::move(entries).error();
  failure = co_await explained(std::move(failure), link);
  finding.fail(link.server, failure);
}

Task<Discovery> McpHub::discover() {
  std::vector<Finding> findings(options_.servers.size());
  TaskGroup group;
  const bool backwards = rare(Rare::kHubOrder);
  const bool one_by_one = rare(Rare::kHubOneByOne);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::size_t which = backwards ? findings.size() - 1 - i : i;
    group.spawn(discover_one(options_.servers[which], findings[which]));
    if (one_by_one) co_await group.join(loop_);
  }
  co_await group.join(loop_);
  Discovery discovery;
  for (Finding& finding : findings) {
    if (finding.manifest) discovery.manifest.servers.push_back(std::move(*finding.manifest));
    for (DiscoveryProblem& problem : finding.problems) {
      discovery.problems.push_back(std::move(problem));
    }
  }
  co_return discovery;
}

Task<Reply<Json>> McpHub::invoke(McpRequest request) {
  if (is_open(request.server) && rare(Rare::kHubReopen)) {
    co_await close_one(*links_[request.server]);
    links_[request.server] = nullptr;
  }
  Reply<Link*> opened = co_await open(request.server);
  if (!opened.ok()) co_return std::move(opened).error();
  Link& link = *opened.value();
  const Instant deadline = after(loop_.now(), options_.request_timeout);
  Reply<Json> reply = co_await link.session->request(std::move(request.method),
                                                     std::move(request.params), deadline);
  if (reply.ok()) {
    redactor_.redact(reply.value());
    co_return reply;
  }
  Failure failure = std::move(reply).error();
  co_return co_await explained(std::move(failure), link);
}

Task<void> McpHub::close_one(Link& link) {
  if (link.session) link.session->close();
  co_await link.connection->close();
}

Task<void> McpHub::close() {
  TaskGroup group;
  for (auto& [server, link] : links_) {
    if (link) group.spawn(close_one(*link));
  }
  co_await group.join(loop_);
  links_.clear();
}

}  // namespace plumbline::agents
