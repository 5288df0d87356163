#include "reference/argument_check.h"

#include <utility>

#include "core/base/limits.h"

namespace plumbline::reference {

// Tools come and go: a cache that has grown beyond any list of tools starts again.
std::optional<std::string> ArgumentCheck::judge(const Json& input_schema, const Json& arguments) {
  std::string text = dump_json(input_schema);
  auto known = compiled_.find(text);
  if (known == compiled_.end()) {
    Result<schema::Schema> fresh = schema::Schema::compile(input_schema);
    if (!fresh.ok()) return "the tool's inputSchema cannot be used: " + fresh.error().message;
    if (compiled_.size() >= limits::kListItemsMax) compiled_.clear();
    known = compiled_.emplace(std::move(text), std::move(fresh).value()).first;
  }
  const std::optional<schema::Violation> wrong = known->second.validate(arguments);
  if (!wrong) return std::nullopt;
  const std::string& at = wrong->instance_pointer;
  return "invalid arguments" + (at.empty() ? "" : " at " + at) + ": " + wrong->message;
}

}  // namespace plumbline::reference
