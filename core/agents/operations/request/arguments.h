// Arguments for a capability, from three sources and no other: the request, the configuration, and
// the defaults of the schema. What none of them gives is missing, never made up.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/request/request_text.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// Provenance says where one argument came from.
enum class Provenance { kRequest, kConfiguration, kSchemaDefault };

// name_of returns "request", "configuration" or "schema_default".
std::string_view name_of(Provenance provenance);

struct ArgumentSource {
  std::string name;
  Provenance provenance = Provenance::kRequest;
};

struct Extraction {
  Json arguments = Json::object();
  std::vector<ArgumentSource> sources;  // One for each argument.
  std::vector<std::string> missing;     // Required, and found nowhere.
  std::string wrapper{};                // The one argument that holds the others; empty: none.

  // value returns the argument that a source names.
  const Json& value(const std::string& name) const;
};

// extract_arguments fills the properties of the capability's input schema. A value of the request
// goes before the configuration, the configuration before a default. Optional properties are
// filled from the request only where it names them or one of their enum values.
Extraction extract_arguments(std::string_view request, const connector::Capability& capability,
                             const Json& configured);

// This one takes a request whose words were found before.
Extraction extract_arguments(RequestText request, const connector::Capability& capability,
                             const Json& configured);

}  // namespace plumbline::agents
