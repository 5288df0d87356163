// HttpServerConnection is one connection of an HttpServer: at most one request at a time is with
// the handler.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/lifeline.h"
#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/net/http_access.h"
#include "core/net/http_reply.h"
#include "core/net/pipe_switch.h"

namespace plumbline::net {

struct HttpServerOptions {
  wire::HttpLimits limits;
  Duration idle_max = limits::kHttpIdleMax;  // From one answer to the end of the next request.
  std::size_t connections_max = limits::kHttpConnectionsMax;  // More are closed at once.
  // Of all requests that are being read or answered. Past it 503 goes to who sends the largest.
  std::size_t bytes_max = limits::kHttpServerBytesMax;
  // refusal makes the answer to what never came to the handler: no HTTP, too large, too much, of a
  // stranger.
  // Empty: one line of text.
  std::function<wire::HttpResponse(int status, const std::string& what)> refusal{};
};

class HttpServerConnection final : private HttpReplyTarget, private PipeReader {
 public:
  // Owner is the server, as its connections see it.
  class Owner {
   public:
    virtual HttpHandler& handler() = 0;
    virtual const HttpAccess& access() const = 0;
    virtual const HttpServerOptions& options() const = 0;
    // forget destroys the connection.
    virtual void forget(HttpServerConnection& connection) = 0;
    // on_held tells how many bytes of requests a connection holds now, and held before.
    virtual void on_held(std::size_t before, std::size_t now) = 0;
    // is_full returns whether all connections together hold too many; make_room mends that.
    virtual bool is_full() const = 0;
    virtual void make_room() = 0;
    // draining returns whether each answer is to be the last of its connection.
    virtual bool draining() const = 0;

   protected:
    ~Owner() = default;
  };

  // `slot` is where the server keeps it.
  HttpServerConnection(Loop& loop, Owner& owner, std::unique_ptr<Pipe> pipe, std::size_t slot);
  ~HttpServerConnection();

  void start();

  std::size_t slot() const { return slot_; }
  void set_slot(std::size_t slot) { slot_ = slot; }

  // reading_bytes returns how much is here of a request that is not whole; 0 while one is answered.
  std::size_t reading_bytes() const { return !awaits_reply() && !closing_ ? counted_bytes_ : 0; }
  // drain closes the connection unless a request is being read or answered.
  void drain();
  // refuse answers what is being read, and closes.
  void refuse(const wire::HttpRequestReader::Problem& problem);

 private:
  // implements HttpReplyTarget ---
  void respond(const wire::HttpResponse& response) override;
  void open_stream(int status, const wire::HttpHeaders& headers) override;
  void write(std::string_view bytes) override;
  void end() override;
  void break_stream() override;
  std::unique_ptr<Pipe> upgrade(const wire::HttpHeaders& headers) override;
  std::string peer_address() const override { return pipe_->peer_address(); }

  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  // serve hands out the requests that are complete, one after the other.
  void serve();
  // hand_over gives a request to the handler, or refuses it where it is a stranger's.
  void hand_over(wire::HttpRequest request);
  // refusal_of makes the answer to what the handler does not get.
  wire::HttpResponse refusal_of(int status, const std::string& what) const;
  // answered makes way for the next request.
  void answered();
  // count tells the owner how many bytes of requests are here now.
  void count();
  // close_in_order ends our direction and gives the peer a moment to read what it got.
  void close_in_order();
  void give_up_waiting();
  // break_off destroys this connection, and then tells who waits for its reply.
  void break_off();

  Loop& loop_;
  Owner& owner_;
  std::unique_ptr<PipeSwitch> pipe_;  // Null once it was handed over.
  std::size_t slot_;
  std::optional<wire::HttpRequestReader> reader_;  // Always there.
  bool keep_alive_ = true;                         // As the request that is answered asked.
  bool head_only_ = false;                         // It was HEAD.
  bool serving_ = false;                           // serve() is on the stack.
  bool closing_ = false;                           // Nothing is read any more.
  std::size_t waiting_bytes_ = 0;                  // Read while a request was with the handler.
  std::size_t request_bytes_ = 0;  // Of the body of the request that is with the handler.
  std::size_t counted_bytes_ = 0;  // As the owner knows them.
  Instant idle_since_;
  Alarm next_turn_;
  Alarm patience_;
  Lifeline lifeline_;
};

}  // namespace plumbline::net
