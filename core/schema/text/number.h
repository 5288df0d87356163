// JSON values compared as JSON Schema means it: 1 equals 1.0, and numbers compare exactly.

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/json/json.h"

namespace plumbline::schema {

// is_whole returns whether a number has no fraction: 3, 3.0 and 1e308 have none.
bool is_whole(const Json& number);

// compare_numbers returns -1, 0 or 1. Exact over the whole range of 64-bit integers and doubles.
int compare_numbers(const Json& a, const Json& b);

// is_multiple_of works on the decimal digits of both, so 0.0075 is a multiple of 0.0001. A divisor
// of 0 or less has no multiples.
bool is_multiple_of(const Json& number, const Json& divisor);

// JsonOrder is a total order of JSON values in which equal means equal to JSON Schema.
//
// It counts what it visits and goes no deeper than `depth_max`: values that differ only below that
// count as equal, and truncated() tells.
class JsonOrder {
 public:
  explicit JsonOrder(std::size_t depth_max) : depth_max_(depth_max) {}

  int compare(const Json& a, const Json& b) { return compare(a, b, depth_max_); }
  std::uint64_t visited() const { return visited_; }
  bool truncated() const { return truncated_; }

 private:
  int compare(const Json& a, const Json& b, std::size_t depth_left);
  int compare_arrays(const Json& a, const Json& b, std::size_t depth_left);
  int compare_objects(const Json& a, const Json& b, std::size_t depth_left);

  std::size_t depth_max_;
  std::uint64_t visited_ = 0;
  bool truncated_ = false;
};

}  // namespace plumbline::schema
