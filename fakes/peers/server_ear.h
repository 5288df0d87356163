// ServerEar hears all that a scripted server hears, says and does, whatever carries it: for who
// judges a client by the wire alone.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/json/json.h"
#include "fakes/peers/server_port.h"

namespace plumbline::fakes {

class ServerEar {
 public:
  // connected tells of one more connection and returns its number.
  virtual std::int64_t connected() = 0;
  virtual void heard(std::int64_t connection, const Json& message) = 0;
  virtual void heard_garbage(std::int64_t connection, std::string_view bytes) = 0;
  virtual void said(std::int64_t connection, const Json& message) = 0;
  virtual void said_raw(std::int64_t connection, std::string_view text) = 0;
  virtual void client_left(std::int64_t connection) = 0;

  // rule_met tells that something fits a rule of the script, followed or not: what the rules count.
  virtual void rule_met(std::size_t rule) = 0;

  // rule_followed tells that the server does what a rule of the script says.
  virtual void rule_followed(std::size_t rule) = 0;

 protected:
  ~ServerEar() = default;
};

// make_told_port returns `port`, and tells `ear` of all that passes. `ear` must outlive it.
std::unique_ptr<ServerPort> make_told_port(std::unique_ptr<ServerPort> port, ServerEar& ear);

}  // namespace plumbline::fakes
