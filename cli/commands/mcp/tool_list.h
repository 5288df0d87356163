// The tools of `plumbline mcp` as tools/list has them, and what a caller is told of all of them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace plumbline::cli {

// judge_tools returns them. `servers`: the names that the argument "server" may have; none: there
// is one server, or none, and no such argument. `writes`: tools of a server that do not say that
// they only read may be called.
std::vector<Json> judge_tools(const std::vector<std::string>& servers, bool writes);

// kInstructions is what the model of a caller should know before it calls the first.
extern const std::string_view kInstructions;

}  // namespace plumbline::cli
