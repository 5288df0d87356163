#include "core/agents/supervisor/tools/tool_table.h"

#include <array>

namespace plumbline::agents::supervisor {

namespace {

using enum ToolKind;
using enum ToolInput;
using enum FinalPart;

// Simple tools, then workflows.
constexpr std::array kTools = {
    ToolSpec{"chat", "Chat",
             "Ask a second model about code or design: ideas, explanations, a second opinion.",
             kSimple, kPrompt,
             "You are a colleague who develops software. Answer what is asked. Keep to what you "
             "are shown, and say what you do not know. Object where you disagree, and propose "
             "what is small and fits.",
             "", "",
             "If you write a whole file, label its code block with the path: ```lang path."},
    ToolSpec{"challenge", "Challenge",
             "Put a statement to the test before you agree with it. Use it when the user pushes "
             "back.",
             kSimple, kPrompt,
             "You are given a statement. Leave politeness aside: look for what is wrong, missing "
             "or only assumed in it. If it is sound, say that it is sound.",
             "", "",
             "Use these headings: ## Verdict (holds, holds in part, does not hold, or cannot be "
             "told), ## Against, ## For, ## What would decide it."},
    ToolSpec{"thinkdeep", "Think deeply",
             "Extend your own reasoning on a hard problem: alternatives, edge cases, risks.",
             kSimple, kPrompt,
             "You extend the thoughts of an able engineer. Do not repeat them. Offer alternatives "
             "only where they help, look at the edges and at what could go wrong, and end with a "
             "recommendation. The engineer decides.",
             "", "",
             "Use the headings that apply: ## Judgement, ## Alternatives, ## Edge cases and risks, "
             "## What I would do, ## What I am not sure of."},
    ToolSpec{"listmodels", "List models",
             "List the models that can be asked, and which key is missing for the others.", kSimple,
             kNothing, "", "", "", ""},
    ToolSpec{"version", "Version",
             "Say the version of this server, what it may read and run, and where threads are "
             "kept.",
             kSimple, kNothing, "", "", "", ""},
    ToolSpec{"debug", "Debug", "Find the root cause of a fault, with evidence for it.", kWorkflow,
             kSteps,
             "You look for the root cause of a fault. Form hypotheses, and for each name what in "
             "the files and outputs speaks for it and against it. Never guess past the evidence. "
             "A symptom may lie far from its cause, and no fault is a result, too.",
             "the symptom, each hypothesis, and the lines that prove or refute it",
             "one cause explains every symptom, or every hypothesis has been refuted",
             "Use these headings: ## Cause (file:line, and the chain from the symptom to it), "
             "## Evidence, ## Fix (the smallest, and why it breaks nothing), ## How to check, "
             "## Other hypotheses (each with its verdict).",
             kJudge, kJudge},
    ToolSpec{"codereview", "Code review",
             "Review code for faults: correctness, security, performance, maintainability.",
             kWorkflow, kSteps,
             "You review code. Report faults and no matters of taste, the gravest first, each with "
             "file, line and severity by its effect. What the lines do not show is a question. "
             "Praise nothing.",
             "faults with file, line and severity, and what could not be reviewed",
             "every file in question was read and each fault has a severity",
             "Use these headings: ## Result (one sentence, with the number of faults by severity), "
             "## Faults (each with why it matters and how to fix it), ## Fix first, "
             "## Not reviewed.",
             kJudge, kJudge},
    ToolSpec{"refactor", "Refactor",
             "Find where code should be taken apart or simplified, and in which order.", kWorkflow,
             kSteps,
             "You look for code that could be simpler: what is repeated, what is too long, what "
             "does not belong together. Propose small moves that keep the behaviour, the largest "
             "obstacle first, and no abstraction for what is not there.",
             "places that are hard to change, and the move that would help each",
             "the moves are in an order in which each leaves the code working",
             "Use these headings: ## In this order (a move each: where, what is hard today, the "
             "move, why the behaviour stays, what proves it), ## Left alone (and why).",
             kJudge, kJudge},
    ToolSpec{"planner", "Planner", "Plan work in steps that can be revised and branched.",
             kWorkflow, kSteps,
             "You turn a goal into a plan: steps in order, what each needs, how it is known that "
             "it is done, and where the plan may have to fork. Name no times and costs unless you "
             "are asked.",
             "the next steps of the plan, what each needs, when it is done, and its risks",
             "every part of the goal has a step, and every step says when it is done",
             "Use these headings: ## Goal, ## Steps (numbered, with what each depends on and when "
             "it is done), ## Forks, ## Risks, ## Unknown.",
             kWrite, kAssemble},
    ToolSpec{"consensus", "Consensus",
             "Ask several models about one decision, for and against, and weigh what they say.",
             kWorkflow, kVoices,
             "Several models have judged a proposal, each without knowing of the others. Say where "
             "they agree, where they differ and why, then recommend what to do. A model that "
             "failed has no opinion.",
             "the proposal, and an opinion of each model", "every model was heard or has failed",
             "Use these headings: ## Recommendation, ## Agreed, ## Disputed (and why), ## Risks.",
             kJudge, kJudge},
    ToolSpec{"precommit", "Pre-commit", "Check changes before they are committed.", kWorkflow,
             kSteps,
             "You check a change before it is committed: does it do what was asked, what does it "
             "break, which tests and documents are missing? Look at the change and at what it "
             "touches, and at nothing else. A secret in the change comes first.",
             "faults that the change brings, with file, line and severity, and missing tests",
             "every changed file was compared with what was asked for",
             "Use these headings: ## Commit? (yes; after fixing what; or no), ## Faults, "
             "## Missing (tests, documents), ## Could break elsewhere.",
             kJudge, kJudge},
    ToolSpec{"secaudit", "Security audit", "Audit code for weaknesses that can be exploited.",
             kWorkflow, kSteps,
             "You audit code for security. For each weakness say who can exploit it, how, what is "
             "lost and how to close it. What cannot be exploited is not a finding.",
             "weaknesses with file, line and severity, and the way to exploit each",
             "every entry point was followed to where its input is used",
             "Use these headings: ## Result, ## Weaknesses (who, how, what is lost, evidence with "
             "file:line, fix), ## Looked at and found sound, ## Not looked at.",
             kJudge, kJudge},
    ToolSpec{"docgen", "Documentation", "Document code: what it promises, needs and costs.",
             kWorkflow, kSteps,
             "You document code for those who call it: what it does, what it needs, what it "
             "returns on each failure, what it costs. Keep the style of the code that is there. "
             "Change no behaviour, and document nothing as intended that looks wrong.",
             "what lacks documentation, and faults that were noticed while reading",
             "everything public in the files has been documented",
             "Write the documentation itself: a code block a file, labelled with its path "
             "(```lang path).",
             kWrite, kAssemble},
    ToolSpec{"analyze", "Analyze",
             "Explain how code is built: its structure, its flow of data, its risks.", kWorkflow,
             kSteps,
             "You explain how code is built: its parts, how they depend on each other, how data "
             "flows, and which decisions will be costly later. Explain before you judge; go by "
             "the files and not by names.",
             "parts, dependencies and decisions, with the file and line that shows each",
             "the question can be answered from what was read",
             "Use these headings: ## Answer, ## Parts, ## Flow, ## Decisions that will cost, "
             "## Strong, each with file:line.",
             kJudge, kJudge},
    ToolSpec{"tracer", "Tracer", "Follow calls or dependencies through code.", kWorkflow, kSteps,
             "You follow a call or a dependency through code: who calls what, under which "
             "conditions, with which side effects. Name only what lines show; of a virtual call "
             "name every candidate.",
             "each call or dependency with file and line, and its side effects",
             "every branch ends in code that calls nothing of interest",
             "Write a tree, indented, a line a call with file:line and condition; then "
             "## Called from, ## Side effects, ## Not followed.",
             kWrite, kAssemble},
    ToolSpec{"testgen", "Test generation", "Find what should be tested, and write those tests.",
             kWorkflow, kSteps,
             "You write tests: the cases that matter, those at the edges, and those that must "
             "fail. Keep to the framework and the style of the tests that are there. Call no "
             "function that is not there. A test must fail without the behaviour.",
             "behaviour without a test, cases at the edges, and how each can break",
             "each behaviour in question has a case that would fail without it",
             "Write ## Cases (what, why, and how each would fail), then the tests: a code block a "
             "file, labelled with its path (```lang path); then ## Not testable as it is.",
             kWrite, kWrite},
};
static_assert(kTools.size() == 16);

constexpr std::array kCommandTools = {
    ToolSpec{"cli_execute", "Run commands", "Execute CLI commands locally on the server, by rules.",
             kCommand, kCommands, "", "", "", ""},
    ToolSpec{"remote_cli", "Run remote commands",
             "Execute CLI commands on remote systems via SSH or API, by stricter rules.", kRemote,
             kRemoteCommands, "", "", "", ""},
};

}  // namespace

std::span<const ToolSpec> all_tools() { return kTools; }

std::span<const ToolSpec> command_tools() { return kCommandTools; }

Result<const ToolSpec*> find_tool(std::string_view name) {
  std::string names;
  for (const std::span<const ToolSpec> some : {all_tools(), command_tools()}) {
    for (const ToolSpec& tool : some) {
      if (tool.name == name) return &tool;
      names += (names.empty() ? "" : ", ") + std::string(tool.name);
    }
  }
  constexpr std::size_t kShownBytesMax = 64;
  return Error{ErrorCode::kInvalidInput, "there is no tool \"" +
                                             std::string(name.substr(0, kShownBytesMax)) +
                                             "\"; there are " + names};
}

}  // namespace plumbline::agents::supervisor
