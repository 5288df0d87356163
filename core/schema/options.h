// What a schema is written in, and what it may cost.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/limits.h"

namespace plumbline::schema {

inline constexpr std::string_view kMetaschema202012 =
    "https://json-schema.org/draft/2020-12/schema";
inline constexpr std::string_view kMetaschemaDraft7 = "http://json-schema.org/draft-07/schema";

enum class Dialect { k202012, kDraft7 };

// What all patterns of one schema may take, compiled and at work.
inline constexpr std::size_t kSchemaPatternsMemoryMax = 8U << 20U;

// SchemaLimits bounds what a schema and a value can cost.
struct SchemaLimits {
  std::size_t depth_max = limits::kJsonDepthMax;  // Schemas nested in schemas.
  std::size_t nodes_max = limits::kSchemaNodesMax;
  std::size_t pattern_bytes_max = limits::kSchemaPatternBytesMax;
  std::size_t patterns_memory_max = kSchemaPatternsMemoryMax;
  std::size_t evaluation_depth_max = limits::kSchemaEvaluationDepthMax;
  std::size_t instance_depth_max = limits::kJsonDepthMax;
  std::uint64_t steps_max = limits::kSchemaStepsMax;
};

struct CompileOptions {
  Dialect dialect = Dialect::k202012;  // Of a schema that names none with "$schema".
  bool assert_format = false;  // Whether a wrong "format" is a violation. Known formats only.
  SchemaLimits limits{};
};

}  // namespace plumbline::schema
