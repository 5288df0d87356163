// AssistantTest asks the operations assistant and keeps what came of it.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/agents/operations/operations_assistant.h"
#include "core/connector/connector_fixture.h"

namespace plumbline::agents {

inline std::string risks_of(const std::vector<Risk>& risks) {
  std::string out;
  for (const Risk risk : risks)
    out += std::string(out.empty() ? "" : " ") + std::string(name_of(risk));
  return out;
}

class AssistantTest : public testing::Test {
 protected:
  void offer(const std::vector<connector::Capability>& capabilities) {
    mcp_.discovery.manifest = connector::manifest_of(capabilities);
  }

  void allow(std::string_view policy) {
    Result<Policy, Problem> parsed = Policy::parse(connector::json(policy));
    check(parsed.ok(), "a good policy");
    policy_ = std::move(parsed).value();
  }

  AssistantOutcome finish(Task<AssistantOutcome> task) {
    task.start();
    loop_.run();
    check(task.done(), "the run hangs");
    EXPECT_TRUE(loop_.idle());
    AssistantOutcome outcome = std::move(task.result());
    for (std::size_t i = 1; i < outcome.route.size(); ++i) {
      edges_.emplace_back(std::string(outcome.route[i - 1]) + " " + std::string(outcome.route[i]));
    }
    return outcome;
  }

  // ask_for runs one request and checks what every run must come to.
  AssistantOutcome ask_for(std::string request, Approves reviewer = nullptr,
                           graph::RunOptions options = {}) {
    OperationsState state = initial_state(std::move(request), preferences_);
    AssistantOutcome outcome =
        finish(ask(std::move(state), options, services_, loop_, nullptr, std::move(reviewer)));
    const Json all = to_json(outcome.state);
    EXPECT_EQ(all.size(), 15U);
    for (const char* field : {"intent", "capability_manifest", "selected_capability",
                              "capability_validation", "errors", "final_output"}) {
      EXPECT_TRUE(all.contains(field)) << field;
    }
    for (const char* field : {"status", "response", "selected_capability", "errors"}) {
      EXPECT_TRUE(outcome.state.final_output.contains(field)) << field;
    }
    return outcome;
  }

  static std::string status(const AssistantOutcome& outcome) {
    return string_or(outcome.state.final_output, "status", "");
  }
  static std::string response(const AssistantOutcome& outcome) {
    return string_or(outcome.state.final_output, "response", "");
  }
  static std::string reason(const AssistantOutcome& outcome) {
    return string_or(outcome.state.final_output, "fallback_reason", "");
  }
  static std::string selected(const AssistantOutcome& outcome) {
    const connector::Capability* const capability = outcome.state.selected();
    return capability ? label(*capability) : "";
  }
  static bool visited(const AssistantOutcome& outcome, std::string_view node) {
    return std::ranges::find(outcome.route, node) != outcome.route.end();
  }

  connector::TinyLoop loop_;
  connector::FakeMcp mcp_{loop_};
  Policy policy_;
  AssistantServices services_{mcp_, policy_};
  std::vector<std::string> preferences_;
  std::vector<std::string> edges_;
};

}  // namespace plumbline::agents
