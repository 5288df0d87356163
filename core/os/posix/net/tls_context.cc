#include "core/os/net/tls_context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/check.h"
#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"

namespace plumbline::os {

namespace {

// alpn_list returns names in the form of the protocol: each after its length.
std::string alpn_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    check(!name.empty() && name.size() < 256, "an ALPN name has 1 to 255 bytes");
    list += static_cast<char>(name.size());
    list += name;
  }
  return list;
}

int choose_alpn(SSL* /*session*/, const unsigned char** out, unsigned char* out_size,
                const unsigned char* offered, unsigned int offered_size, void* /*argument*/) {
  static constexpr std::string_view kOurs("\x08http/1.1");
  unsigned char* chosen = nullptr;
  const int outcome =
      SSL_select_next_proto(&chosen, out_size, reinterpret_cast<const unsigned char*>(kOurs.data()),
                            static_cast<unsigned int>(kOurs.size()), offered, offered_size);
  if (outcome != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

Error bad_file(std::string_view what, const std::string& file) {
  return the_error("file.cannot-use", file + " as " + std::string(what), tls_failure());
}

// trust_system trusts the authorities of the system: those that OpenSSL was built to look for, or
// that SSL_CERT_FILE and SSL_CERT_DIR name; where there are none, those of a system that has them
// elsewhere. None at all: nobody is trusted.
void trust_system(SSL_CTX* context) {
  SSL_CTX_set_default_verify_paths(context);
  const bool named = environment_variable(X509_get_default_cert_file_env()).has_value() ||
                     environment_variable(X509_get_default_cert_dir_env()).has_value();
  if (named || access(X509_get_default_cert_dir(), R_OK) == 0) return;
  for (const char* const file : {"/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                                 "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"}) {
    if (access(file, R_OK) == 0 && SSL_CTX_load_verify_file(context, file) == 1) return;
  }
}

}  // namespace

void TlsContext::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

TlsContext::Owned TlsContext::make() {
  ERR_clear_error();
  Owned context(SSL_CTX_new(TLS_method()));
  check(context != nullptr, "OpenSSL makes no context");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  return context;
}

Result<TlsContext> TlsContext::client(const net::TlsClient& options) {
  Owned context = make();
  SSL_CTX* const raw = context.get();
  if (!options.ca_file.empty()) {
    if (SSL_CTX_load_verify_file(raw, options.ca_file.c_str()) != 1) {
      return the_error("server.ca-file", options.ca_file, tls_failure());
    }
  } else if (options.verify) {
    trust_system(raw);
  }
  SSL_CTX_set_verify(raw, options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  const std::string alpn = alpn_list(options.alpn);
  if (!alpn.empty()) {
    SSL_CTX_set_alpn_protos(raw, reinterpret_cast<const unsigned char*>(alpn.data()),
                            static_cast<unsigned int>(alpn.size()));
  }
  return TlsContext(std::move(context));
}

Result<TlsContext> TlsContext::server(const net::TlsServer& options) {
  Owned context = make();
  SSL_CTX* const raw = context.get();
  if (SSL_CTX_use_certificate_chain_file(raw, options.certificate_file.c_str()) != 1) {
    return bad_file("the certificate of a server", options.certificate_file);
  }
  if (SSL_CTX_use_PrivateKey_file(raw, options.key_file.c_str(), SSL_FILETYPE_PEM) != 1) {
    return bad_file("the key of a server", options.key_file);
  }
  if (SSL_CTX_check_private_key(raw) != 1) {
    return bad_file("the key of " + options.certificate_file, options.key_file);
  }
  SSL_CTX_set_alpn_select_cb(raw, choose_alpn, nullptr);
  // A client that never reads would close with the tickets unread, which looks like a reset.
  SSL_CTX_set_num_tickets(raw, 0);
  return TlsContext(std::move(context));
}

std::string tls_failure() {
  const unsigned long code = ERR_peek_error();
  const char* const reason = ERR_reason_error_string(code);
  std::string text = reason != nullptr ? reason : "unknown reason";
  if (ERR_SYSTEM_ERROR(code)) text = std::generic_category().message(ERR_GET_REASON(code));
  ERR_clear_error();
  return text;
}

}  // namespace plumbline::os
