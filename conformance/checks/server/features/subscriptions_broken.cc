#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kAcknowledged = "notifications/subscriptions/acknowledged";

// notice_of returns a notification of the subscription that `message` belongs to.
Json notice_of(const Json& message, const char* method) {
  Json notice = Json::object();
  notice["jsonrpc"] = "2.0";
  notice["method"] = method;
  if (const Json* const meta = at_pointer(message, "/params/_meta")) {
    notice["params"]["_meta"] = *meta;
  }
  return notice;
}

const Deviation kSubscriptionsDeviations[] = {
    {.id = "subscriptions.acknowledged-first",
     .revision = "2026-07-28",
     .what = "acknowledges without saying what",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, kAcknowledged)) message["params"].erase("notifications");
           interceptor.say(message);
         },
     .also = {"subscriptions.ack-reflects-honored"}},
    {.id = "subscriptions.nothing-before-ack",
     .revision = "2026-07-28",
     .what = "says something before it acknowledges",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const uris =
               at_pointer(message, "/params/notifications/resourceSubscriptions");
           if (edit::is_method(message, kAcknowledged) && uris != nullptr && !uris->empty()) {
             Json notice = notice_of(message, "notifications/resources/updated");
             notice["params"]["uri"] = (*uris)[0];
             interceptor.say(notice);
           }
           interceptor.say(message);
         },
     .also = {"subscriptions.acknowledged-first"}},
    {.id = "subscriptions.only-requested-types",
     .revision = "2026-07-28",
     .what = "tells who listens for one resource of another",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           const Json* const uris =
               at_pointer(message, "/params/notifications/resourceSubscriptions");
           const bool watches = uris != nullptr && !uris->empty();
           if (!edit::is_method(message, kAcknowledged) || !watches) return;
           if ((*uris)[0] == "test://watched-resource") return;
           Json notice = notice_of(message, "notifications/resources/updated");
           notice["params"]["uri"] = "test://watched-resource";
           interceptor.say(notice);
         }},
    {.id = "subscriptions.ack-reflects-honored",
     .revision = "2026-07-28",
     .what = "honours no resource",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, kAcknowledged)) {
             message["params"]["notifications"].erase("resourceSubscriptions");
           }
           interceptor.say(message);
         }},
    {.id = "subscriptions.ack-reflects-honored",
     .revision = "2026-07-28",
     .what = "acknowledges what nobody asked for",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, kAcknowledged)) {
             message["params"]["notifications"]["promptsListChanged"] = true;
           }
           interceptor.say(message);
         }},
    {.id = "subscriptions.id-in-meta",
     .revision = "2026-07-28",
     .what = "does not say which subscription it means",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, "notifications/prompts/list_changed")) {
             message["params"]["_meta"].erase(kMetaSubscription);
           }
           interceptor.say(message);
         }},
    {.id = "subscriptions.id-in-meta",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "makes a string of the id of a subscription",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, "notifications/prompts/list_changed")) {
             Json& id = message["params"]["_meta"][kMetaSubscription];
             if (id.is_number()) id = dump_json(id);
           }
           interceptor.say(message);
         }},
    {.id = "subscriptions.id-in-meta",
     .revision = "2026-07-28",
     .what = "makes a number of the id of a subscription that has only digits",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, "notifications/prompts/list_changed")) {
             Json& id = message["params"]["_meta"][kMetaSubscription];
             const bool digits = id.is_string() && id.get<std::string>().find_first_not_of(
                                                       "0123456789") == std::string::npos;
             if (digits) id = parse_json(id.get<std::string>()).value();
           }
           interceptor.say(message);
         }},
    {.id = "subscriptions.id-in-meta",
     .revision = "2026-07-28",
     .what = "names the first subscription to all of them",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const params = message.contains("params") ? &message["params"] : nullptr;
           if (edit::is_method(message, kAcknowledged) && interceptor.memory.is_null()) {
             interceptor.memory = (*params)["_meta"][kMetaSubscription];
           } else if (edit::is_method(message, "notifications/tools/list_changed")) {
             (*params)["_meta"][kMetaSubscription] = interceptor.memory;
           }
           interceptor.say(message);
         },
     .also = {"subscriptions.multiple-concurrent", "subscriptions.only-requested-types",
              "cancellation.no-messages-after-cancel"}},
    {.id = "subscriptions.only-requested-types",
     .revision = "2026-07-28",
     .what = "tells of tools whoever listens",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           const Json* const honored = at_pointer(message, "/params/notifications");
           if (edit::is_method(message, kAcknowledged) && honored != nullptr && honored->empty()) {
             interceptor.say(notice_of(message, "notifications/tools/list_changed"));
           }
         }},
    {.id = "subscriptions.multiple-concurrent",
     .revision = "2026-07-28",
     .what = "tells one subscription of what concerns several",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, "notifications/tools/list_changed") &&
               interceptor.count++ % 3 != 0) {
             return;
           }
           interceptor.say(message);
         },
     .also = {"tools.list-changed-notification"}},
    {.id = "subscriptions.resource-updated-delivered",
     .revision = "2026-07-28",
     .what = "never tells of updates",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (!edit::is_method(message, "notifications/resources/updated"))
             interceptor.say(message);
         }},
};

}  // namespace

Deviations subscriptions_deviations() { return kSubscriptionsDeviations; }

}  // namespace plumbline::conformance
