#include "fakes/peers/server_line.h"

#include <utility>

#include "fakes/peers/bend.h"
#include "fakes/peers/stateless.h"

namespace plumbline::fakes {

const Json* progress_token(const Json& params) {
  const Json* const meta = find(params, "_meta");
  return meta == nullptr ? nullptr : find(*meta, "progressToken");
}

Json ServerLine::response(const ServerRequest& request, const Json& id, Answer answer) const {
  const DeviationSet& wrong = script_.deviations;
  if (script_.is_stateless() && !answer.failed) {
    complete_result(script_, request.method, answer.body);
  }
  if (wrong.any()) bend_answer(script_, request.method, request.params, answer);
  Json message = Json::object();
  add_last(message, "id", id);
  add_last(message, "jsonrpc", "2.0");
  add_last(message, answer.failed ? "error" : "result", std::move(answer.body));
  if (wrong.any() && request.method != "initialize") bend_envelope(wrong, message);
  return message;
}

void ServerLine::answer(const ServerRequest& request, const Json& id, Answer answer) {
  const bool wrong = script_.deviations.any();
  const bool failed = answer.failed;
  if (wrong) misbehave_before(request);
  Json message = response(request, id, std::move(answer));
  if (wrong && request.method != "initialize" && script_.deviations.has(Deviation::kRepliesTwice)) {
    send(request.method, message);
  }
  send(request.method, std::move(message));
  if (wrong) misbehave_after(request, failed);
}

void ServerLine::half_answer(const ServerRequest& request, const Json& id, Answer answer) {
  const Json message = response(request, id, std::move(answer));
  const std::string text = script_.deviations.any()
                               ? frame(script_.deviations, request.method, message)
                               : dump_json(message);
  raw(text.substr(0, text.size() / 2));
}

void ServerLine::refuse(int code, std::string_view message) {
  Json refusal = {{"jsonrpc", "2.0"}, {"id", nullptr}};
  refusal["error"] = make_error(code, message).body;
  port_->send(std::move(refusal));
}

void ServerLine::notify(std::string_view method, Json params, const Json& about) {
  Json message = {{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  send("", std::move(message), about);
}

Json ServerLine::new_id() {
  if (!script_.deviations.has(Deviation::kRequestIdReused)) ++next_id_;
  return "server-" + std::to_string(next_id_);
}

void ServerLine::request(const Json& id, std::string_view method, Json params, const Json& about) {
  Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  send("", std::move(message), about);
}

void ServerLine::write_stderr(std::string_view text) {
  if (process_ != nullptr) process_->write_stderr(text);
}

void ServerLine::end(net::ExitStatus status) {
  if (std::exchange(ended_, true)) return;
  if (process_ != nullptr) return process_->exit(status);
  if (status == net::ExitStatus()) return port_->close_send();
  port_->reset();
}

void ServerLine::send(std::string_view method, Json message, const Json& about) {
  // The answer to initialize is framed as it should be: see deviations.h.
  if (!script_.deviations.any() || method == "initialize") {
    if (about.is_null()) return port_->send(std::move(message));
    return port_->send_about(std::move(message), about);
  }
  port_->send_raw(frame(script_.deviations, method, message));
}

void ServerLine::misbehave_before(const ServerRequest& request) {
  const DeviationSet& wrong = script_.deviations;
  if (request.method == "initialize") return;
  if (wrong.has(Deviation::kUnknownNotification)) notify("notifications/unheard_of", nullptr);
  if (wrong.has(Deviation::kProgressUnknownToken)) {
    notify("notifications/progress", {{"progressToken", "never-given"}, {"progress", 1}});
  }
  const Json* const token = progress_token(request.params);
  if (token != nullptr && wrong.has(Deviation::kProgressGoesBack)) {
    notify("notifications/progress", {{"progressToken", *token}, {"progress", 2}});
    notify("notifications/progress", {{"progressToken", *token}, {"progress", 1}});
  }
}

void ServerLine::misbehave_after(const ServerRequest& request, bool failed) {
  const DeviationSet& wrong = script_.deviations;
  const Json* const token = progress_token(request.params);
  if (token != nullptr && wrong.has(Deviation::kProgressAfterReply)) {
    notify("notifications/progress", {{"progressToken", *token}, {"progress", 100}});
  }
  if (failed) return;
  if (request.method == "initialize" && wrong.has(Deviation::kRequestBeforeInitialized)) {
    this->request(new_id(), "roots/list", nullptr);
  }
  if (request.method == "tools/list" && wrong.has(Deviation::kListChangedLoop)) {
    notify("notifications/tools/list_changed", nullptr);
  }
}

}  // namespace plumbline::fakes
