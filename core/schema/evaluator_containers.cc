// The part of Evaluator that judges arrays and objects.

#include <algorithm>
#include <bit>
#include <vector>

#include "core/schema/evaluator.h"
#include "core/schema/text/number.h"

namespace plumbline::schema {

namespace {

const Json::array_t& array_of(const At& at) { return *at.value.get_ptr<const Json::array_t*>(); }
const Json::object_t& object_of(const At& at) { return *at.value.get_ptr<const Json::object_t*>(); }

Path item_path(const At& at, std::size_t index) {
  return Path{&at.path, nullptr, index, at.path.depth + 1, false};
}

Path member_path(const At& at, const std::string& key) {
  return Path{&at.path, &key, 0, at.path.depth + 1, false};
}

std::string pair_text(std::size_t a, std::size_t b) {
  return std::to_string(std::min(a, b)) + " and " + std::to_string(std::max(a, b));
}

}  // namespace

bool Evaluator::extra(const Node& parent, std::string_view keyword, const Node& node,
                      const At& at) {
  return node.refuses ? fail(parent, keyword, at) : evaluate(node, at, nullptr);
}

bool Evaluator::items(const Node& node, const At& at, Covered* covered) {
  const ArrayRules& rules = *node.arrays;
  bool good = item_counts(node, at);
  if (rules.unique && more(good)) good &= all_differ(node, at);
  if (more(good)) good &= item_schemas(node, at, covered);
  if (rules.contains != nullptr && more(good)) good &= contains(node, at, covered);
  return good;
}

bool Evaluator::item_counts(const Node& node, const At& at) {
  const std::size_t count = array_of(at).size();
  bool good = true;
  if (count < node.arrays->items_min) good = fail(node, "minItems", at);
  if (count > node.arrays->items_max) good = fail(node, "maxItems", at);
  return good;
}

bool Evaluator::item_schemas(const Node& node, const At& at, Covered* covered) {
  const ArrayRules& rules = *node.arrays;
  const Json::array_t& array = array_of(at);
  const std::size_t prefixed = std::min(rules.prefix.size(), array.size());
  bool good = true;
  for (std::size_t i = 0; i < prefixed && more(good); ++i) {
    const Path path = item_path(at, i);
    good &= evaluate(*rules.prefix[i], At{array[i], path, at.scope}, nullptr);
    if (covered != nullptr) covered->mark(i);
  }
  if (rules.rest == nullptr) return good;
  const bool by_items = node.resource->dialect == Dialect::k202012 || rules.prefix.empty();
  for (std::size_t i = prefixed; i < array.size() && more(good); ++i) {
    const Path path = item_path(at, i);
    good &= extra(node, by_items ? "items" : "additionalItems", *rules.rest,
                  At{array[i], path, at.scope});
  }
  if (covered != nullptr) covered->mark_all();
  return good;
}

bool Evaluator::contains(const Node& node, const At& at, Covered* covered) {
  const ArrayRules& rules = *node.arrays;
  const Json::array_t& array = array_of(at);
  std::size_t count = 0;
  for (std::size_t i = 0; i < array.size() && stopped_.empty(); ++i) {
    const Path path = item_path(at, i);
    if (!quietly(*rules.contains, At{array[i], path, at.scope}, nullptr)) continue;
    ++count;
    if (covered != nullptr) covered->mark(i);
  }
  if (!stopped_.empty()) return false;
  if (count < rules.contains_min) {
    const bool named = node.source->contains("minContains");
    return fail(node, named ? "minContains" : "contains", at, std::to_string(count));
  }
  return count <= rules.contains_max || fail(node, "maxContains", at, std::to_string(count));
}

bool Evaluator::all_differ(const Node& node, const At& at) {
  const Json::array_t& array = array_of(at);
  JsonOrder order(limits_.instance_depth_max);
  std::size_t twin_a = 0;
  std::size_t twin_b = 0;
  constexpr std::size_t kPairwiseMax = 12;  // Faster than sorting, and without allocation.
  if (array.size() <= kPairwiseMax) {
    for (std::size_t b = 1; b < array.size() && twin_b == 0; ++b) {
      for (std::size_t a = 0; a < b && twin_b == 0; ++a) {
        if (order.compare(array[a], array[b]) != 0) continue;
        twin_a = a;
        twin_b = b;
      }
    }
  } else {
    std::vector<const Json*> sorted;
    sorted.reserve(array.size());
    for (const Json& item : array) sorted.push_back(&item);
    // By position among equals, so that the first pair is the same in every build.
    std::sort(sorted.begin(), sorted.end(), [&order](const Json* a, const Json* b) {
      const int compared = order.compare(*a, *b);
      return compared != 0 ? compared < 0 : a < b;
    });
    for (std::size_t i = 1; i < sorted.size() && twin_b == 0; ++i) {
      if (order.compare(*sorted[i - 1], *sorted[i]) != 0) continue;
      twin_a = static_cast<std::size_t>(sorted[i - 1] - array.data());
      twin_b = static_cast<std::size_t>(sorted[i] - array.data());
    }
  }
  if (!spend(order.visited())) return false;
  if (order.truncated()) return stop("values too deep to compare");
  if (twin_b == 0) return true;
  return findings_ == nullptr ? false : fail(node, "uniqueItems", at, pair_text(twin_a, twin_b));
}

bool Evaluator::members(const Node& node, const At& at, Covered* covered) {
  const ObjectRules& rules = *node.objects;
  bool good = member_counts(node, at);
  if (rules.names != nullptr && more(good)) good &= names(node, at);
  if (!rules.properties.empty() || !rules.patterns.empty() || rules.additional != nullptr) {
    if (more(good)) good &= member_schemas(node, at, covered);
  }
  if (!rules.dependencies.empty() && more(good)) good &= dependencies(node, at, covered);
  return good;
}

bool Evaluator::member_counts(const Node& node, const At& at) {
  const ObjectRules& rules = *node.objects;
  const Json::object_t& object = object_of(at);
  bool good = true;
  if (object.size() < rules.members_min) good = fail(node, "minProperties", at);
  if (object.size() > rules.members_max) good = fail(node, "maxProperties", at);
  for (const std::string_view name : rules.required) {
    if (!more(good)) return good;
    if (object.find(name) != object.end()) continue;
    good = findings_ == nullptr ? false : fail(node, "required", at, std::string(name));
  }
  return good;
}

bool Evaluator::member_schemas(const Node& node, const At& at, Covered* covered) {
  const ObjectRules& rules = *node.objects;
  bool good = true;
  auto property = rules.properties.begin();
  std::size_t position = 0;
  for (const auto& [name, value] : object_of(at)) {
    if (!more(good)) return good;
    const Path path = member_path(at, name);
    const At member{value, path, at.scope};
    // Both are sorted: the search goes on where the last one ended.
    property = std::lower_bound(
        property, rules.properties.end(), name,
        [](const ObjectRules::Property& one, const std::string& key) { return one.name < key; });
    bool known = property != rules.properties.end() && property->name == name;
    if (known) good &= evaluate(*property->node, member, nullptr);
    for (const ObjectRules::PatternProperty& pattern : rules.patterns) {
      if (!spend(1 + pattern.pattern->steps_for(name.size()))) return false;
      if (!pattern.pattern->matches(name)) continue;
      known = true;
      if (more(good)) good &= evaluate(*pattern.node, member, nullptr);
    }
    if (!known && rules.additional != nullptr) {
      known = true;
      if (more(good)) good &= extra(node, "additionalProperties", *rules.additional, member);
    }
    if (known && covered != nullptr) covered->mark(position);
    ++position;
  }
  return good;
}

bool Evaluator::names(const Node& node, const At& at) {
  bool good = true;
  for (const auto& [name, value] : object_of(at)) {
    if (!more(good)) return good;
    Path path = member_path(at, name);
    path.is_name = true;
    const Json text(name);
    good &= evaluate(*node.objects->names, At{text, path, at.scope}, nullptr);
  }
  return good;
}

bool Evaluator::dependencies(const Node& node, const At& at, Covered* covered) {
  const Json::object_t& object = object_of(at);
  bool good = true;
  for (const ObjectRules::Dependency& dependency : node.objects->dependencies) {
    if (!more(good)) return good;
    if (object.find(dependency.name) == object.end()) continue;
    for (const std::string_view name : dependency.required) {
      if (object.find(name) != object.end()) continue;
      good = false;
      if (findings_ == nullptr) return good;
      fail(node, dependency.keyword, at,
           dump_json(Json(name)) + " is required beside " + dump_json(Json(dependency.name)));
    }
    if (dependency.node != nullptr) good &= evaluate(*dependency.node, at, covered);
  }
  return good;
}

bool Evaluator::unevaluated(const Node& node, const At& at, Covered& covered) {
  bool good = true;
  if (at.value.is_object() && node.objects != nullptr && node.objects->unevaluated != nullptr) {
    std::size_t position = 0;
    for (const auto& [name, value] : object_of(at)) {
      if (!more(good)) return good;
      if (covered.has(position++)) continue;
      const Path path = member_path(at, name);
      good &= extra(node, "unevaluatedProperties", *node.objects->unevaluated,
                    At{value, path, at.scope});
    }
    covered.mark_all();
  }
  if (at.value.is_array() && node.arrays != nullptr && node.arrays->unevaluated != nullptr) {
    const Json::array_t& array = array_of(at);
    for (std::size_t i = 0; i < array.size() && more(good); ++i) {
      if (covered.has(i)) continue;
      const Path path = item_path(at, i);
      good &=
          extra(node, "unevaluatedItems", *node.arrays->unevaluated, At{array[i], path, at.scope});
    }
    covered.mark_all();
  }
  return good;
}

}  // namespace plumbline::schema
