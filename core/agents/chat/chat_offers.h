// What the model is offered: the tools of the servers that can be used, under names that every
// provider takes and that are told apart, and our own on the directory.

#pragma once

#include <vector>

#include "core/agents/chat/chat_services.h"
#include "core/agents/chat/chat_state.h"
#include "core/connector/capability.h"
#include "core/model/model.h"

namespace plumbline::agents::chat {

struct Offered {
  std::vector<model::ToolOffer> tools;  // As the model sees them.
  std::vector<Offer> offers;            // What stands behind each, in the same order.
  std::size_t left_out = 0;             // Tools beyond ChatLimits::tools_max.
};

// offer_tools gives each tool its own name, or "SERVER_NAME" where two servers have one, with what
// no provider takes as "_". The same manifest always gives the same names. A tool that the policy
// denies is not offered.
Offered offer_tools(const connector::Manifest& manifest, const ChatServices& services);

}  // namespace plumbline::agents::chat
