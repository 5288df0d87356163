// Clients that know servers of one kind: with plain schemas, texts for results, errors of few
// codes, types without parameters.

#include <string>

#include "conformance/broken/client/client_edits.h"

namespace plumbline::conformance {

namespace {

// lists_plain_schemas has no tool to call whose additionalProperties is a schema.
void lists_plain_schemas(Interceptor& interceptor, Json message) {
  if (tool_named_in(message) != "d_additional_schema") return interceptor.pass(message);
  knows_no_such_tool(interceptor, message);
}

void dies_of_links(Interceptor& interceptor, Json message) {
  const Json* const type = at_pointer(message, "/result/content/0/type");
  if (type != nullptr && *type == Json("resource_link")) return interceptor.stop();
  interceptor.say(message);
}

void dies_of_429(Interceptor& interceptor, Json message) {
  const Json* const code = at_pointer(message, "/error/code");
  if (code != nullptr && *code == Json(429)) return interceptor.stop();
  interceptor.say(message);
}

void dies_of_changed_prompts(Interceptor& interceptor, Json message) {
  if (method_is(message, "notifications/prompts/list_changed")) {
    return interceptor.stop();
  }
  interceptor.say(message);
}

void rewrites_addresses(Interceptor& interceptor, Json message) {
  if (method_is(message, "resources/read")) {
    std::string uri = string_or(message["params"], "uri", "");
    if (uri == "test://Host/Path") message["params"]["uri"] = "test://host/Path";
  }
  interceptor.pass(message);
}

void calls_twice(Interceptor& interceptor, Json message) {
  interceptor.pass(message);
  if (tool_named_in(message) != "changes_something" || interceptor.count++ > 0) return;
  message["id"] = "again";
  message["params"].erase("_meta");  // No token comes twice.
  interceptor.pass(message);
}

void reads_bare_types(const wire::HttpRequest& request, int& status, wire::HttpHeaders& headers) {
  const std::string type(headers.get("Content-Type").value_or(""));
  if (request.method != "POST" || type.find("charset") == std::string::npos) return;
  status = 502;
  headers.set("Content-Type", "text/plain");
}

const ClientDeviation kWalkDeviations[] = {
    {.id = "tools.definition-forms-taken",
     .revision = "2025-11-25",
     .what = "has no tool whose additionalProperties is a schema",
     .from_client = lists_plain_schemas},
    {.id = "tools.content-kinds-taken",
     .revision = "2025-11-25",
     .what = "ends over a resource_link",
     .from_server = dies_of_links,
     .crashes = true,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "jsonrpc.error-forms-taken",
     .revision = "2025-11-25",
     .what = "ends over an error 429",
     .from_server = dies_of_429,
     .crashes = true,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "jsonrpc.notices-before-answers",
     .revision = "2025-11-25",
     .what = "ends over changed prompts",
     .from_server = dies_of_changed_prompts,
     .crashes = true,
     .also = {"stdio.shutdown-client-sequence"}},
    {.id = "http.answer-forms-read",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "reads no answer whose type has a parameter",
     .response = reads_bare_types},
    {.id = "tools.calls-once",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "calls what changes something twice",
     .from_client = calls_twice},
    {.id = "resources.read-uri-as-listed",
     .revision = "2025-11-25",
     .what = "writes hosts in small letters",
     .from_client = rewrites_addresses},
};

}  // namespace

ClientDeviations client_walk_deviations() { return kWalkDeviations; }

}  // namespace plumbline::conformance
