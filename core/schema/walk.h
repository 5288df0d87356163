// What the evaluator carries while it walks a value: where it is, and what it has covered.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/json/json.h"

namespace plumbline::schema {

struct Resource;

// Path is the way from the whole value to one inside it, as a chain through the callers' stack.
struct Path {
  const Path* parent = nullptr;
  const std::string* key = nullptr;  // Null: an item, or the whole value.
  std::size_t index = 0;
  std::size_t depth = 0;
  bool is_name = false;  // The name of the member is judged, not its value.
};

// Scope is the chain of resources that the evaluation has entered, for "$dynamicRef".
struct Scope {
  const Scope* outer = nullptr;
  const Resource* resource = nullptr;
};

// At is a value under judgement, with its surroundings.
struct At {
  const Json& value;
  const Path& path;
  const Scope* scope;
};

// Covered notes which members or items of one value some keyword has judged, for
// "unevaluatedProperties" and "unevaluatedItems". Up to 64 of them cost no allocation.
class Covered {
 public:
  void mark(std::size_t position) {
    if (position < 64) {
      first_ |= std::uint64_t{1} << position;
      return;
    }
    if (rest_.size() <= position - 64) rest_.resize(position - 64 + 1);
    rest_[position - 64] = true;
  }

  void mark_all() { all_ = true; }

  bool has(std::size_t position) const {
    if (all_) return true;
    if (position < 64) return (first_ >> position & 1U) != 0;
    return position - 64 < rest_.size() && rest_[position - 64];
  }

  void merge(const Covered& other) {
    all_ = all_ || other.all_;
    first_ |= other.first_;
    for (std::size_t i = 0; i < other.rest_.size(); ++i) {
      if (other.rest_[i]) mark(i + 64);
    }
  }

 private:
  bool all_ = false;
  std::uint64_t first_ = 0;
  std::vector<bool> rest_;
};

}  // namespace plumbline::schema
