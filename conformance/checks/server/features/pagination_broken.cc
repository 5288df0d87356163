#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kTemplates = "resources/templates/list";

// pass_without_cursor hides cursors of ours, which begin with "bent", from the server.
void pass_without_cursor(Hands& hands, std::string text) {
  Json message = edit::read(text);
  const Json* const params = find(message, "params");
  if (params != nullptr && string_or(*params, "cursor", "").starts_with("bent")) {
    message["params"].erase("cursor");
    return hands.pass(message);
  }
  hands.pass_text(std::move(text));
}

const Deviation kPaginationDeviations[] = {
    {.id = "pagination.stable-cursors",
     .revision = "2025-11-25",
     .what = "gives one cursor for ever",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const result = edit::result_of(hands, message, kTemplates)) {
             (*result)["nextCursor"] = "bent";
           }
           hands.say(message);
         },
     .from_client = pass_without_cursor},
    {.id = "pagination.stable-cursors",
     .revision = "2026-07-28",
     .what = "goes on for ever with empty pages",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const result = edit::result_of(hands, message, kTemplates)) {
             const Json params = edit::params_asked(hands, message);
             const std::string cursor = string_or(params, "cursor", "bent");
             if (cursor != "bent") (*result)["resourceTemplates"] = Json::array();
             (*result)["nextCursor"] = cursor + "x";
           }
           hands.say(message);
         },
     .from_client = pass_without_cursor},
    {.id = "pagination.invalid-cursor-error",
     .revision = "2025-11-25",
     .what = "takes any cursor for none",
     .from_client =
         [](Hands& hands, std::string text) {
           Json message = edit::read(text);
           if (edit::is_method(message, "prompts/list") && message.contains("params")) {
             message["params"].erase("cursor");
             return hands.pass(message);
           }
           hands.pass_text(std::move(text));
         }},
    {.id = "pagination.invalid-cursor-graceful",
     .revision = "2026-07-28",
     .what = "falls silent on a long cursor",
     .from_server =
         [](Hands& hands, Json message) {
           const Json params = edit::params_asked(hands, message);
           if (string_or(params, "cursor", "").size() < 1000) hands.say(message);
         }},
};

}  // namespace

Deviations pagination_deviations() { return kPaginationDeviations; }

}  // namespace plumbline::conformance
