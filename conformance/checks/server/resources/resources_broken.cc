#include <set>
#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

Json* read_contents(Interceptor& interceptor, Json& message, std::string_view uri) {
  Json* const result = edit::result_of(interceptor, message, "resources/read");
  if (result == nullptr || !edit::is_of(interceptor, message, uri)) return nullptr;
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

void has_nothing_for_unknown_items(Interceptor& interceptor, Json message) {
  const std::string uri = string_or(edit::params_asked(interceptor, message), "uri", "");
  if (uri.starts_with("test://template/plumbline-no-such")) {
    edit::answer_instead(message, read_as("", ""));
    message["result"]["contents"] = Json::array();
  }
  interceptor.say(message);
}

// OneUnsubscribesAnother ends the subscription of a session that has a GET stream when one without
// unsubscribes.
class OneUnsubscribesAnother final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
    const Json message = edit::read(request.body);
    if (request.method == "GET") listening_.insert(session);
    if (edit::is_method(message, "resources/subscribe") && listening_.contains(session)) {
      newest_ = session;
    }
    const bool ends = edit::is_method(message, "resources/unsubscribe");
    if (ends && !listening_.contains(session) && !newest_.empty()) {
      request.headers.set("Mcp-Session-Id", newest_);
    }
    return std::nullopt;
  }

 private:
  std::set<std::string> listening_;
  std::string newest_;  // That has subscribed, of those.
};

const Deviation kResourcesDeviations[] = {
    {.id = "resources.updated-after-subscribe",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "ends the subscription of one client when another unsubscribes",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<OneUnsubscribesAnother>();
     }},
    {.id = "resources.type-as-listed",
     .revision = "2025-11-25",
     .what = "reads a text as something else",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const contents = read_contents(interceptor, message, "test://static-text");
           if (contents != nullptr) (*contents)["mimeType"] = "application/x-other";
           interceptor.say(message);
         }},
    {.id = "resources.templates-listed",
     .revision = "2025-11-25",
     .what = "has resources and no list of templates",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           if (method_of(message) != "resources/templates/list") return interceptor.pass(message);
           refuse(interceptor, id_of(message), -32601);
         }},
    {.id = "resources.subscribe-declared",
     .revision = "2025-11-25",
     .what = "takes subscriptions without saying so",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_of(interceptor, message, "initialize");
           if (result != nullptr) (*result)["capabilities"]["resources"].erase("subscribe");
           interceptor.say(message);
         }},
    {.id = "resources.list-changed-notification",
     .revision = "2025-11-25",
     .what = "never tells of changed resources",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (!edit::is_method(message, "notifications/resources/list_changed")) {
             interceptor.say(message);
           }
         }},
    {.id = "resources.list-changed-notification",
     .revision = "2026-07-28",
     .what = "never tells of changed resources",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (!edit::is_method(message, "notifications/resources/list_changed")) {
             interceptor.say(message);
           }
         },
     .also = {"subscriptions.multiple-concurrent"}},
    {.id = "resources.capability-declared",
     .revision = "2025-11-25",
     .what = "has resources without saying so",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           edit::undeclare(interceptor, message, "resources");
           interceptor.say(message);
         },
     .also = {"tools.embedded-resource-capability"}},
    {.id = "resources.list-responds",
     .revision = "2026-07-28",
     .what = "lists its resources in an object",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "resources/list")) {
             (*result)["resources"] = Json::object();
           }
           interceptor.say(message);
         }},
    {.id = "resources.list-not-connection-dependent",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "shows a resource to every other one who asks",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_of(interceptor, message, "resources/list");
           if (result != nullptr && ++interceptor.count % 2 == 0) {
             (*result)["resources"].erase(std::size_t{0});
           }
           interceptor.say(message);
         }},
    {.id = "resources.definition-required-fields",
     .revision = "2026-07-28",
     .what = "has a resource without a name",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "resources/list")) {
             (*result)["resources"][0].erase("name");
           }
           interceptor.say(message);
         }},
    {.id = "resources.template-rfc6570",
     .revision = "2025-11-25",
     .what = "has a template that never closes",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result =
                   edit::result_of(interceptor, message, "resources/templates/list")) {
             (*result)["resourceTemplates"][0]["uriTemplate"] = "test://template/{id/data";
           }
           interceptor.say(message);
         }},
    {.id = "resources.template-rfc6570",
     .revision = "2025-11-25",
     .what = "writes its template as a route",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result =
                   edit::result_of(interceptor, message, "resources/templates/list")) {
             (*result)["resourceTemplates"][0]["uriTemplate"] = "test://template/:id/data";
           }
           interceptor.say(message);
         }},
    {.id = "resources.template-rfc6570",
     .revision = "2025-11-25",
     .what = "lists a resource as a template",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result =
                   edit::result_of(interceptor, message, "resources/templates/list")) {
             (*result)["resourceTemplates"][0]["uriTemplate"] = "test://template/1/data";
           }
           interceptor.say(message);
         }},
    {.id = "resources.contents-shape",
     .revision = "2025-11-25",
     .what = "reads a resource as nothing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const entry = read_contents(interceptor, message, "test://static-text")) {
             entry->erase("text");
           }
           interceptor.say(message);
         }},
    {.id = "resources.binary-encoded",
     .revision = "2025-11-25",
     .what = "has a blob that is no base64",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const entry = read_contents(interceptor, message, "test://static-binary")) {
             (*entry)["blob"] = "a red pixel!";
           }
           interceptor.say(message);
         }},
    {.id = "resources.uri-rfc3986",
     .revision = "2025-11-25",
     .what = "names what was read by no URI",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const entry = read_contents(interceptor, message, "test://static-text")) {
             (*entry)["uri"] = "the static text";
           }
           interceptor.say(message);
         }},
    {.id = "resources.annotations-valid",
     .revision = "2025-11-25",
     .what = "has a priority of 2",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "resources/list")) {
             (*result)["resources"][0]["annotations"]["priority"] = 2;
           }
           interceptor.say(message);
         }},
    {.id = "resources.annotations-valid",
     .revision = "2025-11-25",
     .what = "dates resources in milliseconds",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "resources/list")) {
             (*result)["resources"][0]["annotations"]["lastModified"] = 1795853700000;
           }
           interceptor.say(message);
         }},
    {.id = "resources.not-found-32002",
     .revision = "2025-11-25",
     .what = "reads what is not there as nothing at all",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::code_of(message) == -32002) {
             edit::answer_instead(message, read_as("", ""));
             message["result"]["contents"] = Json::array();
           }
           interceptor.say(message);
         }},
    {.id = "resources.not-found-32002",
     .revision = "2025-11-25",
     .what = "reads an unknown item of a template as nothing at all",
     .from_server = has_nothing_for_unknown_items},
    {.id = "resources.not-found-error",
     .revision = "2026-07-28",
     .what = "fails by itself on what is not there",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool read = interceptor.method_asked(message) == "resources/read";
           if (read && edit::code_of(message) == -32602) message["error"]["code"] = -32603;
           interceptor.say(message);
         }},
    {.id = "resources.no-empty-contents-for-missing",
     .revision = "2026-07-28",
     .what = "reads what is not there as nothing at all",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const std::string uri = string_or(edit::params_asked(interceptor, message), "uri", "");
           if (uri.find("no-such-resource") != std::string::npos) {
             edit::answer_instead(message, read_as("", ""));
             message["result"]["contents"] = Json::array();
           }
           interceptor.say(message);
         },
     .also = {"resources.not-found-error"}},
    {.id = "resources.no-empty-contents-for-missing",
     .revision = "2026-07-28",
     .what = "reads an unknown item of a template as nothing at all",
     .from_server = has_nothing_for_unknown_items},
    {.id = "resources.uris-validated",
     .revision = "2025-11-25",
     .what = "reads what is no URI",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_of(interceptor, message, "no uri at all")) {
             edit::answer_instead(message, read_as("test://anything", "anything"));
           }
           interceptor.say(message);
         }},
    {.id = "resources.path-traversal-blocked",
     .revision = "2026-07-28",
     .what = "reads any file",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_of(interceptor, message, "file:///etc/passwd")) {
             edit::answer_instead(message, read_as("file:///etc/passwd", "root:x:0:0:root:/"));
           }
           interceptor.say(message);
         }},
    {.id = "resources.updated-after-subscribe",
     .revision = "2025-11-25",
     .what = "does not know what it declares: unsubscribing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::result_of(interceptor, message, "resources/unsubscribe")) {
             edit::refuse_instead(message, -32601);
           }
           interceptor.say(message);
         }},
    {.id = "resources.updated-after-subscribe",
     .revision = "2025-11-25",
     .what = "tells watchers of one resource of another",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           if (!edit::is_method(message, "notifications/resources/updated")) return;
           message["params"]["uri"] = "test://static-text";
           interceptor.say(message);
         }},
    {.id = "resources.updated-after-subscribe",
     .revision = "2025-11-25",
     .what = "tells of updates by a bare id",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, "notifications/resources/updated")) {
             message["params"]["uri"] = "W-1";
           }
           interceptor.say(message);
         }},
    {.id = "resources.updated-after-subscribe",
     .revision = "2025-11-25",
     .what = "never tells of updates",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (!edit::is_method(message, "notifications/resources/updated"))
             interceptor.say(message);
         }},
    {.id = "resources.updated-after-subscribe",
     .revision = "2025-11-25",
     .transport = Transport::kStdio,
     .what = "tells of updates that nobody subscribed to",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           if (edit::result_about(interceptor, message, "test_trigger_resource_change")) {
             Json update = Json::object();
             update["jsonrpc"] = "2.0";
             update["method"] = "notifications/resources/updated";
             update["params"]["uri"] = "test://watched-resource";
             interceptor.say(update);
           }
         }},
};

}  // namespace

Deviations resources_deviations() { return kResourcesDeviations; }

}  // namespace plumbline::conformance
