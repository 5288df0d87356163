// What it costs to judge the arguments of a tool call by the tool's input schema.

#include <string_view>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/base/check.h"
#include "core/schema/schema.h"

namespace plumbline::schema {
namespace {

constexpr std::string_view kToolInput = R"({
  "type": "object",
  "properties": {
    "path": {"type": "string", "minLength": 1},
    "head": {"type": "integer", "minimum": 1},
    "encoding": {"type": "string", "enum": ["utf-8", "latin-1", "base64"]},
    "recursive": {"type": "boolean"},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 8}
  },
  "required": ["path"],
  "additionalProperties": false
})";

constexpr std::string_view kArguments =
    R"({"path":"/srv/project/readme.md","head":20,"encoding":"utf-8","tags":["a","b"]})";

Json json(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  check(parsed.ok(), "the text of a benchmark is no JSON");
  return std::move(parsed).value();
}

Schema compiled(Json text) {
  Result<Schema> schema = Schema::compile(std::move(text));
  check(schema.ok(), "the schema of a benchmark does not compile");
  return std::move(schema).value();
}

void validate(benchmark::State& state, const Schema& schema, const Json& value, bool valid) {
  for (auto turn : state) {
    const bool good = !schema.validate(value).has_value();
    check(good == valid, "the benchmark judges wrongly");
  }
  state.SetItemsProcessed(state.iterations());
}

void bm_valid_arguments(benchmark::State& state) {
  validate(state, compiled(json(kToolInput)), json(kArguments), true);
}
BENCHMARK(bm_valid_arguments);

void bm_wrong_arguments_explained(benchmark::State& state) {
  Json arguments = json(kArguments);
  arguments["head"] = "twenty";
  validate(state, compiled(json(kToolInput)), arguments, false);
}
BENCHMARK(bm_wrong_arguments_explained);

void bm_pattern(benchmark::State& state) {
  validate(state, compiled(json(R"({"pattern":"^[a-z]+/[0-9]{1,4}$"})")), Json("item/2026"), true);
}
BENCHMARK(bm_pattern);

void bm_any_of_references(benchmark::State& state) {
  validate(state, compiled(json(R"({"$defs":{"a":{"required":["a"]},"b":{"required":["b"]}},
                             "anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],
                             "properties":{"a":true,"b":{"type":"integer"}},
                             "unevaluatedProperties":false})")),
           json(R"({"b":1})"), true);
}
BENCHMARK(bm_any_of_references);

void bm_tool_schema_by_metaschema(benchmark::State& state) {
  Json reference = Json::object();
  reference["$ref"] = kMetaschema202012;
  validate(state, compiled(std::move(reference)), json(kToolInput), true);
}
BENCHMARK(bm_tool_schema_by_metaschema);

void bm_compile(benchmark::State& state) {
  const Json text = json(kToolInput);
  for (auto turn : state) benchmark::DoNotOptimize(compiled(text));
}
BENCHMARK(bm_compile);

}  // namespace
}  // namespace plumbline::schema
