// TlsPipe is a Pipe that speaks TLS 1.2 or 1.3 over another Pipe, whatever that is.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/lifeline.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/wait.h"
#include "core/net/pipe.h"
#include "core/os/net/tls_context.h"

namespace plumbline::os {

class TlsPipe final : public net::Pipe, private net::PipeReader {
  struct Session;

 public:
  // client checks the certificate against `host` where the context verifies, and sends `host` as
  // SNI when it is a name. server is the other side. `inner` is not yet started.
  static std::unique_ptr<TlsPipe> client(Loop& loop, std::unique_ptr<net::Pipe> inner,
                                         const TlsContext& context, std::string host);
  static std::unique_ptr<TlsPipe> server(Loop& loop, std::unique_ptr<net::Pipe> inner,
                                         const TlsContext& context);

  // Use client() or server().
  TlsPipe(Loop& loop, std::unique_ptr<net::Pipe> inner, std::unique_ptr<Session> session);

  // As close().
  ~TlsPipe() override;

  // handshake is awaited once, before anything else. kInvalidInput: the certificate is refused, in
  // one line that says why, no certificate can be for the host, or the peer speaks no TLS that we
  // do; kDisconnected: it went away.
  Task<Status> handshake();

  // alpn returns the protocol that both agreed on, empty when none was offered.
  std::string alpn() const;

  // implements Pipe ---
  //
  // close_write and close tell the peer that no more comes (close_notify). A stream that ends
  // without that from the peer was cut off: on_end gets kDisconnected.
  void start(net::PipeReader& reader) override;
  void write(std::string bytes) override;
  void close_write() override;
  void close() override;
  std::size_t queued_bytes() const override { return inner_->queued_bytes(); }
  std::size_t held_bytes() const override { return inner_->held_bytes(); }
  void await_drained() override { inner_->await_drained(); }
  std::string peer_address() const override { return inner_->peer_address(); }

 private:
  enum class State { kHandshake, kOpen, kEnded };

  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;
  void on_drained() override {
    if (reader_ != nullptr) reader_->on_drained();
  }

  void advance();
  void read_decrypted();
  void send_pending();
  void say_goodbye();
  void end(std::optional<Error> error);

  Loop& loop_;
  std::unique_ptr<Session> session_;
  State state_ = State::kHandshake;
  Status handshake_result_ = Done{};
  Event handshaken_;
  net::PipeReader* reader_ = nullptr;
  std::optional<Error> inner_error_;
  bool inner_ended_ = false;
  bool read_ended_ = false;  // on_end was called.
  bool goodbye_said_ = false;
  Alarm read_turn_;  // For what arrived with the end of the handshake.
  Lifeline lifeline_;
  std::unique_ptr<net::Pipe> inner_;  // Last: nothing of it may call into the rest.
};

}  // namespace plumbline::os
