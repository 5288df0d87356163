// What can be listened for, and what a server honours of it: spec 2026-07-28,
// basic/patterns/subscriptions.

#pragma once

#include <string>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/survey.h"

namespace plumbline::conformance {

// Notice is one thing that can be listened for, and what a tool has to show that makes it happen.
struct Notice {
  const char* filter;
  const char* capability;
  const char* notification;
  Shows trigger;
};

inline constexpr Notice kNoticeKinds[] = {
    {"toolsListChanged", "/tools/listChanged", "notifications/tools/list_changed",
     Shows::kToolsChange},
    {"promptsListChanged", "/prompts/listChanged", "notifications/prompts/list_changed",
     Shows::kPromptsChange},
    {"resourcesListChanged", "/resources/listChanged", "notifications/resources/list_changed",
     Shows::kResourcesChange},
};

// serves returns whether anything can be listened for.
bool serves(const Survey& survey);

// everything returns a filter for all that there is, and for the first resource.
Json everything(const Survey& survey);

// unhonored says what of `asked` is declared and left out all the same; empty: nothing.
std::string unhonored(const Survey& survey, const Json& asked, const Json& honored);

// honor_problem compares what is honored with what was asked and what is declared.
std::string honor_problem(const Survey& survey, const Json& asked, const Json& honored);

}  // namespace plumbline::conformance
