// Network opens streams of bytes to other hosts and takes the streams that others open.
//
// fakes::SimNetwork implements it in simulation, os::RealNetwork on sockets and OpenSSL.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/net/pipe.h"

namespace plumbline::net {

// Authority is a host and a port: a name, or an IP literal without brackets.
struct Authority {
  std::string host;
  std::uint16_t port = 0;
  friend bool operator==(const Authority&, const Authority&) = default;
};

// describe returns "host:port", an IPv6 literal in brackets.
std::string describe(const Authority& authority);

// TlsClient is how to open TLS towards a server. The name in the certificate is checked against
// the host that is dialled, which is also sent as SNI when it is no IP literal.
struct TlsClient {
  std::vector<std::string> alpn = {"http/1.1"};
  std::string ca_file;  // PEM, instead of the system's authorities. Empty: the system's.
  bool verify = true;   // Switched off for experiments only.
};

// TlsServer is what a server shows. Both files are PEM.
struct TlsServer {
  std::string certificate_file;
  std::string key_file;
};

// Listener takes streams at one place. Destroying it stops that; streams taken live on.
class Listener {
 public:
  virtual ~Listener() = default;

  // port returns the one it listens on, chosen by the system where 0 was asked for.
  virtual std::uint16_t port() const = 0;
};

class Network {
 public:
  // dial opens a stream; with `tls` it is ready when the handshake is done. kDisconnected: refused
  // or unreachable, try again later; kInvalidInput: no such host, a certificate that is not
  // trusted or is of another name. It has no deadline of its own: see with_deadline.
  virtual Task<Result<std::unique_ptr<Pipe>>> dial(Authority to, std::optional<TlsClient> tls) = 0;

  // OnAccept gets each stream, from the loop, not yet started. With TLS, after the handshake.
  using OnAccept = std::function<void(std::unique_ptr<Pipe> pipe)>;

  // listen takes streams from now on. kInvalidInput: the address is taken or not ours, or a file of
  // `tls` cannot be read.
  virtual Result<std::unique_ptr<Listener>> listen(Authority at, std::optional<TlsServer> tls,
                                                   OnAccept on_accept) = 0;

 protected:
  ~Network() = default;
};

inline std::string describe(const Authority& authority) {
  const bool literal = authority.host.find(':') != std::string::npos;
  return (literal ? "[" + authority.host + "]" : authority.host) + ":" +
         std::to_string(authority.port);
}

}  // namespace plumbline::net
