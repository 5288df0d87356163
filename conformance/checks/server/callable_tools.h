// Which tools of a server the judge may call, and with what.

#pragma once

#include "conformance/checks/server/hints.h"
#include "core/base/budget/budget.h"
#include "core/json/json.h"

namespace plumbline::conformance {

struct ProbeOptions {
  bool allow_writes = false;  // Whether tools may be called that are not marked as read-only.
  Hints hints = {};
};

// may_call_tool returns whether calling `tool` with good arguments can do no harm: a hint says so,
// it says itself that it is read-only, it is one of the fixtures of the official suite, or the user
// allowed everything. A hint may forbid it, too.
bool may_call_tool(const Json& tool, const ProbeOptions& options);

// call_params returns the params of tools/call for `tool`, with the arguments of its hint, or made
// from its inputSchema at the cost of `budget`: none past its end.
Json call_params(const Json& tool, const Hints& hints, Budget& budget);

// properties_of returns the parameters of a tool, by the properties of its inputSchema; nullptr: it
// says none, or there is no tool.
const Json* properties_of(const Json& tool);
const Json* properties_of(const Json* tool);

// with_other_texts returns `params` of a call of `tool` with another text in place of each that was
// made up: what makes something anew may refuse to make the same twice.
Json with_other_texts(Json params, const Json& tool);

// is_stated returns whether the schema of a property says which values there are; else one that is
// sent is the judge's own.
bool is_stated(const Json& property);

}  // namespace plumbline::conformance
