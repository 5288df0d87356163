// What a scripted server answers by default: one function from a request to its answer, without
// state, correct unless a deviation of the script is about the decision itself.

#pragma once

#include <string_view>

#include "core/json/json.h"
#include "fakes/peers/answer.h"
#include "fakes/peers/server_script.h"

namespace plumbline::fakes {

// default_answer answers a request. `params` is null when it had none.
Answer default_answer(const ServerScript& script, std::string_view method, const Json& params);

// find_tool returns the tool that a tools/call names, nullptr when there is none.
const ToolScript* find_tool(const ServerScript& script, const Json& params);

// scripted_behaviour returns what the script says a request of these params does besides its
// rules: the steps of the tool, resource or prompt. nullptr: the default answer alone, also where
// the request is refused before it reaches them.
const Behaviour* scripted_behaviour(const ServerScript& script, std::string_view method,
                                    const Json& params);

}  // namespace plumbline::fakes
