// The arguments that were found for a capability, and where each came from.

#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/policy/words.h"
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

// is_open returns whether a property has no value yet, or but its default.
inline bool is_open(const Extraction& extraction, const std::string& name) {
  const auto source = std::ranges::find(extraction.sources, name, &ArgumentSource::name);
  return source == extraction.sources.end() || source->provenance == Provenance::kSchemaDefault;
}

// only_open returns the one open property that `fits`, by the words of its name and its schema;
// nothing where there are several.
template <typename Fits>
std::optional<std::string> only_open(const Extraction& extraction, const Json& properties,
                                     Fits fits) {
  std::optional<std::string> found;
  for (const auto& [name, property] : properties.items()) {
    if (!is_open(extraction, name) || !fits(words_of(name), property)) continue;
    if (found) return std::nullopt;
    found = name;
  }
  return found;
}

}  // namespace plumbline::agents
