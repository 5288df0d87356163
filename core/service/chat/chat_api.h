// ChatApi is the chat agent as a service: sessions that survive, turns whole or as a stream of
// events, approvals.
//
//   POST   /api/agent/chat                    {"input", "sessionId"?, "stream"?, "media"?}: a turn
//   GET    /api/agent/sessions                the caller's sessions
//   GET    /api/agent/sessions/:id            one, with its messages, and what it waits for
//   DELETE /api/agent/sessions/:id            forgets it
//   POST   /api/agent/sessions/:id/approval   {"approvalId", "approve", "reason"?, "stream"?}
//   GET    /api/agent/sessions/:id/events     the last turn as a stream, behind Last-Event-ID
//   GET    /, /metrics, /healthz, /readyz
//
// A refusal is {"error": CODE, "message"}: invalid_request 400, session_not_found 404,
// turn_in_progress 409, approval_not_found 409, too_many_turns 429, auth_context_missing 500,
// agent_execution_failed 502, openai_api_key_not_configured 503, store_unavailable 503.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/service/chat/chat_book.h"
#include "core/service/chat/chat_turns.h"
#include "core/service/http_service.h"

namespace plumbline::service {

struct ChatApiOptions {
  HttpServiceOptions http;
  ChatTurnsOptions turns;
  UserServersOptions servers;
  // Who everybody is where there is no gate; empty: nobody comes in.
  std::string anonymous;
  // Why the model cannot be asked at all, as a code and a sentence; empty: it can.
  std::string model_missing;
  std::size_t input_bytes_max = std::size_t{64} << 10U;
  std::size_t media_bytes_max = std::size_t{8} << 20U;  // Of one message, as base64.
  std::size_t messages_shown_max = 500;                 // Of a session, the newest.
  std::size_t sessions_shown_max = 100;
  std::size_t sessions_each_max = 1'000;          // That one user may have.
  Duration drain_max = std::chrono::seconds(30);  // That turns get to end when we stop.
};

class ChatApi {
 public:
  // All must outlive it.
  ChatApi(Loop& loop, const WallClock& clock, RecordStore& records, store::ThreadStore& threads,
          transport::Connector& connector, ServerCatalog& catalog, model::Model& model,
          const agents::Policy& policy, const Redactor& redactor, RandomBytes random,
          ChatApiOptions options);
  ChatApi(const ChatApi&) = delete;
  ChatApi& operator=(const ChatApi&) = delete;

  // load takes up the turns of dead processes; then the service is ready. Errors of the store.
  Task<Status> load();

  // handler answers requests. guard tells at which URL it is reached, before the first of them.
  // access says who may call it.
  net::HttpHandler& handler() { return http_; }
  net::HttpAccess access() const { return http_.access(); }
  void guard(const std::string& url) { http_.guard(url); }

  // drain begins no more turns, waits for those that run, drain_max at most, and closes the
  // connections to servers. A turn that was not done in time is taken up by another process.
  Task<void> drain();

  ChatTurns& turns() { return turns_; }

 private:
  using Handle = Task<void> (*)(ChatApi& self, Exchange exchange, std::string user);

  void add(std::string method, std::string pattern, Handle handle);
  static Task<void> chat(ChatApi& self, Exchange exchange, std::string user);
  static Task<void> list(ChatApi& self, Exchange exchange, std::string user);
  static Task<void> show(ChatApi& self, Exchange exchange, std::string user);
  static Task<void> forget(ChatApi& self, Exchange exchange, std::string user);
  static Task<void> decide(ChatApi& self, Exchange exchange, std::string user);
  static Task<void> follow(ChatApi& self, Exchange exchange, std::string user);

  Task<bool> has_room(Exchange& exchange, std::string user);

  // own returns the session that a request names, of the caller. Nothing: it is answered.
  Task<std::optional<ChatSession>> own(Exchange& exchange, std::string id, std::string user);

  // Waiting are exchanges whose answer comes when their turn has ended, by number.
  using Waiting = std::map<std::uint64_t, Exchange>;

  // answer_later gives the whole answer to one of them.
  ChatTurns::OnEnd answer_later(std::uint64_t number);
  Task<void> answer(Exchange exchange, TurnEnd end);

  // begun answers what a turn that was begun, or was not, comes to for who asked.
  void begun(std::uint64_t number, bool streams, const ChatSession& session, const Status& status);
  std::uint64_t wait(Exchange exchange);

  Loop& loop_;
  ChatApiOptions options_;
  store::ThreadStore& threads_;
  ChatBook book_;
  UserServers servers_;
  HttpService http_;
  bool draining_ = false;
  Waiting waiting_;
  std::uint64_t exchanges_ = 0;
  ChatTurns turns_;
  TaskGroup work_;  // Last: dropped first.
};

}  // namespace plumbline::service
