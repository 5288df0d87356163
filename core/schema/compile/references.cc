#include "core/schema/compile/references.h"

#include <algorithm>

namespace plumbline::schema {

namespace {

constexpr std::size_t kDynamicPairsMax = 1'000'000;  // Of anchors and resources, looked at.

}  // namespace

std::pair<const Node*, std::string> References::follow(const KeywordReader& read,
                                                       std::string_view keyword) {
  const std::string* const text = read.text(keyword);
  if (text == nullptr) return {nullptr, {}};
  Result<Place> target = program_.resources.resolve(*read.node().resource, *text);
  if (!target.ok()) {
    read.fail(keyword, target.error().message, target.error().code);
    return {nullptr, {}};
  }
  return {nodes_.node_for(target.value()), target.value().dynamic_anchor};
}

void References::read_dynamic(const KeywordReader& read, InPlace& rules) {
  const auto [target, anchor] = follow(read, "$dynamicRef");
  rules.dynamic_fallback = target;
  if (!anchor.empty()) rules.dynamic = &targets_of(anchor);
}

DynamicTargets& References::targets_of(const std::string& anchor) {
  for (auto& [name, targets] : program_.dynamic) {
    if (name == anchor) return targets;
  }
  return program_.dynamic.emplace_back(anchor, DynamicTargets{}).second;
}

bool References::add_dynamic_targets() {
  dynamic_pairs_ += program_.dynamic.size() * program_.resources.all().size();
  if (dynamic_pairs_ > kDynamicPairsMax) {
    error_.note(ErrorCode::kLimitReached, *program_.root->location,
                "the schema is too large: too many places that a \"$dynamicRef\" may mean");
    return false;
  }
  bool added = false;
  for (auto& [anchor, targets] : program_.dynamic) added |= add_targets(anchor, targets);
  return added;
}

bool References::add_targets(const std::string& anchor, DynamicTargets& targets) {
  bool added = false;
  for (const Resource& resource : program_.resources.all()) {
    const auto found = resource.anchors.find(anchor);
    if (found == resource.anchors.end() || found->second.dynamic_anchor.empty()) continue;
    const bool known =
        std::any_of(targets.nodes.begin(), targets.nodes.end(),
                    [&resource](const auto& target) { return target.first == &resource; });
    if (known) continue;
    targets.nodes.emplace_back(&resource, nodes_.node_for(found->second));
    added = true;
  }
  return added;
}

}  // namespace plumbline::schema
