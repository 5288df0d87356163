// The tools that every session begins with: making a dataset in CODAP, and a graph of it.

#pragma once

#include <string_view>

#include "core/json/json.h"
#include "core/service/sessions/tool_set.h"

namespace plumbline::service {

inline constexpr std::string_view kCreateDataset = "create_codap_dataset";
inline constexpr std::string_view kCreateGraph = "create_codap_graph";

// codap_tools returns create_codap_dataset and create_codap_graph.
ToolSet codap_tools();

// make_dataset makes the data that arguments of create_codap_dataset, found good, ask for:
// {"name", "attributes": [{"name", "type"}], "records": [{...}]}. The same arguments give the same
// data; "seed" gives other data.
Json make_dataset(const Json& arguments);

}  // namespace plumbline::service
