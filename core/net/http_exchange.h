// HttpExchange is one request of an HttpClient and its answer, as those see it who ask.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/net/network.h"
#include "core/wire/http.h"

namespace plumbline::net {

class HttpAuthorizer;

// Worth is what an exchange is to who starts it. Nobody has to sign in for one that is optional
// while what shows who they are is good for the rest.
enum class Worth { kNeeded, kOptional };

// HttpExchangeReader hears one answer: its head, its body in pieces, its end; or that it failed,
// wherever it was. Everything comes from the loop. It may destroy the exchange from any function.
class HttpExchangeReader {
 public:
  virtual void on_head(int status, const wire::HttpHeaders& headers) = 0;
  virtual void on_body(std::string_view bytes) = 0;

  // One of these is the last. on_failed: kDisconnected; kInvalidInput for a host or a certificate
  // that is wrong; kDeadlineExceeded; kLimitReached: too many wait. `connected` is false when the
  // request never left us because there is no connection to be had.
  virtual void on_end() = 0;
  virtual void on_failed(const Error& error, bool connected) = 0;

 protected:
  ~HttpExchangeReader() = default;
};

// HttpExchange is one request and its answer. Destroying it before its end drops its connection,
// so the server learns of it. It must be destroyed before the client.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  // take_pipe hands over the connection. Only inside on_head of status 101. What the server sent
  // behind its answer is read first.
  virtual std::unique_ptr<Pipe> take_pipe() = 0;
};

struct HttpClientOptions {
  wire::HttpLimits limits;
  TlsClient tls;
  Duration connect_timeout = limits::kConnectTimeout;
  Duration reuse_max = limits::kHttpReuseMax;  // How long a connection may have been idle.
  // To one origin; the rest waits its turn. A few more are kept for exchanges with a deadline.
  std::size_t connections_max = limits::kHttpConnectionsPerOriginMax;
  // Past these an exchange fails with kLimitReached, not connected.
  std::size_t waiting_max = limits::kHttpWaitingMax;
  std::size_t waiting_bytes_max = limits::kHttpWaitingBytesMax;
  // Looks after every exchange, and must outlive the client; nullptr: nobody does.
  HttpAuthorizer* authorizer = nullptr;
};

// too_many_waiting is how a connection ends whose server lets our messages pile up.
inline Error too_many_waiting() {
  return {ErrorCode::kLimitReached,
          "the server lets more than " + std::to_string(limits::kHttpWaitingMax) + " messages or " +
              std::to_string(limits::kHttpWaitingBytesMax >> 20U) + " MB wait"};
}

}  // namespace plumbline::net
