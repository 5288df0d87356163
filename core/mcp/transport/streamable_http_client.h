// StreamableHttpClient is the client's side of the Streamable HTTP transport, of every revision
// since 2025-03-26: it reads from the messages that pass which of them is spoken.
//
// A request that names its revision in _meta is stateless: it carries all it needs in headers, and
// taking it back closes its exchange. Otherwise there is a session: initialize opens it, its id
// and revision go with everything after it, a GET stream hears what the server says by itself, and
// streams that break are resumed where they stood.
//
// Spec 2026-07-28, basic/transports/streamable-http; 2025-11-25, basic/transports.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/lifeline.h"
#include "core/base/limits.h"
#include "core/base/loop.h"
#include "core/base/retry_policy.h"
#include "core/base/wait.h"
#include "core/mcp/protocol/mcp_headers.h"
#include "core/mcp/transport/channel_kit.h"
#include "core/mcp/transport/message_channel.h"
#include "core/net/http_answer.h"
#include "core/net/http_client.h"

namespace plumbline::transport {

struct StreamableHttpClientOptions {
  wire::HttpHeaders headers;  // Sent with every request: Authorization and the like.
  // Of a stream that breaks, until there is an event. The server may say how long to wait.
  RetryPolicy resume = {
      .backoff = Backoff::kFixed, .cap = Duration::max(), .tries_max = limits::kResumeTriesMax + 1};
  Duration farewell_timeout = limits::kStopGrace;  // For DELETE.
  // A tool that was dropped out of a list, and what is wrong with its x-mcp-header annotations.
  std::function<void(const std::string& tool, const std::string& why)> on_tool_dropped;
};

class StreamableHttpClient final : public MessageChannel, private net::HttpAnswerReader {
 public:
  // `client` must outlive the channel. Nothing is sent before the first message.
  StreamableHttpClient(net::HttpClient& client, wire::Url endpoint,
                       StreamableHttpClientOptions options = {});
  ~StreamableHttpClient() override;

  // implements MessageChannel ---

  // A server that cannot be reached at all, that has ended the session, or that lets our messages
  // pile up (kLimitReached), closes the channel.
  void start(MessageReceiver& receiver) override;
  void send(Json message) override;
  // close_send ends the session with a DELETE; on_closed follows in bounded time.
  void close_send() override;
  void close() override;

  // end_session sends the DELETE, if there is a session and none was sent; also after close().
  // session_ended() is set when it was answered or took too long, at once when there is no need.
  void end_session();
  Event& session_ended() { return session_ended_; }

  // last_refusal returns the status with which initialize was refused; 0: it was not.
  int last_refusal() const { return last_refusal_; }

 private:
  struct Waiting {
    rpc::RpcId id;
    std::string method;
  };
  // Call is one POST, or the GET stream, over all the exchanges it takes to hear its end.
  struct Call {
    explicit Call(const RetryPolicy& resume) : retries(resume) {}

    bool listening = false;  // The GET stream that nothing was asked on.
    bool heard = false;      // It was open once.
    bool stateless = false;
    bool opens_gate = false;   // What was sent later waits for its answer.
    bool then_listen = false;  // It was notifications/initialized.
    bool in_session = false;   // Its last exchange carried the session's id.
    bool resumed = false;
    bool dead = false;  // Swept soon.
    Retries retries;    // To resume it, since the last event.
    Instant opened{};   // Its last exchange.
    std::vector<Waiting> waiting;
    std::string last_event_id;
    std::optional<Duration> retry;  // As the server says.
    std::unique_ptr<net::HttpAnswer> answer;
    std::unique_ptr<Alarm> later;  // Resumes it, or gives up a stream that ought to end.
  };
  using Calls = std::vector<std::unique_ptr<Call>>;

  // implements HttpAnswerReader ---
  void on_answer_head(net::HttpAnswer& answer) override;
  void on_answer_event(net::HttpAnswer& answer, wire::SseEvent event) override;
  void on_answer_over(net::HttpAnswer& answer, const Error* error, bool connected) override;

  // Sending ---
  void hold(Json message);
  void post(Json message);
  void note_requests(Call& call, const Json& message) const;
  // take_back drops the exchange of the request that a cancellation is about. Returns whether that
  // is all there is to do.
  bool take_back(const Json& message);
  void listen();
  void resume(Call& call);
  void open_gate();
  wire::HttpRequest request_of(std::string method) const;
  void add_session_headers(wire::HttpRequest& request, Call& call) const;
  void start(Call& call, wire::HttpRequest request, Instant deadline);

  // Receiving. Each returns whether `call`, and with it the channel, is still there. ---
  bool deliver_text(Call& call, std::string_view text);
  bool deliver(Call& call, Json message);
  bool lose(Call& call, ErrorCode code, const std::string& why);
  bool take_body(Call& call);
  bool take_json(Call& call);
  bool take_refusal(Call& call);
  void note_answer(const Json& answer, Json* result);
  void note_answers(Json& message);
  void learn_tools(Json& result);
  void over(Call& call, const Error* error);
  void resume_later(Call& call);
  void finish_with(Error error);

  Call& call_of(const net::HttpAnswer& answer);
  Call* call_waiting_for(const rpc::RpcId& id, std::size_t& at);
  void forget(Call& call);
  void forget_all();
  void sweep();
  void end_turn();

  net::HttpClient& client_;
  wire::Url endpoint_;
  StreamableHttpClientOptions options_;
  MessageReceiver* receiver_ = nullptr;  // Null before start() and once nothing may be called.
  bool closing_ = false;

  std::string session_id_;
  bool session_served_ = false;  // It was good for something.
  std::string version_;          // As the answer to initialize says; empty before 2025-06-18.
  bool gate_closed_ = false;
  HeldMessages held_;             // Sent while the gate was closed.
  std::optional<Error> overrun_;  // They are too many.
  std::map<std::string, std::vector<ParamHeader>, std::less<>> tools_;
  int last_refusal_ = 0;

  Calls calls_;
  std::unique_ptr<net::HttpAnswer> farewell_;
  Event session_ended_;
  Alarm end_turn_;
  Alarm sweep_turn_;
  Lifeline lifeline_;
};

}  // namespace plumbline::transport
