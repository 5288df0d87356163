// What a scripted server of a stateless revision does that those with sessions do not: every
// request says who asks, every result says what it is, and who wants to hear of changes listens for
// them.
//
// Spec 2026-07-28, basic/index, server/discover, basic/patterns/subscriptions.

#pragma once

#include <optional>
#include <string_view>

#include "core/json/json.h"
#include "fakes/peers/answer.h"
#include "fakes/peers/server_script.h"

namespace plumbline::fakes {

// refuse_stateless returns the error that a request gets for what its _meta lacks, and initialize,
// which there is none of; nothing when it may be answered.
std::optional<Answer> refuse_stateless(const ServerScript& script, std::string_view method,
                                       const Json& params);

// is_stateful_method returns whether a method went with the sessions.
bool is_stateful_method(std::string_view method);

// discover answers server/discover.
Answer discover(const ServerScript& script);

// complete_result adds what every result says of itself, unless it says so already: one that has a
// "resultType" is left as it is.
void complete_result(const ServerScript& script, std::string_view method, Json& result);

// honoured returns the part of the filter of subscriptions/listen that the server fulfils.
Json honoured(const ServerScript& script, const Json& params);

// is_change returns whether a notification goes to those who listen. wants returns whether one who
// was promised `filter` gets it.
bool is_change(std::string_view method);
bool wants(const Json& filter, std::string_view method, const Json& params);

// with_subscription returns `params` with the id of the listener's request in their _meta.
Json with_subscription(Json params, const Json& id);

}  // namespace plumbline::fakes
