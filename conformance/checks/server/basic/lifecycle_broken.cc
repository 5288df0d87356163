#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kOpening = "initialize";

// ends_at has a server of the older revisions that ends when `method` comes first.
template <char method>
void ends_at(Interceptor& interceptor, std::string text) {
  const Json message = read(text);
  const std::string asked = method_of(message);
  if (asked == kOpening) ++interceptor.count;
  if (interceptor.count > 0) return interceptor.pass_text(std::move(text));
  if (asked == (method == 'p' ? "ping" : "server/discover")) return interceptor.stop();
  refuse(interceptor, id_of(message), -32600);
}

// refuses_what_follows has initialize come first, or not at all.
void refuses_what_follows(Interceptor& interceptor, std::string text) {
  const Json message = read(text);
  const bool first = !interceptor.memory.contains("began");
  interceptor.memory["began"] = true;
  if (first && method_of(message) == kOpening) ++interceptor.count;
  if (interceptor.count > 0) return interceptor.pass_text(std::move(text));
  refuse(interceptor, id_of(message), -32600);
}

const Deviation kLifecycleDeviations[] = {
    {.id = "lifecycle.initialize-may-follow",
     .revision = "2025-11-25",
     .what = "ends when it is pinged before initialize",
     .from_client = ends_at<'p'>},
    {.id = "lifecycle.initialize-may-follow",
     .revision = "2025-11-25",
     .what = "ends when it is asked server/discover first",
     .from_client = ends_at<'d'>},
    {.id = "lifecycle.initialize-may-follow",
     .revision = "2025-11-25",
     .what = "refuses to be initialized behind anything else",
     .from_client = refuses_what_follows},
    {.id = "lifecycle.server-answers-initialize",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "initializes without saying its capabilities",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "initialize")) {
             result->erase("capabilities");
           }
           interceptor.say(message);
         },
     .also = {"tools.capability-declared", "resources.capability-declared",
              "prompts.capability-declared", "completion.unsupported-method-not-found"}},
    {"lifecycle.implementation-name-and-version", "2025-11-25", Transport::kStdio,
     "has a version that is a number",
     [](Interceptor& interceptor, Json message) {
       if (Json* const result = edit::result_of(interceptor, message, "initialize")) {
         (*result)["serverInfo"]["version"] = 1;
       }
       interceptor.say(message);
     }},
    {.id = "lifecycle.initialize-first",
     .revision = "2025-11-25",
     .what = "lists its tools to anybody",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool first = interceptor.count++ == 0;
           if (!first || method_of(message) != "tools/list") return interceptor.pass_text(text);
           Json result(Json::value_t::object);
           result["tools"] = Json::array();
           answer(interceptor, id_of(message), std::move(result));
         }},
    {.id = "lifecycle.ping-during-init-answered",
     .revision = "2025-11-25",
     .what = "refuses pings before notifications/initialized",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (method_of(message) == "notifications/initialized") ++interceptor.count;
           const bool early = method_of(message) == "ping" && interceptor.count == 0;
           if (!early) return interceptor.pass_text(std::move(text));
           refuse(interceptor, id_of(message), -32600);
         }},
    {.id = "lifecycle.server-waits-for-initialized",
     .revision = "2025-11-25",
     .what = "tells of changes before it answers initialize",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "initialize") {
             Json told(Json::value_t::object);
             told["jsonrpc"] = "2.0";
             told["method"] = "notifications/resources/list_changed";
             interceptor.say(told);
           }
           interceptor.say(message);
         }},
    {.id = "lifecycle.server-waits-for-initialized",
     .revision = "2025-11-25",
     .what = "asks for roots at once",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           if (interceptor.method_asked(message) != "initialize") return;
           Json request(Json::value_t::object);
           request["jsonrpc"] = "2.0";
           request["id"] = "too early";
           request["method"] = "roots/list";
           interceptor.say(request);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (id_of(read(text)) != "too early") interceptor.pass_text(std::move(text));
         },
     .also = {"roots.server-handles-change", "roots.server-checks-capability",
              "lifecycle.only-negotiated-capabilities"}},
    {.id = "lifecycle.unknown-capabilities-tolerated",
     .revision = "2025-11-25",
     .what = "refuses capabilities that it does not know",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (value_at(message, "/params/capabilities/plumblineUnknown").is_null()) {
             return interceptor.pass_text(std::move(text));
           }
           refuse(interceptor, id_of(message), -32602);
         }},
    {.id = "lifecycle.client-may-say-more",
     .revision = "2025-11-25",
     .what = "takes sampling for a flag",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (!value_at(message, "/params/capabilities/sampling").is_object()) {
             return interceptor.pass_text(std::move(text));
           }
           refuse(interceptor, id_of(message), -32603);
         }},
    {.id = "lifecycle.client-may-say-more",
     .revision = "2025-11-25",
     .what = "refuses a client with a website",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (value_at(message, "/params/clientInfo/websiteUrl").is_null()) {
             return interceptor.pass_text(std::move(text));
           }
           refuse(interceptor, id_of(message), -32602);
         }},
    {.id = "lifecycle.capability-failure-handled",
     .revision = "2025-11-25",
     .what = "falls silent when a tool cannot ask its client",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (value_at(message, "/params/capabilities") == Json::object()) ++interceptor.count;
           if (interceptor.count == 0 || method_of(message) != "tools/call")
             interceptor.pass_text(text);
         }},
};

}  // namespace

Deviations lifecycle_deviations() { return kLifecycleDeviations; }

}  // namespace plumbline::conformance
