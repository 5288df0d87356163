// Clients that know servers of one kind alone: at a short address, with short lines, plain names
// and schemas, and no questions of their own.

#include <algorithm>
#include <initializer_list>
#include <string>

#include "conformance/broken/client/client_edits.h"

namespace plumbline::conformance {

namespace {

std::optional<wire::HttpResponse> without_query(wire::HttpRequest& request) {
  request.target = request.target.substr(0, request.target.find('?'));
  return std::nullopt;
}

std::optional<wire::HttpResponse> without_slash(wire::HttpRequest& request) {
  if (request.target == "/mcp/") request.target = "/mcp";
  return std::nullopt;
}

std::optional<wire::HttpResponse> says_gzip(wire::HttpRequest& request) {
  request.headers.set("Accept-Encoding", "gzip, deflate");
  return std::nullopt;
}

bool reads_short_lines(const wire::HttpRequest&, wire::SseEvent& event) {
  constexpr std::size_t kShort = 65'536;
  return event.data.size() <= kShort;
}

void normalizes_names(Interceptor& interceptor, Json message) {
  if (is_call(message)) {
    std::string name = string_or(message["params"], "name", "");
    for (char& c : name) {
      if (c == '-' || c == '.') c = '_';
    }
    message["params"]["name"] = name;
  }
  interceptor.pass(message);
}

// calls_plain_schemas has no tool to call whose schema is composed.
void calls_plain_schemas(Interceptor& interceptor, Json message) {
  const std::string tool = tool_named_in(message);
  const bool composed = std::ranges::any_of(
      std::initializer_list<const char*>{"of_all_of", "of_any_of", "of_one_of", "of_if_and_then"},
      [&](const char* one) { return tool == one; });
  if (!composed) return interceptor.pass(message);
  knows_no_such_tool(interceptor, message);
}

// gives_up_its_own never hears the answer to a request whose id was in notifications/cancelled.
void gives_up_its_own(Interceptor& interceptor, Json message) {
  if (is_cancel(message)) {
    interceptor.memory = message["params"]["requestId"];
    return;
  }
  const Json* const id = find(message, "id");
  const bool answers = find(message, "method") == nullptr && id != nullptr;
  if (answers && !interceptor.memory.is_null() && *id == interceptor.memory) {
    Json error(Json::value_t::object);
    error["jsonrpc"] = "2.0";
    error["id"] = *id;
    error["error"]["code"] = -32800;
    error["error"]["message"] = "cancelled";
    message = std::move(error);
  }
  interceptor.say(message);
}

void refuses_arrays(Interceptor& interceptor, Json message) {
  if (method_is(message, "elicitation/create") &&
      dump_json(message).find("\"array\"") != std::string::npos) {
    Json refusal(Json::value_t::object);
    refusal["jsonrpc"] = "2.0";
    refusal["id"] = message["id"];
    refusal["error"]["code"] = -32602;
    refusal["error"]["message"] = "unsupported type array";
    return interceptor.pass(refusal);
  }
  interceptor.say(message);
}

const ClientDeviation kRareDeviations[] = {
    {.id = "http.address-as-given",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "leaves off the query of its server",
     .request = without_query},
    {.id = "http.address-as-given",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "leaves off the slash at the end",
     .request = without_slash},
    {.id = "http.compressed-answers-read",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "accepts gzip and cannot read it",
     .request = says_gzip},
    {.id = "base.long-lines-read",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "gives up at a line of more than 64 KiB",
     .event = reads_short_lines},
    {.id = "tools.call-name-exact",
     .revision = "2025-11-25",
     .what = "writes _ for - and . in names of tools",
     .from_client = normalizes_names},
    {.id = "tools.composed-schemas-taken",
     .revision = "2026-07-28",
     .what = "lists no tool whose schema is composed",
     .from_client = calls_plain_schemas},
    {.id = "cancellation.own-direction",
     .revision = "2025-11-25",
     .what = "takes its own request for cancelled",
     .from_server = gives_up_its_own},
    {.id = "elicitation.multi-select-taken",
     .revision = "2025-11-25",
     .what = "refuses forms with arrays",
     .from_server = refuses_arrays},
};

}  // namespace

ClientDeviations client_rare_deviations() { return kRareDeviations; }

}  // namespace plumbline::conformance
