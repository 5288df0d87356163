// HttpServerConnection is one connection of an HttpServer: at most one request at a time is with
// the handler.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/budget/guest_rounds.h"
#include "core/base/budget/guests.h"
#include "core/base/lifeline.h"
#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/net/http_access.h"
#include "core/net/http_reply.h"
#include "core/net/pipe_switch.h"

namespace plumbline::net {

// most_of_all and most_of_each are what all callers of a server together, and one of them, may take
// unless it is told otherwise.
Amounts most_of_all();
Amounts most_of_each();

struct HttpServerOptions {
  wire::HttpLimits limits;
  Duration idle_max = limits::kHttpIdleMax;  // From one answer to the end of the next request.
  // What all callers together and each of them may take. A connection too many is closed at once.
  // Past the bytes of text (of requests that are read or answered, and of answers that nobody
  // takes) the caller is refused: 429 of its share, 503 of all; of all who sends the largest.
  Amounts all = most_of_all();
  Amounts each = most_of_each();
  std::vector<std::string> proxies;  // Addresses whose X-Forwarded-For is believed.
  // refusal makes the answer to what never came to the handler: no HTTP, too large, too much, of a
  // stranger.
  // Empty: one line of text.
  std::function<wire::HttpResponse(int status, const std::string& what)> refusal{};
};

class HttpServerConnection final : private HttpReplyTarget,
                                   private PipeReader,
                                   private GuestRounds::Waiting {
 public:
  // Owner is the server, as its connections see it.
  class Owner {
   public:
    virtual HttpHandler& handler() = 0;
    virtual const HttpAccess& access() const = 0;
    virtual const HttpServerOptions& options() const = 0;
    // forget destroys the connection.
    virtual void forget(HttpServerConnection& connection) = 0;
    virtual Guests& guests() = 0;
    virtual GuestRounds& turns() = 0;
    // make_room refuses the largest of the requests that are being read, unless that is the one of
    // `asking`. Returns whether it did.
    virtual bool make_room(const HttpServerConnection& asking) = 0;
    // draining returns whether each answer is to be the last of its connection.
    virtual bool draining() const = 0;

   protected:
    ~Owner() = default;
  };

  // Caller is who has made a connection, and what it was charged with for that.
  struct Caller {
    std::string address;
    Share share;
    Held connection;
  };

  // `slot` is where the server keeps it.
  HttpServerConnection(Loop& loop, Owner& owner, std::unique_ptr<Pipe> pipe, Caller caller,
                       std::size_t slot);
  ~HttpServerConnection();

  void start();

  std::size_t slot() const { return slot_; }
  void set_slot(std::size_t slot) { slot_ = slot; }

  // reading_bytes returns how much is here of a request that is not whole; 0 while one is answered.
  std::size_t reading_bytes() const {
    return !awaits_reply() && !closing_ ? static_cast<std::size_t>(held_.amount()) : 0;
  }
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
  std::string peer_address() const override { return caller_.address; }
  Share share_of(const std::string& principal) const override;
  const Guests& guests() const override { return owner_.guests(); }

  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;
  void on_drained() override;

  // implements GuestRounds::Waiting ---
  void on_turn() override;

  // serve hands out the requests that are complete, each when it is its caller's turn and the
  // answers before it were taken. `has_turn`: the first has.
  void serve(bool has_turn = false);
  bool may_serve(bool has_turn);
  // guest_of returns whose turn and share a request takes.
  std::string guest_of(const wire::HttpRequest& request) const;
  // hand_over gives a request to the handler, or refuses it where it is a stranger's.
  void hand_over(wire::HttpRequest request);
  // refusal_of makes the answer to what the handler does not get.
  wire::HttpResponse refusal_of(int status, const std::string& what) const;
  // answered makes way for the next request.
  void answered();
  // bytes_here returns how many bytes there are of requests, and of answers that nobody takes.
  std::size_t bytes_here() const;
  // count charges for them. False: there is no room for so many.
  bool count() { return held_.grow_to(bytes_here()); }
  // send writes what was said; a peer that takes none of it, past its share, loses the connection.
  void send(std::string bytes);
  void stay_within();
  // end_soon destroys this connection from the loop, and tells who waits for its reply.
  void end_soon();
  // close_in_order ends our direction and gives the peer a moment to read what it got.
  void close_in_order();
  void give_up_waiting();
  // break_off destroys this connection, and then tells who waits for its reply.
  void break_off();

  Loop& loop_;
  Owner& owner_;
  std::unique_ptr<PipeSwitch> pipe_;  // Null once it was handed over.
  Caller caller_;
  Held held_;  // Bytes of text.
  std::size_t slot_;
  std::optional<wire::HttpRequestReader> reader_;  // Always there.
  bool keep_alive_ = true;                         // As the request that is answered asked.
  bool head_only_ = false;                         // It was HEAD.
  bool serving_ = false;                           // serve() is on the stack.
  bool closing_ = false;                           // Nothing is read any more.
  std::optional<wire::HttpRequest> next_;          // Whole, and not served yet.
  std::string guest_;                              // Of next_, and of the one that is answered.
  std::size_t waiting_bytes_ = 0;                  // Read while a request was with the handler.
  std::size_t request_bytes_ = 0;                  // Of the bodies of those two.
  Instant idle_since_;
  Alarm next_turn_;
  Alarm patience_;
  Lifeline lifeline_;
};

}  // namespace plumbline::net
