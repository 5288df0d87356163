// StdioConnector starts each server as a child process and talks lines with it.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/mcp/transport/connection.h"
#include "core/net/spawner.h"

namespace plumbline::transport {

class StdioConnector final : public Connector {
 public:
  // `loop` and `spawner` must outlive the connector and its connections. `stop_grace` is the wait
  // between the steps of transport::stop. A line of more than `line_bytes_max` bytes is garbage.
  StdioConnector(Loop& loop, net::Spawner& spawner, std::map<std::string, net::Command> servers,
                 Duration stop_grace, std::size_t line_bytes_max = limits::kMessageBytesMax);

  // implements Connector ---------------------------------------------------------------------
  Task<Result<std::unique_ptr<Connection>>> connect(std::string server) override;

 private:
  Loop& loop_;
  net::Spawner& spawner_;
  std::map<std::string, net::Command> servers_;
  Duration stop_grace_;
  std::size_t line_bytes_max_;
};

}  // namespace plumbline::transport
