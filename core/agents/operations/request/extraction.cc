#include "core/agents/operations/request/extraction.h"

#include <utility>

#include "core/base/check.h"

namespace plumbline::agents {

std::string_view name_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::kRequest:
      return "request";
    case Provenance::kConfiguration:
      return "configuration";
    case Provenance::kSchemaDefault:
      return "schema_default";
  }
  check(false, "unknown Provenance");
  return {};
}

void Extraction::give(const std::string& name, Json value, Provenance provenance) {
  std::erase_if(sources, [&](const ArgumentSource& one) { return one.name == name; });
  arguments[name] = std::move(value);
  sources.push_back(ArgumentSource{name, provenance});
}

const Json& Extraction::value(const std::string& name) const {
  return wrapper.empty() ? arguments.at(name) : arguments.at(wrapper).at(name);
}

}  // namespace plumbline::agents
