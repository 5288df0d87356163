// How a server learns who asks: from initialize, once, or from each request on its own.

#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/mcp/protocol/failure.h"
#include "core/mcp/server/server_options.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

// offers_tools, offers_prompts and offers_resources return whether that is among what is declared.
bool offers_tools(const ServerOptions& options);
bool offers_prompts(const ServerOptions& options);
bool offers_resources(const ServerOptions& options);

// server_capabilities returns what is declared to a client of `revision`.
Json server_capabilities(const ServerOptions& options, Revision revision);

// server_info returns name, version and title as `revision` knows them.
Json server_info(const ServerOptions& options, Revision revision);

// has_handshake returns whether the server supports a revision that opens with initialize.
bool has_handshake(const ServerOptions& options);

// has_requests_alone returns whether the server supports a revision whose requests say who asks.
bool has_requests_alone(const ServerOptions& options);

// is_stateless_request returns whether `request` names a protocol version of its own.
bool is_stateless_request(const rpc::Request& request);

// read_client returns who sends a stateless request. -32602 for a missing key of _meta, -32022
// for a version that is not spoken.
//
// Spec 2026-07-28, basic/index, _meta (MUST); basic/versioning, Version Negotiation (MUST).
Reply<ClientInfo> read_client(const ServerOptions& options, const rpc::Request& request);

// Opening is the handshake of the revisions up to 2025-11-25.
class Opening {
 public:
  // initialize answers the request. An error leaves the opening as it was.
  //
  // Spec 2025-11-25, basic/lifecycle, Initialization and Version Negotiation (MUST);
  // spec 2026-07-28, basic/versioning (SHOULD name the versions when there is no handshake).
  Reply<Json> initialize(const ServerOptions& options, const Json& params);

  // hear learns of a notification.
  void hear(const rpc::Notification& notification);

  // client returns who is at the other end, nullptr before initialize.
  const ClientInfo* client() const { return client_ ? &*client_ : nullptr; }

  // ready returns whether the server may send requests and notifications of its own.
  bool ready() const { return ready_; }

 private:
  std::optional<ClientInfo> client_;
  bool ready_ = false;
};

}  // namespace plumbline::mcp
