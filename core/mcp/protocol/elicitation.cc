#include "core/mcp/protocol/elicitation.h"

#include <utility>

#include "core/rpc/message.h"

namespace plumbline::mcp {

Json with_defaults(const Json& schema, Json content) {
  if (!content.is_object()) content = Json::object();
  const Json* const properties = find(schema, "properties");
  if (properties == nullptr || !properties->is_object()) return content;
  for (const auto& [name, property] : properties->items()) {
    const Json* const value = find(property, "default");
    if (value != nullptr) content.emplace(name, *value);
  }
  return content;
}

Failure url_elicitation_required(std::string why, std::vector<Json> elicitations) {
  Json data(Json::value_t::object);
  data["elicitations"] = std::move(elicitations);
  return Failure(rpc::kUrlElicitationRequired, std::move(why), std::move(data));
}

std::vector<Json> url_elicitations(const Failure& failure) {
  std::vector<Json> out;
  const bool required =
      failure.kind == Failure::Kind::kRpc && failure.code == rpc::kUrlElicitationRequired;
  const Json* const listed = required ? find(failure.data, "elicitations") : nullptr;
  if (listed == nullptr || !listed->is_array()) return out;
  for (const Json& one : *listed) out.push_back(one);
  return out;
}

}  // namespace plumbline::mcp
