// The matchers of an expectation, a row each.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/match/masks.h"
#include "core/match/mismatch.h"

namespace plumbline::match {

inline constexpr std::size_t kMismatchesMax = 20;  // Of one comparison.

// Comparison is one walk; its mismatches are bounded.
class Comparison {
 public:
  Comparison(const Masks& masks, std::vector<Mismatch>& out) : masks_(masks), out_(out) {}

  void walk(const Json& wanted, const Json* got, const Place& at);

  void differ(const Place& at, std::string expected, const Json* got) {
    differ(at, std::move(expected), got == nullptr ? std::string("nothing") : shown(*got));
  }
  void differ(const Place& at, std::string expected, std::string got, bool undecided = false) {
    if (out_.size() >= kMismatchesMax) return;
    out_.push_back({at.shown, std::move(expected), std::move(got), undecided});
  }

  // fits returns whether `got` fits; whatever cannot be told is told at once.
  bool fits(const Json& wanted, const Json& got, const Place& at) {
    std::vector<Mismatch> found;
    Comparison(masks_, found).walk(wanted, &got, at);
    for (Mismatch& one : found) {
      if (one.undecided) out_.push_back(std::move(one));
    }
    return found.empty();
  }

  void equal(const Json& wanted, const Json& got, const Place& at);

  const Masks& masks() const { return masks_; }

 private:
  void members(const Json& wanted, const Json& got, const Place& at, bool all);
  void items(const Json& wanted, const Json& got, const Place& at, bool all);
  void matchers(const Json& wanted, const Json* got, const Place& at);

  const Masks& masks_;
  std::vector<Mismatch>& out_;
};

// Rule is one $member: whether its value can be read, and how it is held against what is there.
struct Rule {
  std::string_view name;
  std::string (*problem)(const Json& value);  // Empty: none.
  void (*hold)(const Json& value, const Json& got, const Place& at, Comparison& comparison);
  bool holds_data;  // Its value is data, or none at all; else an expectation.
};

std::span<const Rule> all_rules();

// rule_of returns the one of this name, nullptr when there is none.
const Rule* rule_of(std::string_view name);

}  // namespace plumbline::match
