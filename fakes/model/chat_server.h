// ChatServer is a scripted model behind the Chat Completions interface, for any agent that speaks
// it: POST /v1/chat/completions, whole or as a stream, and GET /v1/models.
//
// Source: OpenAI's API reference, Chat Completions, with its streaming events and errors.

#pragma once

#include <cstdint>
#include <string>

#include "core/base/loop.h"
#include "core/base/task_group.h"
#include "core/net/http_reply.h"
#include "fakes/model/chat_request.h"
#include "fakes/model/scripted_model.h"

namespace plumbline::fakes {

class ChatServer final : public net::HttpHandler {
 public:
  // Both must outlive the server. Whatever model a request names, `model` answers, under that name:
  // agents have their own written down. No key is asked for.
  ChatServer(Loop& loop, ScriptedModel& model) : loop_(loop), model_(model) {}
  ChatServer(const ChatServer&) = delete;
  ChatServer& operator=(const ChatServer&) = delete;

  // implements HttpHandler ---
  //
  // A turn that fails is answered with its status, and Retry-After. One that is cut breaks the
  // answer off in the middle, one that is garbage has what is no JSON in it.
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  Task<void> answer(ChatRequest request, net::HttpReply reply);

  Loop& loop_;
  ScriptedModel& model_;
  std::int64_t answers_ = 0;
  TaskGroup work_;  // Last: dropped first.
};

}  // namespace plumbline::fakes
