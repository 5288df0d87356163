// The arguments that were found for a capability, and where each came from.

#pragma once

#include <string>
#include <string_view>
#include <vector>

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

  // give adds an argument, in place of one that it had.
  void give(const std::string& name, Json value, Provenance provenance);

  // value returns the argument that a source names.
  const Json& value(const std::string& name) const;
};

}  // namespace plumbline::agents
