// Wrong gateways: they make names, hints and arguments their own, and agree on no revision but
// theirs.

#include <algorithm>
#include <string>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kNamesEra = kNewestStateful;
constexpr std::string_view kServersName = "one/";

// cut_at_hyphen takes what stands before a hyphen for the name of a server.
void cut_at_hyphen(Interceptor& interceptor, Json message) {
  if (edit::is_method(message, "tools/call")) {
    const std::string name = string_or(message["params"], "name", "");
    message["params"]["name"] = name.substr(name.find('-') + 1);
  }
  interceptor.pass(message);
}

void list_with_slash(Interceptor& interceptor, Json message) {
  if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
    for (Json& tool : (*result)["tools"]) {
      tool["name"] = std::string(kServersName) + string_or(tool, "name", "");
    }
  }
  interceptor.say(message);
}

void call_without_slash(Interceptor& interceptor, Json message) {
  if (edit::is_method(message, "tools/call")) {
    const std::string name = string_or(message["params"], "name", "");
    if (name.starts_with(kServersName)) {
      message["params"]["name"] = name.substr(kServersName.size());
    }
  }
  interceptor.pass(message);
}

void leave_off_false_hints(Interceptor& interceptor, Json message) {
  if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
    for (Json& tool : (*result)["tools"]) {
      for (const char* const hint : {"readOnlyHint", "idempotentHint"}) {
        const Json* const told = at_pointer(tool, "/annotations/" + std::string(hint));
        if (told != nullptr && *told == Json(false)) tool["annotations"].erase(hint);
      }
    }
  }
  interceptor.say(message);
}

void fill_in(Interceptor& interceptor, Json message) {
  if (edit::is_method(message, "tools/call") &&
      string_or(message["params"], "name", "") == "rich") {
    message["params"]["arguments"]["kind"] = "";
  }
  interceptor.pass(message);
}

bool is_revision(std::string_view version) {
  return std::ranges::find(kRevisions, version) != kRevisions.end();
}

void refuse_revisions(Interceptor& interceptor, Json message) {
  const bool opens = edit::is_method(message, "initialize");
  if (!opens || is_revision(string_or(message["params"], "protocolVersion", ""))) {
    return interceptor.pass(message);
  }
  refuse(interceptor, id_of(message), -32602);
}

std::optional<wire::HttpResponse> name_own_version(wire::HttpRequest& request) {
  const auto version = request.headers.get("MCP-Protocol-Version");
  if (version && !is_revision(*version)) {
    request.headers.set("MCP-Protocol-Version", std::string(kNewestStateful));
  }
  return std::nullopt;
}

const Deviation kNamesDeviations[] = {
    {.id = "gateway.calls-by-name",
     .revision = kNamesEra,
     .transport = Transport::kHttp,
     .what = "takes what stands before a hyphen for a server",
     .from_client_message = cut_at_hyphen},
    {.id = "gateway.names-tools-rightly",
     .revision = kNamesEra,
     .transport = Transport::kHttp,
     .what = "puts a slash between server and tool",
     .from_server = list_with_slash,
     .also = {"gateway.passes-headers"},
     .from_client_message = call_without_slash},
    {.id = "gateway.keeps-tool-annotations",
     .revision = kNamesEra,
     .transport = Transport::kHttp,
     .what = "leaves off hints that are false",
     .from_server = leave_off_false_hints},
    {.id = "gateway.keeps-values",
     .revision = kNamesEra,
     .transport = Transport::kHttp,
     .what = "fills in what a call leaves out",
     .from_client_message = fill_in},
    {.id = "gateway.offers-a-revision",
     .revision = kNamesEra,
     .transport = Transport::kHttp,
     .what = "answers revisions it does not know with an error",
     .from_client_message = refuse_revisions},
    {.id = "gateway.refuses-unknown-versions",
     .revision = kNamesEra,
     .transport = Transport::kHttp,
     .what = "serves any version by its own",
     .request = name_own_version},
    {.id = "gateway.lets-streams-go",
     .revision = kNamesEra,
     .transport = Transport::kHttp,
     .what = "keeps streams open that its client has closed",
     .also = {"gateway.passes-cancellation"},
     .works_on = true},
};

}  // namespace

Deviations gateway_names_deviations() { return kNamesDeviations; }

}  // namespace plumbline::conformance
