// Operations counts what the orchestrator does to the world outside of it (dials and spawns, reads,
// writes, messages, checkpoints) and makes one of them fail. It stands between the engines and
// whatever carries their bytes or values.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/mcp/transport/connection.h"
#include "core/net/network.h"
#include "core/net/spawner.h"

namespace plumbline::scenarios {

class Operations {
 public:
  // Both must outlive it. Number `nth` fails; 0: none is counted, and none fails.
  Operations(Loop& loop, EventSink& events, std::int64_t nth)
      : loop_(loop), events_(events), nth_(nth) {}

  bool on() const { return nth_ > 0; }
  std::int64_t counted() const { return counted_; }

  // fails counts an operation and returns whether it is the one to fail.
  bool fails(std::string_view what);

  Loop& loop() { return loop_; }

 private:
  Loop& loop_;
  EventSink& events_;
  std::int64_t nth_;
  std::int64_t counted_ = 0;
};

// These stand before what they are made of, which must outlive them. An operation on a stream that
// fails breaks the stream: both ends learn of it.
class FailingSpawner final : public net::Spawner {
 public:
  FailingSpawner(net::Spawner& spawner, Operations& operations)
      : spawner_(spawner), operations_(operations) {}

  // implements transport::Spawner ---
  Result<std::unique_ptr<net::Child>> spawn(const net::Command& command) override;

 private:
  net::Spawner& spawner_;
  Operations& operations_;
};

class FailingNetwork final : public net::Network {
 public:
  FailingNetwork(net::Network& network, Operations& operations)
      : network_(network), operations_(operations) {}

  // implements transport::Network --- What listens is not ours, and is left alone.
  Task<Result<std::unique_ptr<net::Pipe>>> dial(net::Authority to,
                                                std::optional<net::TlsClient> tls) override;
  Result<std::unique_ptr<net::Listener>> listen(net::Authority at,
                                                std::optional<net::TlsServer> tls,
                                                OnAccept on_accept) override {
    return network_.listen(std::move(at), std::move(tls), std::move(on_accept));
  }

 private:
  net::Network& network_;
  Operations& operations_;
};

class FailingConnector final : public transport::Connector {
 public:
  FailingConnector(transport::Connector& connector, Operations& operations)
      : connector_(connector), operations_(operations) {}

  // implements transport::Connector ---
  Task<Result<std::unique_ptr<transport::Connection>>> connect(std::string server) override;

 private:
  transport::Connector& connector_;
  Operations& operations_;
};

}  // namespace plumbline::scenarios
