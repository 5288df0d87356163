#include "conformance/wire/measured.h"

#include <utility>

#include "conformance/wire/wire_log.h"

namespace plumbline::conformance {

Result<schema::Schema> Measured::compile(const Json& schema) {
  if (!budget_.spend(Resource::kSteps, memory_of(schema))) {
    return Error{ErrorCode::kLimitReached, budget_.spent()};
  }
  Result<schema::Schema> compiled = schema::Schema::compile(schema);
  if (!compiled.ok() && compiled.error().code == ErrorCode::kLimitReached && stopped_.empty()) {
    stopped_ = compiled.error().message;
  }
  return compiled;
}

std::optional<schema::Violation> Measured::violation(const schema::Schema& schema,
                                                     const Json& value) {
  std::optional<schema::Violation> found = schema.validate(value, &budget_);
  if (!found || !found->undecided) return found;
  if (stopped_.empty()) stopped_ = found->message;
  return std::nullopt;
}

std::string Measured::unsure() const {
  const std::string spent = budget_.spent();
  if (spent.empty() && stopped_.empty()) return {};
  return "not judged to its end: " + (spent.empty() ? stopped_ : spent);
}

}  // namespace plumbline::conformance
