#include "core/mcp/transport/streamable_http_client.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/rare.h"
#include "core/mcp/protocol/revision.h"

namespace plumbline::transport {

namespace {

constexpr Duration kLongEnough = std::chrono::seconds(10);  // Of a stream that is no failure.

bool is_response(const Json& message) {
  return message.is_object() && !message.contains("method") && message.contains("id");
}

}  // namespace

StreamableHttpClient::StreamableHttpClient(net::HttpClient& client, wire::Url endpoint,
                                           StreamableHttpClientOptions options)
    : client_(client),
      endpoint_(std::move(endpoint)),
      options_(std::move(options)),
      end_turn_([this] { end_turn(); }),
      sweep_turn_([this] { sweep(); }) {}

StreamableHttpClient::~StreamableHttpClient() = default;

void StreamableHttpClient::start(MessageReceiver& receiver) {
  check(receiver_ == nullptr && !closing_, "a channel is started once");
  receiver_ = &receiver;
}

void StreamableHttpClient::send(Json message) {
  if (receiver_ == nullptr || closing_) return;
  if (gate_closed_) return hold(std::move(message));
  if (string_or(message, "method", "") == "notifications/cancelled" && take_back(message)) return;
  post(std::move(message));
}

void StreamableHttpClient::hold(Json message) {
  if (overrun_ || held_.add(std::move(message))) return;
  overrun_ = net::too_many_waiting();
  client_.loop().arm(end_turn_, client_.loop().now());
}

void StreamableHttpClient::close_send() {
  if (receiver_ == nullptr || std::exchange(closing_, true)) return;
  forget_all();
  end_session();
  if (session_ended_.is_set()) client_.loop().arm(end_turn_, client_.loop().now());
}

void StreamableHttpClient::close() {
  closing_ = true;
  receiver_ = nullptr;
  forget_all();
}

void StreamableHttpClient::end_session() {
  if (farewell_ != nullptr || session_ended_.is_set()) return;
  if (session_id_.empty()) return session_ended_.set();
  wire::HttpRequest request = request_of("DELETE");
  Call unused(options_.resume);
  add_session_headers(request, unused);
  net::HttpAnswerReader& reader = *this;
  farewell_ =
      std::make_unique<net::HttpAnswer>(client_, endpoint_, std::move(request), reader,
                                        after(client_.loop().now(), options_.farewell_timeout));
  session_id_.clear();
}

void StreamableHttpClient::end_turn() {
  if (overrun_ && !closing_) return finish_with(*overrun_);
  MessageReceiver* const receiver = std::exchange(receiver_, nullptr);
  const Lifeline::Guard guard(lifeline_);
  if (receiver != nullptr) receiver->on_closed(nullptr);
  if (guard.alive()) session_ended_.set();
}

void StreamableHttpClient::note_requests(Call& call, const Json& message) const {
  if (message.is_array()) {
    for (const Json& member : message) note_requests(call, member);
    return;
  }
  const Json* const id = find(message, "id");
  std::string method = string_or(message, "method", "");
  if (method == "initialize") call.opens_gate = true;
  if (method == "notifications/initialized") call.opens_gate = call.then_listen = true;
  if (id == nullptr || method.empty()) return;
  if (const auto read = rpc::read_id(*id)) call.waiting.push_back({*read, std::move(method)});
}

void StreamableHttpClient::post(Json message) {
  calls_.push_back(std::make_unique<Call>(options_.resume));
  Call& call = *calls_.back();
  note_requests(call, message);
  wire::HttpRequest request = request_of("POST");
  request.headers.set("Content-Type", "application/json");
  request.headers.set("Accept", "application/json, text/event-stream");
  if (const std::optional<std::string> version = version_in_meta(message)) {
    call.stateless = true;
    request.headers.set(kVersionHeader, encode_header_value(*version));
    const auto tool = tools_.find(string_or(*find(message, "params"), "name", ""));
    const bool annotated = tool != tools_.end() && string_or(message, "method", "") == "tools/call";
    add_mirror_headers(request.headers, message,
                       annotated ? tool->second : std::vector<ParamHeader>());
  } else if (call.waiting.empty() || call.waiting.front().method != "initialize") {
    add_session_headers(request, call);
  }
  append_json(request.body, message);
  if (call.opens_gate) gate_closed_ = true;
  const Instant now = client_.loop().now();
  // A request waits as long as its sender does, who takes it back.
  start(call, std::move(request),
        call.waiting.empty() ? after(now, limits::kRequestTimeout) : kNever);
}

bool StreamableHttpClient::take_back(const Json& message) {
  const Json* const id = at_pointer(message, "/params/requestId");
  const std::optional<rpc::RpcId> wanted = id == nullptr ? std::nullopt : rpc::read_id(*id);
  std::size_t at = 0;
  Call* const call = wanted ? call_waiting_for(*wanted, at) : nullptr;
  if (call == nullptr) return version_in_meta(message).has_value();
  const bool stateless = call->stateless;
  call->waiting.erase(call->waiting.begin() + static_cast<std::ptrdiff_t>(at));
  if (call->waiting.empty()) forget(*call);
  return stateless;
}

void StreamableHttpClient::listen() {
  calls_.push_back(std::make_unique<Call>(options_.resume));
  Call& call = *calls_.back();
  call.listening = true;
  if (rare(Rare::kHttpListenLate)) return resume_later(call);
  resume(call);
}

void StreamableHttpClient::resume(Call& call) {
  wire::HttpRequest request = request_of("GET");
  request.headers.set("Accept", "text/event-stream");
  add_session_headers(request, call);
  if (!call.last_event_id.empty()) request.headers.set("Last-Event-ID", call.last_event_id);
  call.resumed = !call.listening;
  start(call, std::move(request), kNever);
}

wire::HttpRequest StreamableHttpClient::request_of(std::string method) const {
  wire::HttpRequest request;
  request.method = std::move(method);
  request.headers = options_.headers;
  return request;
}

void StreamableHttpClient::add_session_headers(wire::HttpRequest& request, Call& call) const {
  call.in_session = !session_id_.empty();
  if (call.in_session) request.headers.set(kSessionHeader, session_id_);
  if (!version_.empty()) request.headers.set(kVersionHeader, version_);
}

void StreamableHttpClient::start(Call& call, wire::HttpRequest request, Instant deadline) {
  call.opened = client_.loop().now();
  net::HttpAnswerReader& reader = *this;
  const net::Worth worth = call.listening ? net::Worth::kOptional : net::Worth::kNeeded;
  call.answer = std::make_unique<net::HttpAnswer>(client_, endpoint_, std::move(request), reader,
                                                  deadline, worth);
}

void StreamableHttpClient::open_gate() {
  if (!std::exchange(gate_closed_, false)) return;
  for (Json& message : held_.take()) send(std::move(message));  // May close it again.
}

void StreamableHttpClient::note_answer(const Json& answer, Json* result) {
  const std::optional<rpc::RpcId> id = rpc::read_id(*find(answer, "id"));
  std::size_t at = 0;
  Call* const call = id ? call_waiting_for(*id, at) : nullptr;
  if (call == nullptr) return;
  const std::string method = std::move(call->waiting[at].method);
  call->waiting.erase(call->waiting.begin() + static_cast<std::ptrdiff_t>(at));
  if (method == "tools/list" && call->stateless && result != nullptr) learn_tools(*result);
  if (method != "initialize") return;
  if (result != nullptr) version_ = string_or(*result, "protocolVersion", "");
  // What fits in no header is no revision either: who reads the answer will not go on with it.
  const std::optional<mcp::Revision> revision = mcp::nearest_revision(version_);
  const bool told = revision && mcp::has_version_header(*revision) && may_repeat(version_);
  if (!told) version_.clear();
  if (std::exchange(call->opens_gate, false)) open_gate();
}

void StreamableHttpClient::note_answers(Json& message) {
  if (message.is_array()) {
    for (Json& member : message) note_answers(member);
  } else if (is_response(message)) {
    const auto result = message.find("result");
    note_answer(message, result == message.end() ? nullptr : &*result);
  }
}

// learn_tools keeps what each tool mirrors, and takes tools out that say so in a wrong way.
//
// Spec 2026-07-28, basic/transports/streamable-http, Schema Extension (MUST).
void StreamableHttpClient::learn_tools(Json& result) {
  const auto tools = result.find("tools");
  if (tools == result.end() || !tools->is_array()) return;
  Json kept = Json::array();
  for (Json& tool : *tools) {
    const Json* const schema = find(tool, "inputSchema");
    const std::string name = string_or(tool, "name", "");
    auto params = param_headers_of(schema == nullptr ? Json::object() : *schema);
    if (!params.ok()) {
      tools_.erase(name);
      if (options_.on_tool_dropped) options_.on_tool_dropped(name, params.error().message);
      continue;
    }
    tools_.erase(name);
    if (!params.value().empty() && tools_.size() < limits::kListItemsMax) {
      tools_.emplace(name, std::move(params).value());
    }
    kept.push_back(std::move(tool));
  }
  *tools = std::move(kept);
}

StreamableHttpClient::Call& StreamableHttpClient::call_of(const net::HttpAnswer& answer) {
  const auto found = std::ranges::find_if(
      calls_, [&answer](const auto& call) { return call->answer.get() == &answer; });
  check(found != calls_.end(), "an answer of no call");
  return **found;
}

StreamableHttpClient::Call* StreamableHttpClient::call_waiting_for(const rpc::RpcId& id,
                                                                   std::size_t& at) {
  for (const auto& call : calls_) {
    for (at = 0; at < call->waiting.size(); ++at) {
      if (call->waiting[at].id == id) return call.get();
    }
  }
  return nullptr;
}

// forget ends the call. It may be on the stack, so it is destroyed later.
void StreamableHttpClient::forget(Call& call) {
  call.dead = true;
  call.waiting.clear();
  call.answer.reset();
  if (call.later != nullptr) call.later->cancel();
  if (call.opens_gate) {
    call.opens_gate = false;
    if (!closing_) open_gate();
  }
  if (!sweep_turn_.armed()) client_.loop().arm(sweep_turn_, client_.loop().now());
}

void StreamableHttpClient::forget_all() {
  held_.take();
  for (const auto& call : calls_) {
    call->opens_gate = false;
    forget(*call);
  }
}

void StreamableHttpClient::sweep() {
  std::erase_if(calls_, [](const auto& call) { return call->dead; });
}

void StreamableHttpClient::resume_later(Call& call) {
  if (client_.loop().now() >= after(call.opened, kLongEnough)) call.retries.succeeded();
  const std::optional<Duration> wait = call.retries.failed(call.retry);
  if (!wait) {
    if (!lose(call, ErrorCode::kDisconnected, "its stream broke too often")) return;
    return forget(call);
  }
  call.answer.reset();
  call.later = std::make_unique<Alarm>([this, &call] { resume(call); });
  client_.loop().arm(*call.later, after(client_.loop().now(), *wait));
}

}  // namespace plumbline::transport
