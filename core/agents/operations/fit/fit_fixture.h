// Requests to scripted servers, and what each may come to: the call that serves it, a question, or
// nothing. An answer to something else is the one thing that must never happen.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/operations/assistant_fixture.h"
#include "core/agents/operations/operations_nodes.h"

namespace plumbline::agents {

inline constexpr std::string_view kPathField = R"({"path": {"type": "string"}})";

// "SERVER/NAME {ARGUMENTS}" is a call, "resource NAME" one of resources/read; "asks LABEL": more
// has to be said; "review LABEL": a person has to decide; "none": nothing fits; "direct".
struct FitRow {
  std::string_view request;
  std::string_view expected;
};

class FitTest : public AssistantTest {
 protected:
  // came_to says what came of a request, in the words of the table.
  std::string came_to(std::string_view request) {
    mcp_.requests.clear();
    const AssistantOutcome outcome = ask_for(std::string(request));
    const connector::Capability* const capability = outcome.state.selected();
    if (!mcp_.requests.empty()) {
      if (mcp_.requests[0].method == "resources/read") return "resource " + capability->name;
      return label(*capability) + ' ' + dump_json(mcp_.requests[0].params["arguments"]);
    }
    switch (end_of(outcome.state)) {
      case Outcome::End::kNeedsPerson:
        return (status(outcome) == "needs_review" ? "review " : "asks ") + label(*capability);
      case Outcome::End::kNothingFits:
        return "none";
      case Outcome::End::kDone:
        return "direct";
      default:
        return "failed";
    }
  }

  // sums_of asks for each row and counts those that are served as they should be, those that are
  // not served though they could be, and those that are served by something else.
  template <std::size_t N>
  std::string sums_of(const FitRow (&rows)[N]) {
    std::size_t right = 0;
    std::size_t missed = 0;
    std::size_t wrong = 0;
    for (const FitRow& row : rows) {
      const std::string got = came_to(row.request);
      EXPECT_EQ(got, row.expected) << row.request;
      ++(got == row.expected ? right : mcp_.requests.empty() ? missed : wrong);
    }
    return std::to_string(right) + " right, " + std::to_string(missed) + " missed, " +
           std::to_string(wrong) + " answered with something else";
  }
};

}  // namespace plumbline::agents
