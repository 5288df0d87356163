// Any JSON as a schema, and any as a value of it: {"schema": ..., "value": ...}. Compiling and
// judging never crash, and asked twice or for everything they say the same. A budget is never
// overdrawn, and where it is spent nothing is passed or blamed for it.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/base/budget/budget.h"
#include "core/base/check.h"
#include "core/json/json.h"
#include "core/schema/sample_value.h"
#include "core/schema/schema.h"

namespace {

constexpr std::uint64_t kSteps = 1'000;
constexpr std::uint64_t kBytes = 4'096;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plumbline;
  const Result<Json> read = parse_json({reinterpret_cast<const char*>(data), size});
  if (!read.ok() || !read.value().is_object()) return 0;
  const Json* const schema = find(read.value(), "schema");
  const Json* const value = find(read.value(), "value");
  if (schema == nullptr) return 0;
  (void)schema::sample_arguments(*schema);
  const Result<schema::Schema> compiled = schema::Schema::compile(*schema);
  if (!compiled.ok() || value == nullptr) return 0;
  const bool valid = !compiled.value().validate(*value).has_value();
  check(valid == !compiled.value().validate(*value).has_value(), "a verdict is the same twice");
  check(valid == compiled.value().validate_all(*value, 1).empty(), "all of it says the same");
  Budget budget(Amounts().set(Resource::kSteps, kSteps).set(Resource::kValueBytes, kBytes));
  (void)schema::sample_arguments(*schema, &budget);
  const auto measured = compiled.value().validate(*value, &budget);
  check(budget.taken(Resource::kSteps) <= kSteps, "steps are overdrawn");
  check(budget.taken(Resource::kValueBytes) <= kBytes, "bytes are overdrawn");
  const bool decided = !measured || !measured->undecided;
  check(!decided || !measured.has_value() == valid, "a budget changes no verdict");
  check(decided || !budget.spent().empty() || !valid, "nothing is undecided without a reason");
  return 0;
}
