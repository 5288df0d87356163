// Wrong gateways: what they say as clients of the server, and as servers of their clients.

#include <initializer_list>
#include <string>

#include "conformance/broken/gateway_world.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kBothEndsEra = kNewestStateful;
constexpr std::string_view kRenamed = "one+";

std::string tool_asked(const Interceptor& interceptor, const Json& message) {
  const Json asked = interceptor.asked(message);
  const Json* const name = at_pointer(asked, "/params/name");
  return name != nullptr && name->is_string() ? name->get<std::string>() : "";
}

bool calls(const wire::HttpRequest& request, std::string_view tool) {
  return request.body.find("\"tools/call\"") != std::string::npos &&
         request.body.find("\"name\":\"" + std::string(tool) + "\"") != std::string::npos;
}

void rename(Json& holder) {
  const std::string uri = string_or(holder, "uri", "");
  if (!uri.empty()) holder["uri"] = std::string(kRenamed) + uri;
}

void rename_in(Json& message, std::initializer_list<const char*> members) {
  const bool told = string_or(message, "method", "") == "notifications/resources/updated";
  if (told) rename(message["params"]);
  for (const char* const member : members) {
    if (!at_pointer(message, "/result/" + std::string(member))) continue;
    for (Json& item : message["result"][member]) {
      rename(item.contains("resource") ? item["resource"] : item);
    }
  }
}

// renamed_in_lists renames resources where they are listed, read and told of, and in no result;
// renamed_but_pages in results as well, and not where tools open them.
void renamed_in_lists(Interceptor& interceptor, Json message) {
  rename_in(message, {"resources", "contents"});
  interceptor.say(message);
}

void renamed_but_pages(Interceptor& interceptor, Json message) {
  rename_in(message, {"resources", "contents", "content"});
  interceptor.say(message);
}

// known_by_new_name serves resources by their new names alone.
void known_by_new_name(Interceptor& interceptor, Json message) {
  const Json* const asked = at_pointer(message, "/params/uri");
  if (asked != nullptr && asked->is_string()) {
    const std::string uri = asked->get<std::string>();
    const bool renamed = uri.starts_with(kRenamed);
    message["params"]["uri"] = renamed ? uri.substr(kRenamed.size()) : "mirror://of-nobody";
  }
  interceptor.pass(message);
}

const Deviation kBothEndsDeviations[] = {
    {.id = "gateway.keeps-structure-alone",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "takes a structure without content for a failure",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (tool_asked(interceptor, message) == "bare") {
             message["result"].erase("structuredContent");
             message["result"]["isError"] = true;
           }
           interceptor.say(message);
         }},
    {.id = "gateway.adds-no-members",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "puts null where there is no structure",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (tool_asked(interceptor, message) == "plain") {
             message["result"]["structuredContent"] = nullptr;
           }
           interceptor.say(message);
         }},
    {.id = "gateway.accepts-both-forms",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "accepts JSON alone",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.method == "POST") request.headers.set("Accept", "application/json");
       return std::nullopt;
     }},
    {.id = "gateway.keeps-error-status",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "answers 500 where the server answers an error",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           if (status == 200 && calls(request, "fail")) status = 500;
         }},
    {.id = "gateway.keeps-order",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "takes progress for the answer, and drops what comes behind it",
     .event =
         [](const wire::HttpRequest& request, wire::SseEvent& event) {
           return !calls(request, "count") || event.data.find("\"result\"") == std::string::npos;
         }},
    {.id = "gateway.opens-streams-at-once",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "keeps the head of a stream back until something is said",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           const bool resumes = request.headers.count("Last-Event-ID") > 0;
           if (request.method == "GET" && status == 200 && !resumes) status = 0;
         }},
    {.id = "gateway.answers-preflights",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "lets pages in, and wants a token with OPTIONS",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.method != "OPTIONS") return std::nullopt;
       return wire::HttpResponse{401, {{"Access-Control-Allow-Origin", "*"}}, ""};
     },
     .response =
         [](const wire::HttpRequest&, int&, wire::HttpHeaders& headers) {
           headers.set("Access-Control-Allow-Origin", "*");
         }},
    {.id = "gateway.accepts-notifications",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "refuses that roots have changed",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.body.find("roots/list_changed") == std::string::npos) return std::nullopt;
       return wire::HttpResponse{400, {}, ""};
     },
     .also = {"gateway.passes-notifications"}},
    {.id = "gateway.accepts-notifications",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "answers notifications with 200",
     .response =
         [](const wire::HttpRequest&, int& status, wire::HttpHeaders&) {
           if (status == 202) status = 200;
         }},
    {.id = "gateway.answers-preflights",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "says twice who is let in",
     .response =
         [](const wire::HttpRequest&, int&, wire::HttpHeaders& headers) {
           headers.set("Access-Control-Allow-Origin", "*");
           headers.add("Access-Control-Allow-Origin", "*");
         }},
    {.id = "gateway.tells-of-changes",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "tells twice that prompts have changed",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           const std::string method = string_or(message, "method", "");
           if (method == "notifications/prompts/list_changed") interceptor.say(message);
         }},
    {.id = "gateway.tells-of-changes",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "does not pass on that prompts have changed",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (string_or(message, "method", "") == "notifications/prompts/list_changed") return;
           interceptor.say(message);
         },
     .also = {"gateway.passes-listening"}},
    {.id = "gateway.keeps-event-names",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "writes events without their names",
     .event =
         [](const wire::HttpRequest&, wire::SseEvent& event) {
           event.event.clear();
           return true;
         }},
    {.id = "gateway.ends-sessions",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "knows no DELETE",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       if (request.method != "DELETE") return std::nullopt;
       return wire::HttpResponse{404, {}, ""};
     }},
    {.id = "gateway.renames-throughout",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "renames resources in lists alone",
     .from_server = renamed_in_lists,
     .also = {"gateway.passes-listening"},
     .from_client_message = known_by_new_name},
    {.id = "gateway.renames-throughout",
     .revision = kBothEndsEra,
     .transport = Transport::kHttp,
     .what = "renames resources, and not where tools open them",
     .from_server = renamed_but_pages,
     .also = {"gateway.passes-listening"},
     .from_client_message = known_by_new_name},
};

}  // namespace

Deviations both_ends_deviations() { return kBothEndsDeviations; }

}  // namespace plumbline::conformance
