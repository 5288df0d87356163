// PeerWork runs the handlers of ClientOptions for what the server wants to know: by a request of
// its own, or as input to one of our calls.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/mcp/client/client_engine.h"
#include "core/mcp/client/client_options.h"

namespace plumbline::mcp {

// handler_of returns the handler of `options` for what a server may ask: roots/list,
// sampling/createMessage or elicitation/create.
const PeerHandler& handler_of(const ClientOptions& options, std::string_view method);

class PeerWork {
 public:
  // What the handlers say goes to `engine`. `on_settled` is called whenever that has happened in
  // the loop; a handler that answers at once does so before start() returns. `loop` and `engine`
  // must outlive it.
  PeerWork(Loop& loop, ClientEngine& engine, std::function<void()> on_settled);
  PeerWork(const PeerWork&) = delete;
  PeerWork& operator=(const PeerWork&) = delete;

  // start begins to work on a request of the server, or on all the inputs that a call needs: the
  // first that cannot be given ends the call.
  void start(ClientEngine::Asked& asked);
  void start(ClientEngine::InputNeeded& needed);

  // stop drops the handlers of a request that the server has taken back, or of a call that is over.
  void stop(const rpc::RpcId& asked);
  void stop(std::int64_t call);

 private:
  struct Answered {
    std::int64_t work;
    Reply<Json> reply;
    Answered(std::int64_t id, Reply<Json> said) : work(id), reply(std::move(said)) {}
  };
  struct Work {
    std::optional<rpc::RpcId> asked;  // A request of the server; else an input of `call`.
    std::int64_t call = 0;
    std::string name;
    Task<void> task;
  };
  // Inputs are the answers that one of our calls waits for.
  struct Inputs {
    Json responses = Json::object();
    std::size_t missing = 0;
  };

  void run(Work work, Task<Reply<Json>> answer);
  Task<void> watch(std::int64_t work, Task<Reply<Json>> answer);
  void settle();
  void settle_one(Answered answered);
  template <typename Which>
  void drop(Which which);

  Loop& loop_;
  ClientEngine& engine_;
  std::function<void()> on_settled_;
  std::map<std::int64_t, Inputs> inputs_;  // By call.
  std::vector<Answered> answered_;
  std::int64_t next_work_ = 1;
  Alarm settle_;  // A handler that has waited ends in the loop, never inside its own Task.
  std::vector<Work> dropped_;
  std::map<std::int64_t, Work> works_;  // Last: dropped first.
};

}  // namespace plumbline::mcp
