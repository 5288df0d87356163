#include "core/schema/compile/node_table.h"

namespace plumbline::schema {

const Node* NodeTable::node_for(const Place& place) {
  const auto [slot, fresh] = nodes_.try_emplace(place.schema, nullptr);
  if (!fresh) return slot->second;
  const std::size_t nodes_max = program_.options.limits.nodes_max;
  if (program_.nodes.size() == nodes_max) {
    error_.note(ErrorCode::kLimitReached, *place.location,
                "the schema is too large: more than " + std::to_string(nodes_max) + " subschemas");
  }
  Node& node = program_.nodes.emplace_back();
  node.source = place.schema;
  node.resource = place.resource;
  node.location = place.location;
  slot->second = &node;
  pending_.push_back(&node);
  return &node;
}

const Node* NodeTable::child(const Node& node, const Json& schema, const Location& location) {
  const Resource* const begun = program_.resources.begun_by(schema);
  return node_for(Place{&schema, begun != nullptr ? begun : node.resource, &location, {}});
}

Node* NodeTable::take_pending() {
  if (pending_.empty()) return nullptr;
  Node* const node = pending_.back();
  pending_.pop_back();
  return node;
}

}  // namespace plumbline::schema
