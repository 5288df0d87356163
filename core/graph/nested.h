// Nested is how far the inside of a subgraph has come: a Snapshot of its own State, or the JSON of
// one until the subgraph reads it.

#pragma once

#include <any>
#include <utility>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::graph {

class Nested {
 public:
  using Write = Result<Json> (*)(const std::any& inside);

  Nested() = default;  // Nothing has begun.
  explicit Nested(Json json) : inside_(std::move(json)), write_(nullptr) {}
  Nested(std::any inside, Write write) : inside_(std::move(inside)), write_(write) {}

  bool has_value() const { return inside_.has_value(); }
  void reset() { inside_.reset(); }

  // as returns the Snapshot that it holds, nullptr when it holds another thing.
  template <typename Inside>
  const Inside* as() const {
    return std::any_cast<Inside>(&inside_);
  }

  // json returns the inside for whoever keeps it; kUnsupported when its State cannot be written.
  Result<Json> json() const {
    if (const auto* const json = as<Json>()) return *json;
    if (write_ == nullptr) {
      return Error{ErrorCode::kUnsupported, "the state of a subgraph cannot be written as JSON"};
    }
    return write_(inside_);
  }

 private:
  std::any inside_;
  Write write_ = nullptr;
};

}  // namespace plumbline::graph
