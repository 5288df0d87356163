// ServerEra is what differs between kinds of revision on the server's side: how a conversation
// opens, and what is known of the client when a request arrives.

#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "core/mcp/failure.h"
#include "core/mcp/server_options.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

// server_capabilities returns what initialize declares to a client of `revision`.
Json server_capabilities(const ServerOptions& options, Revision revision);

class ServerEra {
 public:
  virtual ~ServerEra() = default;

  // admit decides about a request before any method is looked at: a Reply answers it at once, a
  // ClientInfo lets it in, asked by that client.
  using Admission = std::variant<const ClientInfo*, Reply<Json>>;
  virtual Admission admit(const ServerOptions& options, const rpc::Request& request) = 0;

  // hear learns of a notification, before anybody else.
  virtual void hear(const rpc::Notification& notification) = 0;

  // client returns who is at the other end, nullptr while that is not known.
  virtual const ClientInfo* client() const = 0;

  // ready returns whether the server may send requests and notifications of its own.
  virtual bool ready() const = 0;
};

// stateful_server_era is the era of initialize: 2024-11-05 to 2025-11-25.
std::unique_ptr<ServerEra> stateful_server_era();

}  // namespace plumbline::mcp
