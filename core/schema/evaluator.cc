#include "core/schema/evaluator.h"

#include <algorithm>
#include <utility>

#include "core/schema/text/number.h"

namespace plumbline::schema {

namespace {

TypeSet types_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return kNull;
    case Json::value_t::boolean:
      return kBoolean;
    case Json::value_t::object:
      return kObject;
    case Json::value_t::array:
      return kArray;
    case Json::value_t::string:
      return kString;
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return kInteger | kNumber;
    case Json::value_t::number_float:
      return is_whole(value) ? kInteger | kNumber : kNumber;
    default:
      return 0;
  }
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

}  // namespace

Evaluator::Evaluator(const Program& program, Findings* findings, Budget* budget)
    : limits_(program.options.limits),
      dynamic_(!program.dynamic.empty()),
      findings_(findings),
      budget_(budget),
      steps_max_(limits_.steps_max) {
  if (budget != nullptr)
    steps_max_ = std::min(steps_max_, budget->left(plumbline::Resource::kSteps));
}

bool Evaluator::run(const Node& node, const Json& value) {
  const Path path;
  const bool good = evaluate(node, At{value, path, nullptr}, nullptr);
  return pay() && good && stopped_.empty();
}

bool Evaluator::pay() {
  if (budget_ == nullptr || budget_->spend(plumbline::Resource::kSteps, steps_)) return true;
  (void)budget_->spend(plumbline::Resource::kSteps, budget_->left(plumbline::Resource::kSteps));
  return stop("the budget of steps is spent");
}

bool Evaluator::stop(std::string why) {
  if (stopped_.empty()) stopped_ = std::move(why);
  return false;
}

bool Evaluator::spend(std::uint64_t steps) {
  steps_ += steps;
  if (steps_ <= steps_max_) [[likely]]
    return stopped_.empty();
  return stop("more than " + std::to_string(steps_max_) + " steps");
}

bool Evaluator::fail(const Node& node, std::string_view keyword, const At& at,
                     const std::string& detail) {
  if (findings_ != nullptr) findings_->add(node, keyword, at, detail);
  return false;
}

bool Evaluator::evaluate(const Node& node, const At& at, Covered* covered) {
  if (!spend(1)) return false;
  if (at.path.depth > limits_.instance_depth_max) {
    return stop("a value more than " + std::to_string(limits_.instance_depth_max) + " levels deep");
  }
  if (depth_ == limits_.evaluation_depth_max) {
    return stop("more than " + std::to_string(limits_.evaluation_depth_max) +
                " references and subschemas open at once");
  }
  ++depth_;
  bool good = false;
  if (!dynamic_ || (at.scope != nullptr && at.scope->resource == node.resource)) {
    good = keywords(node, at, covered);
  } else {
    const Scope scope{at.scope, node.resource};
    good = keywords(node, At{at.value, at.path, &scope}, covered);
  }
  --depth_;
  return good;
}

bool Evaluator::keywords(const Node& node, const At& at, Covered* covered) {
  if (node.refuses) return fail(node, "", at);
  if (node.types != kAnyType && (node.types & types_of(at.value)) == 0) {
    return fail(node, "type", at);
  }
  bool good = values(node, at);
  const bool asks = (node.objects != nullptr && node.objects->unevaluated != nullptr) ||
                    (node.arrays != nullptr && node.arrays->unevaluated != nullptr);
  if (!asks) {
    if (more(good)) good &= of_its_type(node, at, covered);
    if (node.in_place != nullptr && more(good)) good &= in_place(node, at, covered);
    return good;
  }
  Covered own;
  if (more(good)) good &= of_its_type(node, at, &own);
  if (node.in_place != nullptr && more(good)) good &= in_place(node, at, &own);
  // What a refusing subschema covered is unknown: to judge the rest would blame the innocent.
  if (good) good = unevaluated(node, at, own);
  if (good && covered != nullptr) covered->merge(own);
  return good;
}

bool Evaluator::of_its_type(const Node& node, const At& at, Covered* covered) {
  switch (at.value.type()) {
    case Json::value_t::object:
      return node.objects == nullptr || members(node, at, covered);
    case Json::value_t::array:
      return node.arrays == nullptr || items(node, at, covered);
    case Json::value_t::string:
      return node.strings == nullptr || strings(node, at);
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      return node.numbers == nullptr || numbers(node, at);
    default:
      return true;
  }
}

bool Evaluator::values(const Node& node, const At& at) {
  if (node.constant == nullptr && !node.has_enumeration) return true;
  JsonOrder order(limits_.instance_depth_max);
  bool good = true;
  if (node.constant != nullptr && order.compare(*node.constant, at.value) != 0) {
    good = fail(node, "const", at);
  }
  if (node.has_enumeration) {
    const auto found = std::lower_bound(
        node.enumeration.begin(), node.enumeration.end(), at.value,
        [&order](const Json* one, const Json& value) { return order.compare(*one, value) < 0; });
    if (found == node.enumeration.end() || order.compare(**found, at.value) != 0) {
      good = fail(node, "enum", at);
    }
  }
  if (order.truncated()) return stop("values too deep to compare");
  return spend(order.visited()) && good;
}

bool Evaluator::numbers(const Node& node, const At& at) {
  const NumberRules& rules = *node.numbers;
  const Json& value = at.value;
  bool good = true;
  if (rules.minimum != nullptr && compare_numbers(value, *rules.minimum) < 0) {
    good = fail(node, "minimum", at);
  }
  if (rules.maximum != nullptr && compare_numbers(value, *rules.maximum) > 0) {
    good = fail(node, "maximum", at);
  }
  if (rules.exclusive_minimum != nullptr && compare_numbers(value, *rules.exclusive_minimum) <= 0) {
    good = fail(node, "exclusiveMinimum", at);
  }
  if (rules.exclusive_maximum != nullptr && compare_numbers(value, *rules.exclusive_maximum) >= 0) {
    good = fail(node, "exclusiveMaximum", at);
  }
  if (rules.multiple_of != nullptr && !is_multiple_of(value, *rules.multiple_of)) {
    good = fail(node, "multipleOf", at);
  }
  return good;
}

bool Evaluator::strings(const Node& node, const At& at) {
  const StringRules& rules = *node.strings;
  const std::string& text = *at.value.get_ptr<const Json::string_t*>();
  if (!spend(text.size() / 64)) return false;
  bool good = true;
  if (rules.length_min > 0 || rules.length_max != kNoMaximum) {
    const std::size_t length = code_points(text);
    if (length < rules.length_min) good = fail(node, "minLength", at);
    if (length > rules.length_max) good = fail(node, "maxLength", at);
  }
  if (rules.pattern != nullptr && more(good)) {
    if (!spend(rules.pattern->steps_for(text.size()))) return false;
    if (!rules.pattern->matches(text)) good = fail(node, "pattern", at);
  }
  if (rules.format != nullptr && more(good) && !rules.format->accepts(text)) {
    good = fail(node, "format", at);
  }
  return good;
}

bool Evaluator::quietly(const Node& node, const At& at, Covered* covered) {
  Findings* const findings = std::exchange(findings_, nullptr);
  const bool good = evaluate(node, at, covered);
  findings_ = findings;
  return good;
}

bool Evaluator::in_place(const Node& node, const At& at, Covered* covered) {
  const InPlace& rules = *node.in_place;
  bool good = true;
  if (rules.reference != nullptr) good = evaluate(*rules.reference, at, covered);
  if (rules.dynamic_fallback != nullptr && more(good)) {
    good &= evaluate(dynamic_target(rules, at), at, covered);
  }
  for (const Node* const one : rules.all) {
    if (more(good)) good &= evaluate(*one, at, covered);
  }
  if (!rules.any.empty() && more(good)) good &= any_of(node, at, covered);
  if (!rules.one.empty() && more(good)) good &= one_of(node, at, covered);
  if (rules.negated != nullptr && more(good)) {
    if (quietly(*rules.negated, at, nullptr)) good = fail(node, "not", at);
  }
  if (rules.condition != nullptr && more(good)) good &= conditional(rules, at, covered);
  return good && stopped_.empty();
}

bool Evaluator::any_of(const Node& node, const At& at, Covered* covered) {
  bool found = false;
  for (const Node* const branch : node.in_place->any) {
    if (covered == nullptr) {
      if (quietly(*branch, at, nullptr)) return true;
      continue;
    }
    // Every branch that fits adds to what is covered.
    Covered own;
    if (!quietly(*branch, at, &own)) continue;
    covered->merge(own);
    found = true;
  }
  if (found || findings_ == nullptr || !stopped_.empty()) return found;
  return fail(node, "anyOf", at, why_not(node.in_place->any, at));
}

bool Evaluator::one_of(const Node& node, const At& at, Covered* covered) {
  const NodeList& branches = node.in_place->one;
  std::size_t first = branches.size();
  Covered of_first;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    Covered own;
    if (!quietly(*branches[i], at, covered == nullptr ? nullptr : &own)) continue;
    if (first != branches.size()) {
      if (findings_ == nullptr) return false;
      return fail(node, "oneOf", at,
                  "exactly one alternative of \"oneOf\" to fit, not both the one at " +
                      std::to_string(first) + " and the one at " + std::to_string(i));
    }
    first = i;
    of_first = std::move(own);
  }
  if (first != branches.size()) {
    if (covered != nullptr) covered->merge(of_first);
    return true;
  }
  if (findings_ == nullptr || !stopped_.empty()) return false;
  return fail(node, "oneOf", at, why_not(branches, at));
}

bool Evaluator::conditional(const InPlace& rules, const At& at, Covered* covered) {
  Covered own;
  const bool holds = quietly(*rules.condition, at, covered == nullptr ? nullptr : &own);
  if (!stopped_.empty()) return false;
  if (holds && covered != nullptr) covered->merge(own);
  const Node* const next = holds ? rules.consequence : rules.alternative;
  return next == nullptr || evaluate(*next, at, covered);
}

const Node& Evaluator::dynamic_target(const InPlace& rules, const At& at) {
  const Node* target = rules.dynamic_fallback;
  if (rules.dynamic == nullptr) return *target;
  for (const Scope* scope = at.scope; scope != nullptr; scope = scope->outer) {
    if (!spend(1 + rules.dynamic->nodes.size() / 16)) break;
    for (const auto& [resource, node] : rules.dynamic->nodes) {
      if (resource == scope->resource) target = node;
    }
  }
  return *target;
}

std::string Evaluator::why_not(const NodeList& branches, const At& at) {
  constexpr std::size_t kBranchesTold = 4;
  Findings* const outer = findings_;
  std::string same_place;
  std::string all;
  for (std::size_t i = 0; i < std::min(branches.size(), kBranchesTold); ++i) {
    Findings own(1);
    findings_ = &own;
    evaluate(*branches[i], at, nullptr);
    findings_ = outer;
    if (own.list().empty()) continue;  // A bound stopped it.
    const Finding& why = own.list().front();
    const bool here = why.path.size() == (at.path.depth) && !why.expected.empty();
    if (!here || (i > 0 && same_place.empty())) {
      same_place.clear();
    } else {
      same_place += (i == 0 ? "" : ", or ") + why.expected;
    }
    all += (all.empty() ? "" : "; ") + why.message();
  }
  const bool rest = branches.size() > kBranchesTold;
  if (!same_place.empty()) return same_place + (rest ? ", or something else" : "");
  return "one of " + std::to_string(branches.size()) + " alternatives to fit (" + all +
         (rest ? "; ..." : "") + ")";
}

}  // namespace plumbline::schema
