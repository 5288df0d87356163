// Of a text that is refused as a message, because it is not UTF-8, not JSON or too deep, the id of
// the request that it would have answered can often be read all the same.

#pragma once

#include <optional>
#include <string_view>

#include "core/rpc/message.h"

namespace plumbline::rpc {

// legible_answer returns the id of a text that is an object with an id and a result or an error and
// without a method, as far as it can be read; nothing of any other. A text may break off anywhere.
// The work is linear in `text`, whatever stands in it.
std::optional<RpcId> legible_answer(std::string_view text);

}  // namespace plumbline::rpc
