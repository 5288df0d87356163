#include "conformance/checks/gateway/mirror_server.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/wire/wire_log.h"
#include "core/mcp/transport/message_channel.h"

namespace plumbline::conformance {

namespace {

constexpr int kProgressCount = 20;
constexpr int kErrorCode = -32050;

Json mirror_tool(const char* name, bool read_only) {
  Json tool(Json::value_t::object);
  tool["name"] = name;
  tool["description"] = "A tool of the judge's own server.";
  tool["inputSchema"]["type"] = "object";
  tool["annotations"]["readOnlyHint"] = read_only;
  return tool;
}

Json mirror_capabilities() {
  Json capabilities(Json::value_t::object);
  capabilities["tools"]["listChanged"] = true;
  return capabilities;
}

Json mirror_info() {
  Json info(Json::value_t::object);
  info["name"] = "plumbline-mirror";
  info["version"] = "1";
  return info;
}

transport::StreamableHttpServerOptions mirror_options(std::function<std::string()> new_session_id) {
  transport::StreamableHttpServerOptions options;
  options.access.hosts.clear();  // A gateway may call it by any name.
  options.new_session_id = std::move(new_session_id);
  for (const std::string_view revision : kRevisions) {
    auto& list = is_stateless(revision) ? options.stateless_versions : options.stateful_versions;
    list.emplace_back(revision);
  }
  return options;
}

}  // namespace

// Session is one channel to the gateway.
class MirrorServer::Session final : public transport::MessageReceiver {
 public:
  Session(MirrorServer& owner, std::size_t number,
          std::unique_ptr<transport::MessageChannel> channel)
      : owner_(owner), number_(number), channel_(std::move(channel)) {
    channel_->start(*this);
  }

  void answer(const Json& id, Json result) {
    if (stateless_) {
      result["resultType"] = "complete";
      result["_meta"]["io.modelcontextprotocol/serverInfo"] = mirror_info();
    }
    Json response = skeleton(id);
    response["result"] = std::move(result);
    channel_->send(std::move(response));
  }

  void notify(const std::string& method) {
    Json message(Json::value_t::object);
    message["jsonrpc"] = "2.0";
    message["method"] = method;
    channel_->send(std::move(message));
  }

  // implements transport::MessageReceiver ---
  void on_message(Json message) override {
    owner_.keep(Heard{number_, message});
    const Json* const id = find(message, "id");
    if (id == nullptr) return;
    const std::string method = string_or(message, "method", "");
    if (method.empty()) return finish_asking(message);
    const Json* const params = find(message, "params");
    const Json nothing = Json::object();
    handle(*id, method, params == nullptr ? nothing : *params);
  }
  void on_garbage(std::string_view, const Error&) override {}
  void on_closed(const Error*) override { closed_ = true; }

  bool closed() const { return closed_; }

 private:
  static Json skeleton(const Json& id) {
    Json message(Json::value_t::object);
    message["jsonrpc"] = "2.0";
    message["id"] = id;
    return message;
  }

  void handle(const Json& id, const std::string& method, const Json& params) {
    stateless_ = at_pointer(params, "/_meta/io.modelcontextprotocol~1protocolVersion") != nullptr;
    if (method == "initialize") return initialize(id, params);
    if (method == "server/discover") return discover(id);
    if (method == "ping") return answer(id, Json::object());
    if (method == "tools/list") return list_tools(id);
    if (method == "tools/call") return call(id, params);
    fail(id, -32601, "Method not found");
  }

  void initialize(const Json& id, const Json& params) {
    Json result(Json::value_t::object);
    result["protocolVersion"] = string_or(params, "protocolVersion", kNewestStateful);
    result["capabilities"] = mirror_capabilities();
    result["serverInfo"] = mirror_info();
    answer(id, std::move(result));
  }

  void discover(const Json& id) {
    Json result(Json::value_t::object);
    result["supportedVersions"] = Json::array({kStatelessRevision});
    result["capabilities"] = mirror_capabilities();
    result["ttlMs"] = 0;
    result["cacheScope"] = "private";
    answer(id, std::move(result));
  }

  void list_tools(const Json& id) {
    Json result(Json::value_t::object);
    for (const char* const name : {"echo", "count", "ask", "fail", "hold"}) {
      result["tools"].push_back(mirror_tool(name, true));
    }
    if (stateless_) {
      result["ttlMs"] = 0;
      result["cacheScope"] = "private";
    }
    answer(id, std::move(result));
  }

  void call(const Json& id, const Json& params) {
    const std::string name = string_or(params, "name", "");
    const Json* const given = find(params, "arguments");
    const Json arguments = given == nullptr ? Json::object() : *given;
    if (name == "echo") return answer(id, echoed(arguments, params));
    if (name == "count") return count(id, params);
    if (name == "ask") return ask(id, arguments);
    if (name == "fail") return fail(id, kErrorCode, "as it was asked to", arguments);
    if (name == "hold") {
      if (owner_.held_.size() == kMirrorHeldMax) return fail(id, kErrorCode, "too many are held");
      report_progress(id, params, 1);
      owner_.held_.push_back(Held{number_, id, string_or(arguments, "mark", "")});
      return;
    }
    fail(id, -32602, "Unknown tool: " + name);
  }

  static Json echoed(const Json& arguments, const Json& params) {
    Json result(Json::value_t::object);
    Json& text = result["content"][0];
    text["type"] = "text";
    text["text"] = dump_json(arguments);
    result["structuredContent"] = arguments;
    result["plumblineExtra"]["kept"] = Json::array({1, nullptr, "two"});
    if (const Json* const meta = find(params, "_meta"))
      result["_meta"]["plumbline.dev/saw"] = *meta;
    return result;
  }

  void report_progress(const Json& id, const Json& params, int progress) {
    const Json* const token = at_pointer(params, "/_meta/progressToken");
    if (token == nullptr) return;
    Json message(Json::value_t::object);
    message["jsonrpc"] = "2.0";
    message["method"] = "notifications/progress";
    message["params"]["progressToken"] = *token;
    message["params"]["progress"] = progress;
    send_about(std::move(message), id);
  }

  void count(const Json& id, const Json& params) {
    for (int progress = 1; progress <= kProgressCount; ++progress) {
      report_progress(id, params, progress);
    }
    answer(id, echoed(Json::object(), Json::object()));
  }

  void ask(const Json& id, const Json& arguments) {
    if (asking_.size() == kMirrorHeldMax) return fail(id, kErrorCode, "too much is asked");
    asking_.emplace_back(id);
    Json request = skeleton("mirror-" + std::to_string(asking_.size()));
    request["method"] = "sampling/createMessage";
    Json& params = request["params"];
    params["maxTokens"] = 10;
    params["messages"][0]["role"] = "user";
    params["messages"][0]["content"]["type"] = "text";
    params["messages"][0]["content"]["text"] = string_or(arguments, "mark", "");
    send_about(std::move(request), id);
  }

  // finish_asking ends the call for which the client was asked.
  void finish_asking(const Json& response) {
    const std::string id = string_or(response, "id", "");
    for (std::size_t i = 0; i < asking_.size(); ++i) {
      if (id != "mirror-" + std::to_string(i + 1)) continue;
      const Json* const result = find(response, "result");
      answer(asking_[i], echoed(result == nullptr ? Json::object() : *result, Json::object()));
    }
  }

  void send_about(Json message, const Json& id) {
    const std::optional<rpc::RpcId> about = rpc::read_id(id);
    if (about) channel_->send_about(std::move(message), *about);
  }

  void fail(const Json& id, int code, std::string message, Json data = nullptr) {
    Json response = skeleton(id);
    response["error"]["code"] = code;
    response["error"]["message"] = std::move(message);
    if (!data.is_null()) response["error"]["data"] = std::move(data);
    channel_->send(std::move(response));
  }

  MirrorServer& owner_;
  std::size_t number_;
  std::unique_ptr<transport::MessageChannel> channel_;
  bool stateless_ = false;
  bool closed_ = false;
  std::vector<Json> asking_;  // The ids of the calls of ask.
};

MirrorServer::MirrorServer(Loop& loop, std::function<std::string()> new_session_id)
    : streamable_(loop, mirror_options(std::move(new_session_id)),
                  [this](std::unique_ptr<transport::MessageChannel> channel) {
                    accept(std::move(channel));
                  }),
      http_(loop, *this) {}

MirrorServer::~MirrorServer() = default;

Result<std::unique_ptr<MirrorServer>> MirrorServer::listen(
    Loop& loop, transport::Network& network, transport::Authority at,
    std::function<std::string()> new_session_id) {
  auto server = std::make_unique<MirrorServer>(loop, std::move(new_session_id));
  MirrorServer& taken = *server;
  Result<std::unique_ptr<transport::Listener>> listener = network.listen(
      std::move(at), std::nullopt,
      [&taken](std::unique_ptr<transport::Pipe> pipe) { taken.http_.accept(std::move(pipe)); });
  if (!listener.ok()) return std::move(listener).error();
  server->listener_ = std::move(listener).value();
  return server;
}

// accept begins a session, and lets go of those that are over: none of them is at work now.
void MirrorServer::accept(std::unique_ptr<transport::MessageChannel> channel) {
  std::erase_if(sessions_, [](const auto& session) { return session.second->closed(); });
  const std::size_t number = ++sessions_begun_;
  sessions_[number] = std::make_unique<Session>(*this, number, std::move(channel));
}

void MirrorServer::keep(Heard heard) {
  heard_bytes_ += memory_of(heard.message);
  heard_.push_back(std::move(heard));
  if (heard_.size() <= kMirrorHeardMax && heard_bytes_ <= kMirrorBytesMax) return;
  const auto half = heard_.begin() + static_cast<std::ptrdiff_t>((heard_.size() + 1) / 2);
  for (auto old = heard_.begin(); old != half; ++old) heard_bytes_ -= memory_of(old->message);
  heard_.erase(heard_.begin(), half);
}

const MirrorServer::Held* MirrorServer::held(std::string_view mark) const {
  const auto found = std::ranges::find(held_, mark, &Held::mark);
  return found == held_.end() ? nullptr : &*found;
}

void MirrorServer::release(std::string_view mark) {
  const auto found = std::ranges::find(held_, mark, &Held::mark);
  if (found == held_.end()) return;
  const Held held = *found;
  held_.erase(found);
  Json result(Json::value_t::object);
  result["content"] = Json::array();
  const auto session = sessions_.find(held.session);
  if (session != sessions_.end()) session->second->answer(held.id, std::move(result));
}

void MirrorServer::tell(std::size_t session, const std::string& method) {
  const auto found = sessions_.find(session);
  if (found != sessions_.end()) found->second->notify(method);
}

void MirrorServer::on_request(wire::HttpRequest request, transport::HttpReply reply) {
  wire::HttpRequest head = request;
  head.body.clear();
  requests_.push_back(std::move(head));
  if (requests_.size() > kMirrorHeardMax) {
    requests_.erase(requests_.begin(), requests_.begin() + kMirrorHeardMax / 2);
  }
  streamable_.on_request(std::move(request), std::move(reply));
}

}  // namespace plumbline::conformance
