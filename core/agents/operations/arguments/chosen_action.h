// The choice by which a tool that does many things is told what to do: "action" of "list",
// "create" and "delete".

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// has_action returns whether a tool is told what to do by an action (policy/actions.h).
bool has_action(const connector::Capability& capability);

// chosen_action returns which of the actions of an enum the verb of a request means: "create" of
// "make a new project", "list" of "which projects are there". Nothing where none or several do.
std::optional<Json> chosen_action(const Json& schema, const connector::Capability& capability,
                                  const RequestText& request);

// is_reached_by returns whether a verb of a request, folded, asks for an action.
bool is_reached_by(std::string_view verb, std::string_view action);

// only_reads_by_action returns whether a tool is given an action that plainly reads, and no other.
bool only_reads_by_action(const connector::Capability& capability, const Extraction& extraction);

}  // namespace plumbline::agents
