// What had to go from a conversation, told again in one short message.

#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/task.h"
#include "core/base/time.h"
#include "core/model/context/trim.h"
#include "core/model/model.h"

namespace plumbline::model {

struct SummaryOptions {
  std::int64_t tokens_max = 512;          // Of the message, estimated.
  std::int64_t reads_tokens_max = 8'000;  // Of what the model gets to read: the newest of it.
  std::string traceparent{};              // As Prompt has it.
};

// trim_with_summary trims as trim does and, where something went, has `model` tell it in one
// message of the user behind the system's, within the budget. It is one of the user and says what
// it is: what tools have returned must not speak as the system does.
//
// A summary that fails, is empty, or for which there is no room is left out; the rest is as good.
// `model` must outlive the task. The answer ends at `deadline` at the latest.
Task<std::variant<Trimmed, Failure>> trim_with_summary(Model& model, std::vector<Message> messages,
                                                       ToolOffers tools, std::int64_t budget_tokens,
                                                       SummaryOptions options, Instant deadline);

// text_of writes messages for a reader: who said what, a line each.
std::string text_of(const std::vector<Message>& messages);

}  // namespace plumbline::model
