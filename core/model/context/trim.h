// A conversation that is too long for its model, made short enough: what is oldest goes first.

#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "core/model/model.h"

namespace plumbline::model {

struct Trimmed {
  std::vector<Message> kept{};
  std::vector<Message> dropped{};  // In their order; empty: all was kept.
  std::int64_t tokens = 0;         // Of what is kept and the tools, estimated.
};

// trim returns a conversation that a model takes (fault_of) and that has, with the tools, at most
// `budget_tokens`, estimated. A call stays with its answers, or goes with them. The system's
// messages stay, the user's newest, and the last round behind that: what the model is to answer.
// Where something before the user's newest message goes, what is kept begins with one of the user.
//
// kTooLong: what has to stay is longer than that. kInvalidRequest: `messages` are no conversation.
std::variant<Trimmed, Failure> trim(std::vector<Message> messages, const ToolOffers& tools,
                                    std::int64_t budget_tokens);

}  // namespace plumbline::model
