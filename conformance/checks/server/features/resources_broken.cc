#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

Json* read_contents(Hands& hands, Json& message, std::string_view uri) {
  Json* const result = edit::result_of(hands, message, "resources/read");
  if (result == nullptr || !edit::is_of(hands, message, uri)) return nullptr;
  return &(*result)["contents"][0];
}

Json read_as(std::string uri, std::string text) {
  Json entry = Json::object();
  entry["uri"] = std::move(uri);
  entry["text"] = std::move(text);
  Json result = Json::object();
  result["resultType"] = "complete";
  result["ttlMs"] = 0;
  result["cacheScope"] = "private";
  result["contents"] = Json::array();
  result["contents"].push_back(std::move(entry));
  return result;
}

const Deviation kResourcesDeviations[] = {
    {.id = "resources.list-changed-notification",
     .revision = "2025-11-25",
     .what = "never tells of changed resources",
     .from_server =
         [](Hands& hands, Json message) {
           if (!edit::is_method(message, "notifications/resources/list_changed")) {
             hands.say(message);
           }
         }},
    {.id = "resources.list-changed-notification",
     .revision = "2026-07-28",
     .what = "never tells of changed resources",
     .from_server =
         [](Hands& hands, Json message) {
           if (!edit::is_method(message, "notifications/resources/list_changed")) {
             hands.say(message);
           }
         },
     .also = {"subscriptions.multiple-concurrent"}},
    {.id = "resources.capability-declared",
     .revision = "2025-11-25",
     .what = "has resources without saying so",
     .from_server =
         [](Hands& hands, Json message) {
           edit::undeclare(hands, message, "resources");
           hands.say(message);
         },
     .also = {"tools.embedded-resource-capability"}},
    {.id = "resources.list-responds",
     .revision = "2026-07-28",
     .what = "lists its resources in an object",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const result = edit::result_of(hands, message, "resources/list")) {
             (*result)["resources"] = Json::object();
           }
           hands.say(message);
         }},
    {.id = "resources.list-not-connection-dependent",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "shows a resource to every other one who asks",
     .from_server =
         [](Hands& hands, Json message) {
           Json* const result = edit::result_of(hands, message, "resources/list");
           if (result != nullptr && ++hands.count % 2 == 0) {
             (*result)["resources"].erase(std::size_t{0});
           }
           hands.say(message);
         }},
    {.id = "resources.definition-required-fields",
     .revision = "2026-07-28",
     .what = "has a resource without a name",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const result = edit::result_of(hands, message, "resources/list")) {
             (*result)["resources"][0].erase("name");
           }
           hands.say(message);
         }},
    {.id = "resources.template-rfc6570",
     .revision = "2025-11-25",
     .what = "has a template that never closes",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const result = edit::result_of(hands, message, "resources/templates/list")) {
             (*result)["resourceTemplates"][0]["uriTemplate"] = "test://template/{id/data";
           }
           hands.say(message);
         }},
    {.id = "resources.contents-shape",
     .revision = "2025-11-25",
     .what = "reads a resource as nothing",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const entry = read_contents(hands, message, "test://static-text")) {
             entry->erase("text");
           }
           hands.say(message);
         }},
    {.id = "resources.binary-encoded",
     .revision = "2025-11-25",
     .what = "has a blob that is no base64",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const entry = read_contents(hands, message, "test://static-binary")) {
             (*entry)["blob"] = "a red pixel!";
           }
           hands.say(message);
         }},
    {.id = "resources.uri-rfc3986",
     .revision = "2025-11-25",
     .what = "names what was read by no URI",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const entry = read_contents(hands, message, "test://static-text")) {
             (*entry)["uri"] = "the static text";
           }
           hands.say(message);
         }},
    {.id = "resources.annotations-valid",
     .revision = "2025-11-25",
     .what = "has a priority of 2",
     .from_server =
         [](Hands& hands, Json message) {
           if (Json* const result = edit::result_of(hands, message, "resources/list")) {
             (*result)["resources"][0]["annotations"]["priority"] = 2;
           }
           hands.say(message);
         }},
    {.id = "resources.not-found-32002",
     .revision = "2025-11-25",
     .what = "reads what is not there as nothing at all",
     .from_server =
         [](Hands& hands, Json message) {
           if (edit::code_of(message) == -32002) {
             edit::answer_instead(message, read_as("", ""));
             message["result"]["contents"] = Json::array();
           }
           hands.say(message);
         }},
    {.id = "resources.not-found-error",
     .revision = "2026-07-28",
     .what = "fails by itself on what is not there",
     .from_server =
         [](Hands& hands, Json message) {
           const bool read = hands.method_asked(message) == "resources/read";
           if (read && edit::code_of(message) == -32602) message["error"]["code"] = -32603;
           hands.say(message);
         }},
    {.id = "resources.no-empty-contents-for-missing",
     .revision = "2026-07-28",
     .what = "reads what is not there as nothing at all",
     .from_server =
         [](Hands& hands, Json message) {
           const std::string uri = string_or(edit::params_asked(hands, message), "uri", "");
           if (uri.find("no-such-resource") != std::string::npos) {
             edit::answer_instead(message, read_as("", ""));
             message["result"]["contents"] = Json::array();
           }
           hands.say(message);
         },
     .also = {"resources.not-found-error"}},
    {.id = "resources.uris-validated",
     .revision = "2025-11-25",
     .what = "reads what is no URI",
     .from_server =
         [](Hands& hands, Json message) {
           if (edit::is_of(hands, message, "no uri at all")) {
             edit::answer_instead(message, read_as("test://anything", "anything"));
           }
           hands.say(message);
         }},
    {.id = "resources.path-traversal-blocked",
     .revision = "2026-07-28",
     .what = "reads any file",
     .from_server =
         [](Hands& hands, Json message) {
           if (edit::is_of(hands, message, "file:///etc/passwd")) {
             edit::answer_instead(message, read_as("file:///etc/passwd", "root:x:0:0:root:/"));
           }
           hands.say(message);
         }},
    {.id = "resources.updated-after-subscribe",
     .revision = "2025-11-25",
     .what = "never tells of updates",
     .from_server =
         [](Hands& hands, Json message) {
           if (!edit::is_method(message, "notifications/resources/updated")) hands.say(message);
         }},
    {.id = "resources.updated-after-subscribe",
     .revision = "2025-11-25",
     .transport = Transport::kStdio,
     .what = "tells of updates that nobody subscribed to",
     .from_server =
         [](Hands& hands, Json message) {
           hands.say(message);
           if (edit::result_about(hands, message, "test_trigger_resource_change")) {
             Json update = Json::object();
             update["jsonrpc"] = "2.0";
             update["method"] = "notifications/resources/updated";
             update["params"]["uri"] = "test://watched-resource";
             hands.say(update);
           }
         }},
};

}  // namespace

Deviations resources_deviations() { return kResourcesDeviations; }

}  // namespace plumbline::conformance
