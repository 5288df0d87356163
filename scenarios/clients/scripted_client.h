// ScriptedClient follows a ClientScript against a server of ours: it says what no client of ours
// would say, and judges what it hears by the script alone.

#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/base/wait.h"
#include "core/events/trace_event.h"
#include "core/mcp/transport/connection.h"
#include "core/net/http_client.h"
#include "core/net/spawner.h"
#include "fakes/peers/server_port.h"
#include "scenarios/spec/client_script.h"

namespace plumbline::scenarios {

// ClientBoard is what the clients of a world keep of answers, for each other: "alice.state".
class ClientBoard final {
 public:
  void keep(const std::string& name, Json value);
  const Json* find(const std::string& name) const { return plumbline::find(kept_, name); }

  // wait_for waits until somebody has kept `name`, and returns whether that was before `deadline`.
  Task<bool> wait_for(Loop& loop, std::string name, Instant deadline);

  const Json& all() const { return kept_; }

 private:
  Json kept_ = Json::object();
  std::vector<Event*> waiting_;
};

// ClientLine is one connection of a client, over a network or to a child process.
struct ClientLine {
  std::unique_ptr<net::Child> child;
  std::unique_ptr<transport::Connection> connection;
  std::unique_ptr<fakes::ServerPort> port;  // Speaks over one of them.
};

// ClientPlace is where clients reach the server.
class ClientPlace {
 public:
  virtual Task<Result<ClientLine>> connect() = 0;

  // http is for exchanges outside of every connection; only where url() is not null.
  virtual net::HttpClient& http() = 0;
  virtual const wire::Url* url() const = 0;

 protected:
  ~ClientPlace() = default;
};

class ScriptedClient final {
 public:
  // All must outlive the client. Emits what it sends and hears.
  ScriptedClient(const ClientScript& script, Loop& loop, ClientPlace& place, ClientBoard& board,
                 EventSink& events)
      : script_(script), loop_(loop), place_(place), board_(board), events_(events) {}
  ScriptedClient(const ScriptedClient&) = delete;
  ScriptedClient& operator=(const ScriptedClient&) = delete;

  // run does the steps in order, up to the first that does not come out as it says.
  Task<void> run();

  // failure returns what did not come out: "alice, step 2 (request): ..., expected ...".
  const std::optional<std::string>& failure() const { return failure_; }

  // hang_up drops every connection at once. A child process only reads the end of its input.
  void hang_up();

 private:
  // Ear is what one connection has brought.
  class Ear final : public transport::MessageReceiver {
   public:
    Ear(ScriptedClient& client, ClientLine line) : client_(client), line_(std::move(line)) {
      line_.port->start(*this);
    }

    // implements MessageReceiver ---
    void on_message(Json message) override;
    void on_garbage(std::string_view bytes, const Error& error) override;
    void on_lost(const rpc::RpcId& id, const Error& error) override;
    void on_closed(const Error* error) override;

    ClientLine& line() { return line_; }
    std::deque<Json> heard;
    Event news;
    bool closed = false;

   private:
    ScriptedClient& client_;
    ClientLine line_;
  };

  Task<void> take(const ClientStep* step, std::size_t number);
  Task<bool> fill(Json* what, Instant deadline);
  Task<void> open(const ClientStep* step);
  Task<void> request(const ClientStep* step, Json message);
  Task<void> hear(const ClientStep* step, Json pattern);
  Task<void> exchange(const ClientStep* step, Json what);
  Task<Json> answer_to(Json id, Instant deadline);
  void send(Json message);
  Json with_meta(Json message) const;
  bool judge(const ClientStep& step, const Json& answer);
  void keep(const ClientStep& step, const Json& answer, const wire::HttpHeaders* headers);
  void fail(const std::string& saw, const std::string& expected);
  void tell(EventKind kind, const Json& detail);

  const ClientScript& script_;
  Loop& loop_;
  ClientPlace& place_;
  ClientBoard& board_;
  EventSink& events_;
  std::deque<Ear> ears_;  // The last one is spoken over.
  std::int64_t last_id_ = 0;
  std::string here_;  // The step, for messages.
  std::optional<std::string> failure_;
};

}  // namespace plumbline::scenarios
