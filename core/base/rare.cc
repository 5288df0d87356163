#include "core/base/rare.h"

#include <algorithm>
#include <utility>

namespace plumbline {

namespace {

// A site that is on says yes once in so many times.
constexpr std::uint64_t kOnceIn = 4;

constexpr std::array<RareSite, kRareCount> kSites = {{
    {Rare::kStdioWrite, "stdio.write-in-pieces", "A line leaves in two writes."},
    {Rare::kStdioRead, "stdio.read-in-pieces", "What a pipe brings is read a few bytes at a time."},
    {Rare::kHttpWrite, "http.write-in-pieces", "An HTTP request leaves in two writes."},
    {Rare::kHttpRead, "http.read-in-pieces", "An HTTP answer is read a few bytes at a time."},
    {Rare::kHttpNewConnection, "http.new-connection",
     "An HTTP request takes a new connection although one is idle."},
    {Rare::kHttpListenLate, "http.listen-late",
     "The stream for what the server says by itself is opened later."},
    {Rare::kHttpReconnect, "http.reconnect",
     "The stream for what the server says by itself is dropped and resumed where it stood."},
    {Rare::kWebSocketFragments, "websocket.fragments", "A message leaves in two frames."},
    {Rare::kRpcIdsHigh, "rpc.ids-high", "The ids of requests begin beyond 32 bits."},
    {Rare::kRpcIdsText, "rpc.ids-text", "The ids of requests are strings."},
    {Rare::kMcpCacheExpired, "mcp.cache-expired", "A kept answer is taken for stale."},
    {Rare::kMcpListTwice, "mcp.list-twice", "A list is read to its end, then once more."},
    {Rare::kMcpPing, "mcp.ping", "A ping goes ahead of a call, and nobody waits for its answer."},
    {Rare::kMcpPingTakenBack, "mcp.ping-taken-back",
     "A ping is cancelled at once, so that its answer and the cancellation meet on the way."},
    {Rare::kMcpOpeningSlow, "mcp.opening-slow", "The answer to the opening is looked at later."},
    {Rare::kHubReopen, "hub.reopen", "The connection to a server is closed and opened anew."},
    {Rare::kHubOrder, "hub.order", "The servers are asked in another order."},
    {Rare::kHubOneByOne, "hub.one-by-one", "The servers are asked one after the other."},
    {Rare::kSelectEquals, "select.equals", "Of capabilities that fit equally the last one wins."},
    {Rare::kRetryLate, "retry.late", "A retry waits as long as it may."},
    {Rare::kGraphTurn, "graph.turn", "The world goes on between two nodes of a graph."},
}};

}  // namespace

std::span<const RareSite, kRareCount> rare_sites() { return kSites; }

std::optional<Rare> find_rare(std::string_view name) {
  const auto found = std::ranges::find(kSites, name, &RareSite::name);
  if (found == kSites.end()) return std::nullopt;
  return found->site;
}

RareBranches::RareBranches(const std::vector<std::string>& on, const Rng& rng) {
  for (const RareSite& known : kSites) {
    if (std::ranges::find(on, known.name) == on.end()) continue;
    sites_[index(known.site)] = Site{true, 0, rng.fork(known.name)};
  }
}

bool RareBranches::ask(Rare site) {
  Site& here = sites_[index(site)];
  if (!here.on || !here.rng.chance(1, kOnceIn)) return false;
  ++here.fired;
  return true;
}

RareBranches::In::In(RareBranches* branches)
    : before_(std::exchange(internal::rare_branches, branches)) {}

RareBranches::In::~In() { internal::rare_branches = before_; }

}  // namespace plumbline
