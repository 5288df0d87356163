// ClientOptions is what a client says of itself and how far it goes.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/mcp/failure.h"
#include "core/mcp/revision.h"

namespace plumbline::mcp {

// PeerHandler answers one request of the peer. A Failure becomes its JSON-RPC error; a lambda that
// simply returns a Json does, too. It must not destroy the session that calls it.
using PeerHandler = std::function<Reply<Json>(const Json& params)>;

// NotificationHandler hears of one notification of the peer.
using NotificationHandler = std::function<void(std::string_view method, const Json& params)>;

struct ClientOptions {
  std::string client_name = "plumbline";
  std::string client_version = "0.1";
  std::string client_title;  // Sent where the revision has titles; empty: none.

  // initialize asks for `preferred`; the server's counter-offer is accepted when it is listed in
  // `supported`, which always counts `preferred` in. Empty: every stateful revision.
  Revision preferred = kLatestStateful;
  std::vector<Revision> supported;

  // A capability is declared exactly when its handler is set. Elicitation is not declared to
  // revisions that have none.
  PeerHandler on_list_roots;
  PeerHandler on_sample;
  PeerHandler on_elicit;
  bool roots_list_changed = true;   // Declares roots.listChanged beside roots.
  bool url_elicitation = false;     // Declares the url mode beside the form mode.
  bool sampling_tools = false;      // Declares sampling.tools beside sampling.
  Json experimental = nullptr;      // capabilities.experimental; null: none.
  NotificationHandler on_notified;  // list_changed, log messages, progress, resource updates ...

  // Progress: whether tools/call asks for it (its token is the request id), and whether a report
  // moves the deadline to at least `extend_on_progress` from now, but never beyond
  // `extended_total_max` after the start. Zero: it never does.
  bool ask_for_progress = false;
  Duration extend_on_progress{0};
  Duration extended_total_max{0};

  std::size_t in_flight_max = limits::kRequestsInFlightMax;
  std::size_t list_pages_max = limits::kListPagesMax;
  std::size_t list_items_max = limits::kListItemsMax;
};

// ServerInfo is what initialize told.
struct ServerInfo {
  Revision revision = kLatestStateful;
  std::string name;
  std::string version;
  std::string instructions;
  Json capabilities = Json::object();

  // has returns whether the server declared capability `name` as an object.
  bool has(std::string_view capability) const;

  // has_flag returns whether it declared `capability` with `flag`: true or an object.
  bool has_flag(std::string_view capability, std::string_view flag) const;
};

}  // namespace plumbline::mcp
