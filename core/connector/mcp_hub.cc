#include "core/connector/mcp_hub.h"

#include <algorithm>
#include <utility>

#include "core/base/rare.h"
#include "core/connector/langgraph_content.h"
#include "core/rpc/message.h"

namespace plumbline::connector {

namespace {

using mcp::Failure;
using mcp::Reply;

// A request waits for a connection at most as long as it takes to open it, in each way, for
// whoever came first.
constexpr int kOpeningsWaitedFor = 4;

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

// prepared names each server once, and has tasks followed.
HubOptions prepared(HubOptions options) {
  std::vector<std::string> once;
  for (std::string& server : options.servers) {
    if (std::ranges::find(once, server) == once.end()) once.push_back(std::move(server));
  }
  options.servers = std::move(once);
  options.client.tasks = true;
  return options;
}

}  // namespace

McpHub::McpHub(Loop& loop, transport::Connector& connector, HubOptions options,
               const Redactor& redactor, EventSink* events, metrics::Metrics* metrics)
    : loop_(loop),
      door_(connector),
      options_(prepared(std::move(options))),
      redactor_(redactor),
      connector_(
          loop, [this](const std::string&) -> transport::Connector& { return door_; }, options_,
          redactor, events, metrics) {
  for (const std::string& server : options_.servers) connector_.add(config_of(server));
}

McpHub::~McpHub() = default;

AgentConfig McpHub::config_of(const std::string& server) const {
  const auto said = options_.agents.find(server);
  AgentConfig config = said == options_.agents.end() ? AgentConfig() : said->second;
  config.agent = server;
  return config;
}

McpHub::Peer& McpHub::peer_of(const std::string& server) {
  std::unique_ptr<Peer>& peer = peers_[server];
  if (peer == nullptr) peer = std::make_unique<Peer>();
  return *peer;
}

bool McpHub::is_configured(const std::string& server) const {
  return std::ranges::find(options_.servers, server) != options_.servers.end();
}

const RetryStrategies* McpHub::retries(const std::string& server) const {
  const auto said = options_.agents.find(server);
  const bool own = said != options_.agents.end() && said->second.retries;
  return own ? &*said->second.retries : nullptr;
}

// One that comes back is met as for the first time.
void McpHub::add(std::string server) {
  if (is_configured(server)) return;
  Peer& peer = peer_of(server);
  peer.slow = false;
  peer.known = Finding();
  peer.looks = Pace();
  connector_.add(config_of(server));
  options_.servers.push_back(std::move(server));
}

void McpHub::remove(const std::string& server) {
  if (std::erase(options_.servers, server) > 0) connector_.remove(server);
}

Task<Reply<McpHub::Held>> McpHub::open(std::string server) {
  PoolKey key{std::move(server), ""};
  const Instant deadline = after(loop_.now(), kOpeningsWaitedFor * options_.connect_timeout);
  co_return co_await connector_.use(std::move(key), deadline);
}

Task<Reply<Json>> McpHub::invoke(McpRequest request) {
  if (connector_.connection(request.server) != nullptr && rare(Rare::kHubReopen)) {
    PoolKey key{request.server, ""};
    co_await connector_.hang_up(std::move(key), "closed by the client");
  }
  Reply<Held> opened = co_await open(request.server);
  if (!opened.ok()) co_return std::move(opened).error();
  Held& held = opened.value();
  if (!request.place.empty() && request.place != held.link->place().digest) {
    co_return Failure(Failure::Kind::kRefused, "the server is not where it was any more");
  }
  const Instant deadline = after(loop_.now(), options_.request_timeout);
  McpRequest call = request;
  Reply<Json> reply = co_await connector_.send(held, std::move(call), deadline);
  if (reply.ok()) {
    if (tells_of_unknown_tool(reply.value(), string_or(request.params, "name", ""))) {
      held.link->session().forget_list(list_of(request.method));
    }
    if (is_langgraph(request.server)) read_json_blocks(reply.value());
    redactor_.contain(reply.value());
    co_return reply;
  }
  Failure failure = std::move(reply).error();
  if (knows_nothing_of_it(failure)) {
    co_await look_again(std::move(request), held, failure);
  }
  co_return co_await connector_.explained(std::move(failure), held.link);
}

Task<void> McpHub::close() {
  for (auto& [server, peer] : peers_) peer->behind.drop();
  co_await connector_.close();
  peers_.clear();
}

}  // namespace plumbline::connector
