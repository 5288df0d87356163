// ClientOptions is what a client says of itself and how far it goes.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/base/task.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/mcp/protocol/failure.h"
#include "core/mcp/protocol/revision.h"

namespace plumbline::mcp {

// PeerHandler answers one request of the peer. A Failure becomes its JSON-RPC error; a request that
// came inside a result is then not answered at all, and the call that it belongs to ends so. When
// the server takes the request back, the Task is dropped. It must not destroy the session.
using PeerHandler = std::function<Task<Reply<Json>>(Json params)>;

// answer_at_once makes a handler of a function that does not wait.
PeerHandler answer_at_once(std::function<Reply<Json>(const Json& params)> answer);

// NotificationHandler hears of one notification of the peer.
using NotificationHandler = std::function<void(std::string_view method, const Json& params)>;

// SubscriptionEnded hears that subscription `id` is over: an object when the server has ended it
// in good order.
using SubscriptionEnded = std::function<void(std::int64_t id, const Reply<Json>& end)>;

struct ClientOptions {
  std::string client_name = "plumbline";
  std::string client_version = "0.1";
  std::string client_title;  // Sent where the revision has titles; empty: none.

  // The opening asks for `preferred`, and takes what the server offers instead when it is listed
  // in `supported`, which always counts `preferred` in. Empty: every revision. A stateless
  // `preferred` opens with server/discover, and goes on with initialize when the server does not
  // know that, or says nothing for `probe_timeout`. Any other opens with initialize at once.
  Revision preferred = kLatestStateful;
  std::vector<Revision> supported;
  Duration probe_timeout = std::chrono::seconds(5);

  // A capability is declared exactly when its handler is set. Elicitation is not declared to
  // revisions that have none.
  PeerHandler on_list_roots;
  PeerHandler on_sample;
  PeerHandler on_elicit;
  bool roots_list_changed = true;   // Declares roots.listChanged beside roots.
  bool url_elicitation = false;     // Declares the url mode beside the form mode.
  bool sampling_tools = false;      // Declares sampling.tools beside sampling.
  bool tasks = false;               // call_tool() follows calls that become tasks.
  Json experimental = nullptr;      // capabilities.experimental; null: none.
  NotificationHandler on_notified;  // list_changed, log messages, progress, resource updates ...
  SubscriptionEnded on_subscription_ended;

  std::string log_level;  // Sent with each request of a stateless revision; empty: no log messages.

  // How often one call may come back for more input, and how many answers are kept for as long as
  // the server says that they stay fresh; 0: none.
  std::size_t input_rounds_max = 10;
  std::size_t cache_entries_max = 100;

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

}  // namespace plumbline::mcp
