// ServerOptions is what a server says of itself and offers.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/json/json.h"
#include "core/mcp/protocol/revision.h"

namespace plumbline::mcp {

// ArgumentCheck judges the arguments of a tool call against the tool's inputSchema and returns
// what is wrong, nothing when nothing is.
using ArgumentCheck =
    std::function<std::optional<std::string>(const Json& schema, const Json& arguments)>;

// check_required is the ArgumentCheck used when none is given: every name in `required` is there.
std::optional<std::string> check_required(const Json& schema, const Json& arguments);

// CacheHints tell a client of a stateless revision how long a list or a resource stays fresh. A
// handler of resources/read may give its own in its result.
struct CacheHints {
  Duration ttl{0};
  bool shared = false;  // cacheScope public: others than the one who asked may be given it.
};

// TaskOptions say whether calls of tools may become tasks: of tools with execution.taskSupport
// "optional" or "required".
struct TaskOptions {
  bool offered = false;
  Duration ttl_max = std::chrono::minutes(10);  // How long a task is kept, from its start.
  Duration poll = std::chrono::seconds(1);      // How often a client should look.
  std::size_t count_max = 1'000;
};

// Everything offered is described in its newest form; members that the negotiated revision does
// not have are left out of what is sent.
struct ServerOptions {
  std::string name = "plumbline";
  std::string version = "0.1";
  std::string title;
  std::string description;
  std::string website_url;
  Json icons;  // [{"src", "mimeType"?, "sizes"?}, ...]; null: none.
  std::string instructions;
  std::vector<Revision> supported;  // Empty: all. The newest with initialize is the counter-offer.

  // A capability is declared when there is something to offer, or where its flag says so.
  std::vector<Json> tools;      // {"name", "inputSchema", ...}
  std::vector<Json> resources;  // {"uri", "name", ...}
  std::vector<Json> templates;  // {"uriTemplate", "name", ...}
  std::vector<Json> prompts;    // {"name", "arguments"?: [{"name", "required"?}], ...}
  bool declare_tools = false;
  bool declare_resources = false;
  bool declare_prompts = false;
  bool list_changed = true;  // listChanged of every list.
  bool subscribe = false;    // resources.subscribe.
  bool completions = false;
  bool logging = false;

  CacheHints list_cache;      // Of server/discover and the lists.
  CacheHints resource_cache;  // Of resources/read.

  // secret keeps what clients carry for the server from being forged: at least 16 random bytes
  // wherever clients are not to be trusted with their own state.
  std::string secret;
  Duration state_lifetime = std::chrono::minutes(10);  // Of what a client carries.

  // clock is what the time of day is at Instant 0, since 1970 UTC: what outlives a process, as what
  // a client carries does, is told in the time of day.
  Duration clock{0};

  TaskOptions tasks;

  ArgumentCheck check_arguments = check_required;
  // raw_calls hands every call of a tool to its handler as it came, also of one that is not listed,
  // and sends an error of the handler as it is. For servers that refuse in codes of their own.
  bool raw_calls = false;
  std::size_t page_items_max = 100;
  std::size_t in_flight_max = limits::kRequestsInFlightMax;  // Each direction.
};

// speaks returns whether the server supports `revision`.
bool speaks(const ServerOptions& options, Revision revision);

// spoken returns the names of all that it supports, newest first.
std::vector<std::string> spoken(const ServerOptions& options);

// ClientInfo is what a client told of itself: once, or with each request of a stateless revision.
struct ClientInfo {
  Revision revision = kLatestStateful;
  std::string name;
  std::string version;
  Json capabilities = Json::object();
  std::optional<int> log_level;  // Stateless: the least severity wanted, none: no log messages.
};

}  // namespace plumbline::mcp
