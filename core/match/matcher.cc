#include "core/match/matcher.h"

#include <algorithm>
#include <utility>

#include "core/base/words/nearest_word.h"
#include "core/match/rules.h"

namespace plumbline::match {

namespace {

bool is_matcher(const Json& wanted) {
  const auto* const members = wanted.get_ptr<const Json::object_t*>();
  return members != nullptr && std::ranges::any_of(*members, [](const auto& member) {
           return member.first.starts_with('$');
         });
}

void check_matcher(const Json& expectation, const std::string& pointer,
                   std::optional<Problem>& problem) {
  for (const auto& [name, value] : expectation.items()) {
    const std::string place = pointer + '/' + pointer_token(name);
    const Rule* const rule = rule_of(name);
    if (rule == nullptr && name.starts_with('$')) {
      std::vector<std::string> known;
      for (const Rule& one : all_rules()) known.emplace_back(one.name);
      add_problem(problem, place, "unknown matcher \"" + name + "\"" + meant(name, known));
    } else if (rule == nullptr) {
      add_problem(problem, place,
                  "\"" + name +
                      "\" stands beside a matcher, expected matchers alone; "
                      "{\"$literal\": ...} is data");
    } else if (const std::string wrong = rule->problem(value); !wrong.empty()) {
      add_problem(problem, place, name + ": " + wrong);
    } else if (!rule->holds_data) {
      check_expectation(value, place, problem);
    }
  }
}

}  // namespace

void Comparison::walk(const Json& wanted, const Json* got, const Place& at) {
  if (got != nullptr && masks_.covers(at.masked)) return;
  if (is_matcher(wanted)) return matchers(wanted, got, at);
  if (got == nullptr) return differ(at, shown(wanted), got);
  if (wanted.is_object() && got->is_object()) return members(wanted, *got, at, false);
  if (wanted.is_array() && got->is_array()) return items(wanted, *got, at, false);
  equal(wanted, *got, at);
}

void Comparison::matchers(const Json& wanted, const Json* got, const Place& at) {
  for (const auto& [name, value] : wanted.items()) {
    const Rule* const rule = rule_of(name);
    if (rule == nullptr) return differ(at, "a matcher that there is, not " + name, got);
    if (got != nullptr) {
      rule->hold(value, *got, at, *this);
    } else if (name != "$absent" && name != "$not") {
      differ(at, shown(wanted), got);
    }
  }
}

void Comparison::equal(const Json& wanted, const Json& got, const Place& at) {
  if (wanted == got || masks_.covers(at.masked)) return;
  if (wanted.is_object() && got.is_object()) return members(wanted, got, at, true);
  if (wanted.is_array() && got.is_array()) return items(wanted, got, at, true);
  const auto* const was = wanted.get_ptr<const std::string*>();
  const auto* const is = got.get_ptr<const std::string*>();
  if (was != nullptr && is != nullptr && masks_.steady(*was) == masks_.steady(*is)) return;
  differ(at, shown(wanted), &got);
}

void Comparison::members(const Json& wanted, const Json& got, const Place& at, bool all) {
  for (const auto& [key, value] : wanted.items()) {
    const Json* const there = find(got, key);
    const Place place = at.below(key);
    if (!all) {
      walk(value, there, place);
    } else if (there == nullptr) {
      differ(place, shown(value), there);
    } else {
      equal(value, *there, place);
    }
  }
  if (!all) return;
  for (const auto& [key, value] : got.items()) {
    const Place place = at.below(key);
    if (find(wanted, key) == nullptr && !masks_.covers(place.masked)) {
      differ(place, "nothing", &value);
    }
  }
}

void Comparison::items(const Json& wanted, const Json& got, const Place& at, bool all) {
  if (wanted.size() != got.size()) {
    differ(at, std::to_string(wanted.size()) + " items: " + shown(wanted),
           std::to_string(got.size()) + ": " + shown(got));
    return;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Place place = at.below(std::to_string(i));
    if (all) equal(wanted[i], got[i], place);
    if (!all) walk(wanted[i], &got[i], place);
  }
}

void check_expectation(const Json& expectation, const std::string& pointer,
                       std::optional<Problem>& problem) {
  if (problem) return;
  if (is_matcher(expectation)) return check_matcher(expectation, pointer, problem);
  if (expectation.is_object()) {
    for (const auto& [key, value] : expectation.items()) {
      check_expectation(value, pointer + '/' + pointer_token(key), problem);
    }
  } else if (expectation.is_array()) {
    for (std::size_t i = 0; i < expectation.size(); ++i) {
      check_expectation(expectation[i], pointer + '/' + std::to_string(i), problem);
    }
  }
}

void compare(const Json& expectation, const Json* got, const Place& at, const Masks& masks,
             std::vector<Mismatch>& out) {
  Comparison(masks, out).walk(expectation, got, at);
}

bool fits(const Json& expectation, const Json& got, const Masks& masks) {
  std::vector<Mismatch> found;
  compare(expectation, &got, {}, masks, found);
  return found.empty();
}

}  // namespace plumbline::match
