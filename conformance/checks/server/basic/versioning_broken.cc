#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

// asked_version returns what the initialize that `message` answers asked for.
std::string asked_version(Interceptor& interceptor, const Json& message) {
  const Json asked = interceptor.asked(message);
  const Json version = value_at(asked, "/params/protocolVersion");
  return method_of(asked) == "initialize" && version.is_string() ? version.get<std::string>() : "";
}

// serves_no_older refuses what is asked in an older revision than the newest.
std::optional<wire::HttpResponse> serves_no_older(wire::HttpRequest& request) {
  const std::string version(request.headers.get("MCP-Protocol-Version").value_or(""));
  if (request.method != "POST" || version != "2025-06-18") return std::nullopt;
  return wire::HttpResponse{400, {}, ""};
}

const Deviation kVersioningDeviations[] = {
    {.id = "versioning.accepted-is-served",
     .revision = "auto",
     .transport = Transport::kHttp,
     .what = "accepts a revision and refuses every request that names it",
     .request = serves_no_older},
    {.id = "versioning.accepted-is-served",
     .revision = "auto",
     .what = "lists nothing to who speaks an older revision",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const std::string asked = asked_version(interceptor, message);
           if (asked == "2025-06-18") interceptor.count = 1;
           const bool old = interceptor.count == 1;
           if (old && edit::result_of(interceptor, message, "prompts/list")) {
             edit::refuse_instead(message, -32603);
           }
           interceptor.say(message);
         }},
    {.id = "versioning.server-echoes-supported",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "answers old versions with newer ones that it speaks",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const std::string asked = asked_version(interceptor, message);
           if (asked == "2024-11-05") message["result"]["protocolVersion"] = "2025-03-26";
           if (asked == "2025-03-26") message["result"]["protocolVersion"] = "2025-06-18";
           interceptor.say(message);
         }},
    {.id = "versioning.server-echoes-supported",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "agrees to its newest version alone, and takes others in the header",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const std::string asked = asked_version(interceptor, message);
           if (asked == "2025-06-18") message["result"]["protocolVersion"] = "2025-11-25";
           interceptor.say(message);
         }},
    {.id = "versioning.server-counter-offers",
     .revision = "2025-11-25",
     .what = "claims to speak any version",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const std::string asked = asked_version(interceptor, message);
           if (asked.starts_with("2999")) message["result"]["protocolVersion"] = asked;
           interceptor.say(message);
         }},
    {.id = "versioning.server-counter-offers",
     .revision = "2025-11-25",
     .what = "claims to speak versions that are no dates",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const std::string asked = asked_version(interceptor, message);
           if (asked == "plumbline") message["result"]["protocolVersion"] = asked;
           interceptor.say(message);
         }},
    {.id = "versioning.server-counter-offers",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "offers what it has not filled in",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           const bool opens = string_or(message, "method", "") == "initialize";
           if (!opens || message["params"].contains("protocolVersion")) {
             return interceptor.pass(message);
           }
           Json result = {{"protocolVersion", "%version%"}, {"capabilities", Json::object()}};
           result["serverInfo"] = {{"name", "bent"}, {"version", "1"}};
           answer(interceptor, id_of(message), std::move(result));
         }},
    {.id = "versioning.server-counter-offers",
     .revision = "2025-06-18",
     .transport = Transport::kHttp,
     .what = "offers a version that there is not to those of the past",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const std::string asked = asked_version(interceptor, message);
           if (asked.starts_with("1999")) message["result"]["protocolVersion"] = "2000-01-01";
           interceptor.say(message);
         }},
    {.id = "versioning.server-counter-offers-latest",
     .revision = "2025-11-25",
     .what = "offers its oldest version",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const std::string future = "2999-01-01";
           const std::size_t at = text.find(future);
           if (at != std::string::npos) text.replace(at, future.size(), "2024-11-05");
           interceptor.pass_text(std::move(text));
         }},
    {.id = "versioning.mismatch-handled",
     .revision = "2025-11-25",
     .what = "says nothing to versions it cannot read",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const bool strange = text.find(R"("protocolVersion":"plumbline")") != std::string::npos;
           if (!strange) interceptor.pass_text(text);
         },
     .also = {"versioning.server-counter-offers"}},
    {.id = "versioning.single-version-per-session",
     .revision = "2025-11-25",
     .what = "gives results of another era",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (message.contains("result") && interceptor.method_asked(message) == "ping")
             message["result"]["resultType"] = "other";
           interceptor.say(message);
         },
     .also = {"ping.empty-result"}},
    {.id = "versioning.unsupported-version-error",
     .revision = "2026-07-28",
     .what = "has no code of its own for versions",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (value_at(message, "/error/code") == -32022) message["error"]["code"] = -32602;
           interceptor.say(message);
         }},
    {.id = "versioning.unsupported-version-error",
     .revision = "2026-07-28",
     .what = "lists its tools in any version of the future",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const std::size_t at = text.find("2999-01-01");
           if (at != std::string::npos && method_of(read(text)) == "tools/list") {
             text.replace(at, 10, "2026-07-28");
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "versioning.extension-fallback",
     .revision = "2026-07-28",
     .what = "gives results of an extension that nobody declared",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool result = message.contains("result");
           const bool of_tool = result && interceptor.method_asked(message) == "tools/call";
           if (of_tool && string_or(message["result"], "resultType", "") != "task") {
             message["result"]["resultType"] = "com.example/own";
           }
           interceptor.say(message);
         },
     .also = {"base.result-type-known-set"}},
    {.id = "versioning.dual-era-server-selects-by-opening",
     .revision = "2026-07-28",
     .what = "wants _meta after initialize, too",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) != "ping") return interceptor.say(message);
           refuse(interceptor, id_of(message), -32602);
         }},
    {.id = "versioning.modern-only-initialize-error-names-versions",
     .revision = "2026-07-28",
     .what = "does not know initialize",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (method_of(message) != "initialize") return interceptor.pass_text(std::move(text));
           refuse(interceptor, id_of(message), -32601);
         },
     .also = {"discover.supported-versions-truthful"}},
};

}  // namespace

Deviations versioning_deviations() { return kVersioningDeviations; }

}  // namespace plumbline::conformance
