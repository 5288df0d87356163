// JSON Schema, dialects 2020-12 and draft-07: compile a schema once, then judge values with it.
//
//   Result<Schema> schema = Schema::compile(tool_input_schema);
//   if (const std::optional<Violation> wrong = schema.value().validate(arguments)) ...
//
// Nothing is ever fetched: a reference finds its target in the schema itself or in the metaschemas
// of the two dialects, which are built in, or compile() refuses it. To judge a schema itself,
// validate it as a value with metaschema().

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/budget/budget.h"
#include "core/base/limits.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/schema/options.h"
#include "core/schema/violation.h"

namespace plumbline::schema {

struct Program;

// Schema is a compiled schema: movable, immutable, shareable between threads.
class Schema {
 public:
  // compile reads `schema`, resolves every reference that a value can reach, and keeps all of it.
  //
  // The dialect is what "$schema" says, else the one of `options`. The message of an error begins
  // with a pointer to the keyword at fault.
  // kInvalidInput: not a schema; a reference to nowhere; references that go round in a circle.
  // kUnsupported: another dialect; a remote reference; a pattern that needs more than RE2 has
  //   (lookaround, backreferences, more than 1000 repetitions).
  // kLimitReached: a bound of SchemaLimits.
  static Result<Schema> compile(Json schema, const CompileOptions& options = {});

  Schema(Schema&& other) noexcept;
  Schema& operator=(Schema&& other) noexcept;
  ~Schema();

  // validate returns the first violation in document order, nothing when `instance` is valid.
  //
  // Document order: a value before its members and items, members by key, items by index; at one
  // place, the order of evaluation. A value that exhausts a bound is not valid: the violation says
  // so and is `undecided`. A valid value costs no allocation unless the schema names its members
  // ("propertyNames") or the value has long arrays under "uniqueItems".
  //
  // `budget`, where there is one, is charged with the steps; past its end nothing is decided.
  std::optional<Violation> validate(const Json& instance, Budget* budget = nullptr) const;

  // validate_all returns at most `violations_max` violations in document order.
  std::vector<Violation> validate_all(const Json& instance,
                                      std::size_t violations_max = limits::kSchemaViolationsMax,
                                      Budget* budget = nullptr) const;

  Dialect dialect() const;

 private:
  explicit Schema(std::unique_ptr<const Program> program);

  std::unique_ptr<const Program> program_;
};

// metaschema returns the schema of the schemas of a dialect. It is compiled once.
const Schema& metaschema(Dialect dialect);

}  // namespace plumbline::schema
