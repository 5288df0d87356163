#include "core/schema/schema.h"

#include <algorithm>
#include <utility>

#include "core/schema/compile/compiler.h"
#include "core/schema/evaluator.h"
#include "core/schema/findings.h"
#include "core/schema/program.h"

namespace plumbline::schema {

Schema::Schema(std::unique_ptr<const Program> program) : program_(std::move(program)) {}
Schema::Schema(Schema&& other) noexcept = default;
Schema& Schema::operator=(Schema&& other) noexcept = default;
Schema::~Schema() = default;

Result<Schema> Schema::compile(Json schema, const CompileOptions& options) {
  Result<std::unique_ptr<const Program>> program = compile_program(std::move(schema), options);
  if (!program.ok()) return std::move(program).error();
  return Schema(std::move(program).value());
}

namespace {

Violation stopped_at(const std::string& bound) {
  return {"", "", "validation stopped: " + bound, /*undecided=*/true};
}

}  // namespace

std::optional<Violation> Schema::validate(const Json& instance, Budget* budget) const {
  Evaluator evaluator(*program_, nullptr, budget);
  if (evaluator.run(*program_->root, instance)) return std::nullopt;
  // Nothing wrong was met before the bound: explaining would come to the same one.
  if (!evaluator.stopped().empty()) return stopped_at(evaluator.stopped());
  // Only now is it worth explaining. The first in document order need not be the first found.
  std::vector<Violation> violations = validate_all(instance, limits::kSchemaViolationsMax, budget);
  check(!violations.empty(), "a value is wrong and nobody can say why");
  return std::move(violations.front());
}

std::vector<Violation> Schema::validate_all(const Json& instance, std::size_t violations_max,
                                            Budget* budget) const {
  if (violations_max == 0) return {};
  Findings findings(std::max(violations_max, limits::kSchemaViolationsMax));
  Evaluator evaluator(*program_, &findings, budget);
  evaluator.run(*program_->root, instance);
  std::vector<Violation> violations = findings.violations();
  if (!evaluator.stopped().empty()) violations.push_back(stopped_at(evaluator.stopped()));
  if (violations.size() > violations_max) violations.resize(violations_max);
  return violations;
}

Dialect Schema::dialect() const { return program_->root->resource->dialect; }

namespace {

Schema compiled_metaschema(std::string_view uri) {
  Json reference(Json::value_t::object);
  reference["$ref"] = uri;
  Result<Schema> compiled = Schema::compile(std::move(reference));
  check(compiled.ok(), "a built-in metaschema does not compile");
  return std::move(compiled).value();
}

}  // namespace

const Schema& metaschema(Dialect dialect) {
  static const Schema kNewest = compiled_metaschema(kMetaschema202012);
  static const Schema kDraft7 = compiled_metaschema(kMetaschemaDraft7);
  return dialect == Dialect::kDraft7 ? kDraft7 : kNewest;
}

}  // namespace plumbline::schema
