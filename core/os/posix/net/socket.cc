#include "core/os/posix/net/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "core/base/errors/errors.h"

namespace plumbline::os {

namespace {

constexpr int kStreamFlags = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

AddressList look_up(const net::Authority& at, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (at.host.empty() ||
      getaddrinfo(at.host.c_str(), std::to_string(at.port).c_str(), &hints, &found) != 0) {
    found = nullptr;
  }
  return AddressList(found, freeaddrinfo);
}

SocketAddress address_of(const addrinfo& info) {
  SocketAddress address;
  std::memcpy(&address.storage, info.ai_addr, info.ai_addrlen);
  address.size = info.ai_addrlen;
  return address;
}

void set_option(const Fd& socket, int level, int option) {
  const int on = 1;
  setsockopt(socket.number(), level, option, &on, sizeof on);  // A refusal costs only speed.
}

}  // namespace

std::optional<SocketAddress> literal_address(const net::Authority& at) {
  const AddressList found = look_up(at, AI_NUMERICHOST);
  if (found == nullptr) return std::nullopt;
  return address_of(*found);
}

Result<SocketAddress> own_address(const net::Authority& at) {
  const AddressList found = look_up(at, AI_PASSIVE);
  if (found == nullptr) {
    return Error{ErrorCode::kInvalidInput, "there is no host \"" + at.host + "\" to listen at"};
  }
  for (const addrinfo* info = found.get(); info != nullptr; info = info->ai_next) {
    if (info->ai_family == AF_INET) return address_of(*info);
  }
  return address_of(*found);
}

Result<Fd> open_listening(const SocketAddress& at, const std::string& name) {
  const auto refuse = [&name](int error) {
    return the_error("network.taken", name, reason_of(error));
  };
  Fd socket(::socket(at.storage.ss_family, kStreamFlags, 0));
  if (!socket.open()) return refuse(errno);
  set_option(socket, SOL_SOCKET, SO_REUSEADDR);
  if (::bind(socket.number(), at.data(), at.size) != 0) return refuse(errno);
  if (::listen(socket.number(), SOMAXCONN) != 0) return refuse(errno);
  return socket;
}

std::uint16_t port_of(const Fd& socket) {
  SocketAddress address;
  address.size = sizeof address.storage;
  auto* const data = reinterpret_cast<sockaddr*>(&address.storage);
  check(getsockname(socket.number(), data, &address.size) == 0, "a socket of ours has no name");
  if (address.storage.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(data)->sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in*>(data)->sin_port);
}

Result<Fd, int> accept_one(int listening) {
  Fd socket(::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.open()) return errno;
  set_option(socket, IPPROTO_TCP, TCP_NODELAY);
  return socket;
}

Result<Fd, int> begin_connect(const SocketAddress& to) {
  Fd socket(::socket(to.storage.ss_family, kStreamFlags, 0));
  if (!socket.open()) return errno;
  set_option(socket, IPPROTO_TCP, TCP_NODELAY);
  if (::connect(socket.number(), to.data(), to.size) != 0 && errno != EINPROGRESS) return errno;
  return socket;
}

int connect_error(const Fd& socket) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  return error;
}

}  // namespace plumbline::os
