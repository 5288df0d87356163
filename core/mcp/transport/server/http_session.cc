#include "core/mcp/transport/server/http_session.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/check.h"
#include "core/mcp/protocol/mcp_headers.h"
#include "core/mcp/protocol/revision.h"
#include "core/mcp/transport/channel_kit.h"
#include "core/mcp/transport/server/http_answers.h"
#include "core/wire/sse.h"

namespace plumbline::transport {

namespace {

bool is_answer(const Json& message) {
  return message.is_object() && message.contains("id") && !message.contains("method");
}

// split_event_id takes "3-7" apart: event 7 of stream 3.
std::optional<std::pair<std::uint64_t, std::uint64_t>> split_event_id(std::string_view text) {
  std::pair<std::uint64_t, std::uint64_t> parts;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, parts.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, parts.second);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  return parts;
}

}  // namespace

HttpSession::HttpSession(Loop& loop, HttpSessionOwner& owner, std::string id, Seat seat,
                         const HttpSessionOptions& options)
    : loop_(loop),
      owner_(&owner),
      id_(std::move(id)),
      seat_(std::move(seat)),
      options_(options),
      events_charge_(seat_.share.take(Resource::kTextBytes, 0).value_or(Held())),
      last_used_(loop.now()),
      turn_([this] { turn(); }),
      tired_([this] { tired(); }) {
  touch();
}

HttpSession::~HttpSession() { close(); }

void HttpSession::start(MessageReceiver& receiver) {
  check(!std::exchange(started_, true), "a channel is started once");
  receiver_ = &receiver;
  if (!inbox_.empty() || over_) loop_.arm(turn_, loop_.now());
}

// turn brings what came before start(), or tells that the session is over.
void HttpSession::turn() {
  const Lifeline::Guard guard(lifeline_);
  std::vector<Json> inbox = std::exchange(inbox_, {});
  for (Json& message : inbox) {
    if (receiver_ != nullptr) receiver_->on_message(std::move(message));
    if (!guard.alive()) return;
  }
  if (over_ && receiver_ != nullptr) std::exchange(receiver_, nullptr)->on_closed(nullptr);
}

void HttpSession::take(Json message) {
  if (receiver_ != nullptr && inbox_.empty()) return receiver_->on_message(std::move(message));
  if (!over_ && inbox_.size() < limits::kRequestsInFlightMax) inbox_.push_back(std::move(message));
}

bool HttpSession::note_requests(const Json& message, std::uint64_t number) {
  if (message.is_array()) {
    return std::ranges::all_of(
        message, [this, number](const Json& member) { return note_requests(member, number); });
  }
  const Json* const id = find(message, "id");
  if (id == nullptr || !message.contains("method")) return true;
  const std::optional<rpc::RpcId> read = rpc::read_id(*id);
  if (!read || !asked_.emplace(*read, number).second) return false;
  ++streams_[number].waiting;
  return true;
}

void HttpSession::post(Json message, Held charge, net::HttpReply reply) {
  last_used_ = loop_.now();
  std::vector<rpc::RpcId> asks;
  append_request_ids(message, asks);
  if (asked_.size() + asks.size() > limits::kRequestsInFlightMax) {
    return reply.respond(refusal(503, rpc::kInvalidRequest, "too many requests wait"));
  }
  const std::uint64_t number = next_stream_++;
  if (!note_requests(message, number)) {
    forget_stream(number);
    const Json* const id = find(message, "id");
    return reply.respond(refusal(400, rpc::kInvalidRequest, "this request id is in use",
                                 id == nullptr ? Json() : *id));
  }
  const auto stream = streams_.find(number);
  if (stream == streams_.end()) {  // Notifications and responses alone.
    reply.respond(wire::HttpResponse{202, {}, ""});
    return take(std::move(message));
  }
  stream->second.charge = std::move(charge);
  stream->second.initializes = string_or(message, "method", "") == "initialize";
  stream->second.out.emplace(loop_, std::move(reply), options_.keep_alive);
  stream->second.out->reply().on_gone([this, number] { lost_connection(number); });
  take(std::move(message));
}

void HttpSession::listen(std::optional<std::string_view> last_event_id, net::HttpReply reply) {
  last_used_ = loop_.now();
  std::uint64_t number = kListening;
  std::uint64_t behind = streams_[kListening].last_written;
  streams_[kListening].events = true;
  if (last_event_id) {
    const auto parts = split_event_id(*last_event_id);
    const auto stream = parts ? streams_.find(parts->first) : streams_.end();
    // An id that was never given out could name the answer to a POST that is not yet a stream.
    if (stream == streams_.end() || parts->second == 0 ||
        parts->second > stream->second.last_event) {
      return reply.respond(refusal(400, rpc::kInvalidRequest, "no stream has this Last-Event-ID"));
    }
    number = parts->first;
    behind = parts->second;
  }
  Stream& stream = streams_[number];
  if (stream.out && stream.out->open()) {
    // The client knows better whether its connection lives.
    if (!last_event_id) {
      return reply.respond(refusal(409, rpc::kInvalidRequest, "there is a GET stream already"));
    }
    stream.out->end();
  }
  attach(number, std::move(reply), behind);
}

// attach gives a stream a new connection, and what it missed.
void HttpSession::attach(std::uint64_t number, net::HttpReply reply, std::uint64_t behind) {
  Stream& stream = streams_[number];
  stream.out.emplace(loop_, std::move(reply), options_.keep_alive);
  stream.out->reply().on_gone([this, number] { lost_connection(number); });
  stream.out->begin();
  std::string missed;
  for (const Event& event : events_) {
    if (event.stream == number && event.number > behind) missed += event.text;
  }
  if (missed.empty() && !stream.finished) prime(number, stream);
  stream.out->write(missed);
  stream.last_written = stream.last_event;
  if (stream.finished) stream.out->end();
}

void HttpSession::send(Json message) {
  if (over_) return;
  const Json& first = message.is_array() && !message.empty() ? message.front() : message;
  if (!is_answer(first)) return emit(kListening, message);
  std::uint64_t number = kListening;
  std::size_t answers = 0;
  const auto settle = [&](const Json& member) {
    const Json* const id = find(member, "id");
    const auto read = id == nullptr ? std::nullopt : rpc::read_id(*id);
    const auto asked = read ? asked_.find(*read) : asked_.end();
    if (asked == asked_.end()) return;
    number = asked->second;
    ++answers;
    asked_.erase(asked);
  };
  if (message.is_array()) {
    for (const Json& member : message) settle(member);
  } else {
    settle(message);
  }
  if (answers > 0) answer(number, std::move(message), answers);
}

void HttpSession::answer(std::uint64_t number, Json message, std::size_t answers) {
  Stream& stream = streams_[number];
  stream.waiting -= std::min(answers, stream.waiting);
  wire::HttpHeaders session;
  if (stream.initializes) {
    const Json* const result = find(message, "result");
    if (result == nullptr) {
      over();  // A session that did not begin.
      loop_.arm(turn_, loop_.now());
    } else {
      version_ = string_or(*result, "protocolVersion", "");
      session.set(kSessionHeader, id_);
    }
  }
  if (stream.events || stream.waiting > 0) {
    emit(number, message);
    if (stream.waiting == 0) stream.charge = Held();
    if (stream.waiting == 0) finish(number);
    return;
  }
  if (stream.out) {
    wire::HttpResponse response = json_answer(200, message);
    for (const auto& [name, value] : session.fields()) response.headers.add(name, value);
    stream.out->reply().respond(response);
  }
  streams_.erase(number);
  touch();
}

void HttpSession::send_about(Json message, const rpc::RpcId& about) {
  if (over_) return;
  const auto asked = asked_.find(about);
  if (asked == asked_.end()) return send(std::move(message));
  emit(asked->second, message);
}

void HttpSession::begin_events(std::uint64_t number, Stream& stream) {
  if (std::exchange(stream.events, true)) return;
  if (!stream.out || !stream.out->open()) return;
  stream.out->begin();
  prime(number, stream);
}

// prime gives the client an id to come back with, before anything has happened.
//
// Spec 2025-11-25, basic/transports, Sending Messages to the Server (SHOULD).
void HttpSession::prime(std::uint64_t number, Stream& stream) {
  const std::optional<mcp::Revision> revision = mcp::nearest_revision(version_);
  if (!revision || !mcp::has_stream_priming(*revision)) return;
  ++stream.last_event;
  std::string text;
  wire::append_sse(text, wire::SseEvent{"", "", event_id(number, stream), std::nullopt});
  stream.out->write(text);
}

void HttpSession::emit(std::uint64_t number, const Json& message) {
  Stream& stream = streams_[number];
  if (number != kListening) begin_events(number, stream);
  ++stream.last_event;
  std::string text;
  wire::append_sse(
      text, wire::SseEvent{"message", dump_json(message), event_id(number, stream), std::nullopt});
  if (stream.out && stream.out->open()) {
    stream.out->write(text);
    stream.last_written = stream.last_event;
  }
  keep(number, stream, std::move(text));
}

void HttpSession::keep(std::uint64_t number, const Stream& stream, std::string text) {
  event_bytes_ += text.size();
  events_.push_back(Event{number, stream.last_event, std::move(text)});
  const auto too_many = [this] {
    return event_bytes_ > options_.replay_bytes_max || !events_charge_.grow_to(event_bytes_);
  };
  while (!events_.empty() && too_many()) {
    const std::uint64_t oldest = events_.front().stream;
    event_bytes_ -= events_.front().text.size();
    events_.pop_front();
    const auto found = streams_.find(oldest);
    if (found == streams_.end() || !found->second.finished) continue;
    if (found->second.out && found->second.out->open()) continue;
    const bool more = std::ranges::any_of(
        events_, [oldest](const Event& event) { return event.stream == oldest; });
    if (!more) streams_.erase(found);
  }
}

// finish ends a stream behind its last answer. It is kept for clients that lost the connection.
void HttpSession::finish(std::uint64_t number) {
  const auto found = streams_.find(number);
  if (found == streams_.end()) return;
  found->second.finished = true;
  if (found->second.out) found->second.out->end();
  touch();
  if (streams_.size() <= limits::kReplayStreamsMax) return;
  const auto oldest =
      std::ranges::find_if(streams_, [](const auto& entry) { return entry.second.finished; });
  forget_stream(oldest->first);
}

void HttpSession::forget_stream(std::uint64_t number) {
  std::erase_if(asked_, [number](const auto& entry) { return entry.second == number; });
  const auto stream = streams_.find(number);
  if (stream != streams_.end() && stream->second.last_event > 0) {
    std::erase_if(events_, [&](const Event& event) {
      if (event.stream != number) return false;
      event_bytes_ -= event.text.size();
      return true;
    });
  }
  streams_.erase(number);
  touch();
}

void HttpSession::lost_connection(std::uint64_t number) {
  const auto found = streams_.find(number);
  if (found != streams_.end()) found->second.out.reset();
  touch();
}

void HttpSession::close_stream(const rpc::RpcId& about) {
  const auto asked = asked_.find(about);
  if (over_ || asked == asked_.end()) return;
  Stream& stream = streams_[asked->second];
  begin_events(asked->second, stream);
  if (!stream.out || stream.last_event == 0) return;  // Without an event id nobody could resume.
  std::string text;
  const auto retry = static_cast<int>(milliseconds_of(options_.retry));
  wire::append_sse(text, wire::SseEvent{"", "", std::nullopt, retry});
  stream.out->write(text);
  stream.out->end();
  stream.out.reset();
}

// The POST ends as an event stream without the answer. It has no event id unless something was
// said before, so nobody comes back for the rest.
//
// Spec 2025-11-25, basic/utilities/cancellation, Behavior Requirements (SHOULD not answer).
void HttpSession::leave_unanswered(const rpc::RpcId& about) {
  const auto asked = asked_.find(about);
  if (over_ || asked == asked_.end()) return;
  const std::uint64_t number = asked->second;
  asked_.erase(asked);
  Stream& stream = streams_[number];
  if (--stream.waiting > 0) return;
  if (stream.out && stream.out->open()) {
    if (!stream.out->begun()) stream.out->begin();
    stream.out->end();
  }
  forget_stream(number);
}

void HttpSession::end() {
  over();
  turn();
}

void HttpSession::close_send() {
  if (over_) return;
  over();
  loop_.arm(turn_, loop_.now());
}

void HttpSession::close() {
  receiver_ = nullptr;
  over();
  turn_.cancel();
}

// over ends every stream, and makes the session unknown to clients.
void HttpSession::over() {
  if (std::exchange(over_, true)) return;
  tired_.cancel();
  for (auto& [number, stream] : streams_) {
    if (!stream.out || !stream.out->open() || stream.initializes) continue;
    if (stream.out->begun()) {
      stream.out->end();
    } else {
      stream.out->reply().respond(refusal(404, rpc::kInvalidRequest, "the session is over"));
    }
  }
  if (owner_ != nullptr) std::exchange(owner_, nullptr)->session_over(*this);
}

void HttpSession::touch() {
  last_used_ = loop_.now();
  if (!over_ && !tired_.armed()) loop_.arm(tired_, after(last_used_, options_.idle_max));
}

void HttpSession::tired() {
  const bool busy = std::ranges::any_of(
      streams_, [](const auto& entry) { return entry.second.out && entry.second.out->open(); });
  if (busy) return;  // The end of the last stream starts the clock again.
  const Instant until = after(last_used_, options_.idle_max);
  if (loop_.now() < until) return loop_.arm(tired_, until);
  end();
}

std::string HttpSession::event_id(std::uint64_t number, const Stream& stream) const {
  return std::to_string(number) + "-" + std::to_string(stream.last_event);
}

}  // namespace plumbline::transport
