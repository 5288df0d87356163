// ClientEra is what differs between kinds of revision: how a conversation opens, what each request
// carries, how results are read. The engine knows the rest and no revision.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/mcp/client_options.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

class ClientEra {
 public:
  virtual ~ClientEra() = default;

  // Opening is the request that opens the conversation.
  struct Opening {
    std::string method;
    Json params;
  };
  virtual Opening opening(const ClientOptions& options) const = 0;

  // read_opening judges the answer. A Failure closes the conversation.
  virtual Reply<ServerInfo> read_opening(const ClientOptions& options, Json result) const = 0;

  // confirmation returns the notification that follows an accepted opening, if there is one.
  virtual std::optional<rpc::Notification> confirmation() const = 0;

  // dress adds to `params` what every request after the opening carries. `params` is an object or
  // null, and stays null when there is nothing to add.
  virtual void dress(Json& params) const = 0;

  // read_result checks the result of `method` and strips what belongs to the era alone.
  virtual Reply<Json> read_result(std::string_view method, Json result) const = 0;

  // server_may_ask returns whether the server may send requests of its own.
  virtual bool server_may_ask() const = 0;
};

// stateful_era is the era of initialize: 2024-11-05 to 2025-11-25.
std::unique_ptr<ClientEra> stateful_era();

}  // namespace plumbline::mcp
