// AgentDescriptor is what a registry tells of one agent: what it is called, where it is, and what
// it can do. It is the registry's word; only the agent itself knows.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/connector/capability.h"
#include "core/connector/registry/parameters.h"
#include "core/json/object_reader.h"

namespace plumbline::registry {

struct Capability {
  std::string name;
  connector::CapabilityType type = connector::CapabilityType::kTool;
  std::string description;
  std::vector<ParameterDefinition> parameters;
  std::optional<ValueDefinition> returns;
  friend bool operator==(const Capability&, const Capability&) = default;
};

struct AgentDescriptor {
  std::string id;
  std::string name;
  std::string description;
  std::string version;
  std::vector<Capability> capabilities;
  std::string endpoint;
  std::vector<std::string> supported_protocols;
  Json metadata = Json::object();
  friend bool operator==(const AgentDescriptor&, const AgentDescriptor&) = default;
};

inline constexpr std::size_t kAgentNameBytesMax = 256;           // Of an id, a name, a version.
inline constexpr std::size_t kAgentCapabilitiesMax = 1'000;      // Of one agent.
inline constexpr std::size_t kAgentDescriptionBytesMax = 4'096;  // More is cut off.

// read_descriptor reads one that stands at `pointer` of its document. "id" and "endpoint" have to
// be there; what else is missing is empty, and a missing name is the id. Members that are not known
// are passed over. Refused are ids and names that are not shown as they are (visible_text.h);
// descriptions lose what is not.
Result<AgentDescriptor, Problem> read_descriptor(const Json& json, const std::string& pointer);

Json to_json(const Capability& capability);
Json to_json(const AgentDescriptor& agent);

// capability_of returns what a server lists in the form of a descriptor.
Capability capability_of(const connector::Capability& listed);

// disagreements returns what a descriptor promises and an agent does not list, or lists otherwise,
// a line each: a capability that is missing or of another type, a parameter that it does not know,
// or one that it wants and the descriptor does not have. What is listed beyond is no disagreement.
std::vector<std::string> disagreements(const std::vector<Capability>& promised,
                                       const std::vector<Capability>& listed);

}  // namespace plumbline::registry
