// HttpSession is the server's channel of one stateful session of Streamable HTTP: many requests
// over many connections, and one GET stream for what belongs to none of them.
//
// Spec 2025-11-25, basic/transports, Streamable HTTP.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget/guests.h"
#include "core/base/lifeline.h"
#include "core/mcp/transport/message_channel.h"
#include "core/net/http_event_stream.h"

namespace plumbline::transport {

class HttpSession;

// HttpSessionOwner finds sessions by their ids.
class HttpSessionOwner {
 public:
  // session_over is called once, when no request may reach the session any more.
  virtual void session_over(HttpSession& session) = 0;

 protected:
  ~HttpSessionOwner() = default;
};

struct HttpSessionOptions {
  Duration idle_max = limits::kHttpSessionIdleMax;  // Without a request or an open stream.
  Duration keep_alive{};                            // Between comments on streams; zero: none.
  Duration retry = std::chrono::milliseconds(500);  // Told to clients whose stream we close.
  std::size_t replay_bytes_max = limits::kReplayBytesMax;
};

class HttpSession final : public MessageChannel {
 public:
  // Seat is whose session it is, and what was taken for it.
  struct Seat {
    std::string principal;
    Share share;
    Held charge;
  };
  HttpSession(Loop& loop, HttpSessionOwner& owner, std::string id, Seat seat,
              const HttpSessionOptions& options);
  ~HttpSession() override;

  const std::string& id() const { return id_; }
  const std::string& principal() const { return seat_.principal; }
  // version is the one that initialize was answered with; empty before.
  const std::string& version() const { return version_; }
  Lifeline& lifeline() { return lifeline_; }
  // orphan forgets the owner, which is going.
  void orphan() { owner_ = nullptr; }

  // post takes the message of one POST, checked to be one, and what was charged for it, which is
  // held until it is answered. listen takes the GET stream; with
  // `last_event_id` it resumes a stream behind that event. end ends the session for the client.
  // Each may destroy the session.
  void post(Json message, Held charge, net::HttpReply reply);
  void listen(std::optional<std::string_view> last_event_id, net::HttpReply reply);
  void end();

  // implements MessageChannel ---
  void start(MessageReceiver& receiver) override;
  void send(Json message) override;
  void send_about(Json message, const rpc::RpcId& about) override;
  void close_stream(const rpc::RpcId& about) override;
  void leave_unanswered(const rpc::RpcId& about) override;
  void close_send() override;
  void close() override;

 private:
  // Stream is what answers one POST, or the GET stream: kListening. It may outlive connections.
  struct Stream {
    std::optional<net::HttpEventStream> out;  // Empty: no connection, for now.
    Held charge;                              // Of what was posted, until it is answered.
    std::uint64_t last_event = 0;
    std::uint64_t last_written = 0;
    std::size_t waiting = 0;  // Requests without answer.
    bool events = false;      // It is a stream of events; else nothing was said yet.
    bool initializes = false;
    bool finished = false;
  };
  struct Event {
    std::uint64_t stream = 0;
    std::uint64_t number = 0;
    std::string text;
  };
  using Streams = std::map<std::uint64_t, Stream>;
  static constexpr std::uint64_t kListening = 0;

  // note_requests books the requests of `message` on a stream. Returns false when an id is taken.
  bool note_requests(const Json& message, std::uint64_t number);
  void take(Json message);
  void turn();
  void answer(std::uint64_t number, Json message, std::size_t answers);
  void emit(std::uint64_t number, const Json& message);
  void begin_events(std::uint64_t number, Stream& stream);
  void prime(std::uint64_t number, Stream& stream);
  void attach(std::uint64_t number, net::HttpReply reply, std::uint64_t behind);
  void keep(std::uint64_t number, const Stream& stream, std::string text);
  void finish(std::uint64_t number);
  void forget_stream(std::uint64_t number);
  void lost_connection(std::uint64_t number);
  void over();
  void touch();
  void tired();
  std::string event_id(std::uint64_t number, const Stream& stream) const;

  Loop& loop_;
  HttpSessionOwner* owner_;  // Null once it was told that the session is over.
  std::string id_;
  Seat seat_;
  HttpSessionOptions options_;
  std::string version_;
  MessageReceiver* receiver_ = nullptr;  // Null before start() and once nothing may be called.
  bool started_ = false;
  bool over_ = false;
  std::vector<Json> inbox_;  // Came before start().

  Streams streams_;
  std::uint64_t next_stream_ = 1;
  std::map<rpc::RpcId, std::uint64_t> asked_;  // By whom its answer is carried.
  std::deque<Event> events_;                   // For resumption, the oldest first.
  std::size_t event_bytes_ = 0;
  Held events_charge_;

  Instant last_used_;
  Alarm turn_;
  Alarm tired_;
  Lifeline lifeline_;
};

}  // namespace plumbline::transport
