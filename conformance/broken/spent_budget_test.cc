// What a judge may take of what a server said has an end. Wherever that comes, the run ends,
// nothing passes that was not tested, and nobody is blamed.

#include <algorithm>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/wire/measured.h"
#include "fakes/sample_size.h"

namespace plumbline::conformance {
namespace {

constexpr std::uint64_t kRunsMax = 60;
constexpr std::size_t kMessageMax = 256U << 10U;  // A sample of the most values there may be.

Judgement judged(DeviantWorld& world) {
  JudgeOptions options;
  options.revision = std::string(kNewestStateful);
  options.probe.allow_writes = true;
  options.selection.only = {"tools.inputs-validated",           "tools.input-schema-valid",
                            "tools.input-validation-in-result", "tools.output-schema-conform",
                            "tools.execution-error-in-result",  "schema.schemas-valid",
                            "schema.messages-validate"};
  return world.judge(std::move(options));
}

TEST(SpentBudget, LeavesUndecidedWhatItWasFor) {
  DeviantWorld whole(Transport::kStdio, nullptr);
  const Judgement expected = judged(whole);
  const std::uint64_t charges = whole.log().budget().charges();
  ASSERT_GT(charges, kRunsMax);
  const std::uint64_t step = charges / kRunsMax * kEachNth;
  for (std::uint64_t refused = 1; refused <= charges; refused += step) {
    SCOPED_TRACE("charge " + std::to_string(refused));
    DeviantWorld world(Transport::kStdio, nullptr);
    world.log().budget().refuse_at(refused);
    const Judgement judgement = judged(world);
    ASSERT_EQ(judgement.results.size(), expected.results.size());
    int undecided = 0;
    for (std::size_t i = 0; i < expected.results.size(); ++i) {
      const CheckResult& row = judgement.results[i];
      if (row.verdict == expected.results[i].verdict) continue;
      ++undecided;
      EXPECT_EQ(row.verdict, Verdict::kInconclusive) << row.id << ": " << row.message;
      EXPECT_NE(row.message.find("the budget of"), std::string::npos) << row.message;
    }
    EXPECT_GT(undecided, 0);
  }
}

// with_schemas gives every tool of a list the schema that `make` makes.
template <Json (*make)()>
void with_schemas(Interceptor& interceptor, Json message) {
  if (edit::is_method(interceptor.asked(message), "tools/list") && message.contains("result")) {
    for (Json& tool : message["result"]["tools"]) tool["inputSchema"] = make();
  }
  interceptor.say(message);
}

// Validating goes through 2^40 branches.
Json exploding_schema() {
  Json schema = {{"type", "object"}, {"allOf", {{{"$ref", "#/$defs/a0"}}}}};
  for (int i = 0; i < 40; ++i) {
    const Json next = {{"$ref", "#/$defs/a" + std::to_string(i + 1)}};
    Json& branch = schema["$defs"]["a" + std::to_string(i)];
    branch = {{"anyOf", {next, next}}, {"unevaluatedProperties", false}};
  }
  schema["$defs"]["a40"]["properties"]["k"] = Json::object();
  schema["properties"]["x"]["type"] = "string";
  schema["required"] = {"x"};
  return schema;
}

// A sample has 100^16 items.
Json exploding_sample() {
  return {
      {"type", "object"},
      {"required", {"a"}},
      {"properties",
       {{"a", {{"type", "array"}, {"minItems", 100}, {"items", {{"$ref", "#/properties/a"}}}}}}}};
}

const Deviation kExplodingSchemas = {
    .id = "schemas that explode",
    .revision = kNewestStateful,
    .transport = Transport::kStdio,
    .what = "schemas that explode",
    .from_server = with_schemas<exploding_schema>,
};

const Deviation kExplodingSamples = {
    .id = "samples that explode",
    .revision = kNewestStateful,
    .transport = Transport::kStdio,
    .what = "samples that explode",
    .from_server = with_schemas<exploding_sample>,
};

TEST(SpentBudget, IsOneForEverySchemaOfARun) {
  DeviantWorld world(Transport::kStdio, &kExplodingSchemas);
  const Judgement judgement = judged(world);
  EXPECT_LE(world.log().budget().taken(Resource::kSteps), kRunStepsMax);
  const auto row = std::ranges::find(judgement.results, "tools.inputs-validated", &CheckResult::id);
  ASSERT_NE(row, judgement.results.end());
  EXPECT_EQ(row->verdict, Verdict::kInconclusive) << row->message;
  EXPECT_NE(row->message.find("not judged to its end"), std::string::npos) << row->message;
}

TEST(SpentBudget, IsOneForEverySampleOfARun) {
  DeviantWorld world(Transport::kStdio, &kExplodingSamples);
  const Judgement judgement = judged(world);
  EXPECT_LE(world.log().budget().taken(Resource::kValueBytes), kRunSampleBytesMax);
  for (const LogEntry& entry : world.log().entries()) {
    EXPECT_LE(memory_of(*entry.message), kMessageMax);
  }
  EXPECT_GT(judgement.results.size(), 0U);
}

}  // namespace
}  // namespace plumbline::conformance
