#include "core/agents/supervisor/nodes/step_input.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/supervisor/nodes/model_reply.h"
#include "core/json/json.h"

namespace plumbline::agents::supervisor {
namespace {

Json step_json(std::int64_t number, bool next) {
  return {{"step", "looked"},
          {"step_number", number},
          {"total_steps", 3},
          {"next_step_required", next}};
}

TEST(StepInputTest, ReadsAStepWithAllItHas) {
  Json json = step_json(2, true);
  json["confidence"] = "very_high";
  json["findings"] = {{{"text", "x"}}};
  json["commands"] = {"git status"};
  json["backtrack_from_step"] = 2;
  const Result<StepInput> step = read_step(json);
  ASSERT_TRUE(step.ok());
  EXPECT_EQ(step.value().number, 2);
  EXPECT_EQ(step.value().confidence, Confidence::kVeryHigh);
  EXPECT_EQ(step.value().commands, std::vector<std::string>{"git status"});
  EXPECT_EQ(step.value().backtrack_from, 2);
  EXPECT_EQ(step.value().findings.size(), 1U);
}

TEST(StepInputTest, SaysWhatIsMissingOrWrong) {
  for (const char* name : {"step", "step_number", "total_steps", "next_step_required"}) {
    Json json = step_json(1, true);
    json.erase(name);
    const Result<StepInput> step = read_step(json);
    ASSERT_FALSE(step.ok()) << name;
    EXPECT_NE(step.error().message.find(name), std::string::npos) << step.error().message;
  }
  Json json = step_json(0, true);
  EXPECT_FALSE(read_step(json).ok());
  json = step_json(1, true);
  json["confidence"] = "sure";
  EXPECT_FALSE(read_step(json).ok());
}

TEST(StepInputTest, AFindingMustBeOne) {
  Workflow workflow;
  workflow.workflow_step = 4;
  workflow.found = {Json{{"text", "leak"}, {"file", "a.cc"}, {"line", 3}, {"severity", "high"}},
                    Json{{"text", "leak"}, {"file", "a.cc"}, {"line", 3}},
                    Json{{"file", "a.cc"}},
                    Json{{"text", "no file"}, {"line", 3}},
                    Json{{"text", "x"}, {"severity", "awful"}},
                    Json("words")};
  EXPECT_EQ(validate(workflow).size(), 4U);
  EXPECT_EQ(workflow.findings, std::vector<Finding>({{"leak", "a.cc", 3, Severity::kHigh, 4}}));
  EXPECT_TRUE(workflow.found.empty());
}

TEST(StepInputTest, AllThatIsWrongIsToldAtOnce) {
  const Result<StepInput> step =
      read_step({{"step_number", "one"}, {"next_step_required", 1}, {"confidence", "sure"}});
  ASSERT_FALSE(step.ok());
  for (const char* name :
       {"step_number: ", "total_steps", "next_step_required: ", "confidence: ", "\"step\""}) {
    EXPECT_NE(step.error().message.find(name), std::string::npos) << step.error().message;
  }
  EXPECT_EQ(step.error().message.find(": a step"), std::string::npos) << step.error().message;
}

TEST(StepInputTest, TheFinalPartIsTheToolsUnlessCertainOrSaidOtherwise) {
  const ToolSpec& debug = *find_tool("debug").value();
  const ToolSpec& planner = *find_tool("planner").value();
  Workflow workflow;
  const Json none = Json::object();
  EXPECT_EQ(final_part(debug, workflow, none, true), FinalPart::kJudge);
  EXPECT_EQ(final_part(planner, workflow, none, true), FinalPart::kAssemble);
  EXPECT_EQ(final_part(planner, workflow, none, false), FinalPart::kWrite);
  EXPECT_EQ(final_part(planner, workflow, {{"use_assistant_model", true}}, true),
            FinalPart::kJudge);
  EXPECT_EQ(final_part(debug, workflow, {{"use_assistant_model", false}}, true),
            FinalPart::kAssemble);
  workflow.confidence_level = Confidence::kCertain;
  EXPECT_EQ(final_part(debug, workflow, none, true), FinalPart::kAssemble);
}

TEST(ModelReplyTest, AModelsStepIsReadOutOfItsWords) {
  const StepInput read = read_model_step(
      "Here:\n{\"step\": \"ran it\", \"next_step_required\": true, \"commands\": [\"pytest\"]}", 2);
  EXPECT_EQ(read.text, "Here:\n\nran it");
  EXPECT_TRUE(read.next_required);
  EXPECT_EQ(read.total, 3);
  const StepInput fenced = read_model_step(
      "I read it.\n\n```json\n{\"findings\": [{\"text\": \"x\"}],\n \"files\": [\"/a\"]}\n```\n",
      1);
  EXPECT_EQ(fenced.text, "I read it.");
  EXPECT_EQ(fenced.findings.size(), 1U);
  EXPECT_TRUE(fenced.next_required) << "who asks for a file wants to see it";
  EXPECT_FALSE(fenced.last_words);
}

TEST(ModelReplyTest, WhateverElseHasBracesIsText) {
  for (const char* said :
       {"It is {broken.", "Send this:\n```json\n{\"name\": \"x\", \"files\": []}\n```",
        "```json\n{\"files\": [\"/a\"]}\n```\nis what a request looks like.", "{\"a\": 1}",
        "Ends with\n{}", "1. back up\n2. move the writers"}) {
    const StepInput read = read_model_step(said, 1);
    EXPECT_EQ(read.text, said);
    EXPECT_TRUE(read.last_words) << said;
    EXPECT_FALSE(read.next_required) << said;
  }
}

TEST(ModelReplyTest, WhatCannotBeReadIsToldAndCostsNothingElse) {
  const StepInput read = read_model_step(
      R"(Text.
{"confidence": "sure", "findings": [{"text": "x"}], "commands": "ls", "next_step_required": "no"})",
      1);
  EXPECT_EQ(read.text, "Text.");
  EXPECT_EQ(read.findings.size(), 1U);
  EXPECT_EQ(read.problems.size(), 3U);
}

// Going back leaves nothing of the steps that it goes back over.
RC_GTEST_PROP(StepInputTest, BacktrackingForgetsStepsAndFindings, ()) {
  Workflow workflow;
  const std::int64_t count = *rc::gen::inRange<std::int64_t>(1, 12);
  for (std::int64_t number = 1; number <= count; ++number) {
    StepInput step{.text = "s", .number = number, .total = count, .next_required = true};
    step.findings = {Json{{"text", "finding " + std::to_string(number)}}};
    record(std::move(step), workflow);
    RC_ASSERT(validate(workflow).empty());
  }
  const std::int64_t from = *rc::gen::inRange<std::int64_t>(1, count + 1);
  StepInput again{.text = "again", .number = from, .total = count, .next_required = true};
  again.backtrack_from = from;
  record(std::move(again), workflow);
  RC_ASSERT(static_cast<std::int64_t>(workflow.steps.size()) == from);
  RC_ASSERT(static_cast<std::int64_t>(workflow.findings.size()) == from - 1);
  for (const Finding& finding : workflow.findings) RC_ASSERT(finding.step < from);
}

}  // namespace
}  // namespace plumbline::agents::supervisor
