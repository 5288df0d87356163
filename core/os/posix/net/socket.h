// Sockets of TCP: addresses, and the few calls that make them. Everything here is non-blocking,
// closed on exec and, where it carries bytes, sends without delay (TCP_NODELAY).

#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/net/network.h"
#include "core/os/fd.h"

namespace plumbline::os {

// SocketAddress is a numeric address and a port, IPv4 or IPv6.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

// literal_address returns the address that `at` spells in numbers, nothing when it is a name.
std::optional<SocketAddress> literal_address(const net::Authority& at);

// own_address returns where to listen for `at`. A name is looked up at once, waiting for the
// system; its IPv4 address comes first. kInvalidInput: no such host.
Result<SocketAddress> own_address(const net::Authority& at);

// open_listening binds and listens. kInvalidInput: the address is taken or not ours.
Result<Fd> open_listening(const SocketAddress& at, const std::string& name);

// port_of returns the port that a bound socket has.
std::uint16_t port_of(const Fd& socket);

// accept_one takes the next stream. Returns the errno where there is none.
Result<Fd, int> accept_one(int listening);

// begin_connect starts connecting: the socket becomes writable when that has ended, and
// connect_error then returns 0 or the errno. Returns the errno where it cannot even start.
Result<Fd, int> begin_connect(const SocketAddress& to);
int connect_error(const Fd& socket);

}  // namespace plumbline::os
