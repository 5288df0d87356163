#include "core/mcp/protocol/session_trace.h"

#include <utility>

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;

constexpr std::size_t kGarbageBytesShown = 256;

std::string_view outcome_of(const Reply<Json>& reply) {
  if (reply.ok()) return "answer";
  switch (reply.error().kind) {
    case Kind::kTimeout:
      return "timeout";
    case Kind::kCancelled:
      return "cancelled";
    case Kind::kDisconnected:
      return "disconnected";
    case Kind::kInvalidReply:
    case Kind::kRefused:  // Only initialize ends so: the counter-offer was not acceptable.
      return "invalid";
    case Kind::kRpc:
      break;
  }
  return "error";
}

}  // namespace

void SessionTrace::garbage(std::string_view bytes, const std::string& error) {
  if (!on()) return;
  Json detail(Json::value_t::object);
  add_last(detail, "bytes", bytes.substr(0, kGarbageBytesShown));
  add_last(detail, "error", error);
  emit(EventKind::kGarbage, detail);
}

void SessionTrace::request_started(std::int64_t id, const std::string& method) {
  if (!on()) return;
  Json detail(Json::value_t::object);
  add_last(detail, "id", id);
  add_last(detail, "method", method);
  emit(EventKind::kRequestStarted, detail);
}

void SessionTrace::request_ended(std::int64_t id, const std::string& method,
                                 const Reply<Json>& reply) {
  if (!on()) return;
  Json detail(Json::value_t::object);
  add_last(detail, "id", id);
  add_last(detail, "method", method);
  add_last(detail, "outcome", outcome_of(reply));
  emit(EventKind::kRequestEnded, detail);
}

void SessionTrace::connection(std::string_view state, const std::string& why) {
  if (!on()) return;
  Json detail(Json::value_t::object);
  add_last(detail, "state", state);
  if (!why.empty()) add_last(detail, "why", why);
  emit(EventKind::kConnection, detail);
}

void SessionTrace::note(std::string text) {
  if (!on()) return;
  Json detail(Json::value_t::object);
  add_last(detail, "text", std::move(text));
  emit(EventKind::kNote, detail);
}

void SessionTrace::emit(EventKind kind, const Json& detail) {
  events_->on_event(TraceEvent{loop_.now(), kind, name_, detail});
}

}  // namespace plumbline::mcp
