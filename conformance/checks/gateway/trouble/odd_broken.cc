// Wrong gateways: they follow cursors for ever, write errors, tokens and declarations anew, and
// know short and plain names alone.

#include <string>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kOddEra = kNewestStateful;

// drop_extensions drops what a client declares beside what was there when it was written.
void drop_extensions(Interceptor& interceptor, Json message) {
  if (edit::is_method(message, "initialize")) message["params"]["capabilities"].erase("extensions");
  interceptor.pass(message);
}

// declare_less drops one feature of its clients; null: all of them.
void declare_less(Interceptor& interceptor, Json message, const char* feature) {
  const char* const place = edit::is_method(message, "initialize")
                                ? "/params/capabilities"
                                : "/params/_meta/io.modelcontextprotocol~1clientCapabilities";
  if (at_pointer(message, place) != nullptr) {
    Json& declared = message[Json::json_pointer(place)];
    if (feature == nullptr) declared = Json::object();
    if (feature != nullptr) declared.erase(feature);
  }
  interceptor.pass(message);
}

// follow_for_ever never answers a client who asks for a page that leads to itself.
void follow_for_ever(Interceptor& interceptor, Json message) {
  const Json* const result = edit::result_of(interceptor, message, "tools/list");
  if (result == nullptr || string_or(*result, "nextCursor", "") != "again") {
    return interceptor.say(message);
  }
  if (++interceptor.count > 3) return;  // For ever, as far as its client can tell.
  Json again(Json::value_t::object);
  again["jsonrpc"] = "2.0";
  again["id"] = message["id"];
  again["method"] = "tools/list";
  again["params"]["cursor"] = "again";
  interceptor.pass(again);
}

void rename_errors(Interceptor& interceptor, Json message) {
  const bool asked = interceptor.method_asked(message) == "prompts/get";
  if (asked && message.contains("error")) message["error"]["code"] = -32603;
  interceptor.say(message);
}

void keep_first_annotations(Interceptor& interceptor, Json message) {
  if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
    for (Json& tool : (*result)["tools"]) {
      if (!tool.contains("annotations")) continue;
      Json& first = interceptor.memory[string_or(tool, "name", "")];
      if (first.is_null()) first = tool["annotations"];
      tool["annotations"] = first;
    }
  }
  interceptor.say(message);
}

// leave_off lists no tool whose name is odd.
void leave_off(Interceptor& interceptor, Json message, bool (*odd)(const std::string& name)) {
  if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
    Json kept = Json::array();
    for (const Json& tool : (*result)["tools"]) {
      if (!odd(string_or(tool, "name", ""))) kept.push_back(tool);
    }
    (*result)["tools"] = std::move(kept);
  }
  interceptor.say(message);
}

const Deviation kOddDeviations[] = {
    {.id = "gateway.bounds-pages",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "gathers pages, and follows a cursor that comes again for ever",
     .from_server = follow_for_ever},
    {.id = "gateway.keeps-other-errors",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "calls each error of a prompt an internal one",
     .from_server = rename_errors},
    {.id = "gateway.keeps-credentials",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "writes the scheme before a token in small letters",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       const std::string shown(request.headers.get("Authorization").value_or(""));
       if (shown.starts_with("Bearer ")) {
         request.headers.set("Authorization", "bearer " + shown.substr(7));
       }
       return std::nullopt;
     }},
    {.id = "gateway.keeps-client-extensions",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "declares no extension of its clients",
     .from_client_message = drop_extensions},
    {.id = "gateway.declares-client-features",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "declares nothing of what its clients can do",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           declare_less(interceptor, std::move(message), nullptr);
         }},
    {.id = "gateway.declares-client-features",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "does not declare that its clients can be asked by forms",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           declare_less(interceptor, std::move(message), "elicitation");
         }},
    {.id = "gateway.declares-client-features",
     .revision = kNewestStateless,
     .transport = Transport::kHttp,
     .what = "declares nothing of what its clients can do",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           declare_less(interceptor, std::move(message), nullptr);
         }},
    {.id = "gateway.lists-again",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "keeps the first annotations of a tool",
     .from_server = keep_first_annotations},
    {.id = "gateway.lists-all-tools",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "leaves tools off whose name begins as another for 64 letters",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           leave_off(interceptor, std::move(message),
                     [](const std::string& name) { return name.ends_with("other_end"); });
         }},
    {.id = "gateway.lists-all-tools",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "leaves tools off whose name is another with a dot",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           leave_off(interceptor, std::move(message),
                     [](const std::string& name) { return name.find('.') != name.npos; });
         }},
    {.id = "gateway.lists-all-resources",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "writes hosts of addresses in small letters",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "resources/list")) {
             for (Json& one : (*result)["resources"]) {
               const std::string uri = string_or(one, "uri", "");
               if (uri.starts_with("https://")) one["uri"] = "https://mirror.plumbline.dev/";
             }
           }
           interceptor.say(message);
         }},
    {.id = "gateway.ended-session-404",
     .revision = kOddEra,
     .transport = Transport::kHttp,
     .what = "calls a refused DELETE a bad gateway",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           if (request.method == "DELETE" && status == 404) status = 502;
         }},
};

}  // namespace

Deviations odd_gateway_deviations() { return kOddDeviations; }

}  // namespace plumbline::conformance
