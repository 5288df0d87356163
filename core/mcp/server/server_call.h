// ServerCall is what a handler of a server is given: the call, and what it can do about it.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/task.h"
#include "core/mcp/protocol/failure.h"
#include "core/mcp/server/server_engine.h"

namespace plumbline::mcp {

struct ServerCall;

// CallHost is whoever runs calls for a client: a session.
class CallHost {
 public:
  virtual const ClientInfo* client_of(ServerEngine::Key key) const = 0;
  virtual Task<Reply<Json>> ask(ServerEngine::Key key, std::vector<Ask> asks, Instant deadline) = 0;
  virtual Task<Reply<Json>> request(ServerEngine::Key key, std::string method, Json params,
                                    Instant deadline) = 0;
  virtual void progress(ServerEngine::Key key, double value, std::optional<double> total,
                        std::string message) = 0;
  virtual void log(ServerEngine::Key key, std::string_view level, std::string_view logger,
                   Json data) = 0;
  virtual void close_stream(ServerEngine::Key key) = 0;
  // become_task is ServerCall::become_task.
  virtual Reply<Json> become_task(ServerEngine::Call call,
                                  const std::function<Task<Reply<Json>>(ServerCall)>& rest) = 0;

 protected:
  ~CallHost() = default;
};

struct ServerCall {
  CallHost* host = nullptr;  // Outlives the handler's Task.
  ServerEngine::Key key = 0;
  std::string target;  // The tool, the prompt or the URI.
  Json params;
  std::string principal;  // Whom the channel has authenticated; empty: nobody.

  ServerCall() = default;
  ServerCall(CallHost* who, ServerEngine::Call&& call)
      : host(who),
        key(call.key),
        target(std::move(call.target)),
        params(std::move(call.params)),
        principal(std::move(call.principal)) {}

  // client returns who has sent the call. Valid until the handler has waited.
  const ClientInfo& client() const { return *host->client_of(key); }

  // arguments returns params.arguments, an empty object when there are none.
  Json arguments() const;

  // ask puts one question to the client, in every revision. `name` is its own within this call.
  // Before 2026-07-28 it is a request to the client. Since then the call ends here unless the
  // client has already answered: it comes back, the handler starts again from the beginning and
  // asks the same under the same name. So do nothing before the last ask that must not be done
  // twice. A client that lacks the capability is a Failure to be returned as it is.
  Task<Reply<Json>> ask(std::string name, std::string method, Json params, Instant deadline) const;

  // ask_all puts several at once and returns an object: the answers by the names of the questions.
  Task<Reply<Json>> ask_all(std::vector<Ask> asks, Instant deadline) const {
    return host->ask(key, std::move(asks), deadline);
  }

  // request sends the client a request on behalf of this call. kRefused in a stateless revision.
  Task<Reply<Json>> request(std::string method, Json request_params, Instant deadline) const {
    return host->request(key, std::move(method), std::move(request_params), deadline);
  }

  void progress(double value, std::optional<double> total, std::string message) const {
    host->progress(key, value, total, std::move(message));
  }
  void log(std::string_view level, std::string_view logger, Json data) const {
    host->log(key, level, logger, std::move(data));
  }

  // become_task ends this call with a task that `rest` goes on with, given the same call; return
  // what it returns. For tools that have to ask before they start: their description names no
  // taskSupport. kRefused where no client takes tasks by the extension, -32021 when this one does
  // not.
  Reply<Json> become_task(const std::function<Task<Reply<Json>>(ServerCall)>& rest) const;

  // close_stream ends the stream that would carry the answer, where the client can resume it.
  void close_stream() const { host->close_stream(key); }
};

// ServerHandler answers one call. When the client cancels, or goes, the Task is dropped.
using ServerHandler = std::function<Task<Reply<Json>>(ServerCall call)>;

// at_once makes a handler of a function that does not wait.
ServerHandler at_once(std::function<Reply<Json>(const Json& params)> answer);

// ServerHandlers says who answers what.
class ServerHandlers {
 public:
  // set names who answers `method` (tools/call, resources/read, prompts/get,
  // completion/complete) for `target`; an empty target answers for all that have no own handler.
  void set(std::string method, std::string target, ServerHandler handler);

  // find returns nullptr when nobody does.
  const ServerHandler* find(const std::string& method, const std::string& target) const;

 private:
  using Target = std::pair<std::string, std::string>;  // Method, target.

  std::map<Target, ServerHandler> handlers_;
};

}  // namespace plumbline::mcp
