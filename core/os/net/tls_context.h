// TlsContext is what many TLS streams share: certificates, keys and settings, read once.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/net/network.h"

struct ssl_ctx_st;

namespace plumbline::os {

class TlsContext {
 public:
  // client and server read the files they name. The system's authorities are OpenSSL's, which the
  // variables SSL_CERT_FILE and SSL_CERT_DIR move. kInvalidInput: one line that names the file.
  static Result<TlsContext> client(const net::TlsClient& options);

  // A server takes "http/1.1" where the client offers protocols, and refuses one who offers only
  // others.
  static Result<TlsContext> server(const net::TlsServer& options);

  ssl_ctx_st* get() const { return context_.get(); }

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  using Owned = std::unique_ptr<ssl_ctx_st, Free>;

  explicit TlsContext(Owned context) : context_(std::move(context)) {}
  static Owned make();

  Owned context_;
};

// tls_failure returns the first of OpenSSL's queue of errors, and empties it.
std::string tls_failure();

}  // namespace plumbline::os
