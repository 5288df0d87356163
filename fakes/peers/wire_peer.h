// WirePeer is a client for tests that knows nothing but lines and Json: what a scripted server
// says is judged by its bytes.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "fakes/testing/pipe_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::fakes {

class WirePeer {
 public:
  WirePeer(SimLoop& loop, net::Pipe& pipe) : loop_(loop), pipe_(pipe) { pipe.start(log_); }

  void send(const Json& message) { pipe_.write(dump_json(message) + "\n"); }
  void send_text(std::string text) { pipe_.write(std::move(text)); }

  void request(const Json& id, std::string_view method, Json params = nullptr) {
    Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
    if (!params.is_null()) message["params"] = std::move(params);
    send(message);
  }
  void notify(std::string_view method, Json params = nullptr) {
    Json message = {{"jsonrpc", "2.0"}, {"method", method}};
    if (!params.is_null()) message["params"] = std::move(params);
    send(message);
  }

  // ask sends a request and returns the lines that came until the world fell idle.
  std::vector<Json> ask(const Json& id, std::string_view method, Json params = nullptr) {
    request(id, method, std::move(params));
    return settle();
  }

  // settle runs the world until it is idle and returns the messages that came meanwhile. A line
  // that is not JSON is returned as {"not_json": line}.
  std::vector<Json> settle(Instant until = kNever) {
    check(loop_.run_until_idle(100'000, until).ok(), "the world is restless");
    std::vector<Json> messages;
    std::string_view text = std::string_view(log_.text).substr(read_);
    for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
      Result<Json> message = parse_json(text.substr(0, end));
      messages.push_back(message.ok() ? std::move(message).value()
                                      : Json{{"not_json", text.substr(0, end)}});
      text.remove_prefix(end + 1);
    }
    read_ = log_.text.size() - text.size();
    return messages;
  }

  // shake_hands opens the session and returns the answer to initialize.
  Json shake_hands(std::string_view revision = "2025-11-25") {
    const std::vector<Json> answers = ask(0, "initialize",
                                          {{"protocolVersion", revision},
                                           {"capabilities", Json::object()},
                                           {"clientInfo", {{"name", "peer"}, {"version", "1"}}}});
    notify("notifications/initialized");
    settle();
    return answers.empty() ? Json() : answers.front();
  }

  // unread returns the bytes after the last whole line.
  std::string_view unread() const { return std::string_view(log_.text).substr(read_); }
  const PipeLog& log() const { return log_; }

 private:
  SimLoop& loop_;
  net::Pipe& pipe_;
  PipeLog log_;
  std::size_t read_ = 0;
};

}  // namespace plumbline::fakes
