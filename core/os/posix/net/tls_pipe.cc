#include "core/os/posix/net/tls_pipe.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/base/errors/errors.h"
#include "core/base/limits.h"
#include "core/os/posix/net/tls_refusal.h"

namespace plumbline::os {

namespace {

constexpr std::size_t kRecordBytesMax = 16U << 10U;  // RFC 8446 section 5.1.

}  // namespace

// Session is OpenSSL's state, between two memory BIOs.
struct TlsPipe::Session {
  struct Free {
    void operator()(SSL* owned) const { SSL_free(owned); }
  };

  explicit Session(const TlsContext& context) : ssl(SSL_new(context.get())) {
    check(ssl != nullptr, "OpenSSL makes no session");
    in = BIO_new(BIO_s_mem());
    out = BIO_new(BIO_s_mem());
    check(in != nullptr && out != nullptr, "OpenSSL makes no buffer");
    SSL_set_bio(ssl.get(), in, out);
    SSL_set_app_data(ssl.get(), this);
  }

  // expect sets the host that the certificate must be for, and SNI. A name that OpenSSL does not
  // take must not end as no name to check.
  void expect(std::string name) {
    host = std::move(name);
    if (host.ends_with('.')) host.pop_back();
    SSL_set_connect_state(ssl.get());
    X509_VERIFY_PARAM* const wanted = SSL_get0_param(ssl.get());
    if (X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) != 1) {
      fit = !host.empty() && X509_VERIFY_PARAM_set1_host(wanted, host.data(), host.size()) == 1 &&
            SSL_set_tlsext_host_name(ssl.get(), host.c_str()) == 1;
      X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    }
    ERR_clear_error();  // A name is no IP address.
    SSL_set_verify(ssl.get(), SSL_get_verify_mode(ssl.get()), note_refusal);
  }

  static int note_refusal(int fine, X509_STORE_CTX* verification) {
    if (fine == 1) return fine;
    const auto* const ssl = static_cast<const SSL*>(
        X509_STORE_CTX_get_ex_data(verification, SSL_get_ex_data_X509_STORE_CTX_idx()));
    auto* const session = static_cast<Session*>(SSL_get_app_data(ssl));
    if (session->refusal.empty()) session->refusal = certificate_refusal(verification);
    return fine;
  }

  // failure returns why the handshake failed, for one line.
  Error failure() const {
    const std::string why = tls_failure();
    if (!refusal.empty()) {
      return the_error("server.not-trusted", host, refusal);
    }
    const std::string with = host.empty() ? "a client" : "\"" + host + "\"";
    return the_error("server.tls", with, why);
  }

  std::unique_ptr<SSL, Free> ssl;
  BIO* in = nullptr;   // Of `ssl`.
  BIO* out = nullptr;  // Of `ssl`.
  std::string host;    // Empty at a server.
  bool fit = true;     // A certificate can be for it.
  std::string refusal;
};

std::unique_ptr<TlsPipe> TlsPipe::client(Loop& loop, std::unique_ptr<net::Pipe> inner,
                                         const TlsContext& context, std::string host) {
  check(!host.empty(), "a certificate is checked against a host");
  auto session = std::make_unique<Session>(context);
  session->expect(std::move(host));
  return std::make_unique<TlsPipe>(loop, std::move(inner), std::move(session));
}

std::unique_ptr<TlsPipe> TlsPipe::server(Loop& loop, std::unique_ptr<net::Pipe> inner,
                                         const TlsContext& context) {
  auto session = std::make_unique<Session>(context);
  SSL_set_accept_state(session->ssl.get());
  return std::make_unique<TlsPipe>(loop, std::move(inner), std::move(session));
}

TlsPipe::TlsPipe(Loop& loop, std::unique_ptr<net::Pipe> inner, std::unique_ptr<Session> session)
    : loop_(loop),
      session_(std::move(session)),
      read_turn_([this] { read_decrypted(); }),
      inner_(std::move(inner)) {}

TlsPipe::~TlsPipe() { close(); }

Task<Status> TlsPipe::handshake() {
  if (!session_->fit) {
    co_return the_error("server.tls-name", session_->host);
  }
  inner_->start(*this);
  advance();
  co_await handshaken_.wait(loop_, kNever);
  co_return handshake_result_;
}

std::string TlsPipe::alpn() const {
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(session_->ssl.get(), &name, &size);
  return size == 0 ? "" : std::string(reinterpret_cast<const char*>(name), size);
}

void TlsPipe::advance() {
  ERR_clear_error();
  const int outcome = SSL_do_handshake(session_->ssl.get());
  const int error = outcome == 1 ? SSL_ERROR_NONE : SSL_get_error(session_->ssl.get(), outcome);
  send_pending();
  if (error == SSL_ERROR_WANT_READ) return;
  state_ = error == SSL_ERROR_NONE ? State::kOpen : State::kEnded;
  if (state_ == State::kEnded) handshake_result_ = session_->failure();
  handshaken_.set();  // May destroy this.
}

void TlsPipe::start(net::PipeReader& reader) {
  check(state_ != State::kHandshake, "a stream is read after its handshake");
  check(reader_ == nullptr, "a pipe is started once");
  if (state_ == State::kEnded) return;
  reader_ = &reader;
  if (inner_ended_ || BIO_ctrl_pending(session_->in) > 0 || SSL_has_pending(session_->ssl.get())) {
    loop_.arm(read_turn_, loop_.now());
  }
}

void TlsPipe::on_bytes(std::string_view bytes) {
  if (state_ == State::kEnded || read_ended_) return;
  if (reader_ == nullptr && BIO_ctrl_pending(session_->in) > limits::kWriteQueueBytesMax) return;
  BIO_write(session_->in, bytes.data(), static_cast<int>(bytes.size()));
  if (state_ == State::kHandshake) return advance();
  if (reader_ != nullptr) return read_decrypted();
}

void TlsPipe::on_end(const Error* error) {
  inner_ended_ = true;
  if (error != nullptr) inner_error_ = *error;
  if (state_ == State::kHandshake) {
    state_ = State::kEnded;
    handshake_result_ = the_error_as(ErrorCode::kDisconnected, "server.tls-ended");
    return handshaken_.set();  // May destroy this.
  }
  if (reader_ != nullptr) read_decrypted();
}

void TlsPipe::write(std::string bytes) {
  if (state_ != State::kOpen || goodbye_said_ || bytes.empty()) return;
  ERR_clear_error();
  std::size_t written = 0;
  SSL_write_ex(session_->ssl.get(), bytes.data(), bytes.size(), &written);
  send_pending();
}

void TlsPipe::close_write() {
  if (state_ != State::kOpen || goodbye_said_) return;
  say_goodbye();
  inner_->close_write();
}

void TlsPipe::close() {
  reader_ = nullptr;
  read_turn_.cancel();
  if (state_ == State::kOpen && !goodbye_said_) say_goodbye();
  state_ = State::kEnded;
  inner_->close();
}

void TlsPipe::say_goodbye() {
  goodbye_said_ = true;
  ERR_clear_error();
  SSL_shutdown(session_->ssl.get());
  send_pending();
}

void TlsPipe::send_pending() {
  const std::size_t size = BIO_ctrl_pending(session_->out);
  if (size == 0) return;
  std::string bytes(size, '\0');
  BIO_read(session_->out, bytes.data(), static_cast<int>(size));
  inner_->write(std::move(bytes));
}

void TlsPipe::read_decrypted() {
  const Lifeline::Guard guard(lifeline_);
  std::array<char, kRecordBytesMax> record;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  for (;;) {
    ERR_clear_error();
    std::size_t size = 0;
    const int outcome = SSL_read_ex(session_->ssl.get(), record.data(), record.size(), &size);
    if (outcome == 1) {
      reader_->on_bytes(std::string_view(record.data(), size));
      if (!guard.alive() || reader_ == nullptr) return;
      continue;
    }
    const int error = SSL_get_error(session_->ssl.get(), outcome);
    send_pending();
    if (error == SSL_ERROR_WANT_READ) break;
    if (error == SSL_ERROR_ZERO_RETURN) return end({});
    return end(the_error_as(ErrorCode::kDisconnected, "server.tls-broke", tls_failure()));
  }
  if (!inner_ended_) return;
  if (inner_error_) return end(std::move(inner_error_));
  end(the_error_as(ErrorCode::kDisconnected, "server.cut-off"));
}

// end tells the reader, once. The stream can still be written after an orderly end.
void TlsPipe::end(std::optional<Error> error) {
  net::PipeReader* const reader = std::exchange(reader_, nullptr);
  read_ended_ = true;
  if (error) {
    state_ = State::kEnded;
    inner_->close();
  }
  reader->on_end(error ? &*error : nullptr);
}

}  // namespace plumbline::os
