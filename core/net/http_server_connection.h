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
#include "core/net/http_server.h"
#include "core/net/pipe_switch.h"

namespace plumbline::transport {

class HttpServerConnection final : private PipeReader {
 public:
  // `slot` is where the server keeps it.
  HttpServerConnection(HttpServer& server, std::unique_ptr<Pipe> pipe, std::size_t slot);
  ~HttpServerConnection();

  void start();

  std::size_t slot() const { return slot_; }
  void set_slot(std::size_t slot) { slot_ = slot; }

  // reading_bytes returns how much is here of a request that is not whole; 0 while one is answered.
  std::size_t reading_bytes() const { return reply_ == nullptr && !closing_ ? counted_bytes_ : 0; }
  // refuse answers what is being read, and closes.
  void refuse(const wire::HttpRequestReader::Problem& problem);

 private:
  friend class HttpReply;

  // What an HttpReply does ---
  void respond(const wire::HttpResponse& response);
  void open_stream(int status, const wire::HttpHeaders& headers);
  void write(std::string_view bytes);
  void end();
  std::unique_ptr<Pipe> upgrade(const wire::HttpHeaders& headers);
  void abandoned();

  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  // serve hands out the requests that are complete, one after the other.
  void serve();
  // answered makes way for the next request.
  void answered();
  // count tells the server how many bytes of requests are here now.
  void count();
  // close_in_order ends our direction and gives the peer a moment to read what it got.
  void close_in_order();
  void give_up_waiting();
  // release takes the reply's hand off this connection. Returns what it wants called.
  std::function<void()> release();
  // break_off destroys this connection, and then tells who waits for its reply.
  void break_off();

  HttpServer& server_;
  std::unique_ptr<PipeSwitch> pipe_;  // Null once it was handed over.
  std::size_t slot_;
  std::optional<wire::HttpRequestReader> reader_;  // Always there.
  HttpReply* reply_ = nullptr;                     // Of the request that is with the handler.
  bool streaming_ = false;                         // Its answer has begun.
  bool keep_alive_ = true;                         // As its request asked.
  bool head_only_ = false;                         // It was HEAD.
  bool serving_ = false;                           // serve() is on the stack.
  bool closing_ = false;                           // Nothing is read any more.
  std::size_t waiting_bytes_ = 0;                  // Read while a request was with the handler.
  std::size_t request_bytes_ = 0;  // Of the body of the request that is with the handler.
  std::size_t counted_bytes_ = 0;  // As the server knows them.
  Instant idle_since_;
  Alarm next_turn_;
  Alarm patience_;
  Lifeline lifeline_;
};

}  // namespace plumbline::transport
