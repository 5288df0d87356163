// A message as JSON: how a conversation is kept, and shown by an API.
//
//   {"role": "assistant", "content": "Let me look.",
//    "toolCalls": [{"id": "c1", "name": "read", "arguments": "{}"}]}
//
// "media" [{"mimeType", "data"}], "toolCalls", "toolCallId" and "isError" are there when there is
// something to say.

#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/model/model.h"

namespace plumbline::model {

// name_of returns "system", "user", "assistant" or "tool".
std::string_view name_of(Role role);

Json to_json(const Message& message);

// message_of reads what to_json wrote, and passes over members that it does not know. kInvalidInput
// names the member that is missing or wrong.
Result<Message> message_of(const Json& json);

}  // namespace plumbline::model
