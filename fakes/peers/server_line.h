// ServerLine is the speaking half of a scripted server: it turns answers into messages, bends them
// as the script's deviations say, and sends them.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.h"
#include "fakes/peers/answer.h"
#include "fakes/peers/server_port.h"
#include "fakes/peers/server_script.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::fakes {

// ServerRequest is what the client asked. Without an id it is a notification, or the server's own
// start, and gets no answer.
struct ServerRequest {
  std::string method;
  Json params;
  std::optional<Json> id;
};

class ServerLine {
 public:
  // `script` and `process` (may be null) must outlive the line.
  ServerLine(const ServerScript& script, std::unique_ptr<ServerPort> port, Process* process)
      : script_(script), port_(std::move(port)), process_(process) {}

  void start(transport::MessageReceiver& receiver) { port_->start(receiver); }

  // answer sends `answer` under `id`, which is the request's own unless a step says otherwise.
  void answer(const ServerRequest& request, const Json& id, Answer answer);

  // half_answer sends the first half of that, and no line end.
  void half_answer(const ServerRequest& request, const Json& id, Answer answer);

  // refuse answers what cannot be attributed to a request: the id is null.
  void refuse(int code, std::string_view message);

  // notify and request go with the answer to the request `about`; null: with none.
  void notify(std::string_view method, Json params, const Json& about = nullptr);

  // request asks the client; new_id returns an id for a question.
  void request(const Json& id, std::string_view method, Json params, const Json& about = nullptr);
  Json new_id();

  // message and raw send something as it is.
  void message(Json value) { port_->send(std::move(value)); }
  void raw(std::string text) { port_->send_raw(std::move(text)); }

  void write_stderr(std::string_view text);

  // stuck returns whether the process stands still in a write to stderr.
  bool stuck() const { return process_ != nullptr && process_->stderr_full(); }
  void close() { port_->close_send(); }
  void reset() { port_->reset(); }

  // end ends the process. Without one, an orderly end closes the output and any other breaks the
  // connection.
  void end(net::ExitStatus status);

  // ended returns whether end() was called: a dead server does nothing more.
  bool ended() const { return ended_; }

 private:
  Json response(const ServerRequest& request, const Json& id, Answer answer) const;
  void send(std::string_view method, Json message, const Json& about = nullptr);
  void misbehave_before(const ServerRequest& request);
  void misbehave_after(const ServerRequest& request, bool failed);

  const ServerScript& script_;
  std::unique_ptr<ServerPort> port_;
  Process* process_;
  std::int64_t next_id_ = 0;
  bool ended_ = false;
};

// progress_token returns the token that a request asks progress for, nullptr when it asks none.
const Json* progress_token(const Json& params);

}  // namespace plumbline::fakes
