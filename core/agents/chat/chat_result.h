// What the model is told of a call that has ended.

#pragma once

#include <string>

#include "core/agents/chat/chat_services.h"
#include "core/json/json.h"
#include "core/model/model.h"

namespace plumbline::agents::chat {

// answer_to returns the message that answers the call `call_id` with `text`.
model::Message answer_to(std::string call_id, std::string text, bool is_error = false);

// answer_of reads the result of tools/call: its texts one after the other, the structured content
// that they do not say, images and audio beside them. What cannot be shown is named, and so is what
// the limits leave out.
model::Message answer_of(std::string call_id, const Json& result, const ChatLimits& limits);

}  // namespace plumbline::agents::chat
