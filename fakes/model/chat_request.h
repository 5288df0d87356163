// What a client of the Chat Completions interface asks, read from the JSON of its request.
//
// Source: OpenAI's API reference, Chat Completions, Create chat completion.

#pragma once

#include <string>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/model/model.h"

namespace plumbline::fakes {

struct ChatRequest {
  std::string model;
  model::Prompt prompt;
  bool stream = false;
  bool wants_usage = true;  // Of a stream: only if it was asked for.
};

// read_chat_request reads the body of a request. The error says in one line what is wrong, and
// where. Members that nobody here knows are passed over, as the provider does.
Result<ChatRequest, std::string> read_chat_request(const Json& body);

}  // namespace plumbline::fakes
