#include "scenarios/real/asked_calls.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/graph/node.h"
#include "scenarios/judge/event_text.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kShownAnswerMax = 60;

// first_line returns the first line of the first text in a result; empty when it has none.
std::string first_line(const Json& result) {
  for (const char* const list : {"content", "contents"}) {
    const Json* const items = find(result, list);
    if (items == nullptr || !items->is_array() || items->empty()) continue;
    std::string text = string_or(items->front(), "text", "");
    text.resize(std::min(text.find('\n'), text.size()));
    return text.size() <= kShownAnswerMax ? text : "";
  }
  return "";
}

// Listener makes requests and calls of the lines of a trace.
class Listener {
 public:
  explicit Listener(std::vector<AskedRequest>& requests) : requests_(requests) {}

  void hear(const Json& line) {
    const std::string kind = string_or(line, "kind", "");
    const Json* const detail = find(line, "detail");
    if (detail == nullptr) return;
    if (kind == "edge_taken" && string_or(line, "who", "") == graph::kStart) return begin();
    if (kind == "message_sent") return sent(string_or(line, "who", ""), *detail);
    if (kind == "message_received") return received(string_or(line, "who", ""), *detail);
  }

 private:
  void begin() {
    ++at_;
    calls_ = 0;
    open_ = nullptr;
  }

  void sent(std::string server, const Json& message) {
    const std::string method = string_or(message, "method", "");
    if (!is_call(method) || at_ == 0 || at_ > requests_.size()) return;
    AskedCall& call = requests_[at_ - 1].call;
    if (++calls_ > 1) {
      call.once = false;
      open_ = nullptr;
      return;
    }
    call.server = std::move(server);
    call.method = method;
    if (const Json* const params = find(message, "params")) call.params = *params;
    if (const Json* const id = find(message, "id")) id_ = *id;
    open_ = &call;
  }

  void received(const std::string& server, const Json& message) {
    if (open_ == nullptr || server != open_->server) return;
    const Json* const id = find(message, "id");
    const Json* const result = find(message, "result");
    if (id == nullptr || *id != id_ || result == nullptr || bool_or(*result, "isError", false)) {
      return;
    }
    open_->once = true;
    open_->answer = first_line(*result);
    open_ = nullptr;
  }

  std::vector<AskedRequest>& requests_;
  std::size_t at_ = 0;      // Of the requests, counted from 1.
  std::int64_t calls_ = 0;  // Of this request.
  AskedCall* open_ = nullptr;
  Json id_;
};

}  // namespace

std::vector<AskedRequest> asked_requests(const Scenario& scenario) {
  const UserSpec& user = scenario.users.front();
  std::vector<AskedRequest> requests;
  for (std::int64_t time = 0; time < user.times; ++time) {
    requests.push_back({user.input_of(time + 1), time == 0 ? user.begins : user.pause, {}});
  }
  RunOptions options;
  options.want.trace = true;
  const RunResult played = run_scenario(scenario, options);
  Listener listener(requests);
  std::string_view trace = played.trace;
  while (!trace.empty()) {
    const std::size_t end = std::min(trace.find('\n'), trace.size());
    const Result<Json> line = parse_json(trace.substr(0, end));
    trace.remove_prefix(std::min(end + 1, trace.size()));
    if (line.ok()) listener.hear(line.value());
  }
  return requests;
}

Json call_json(const AskedCall& call) {
  if (call.method.empty()) return nullptr;
  Json out = {{"server", call.server}, {"method", call.method}};
  for (const char* const member : {"name", "uri", "arguments"}) {
    if (const Json* const value = find(call.params, member)) out[member] = *value;
  }
  return out;
}

Json requests_file(const std::vector<AskedRequest>& requests) {
  Json list = Json::array();
  for (const AskedRequest& request : requests) {
    list.push_back({{"input", request.input},
                    {"pause_ms", milliseconds_of(request.pause)},
                    {"call", call_json(request.call)}});
  }
  return list;
}

}  // namespace plumbline::scenarios
