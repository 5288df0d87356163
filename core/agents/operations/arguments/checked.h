// What a tool that does many things needs for one of them, and what no property can hold.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/agents/operations/request/extraction.h"
#include "core/agents/operations/request/request_text.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// without_filters returns the properties without those that tell what to search for, where the
// request asks a tool that does many things to change something. Nothing: all of them serve.
std::optional<Json> without_filters(const Json& properties, const connector::Capability& capability,
                                    const RequestText& request);

// forget_misfits takes back what a property cannot hold: an address given for a date, a link for a
// name.
void forget_misfits(Extraction& extraction, const Json& properties);

// add_missing adds the properties without a value that are required, or that the action which was
// chosen needs, as their descriptions say: "required for update, delete".
void add_missing(Extraction& extraction, const std::vector<std::string>& required,
                 const Json* properties, const Json& root);

// split_commands sets the words of a command apart, where the property's description says that the
// first item is the command: ["ls", "-l"] of "ls -l".
void split_commands(Extraction& extraction, const Json& properties);

// drop_dots takes the dot off an ending, where the property's description shows endings without it:
// "io" of ".io" for "(e.g., 'com', 'io')".
void drop_dots(Extraction& extraction, const Json& properties);

}  // namespace plumbline::agents
