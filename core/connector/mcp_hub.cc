#include "core/connector/mcp_hub.h"

#include <algorithm>
#include <utility>

#include "core/base/rare.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/rpc/message.h"

namespace plumbline::connector {

namespace {

using mcp::Failure;
using mcp::Reply;

constexpr Duration kLastWordsWait = std::chrono::milliseconds(10);

// knows_nothing_of_it returns whether a server refused a call as one that it does not know, which
// a new list may explain.
bool knows_nothing_of_it(const Failure& failure) {
  return failure.code == rpc::kInvalidParams || failure.code == rpc::kMethodNotFound ||
         failure.code == rpc::kResourceNotFound;
}

// tells_of_unknown_tool returns whether a result says so in words, as some servers do.
bool tells_of_unknown_tool(const Json& result, const std::string& name) {
  if (!bool_or(result, "isError", false)) return false;
  const Json* const text = at_pointer(result, "/content/0/text");
  if (text == nullptr || !text->is_string()) return false;
  const auto& said = text->get_ref<const std::string&>();
  return said.find("nknown tool") != std::string::npos ||
         said.find("ool " + name + " not found") != std::string::npos;
}

Failure removed() {
  return {Failure::Kind::kDisconnected, "the server is not in the configuration any more"};
}

}  // namespace

// Opening is held by who opens a connection. Whoever waits for it goes on when it is over.
class McpHub::Opening {
 public:
  explicit Opening(Peer& peer) : peer_(peer) {
    peer.opening = true;
    peer.opened.reset();
  }
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;
  ~Opening() {
    peer_.opening = false;
    peer_.opened.set();
  }

 private:
  Peer& peer_;
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
  options_.client.tasks = true;
  options_.client.ask_for_progress = true;
  options_.client.extend_on_progress = options_.request_timeout;
  options_.client.extended_total_max = options_.request_total_max;
}

McpHub::~McpHub() = default;

McpHub::Peer& McpHub::peer_of(const std::string& server) {
  std::unique_ptr<Peer>& peer = peers_[server];
  if (peer == nullptr) peer = std::make_unique<Peer>();
  return *peer;
}

bool McpHub::is_configured(const std::string& server) const {
  return std::ranges::find(options_.servers, server) != options_.servers.end();
}

// One that comes back is met as for the first time.
void McpHub::add(std::string server) {
  if (is_configured(server)) return;
  Peer& peer = peer_of(server);
  peer.removed = false;
  peer.slow = false;
  peer.known = Finding();
  peer.openings = Pace();
  peer.looks = Pace();
  options_.servers.push_back(std::move(server));
}

void McpHub::remove(const std::string& server) {
  if (std::erase(options_.servers, server) == 0) return;
  Peer& peer = peer_of(server);
  peer.removed = true;
  if (peer.link != nullptr) leaving_.spawn(let_go(LinkUse(*peer.link)));
}

Task<void> McpHub::let_go(LinkUse link) {
  co_await link->close("the server was taken out of the configuration");
}

bool McpHub::is_open(const Peer& peer) { return peer.link != nullptr && peer.link->open(); }

// open returns the live session of `server`, or makes one, as often as its pace allows. A first
// failure by the end of the connection is tried again at once: many a server is slow to be there
// only the first time.
Task<Reply<McpHub::LinkUse>> McpHub::open(std::string server) {
  Peer& peer = peer_of(server);
  while (peer.opening) co_await peer.opened.wait(loop_, kNever);
  if (peer.removed) co_return removed();
  if (is_open(peer)) co_return LinkUse(*peer.link);
  const Opening opening(peer);
  for (;;) {
    const Instant began = loop_.now();
    if (const std::optional<std::string> why = peer.openings.refusal(began)) {
      co_return Failure(Failure::Kind::kDisconnected, *why);
    }
    Reply<LinkUse> opened = co_await try_open(server);
    if (opened.ok() && peer.removed) co_await let_go(opened.value());
    if (peer.removed) co_return removed();
    if (opened.ok()) {
      peer.openings.opened(loop_.now());
      co_return opened;
    }
    const bool ended = opened.error().kind == Failure::Kind::kDisconnected;
    const bool again = ended && peer.link != nullptr && peer.openings.may_repeat();
    const Duration silent = ended ? Duration() : loop_.now() - began;
    peer.openings.failed(loop_.now(), silent, opened.error().message);
    if (!again) co_return opened;
  }
}

// try_open opens the conversation the way that worked before. An older server may end at a probe
// that it does not know: it is then started once more, for initialize. How a server opened is
// remembered, until that no longer works.
//
// Spec 2026-07-28, basic/versioning, Backward Compatibility (SHOULD remember the era).
Task<Reply<McpHub::LinkUse>> McpHub::try_open(std::string server) {
  Peer& peer = peer_of(server);
  const std::optional<mcp::Revision> older = mcp::newest_stateful(options_.client);
  mcp::ClientOptions client = options_.client;
  const bool probes = mcp::is_stateless(client.preferred) && !peer.older;
  if (!probes && older) client.preferred = *older;
  Reply<LinkUse> opened = co_await connect(server, client);
  const bool ended = probes && !opened.ok() && opened.error().kind == Failure::Kind::kDisconnected;
  const bool reached = peer.link != nullptr;
  if (ended && reached && older) {
    client.preferred = *older;
    opened = co_await connect(server, client);
  }
  peer.older = opened.ok() && !mcp::is_stateless(opened.value()->session().server().revision);
  co_return opened;
}

// connect starts the server and opens the conversation, within the connect timeout. The diagnosis
// of a server that died is part of the failure.
Task<Reply<McpHub::LinkUse>> McpHub::connect(std::string server, mcp::ClientOptions client) {
  Peer& peer = peer_of(server);
  peer.leave();
  const Instant deadline = after(loop_.now(), options_.connect_timeout);
  Task<Result<std::unique_ptr<transport::Connection>>> connecting = connector_.connect(server);
  Result<Result<std::unique_ptr<transport::Connection>>> in_time =
      co_await with_deadline(loop_, deadline, "connecting to " + server, std::move(connecting));
  if (!in_time.ok()) co_return Failure(Failure::Kind::kTimeout, in_time.error().message);
  Result<std::unique_ptr<transport::Connection>> connected = std::move(in_time).value();
  if (!connected.ok()) {
    co_return Failure(Failure::Kind::kDisconnected, redactor_.redact(connected.error().message));
  }
  peer.link = std::make_unique<ServerLink>(loop_, server, std::move(connected).value(),
                                           std::move(client), events_);
  const LinkUse link(*peer.link);
  Reply<mcp::ServerInfo> initialized = co_await link->session().initialize(deadline);
  if (!initialized.ok()) {
    Failure failure = std::move(initialized).error();
    co_return co_await explained(std::move(failure), link);
  }
  co_return link;
}

// explained adds what is known of a dead or silent server: how it ended, its last words, and what
// it got wrong, with secrets taken out. How a process ended is known a moment after its streams
// have.
Task<Failure> McpHub::explained(Failure failure, LinkUse link) {
  const bool lost = failure.kind == Failure::Kind::kDisconnected;
  if (lost) co_await Sleep(loop_, loop_.now() + kLastWordsWait);
  const bool silent = failure.kind == Failure::Kind::kTimeout;
  const std::string diagnosis = lost || silent ? link->diagnosis() : std::string();
  if (!diagnosis.empty()) failure.message += " (" + diagnosis + ")";
  if (silent && link->session().violations() > 0) {
    failure.message += "; it broke the protocol: " + link->session().last_violation();
  }
  if (silent && co_await retire_if_deaf(link)) {
    failure.message += "; nothing is heard of it any more, and its connection is given up";
  }
  redact(failure);
  co_return failure;
}

// retire_if_deaf ends the connection to a server that is alive and answers nothing: the next
// opening, which is paced, starts it again.
Task<bool> McpHub::retire_if_deaf(LinkUse link) {
  const bool deaf = co_await link->is_deaf();
  if (!deaf) co_return false;
  Peer& peer = peer_of(link->server());
  if (link.is(peer.link.get())) {
    peer.openings.silenced(loop_.now(), link->silence(), "it was started and answered nothing");
  }
  co_await link->close("nothing is heard any more");
  co_return true;
}

void McpHub::redact(mcp::Failure& failure) const {
  failure.message = redactor_.redact(std::move(failure.message));
  redactor_.redact(failure.data);
}

Task<Reply<Json>> McpHub::invoke(McpRequest request) {
  Peer& peer = peer_of(request.server);
  if (is_open(peer) && rare(Rare::kHubReopen)) {
    const LinkUse old(*peer.link);
    co_await old->close("closed by the client");
  }
  Reply<LinkUse> opened = co_await open(request.server);
  if (!opened.ok()) co_return std::move(opened).error();
  const LinkUse link = opened.value();
  const Instant deadline = after(loop_.now(), options_.request_timeout);
  McpRequest call = request;
  Reply<Json> reply = co_await link->call(std::move(call), deadline);
  if (reply.ok()) {
    if (tells_of_unknown_tool(reply.value(), string_or(request.params, "name", ""))) {
      link->session().forget_list(list_of(request.method));
    }
    redactor_.redact(reply.value());
    co_return reply;
  }
  Failure failure = std::move(reply).error();
  if (knows_nothing_of_it(failure)) {
    co_await look_again(std::move(request), link, failure);
  }
  co_return co_await explained(std::move(failure), link);
}

Task<void> McpHub::close() {
  TaskGroup group;
  for (auto& [server, peer] : peers_) {
    peer->behind.drop();
    if (peer->link != nullptr) group.spawn(peer->link->close("closed by the client"));
  }
  co_await group.join(loop_);
  co_await leaving_.join(loop_);
  leaving_.cancel();  // What is done still holds its link.
  peers_.clear();
}

}  // namespace plumbline::connector
