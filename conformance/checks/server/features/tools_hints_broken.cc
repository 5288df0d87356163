// Wrong peers for tools_hints.cc.

#include <string>

#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

// went_well returns whether `message` is the result of a call of `tool` that did not fail.
bool went_well(Interceptor& interceptor, Json& message, std::string_view tool) {
  const Json* const result = edit::result_about(interceptor, message, tool);
  return result != nullptr && !bool_or(*result, "isError", false);
}

// says gives a tool a hint where it is listed.
void says(Interceptor& interceptor, Json& message, const char* hint, bool value) {
  Json* const list = edit::result_of(interceptor, message, "tools/list");
  Json* const tool = edit::in_list(list, "tools", "test_simple_text");
  if (tool != nullptr) (*tool)["annotations"][hint] = value;
}

// loses_one has a resource less in its list once it has been called.
void loses_one(Interceptor& interceptor, Json& message, std::string_view tool) {
  if (went_well(interceptor, message, tool)) interceptor.count = 1;
  Json* const list = edit::result_of(interceptor, message, "resources/list");
  if (list == nullptr || interceptor.count == 0) return;
  Json left = Json::array();
  for (const Json& item : (*list)["resources"]) {
    if (string_or(item, "uri", "") != "test://static-text") left.push_back(item);
  }
  (*list)["resources"] = std::move(left);
}

// makes_more has one resource more in its list with each call.
void makes_more(Interceptor& interceptor, Json& message) {
  if (went_well(interceptor, message, "test_simple_text")) ++interceptor.count;
  Json* const list = edit::result_of(interceptor, message, "resources/list");
  if (list == nullptr || list->contains("nextCursor")) return;
  for (int i = 1; i <= interceptor.count; ++i) {
    const std::string name = "made-" + std::to_string(i);
    (*list)["resources"].push_back({{"uri", "test://" + name}, {"name", name}});
  }
}

const Deviation kToolsHintsDeviations[] = {
    {.id = "tools.annotations-hold",
     .revision = "2025-11-25",
     .what = "says that a tool only reads that takes a resource away",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           loses_one(interceptor, message, "add_numbers");
           interceptor.say(message);
         }},
    {.id = "tools.annotations-hold",
     .revision = "2025-11-25",
     .what = "says that a tool destroys nothing that takes a resource away",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           says(interceptor, message, "destructiveHint", false);
           loses_one(interceptor, message, "test_simple_text");
           interceptor.say(message);
         },
     .also = {"resources.list-changed-notification"}},
    {.id = "tools.annotations-hold",
     .revision = "2025-11-25",
     .what = "says that a tool may be called twice that makes something each time",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           says(interceptor, message, "idempotentHint", true);
           makes_more(interceptor, message);
           interceptor.say(message);
         },
     .also = {"resources.list-changed-notification"}},
};

}  // namespace

Deviations tools_hints_deviations() { return kToolsHintsDeviations; }

}  // namespace plumbline::conformance
