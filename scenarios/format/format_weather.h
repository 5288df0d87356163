// Reads and writes what of a scenario file is about its weather: "world" and "faults".

#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// read_world reads the member "world". What is wrong with it becomes `problem`. world_shape is its
// JSON Schema.
WorldSpec read_world(const Json& json, std::optional<Problem>& problem);
Json world_shape();

// read_faults reads the member "faults". A world that does not mind what carries its messages gets
// bytes when a fault acts on them. The names of the servers are not looked up.
// Those inside the orchestrator go to `inner`.
std::vector<Fault> read_faults(const Json& faults, WorldSpec& world, InnerFaults& inner,
                               std::optional<Problem>& problem);

// faults_shape is the JSON Schema of "faults".
Json faults_shape();

// to_json returns the fault as a file spells it.
Json to_json(const Fault& fault);

// to_json returns the member "world" that reads back as `world`; what is as by default is left out.
Json to_json(const WorldSpec& world);

// In the order of Transport behind kAny, of fakes::Fragments and of fakes::Order
// without kChosen, which is spelled as a schedule.
inline constexpr std::array<std::string_view, 6> kTransportNames = {"bytes", "values", "http",
                                                                    "sse",   "ws",     "auto"};
inline constexpr std::array<std::string_view, 3> kFragmentNames = {"whole", "random", "one_byte"};
inline constexpr std::array<std::string_view, 2> kOrderNames = {"fifo", "permuted"};

}  // namespace plumbline::scenarios
