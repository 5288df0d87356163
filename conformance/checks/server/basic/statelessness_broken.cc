#include "conformance/broken/replies.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

bool is_first(Interceptor& interceptor) { return interceptor.count++ == 0; }

const Deviation kStatelessnessDeviations[] = {
    {.id = "lifecycle.no-prior-request-context",
     .revision = "2026-07-28",
     .what = "remembers what a client declared",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = read(text);
           if (value_at(message, "/params/name") != "test_missing_capability") {
             return interceptor.pass_text(std::move(text));
           }
           Json& capabilities = message["params"]["_meta"][kMetaCapabilities];
           if (capabilities.empty() && !interceptor.memory.is_null())
             capabilities = interceptor.memory;
           if (!capabilities.empty()) interceptor.memory = capabilities;
           interceptor.pass(message);
         },
     .also = {"lifecycle.no-undeclared-client-capability"}},
    {.id = "lifecycle.multiplex-contexts",
     .revision = "2026-07-28",
     .what = "loses requests of a second client",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (text.find("plumbline-b") == std::string::npos)
             interceptor.pass_text(std::move(text));
         }},
    {.id = "lifecycle.no-connection-affinity",
     .revision = "2026-07-28",
     .what = "calls no tool before something else was asked",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool first = is_first(interceptor);
           const bool plain = value_at(message, "/params/name") == Json("test_simple_text");
           if (!first || !plain) return interceptor.pass_text(text);
           refuse(interceptor, id_of(message), -32602);
         }},
    {.id = "lifecycle.missing-meta-rejected",
     .revision = "2026-07-28",
     .what = "takes requests without capabilities",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = read(text);
           const Json meta = value_at(message, "/params/_meta");
           if (meta.is_object() && !meta.contains(kMetaCapabilities)) {
             message["params"]["_meta"][kMetaCapabilities] = Json::object();
             text = dump_json(message);
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "lifecycle.missing-client-capability-error",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "does not say what is missing",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (value_at(message, "/error/code") == -32021) message["error"].erase("data");
           interceptor.say(message);
         },
     .also = {"lifecycle.no-prior-request-context", "jsonrpc.error-code-defined-meaning",
              "tasks.missing-capability-error"}},
    {.id = "lifecycle.missing-meta-rejected",
     .revision = "2026-07-28",
     .what = "lists its tools without a version",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = read(text);
           const Json meta = value_at(message, "/params/_meta");
           const bool lists = method_of(message) == "tools/list";
           if (lists && meta.is_object() && !meta.contains(kMetaVersion)) {
             message["params"]["_meta"][kMetaVersion] = "2026-07-28";
             text = dump_json(message);
           }
           interceptor.pass_text(std::move(text));
         }},
    {.id = "lifecycle.missing-client-capability-error",
     .revision = "2026-07-28",
     .what = "fails by itself where it cannot ask",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json tool = value_at(interceptor.asked(message), "/params/name");
           const bool asks = tool == Json("test_input_required_result_elicitation");
           if (asks && value_at(message, "/error/code") == -32021)
             message["error"]["code"] = -32603;
           interceptor.say(message);
         }},
    {.id = "lifecycle.peer-info-not-behavioral",
     .revision = "2026-07-28",
     .what = "has other tools for a client of a known name",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const char* const name = "/params/_meta/io.modelcontextprotocol~1clientInfo/name";
           if (value_at(interceptor.asked(message), name) == "claude-ai") {
             message["result"]["tools"] = Json::array();
           }
           interceptor.say(message);
         }},
    {.id = "lifecycle.discover-mandatory",
     .revision = "2026-07-28",
     .what = "does not know server/discover at first",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool first = is_first(interceptor);
           if (!first || method_of(message) != "server/discover")
             return interceptor.pass_text(text);
           refuse(interceptor, id_of(message), -32601);
         },
     .also = {"tools.capability-declared", "resources.capability-declared",
              "prompts.capability-declared", "completion.unsupported-method-not-found",
              "discover.result-shape", "discover.supported-versions-truthful",
              "versioning.dual-era-server-selects-by-opening", "base.support-core-components",
              "lifecycle.no-prior-request-context", "lifecycle.unadvertised-method-not-found"}},
    {.id = "lifecycle.requests-without-discover",
     .revision = "2026-07-28",
     .what = "wants something else to be asked before lists",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool first = is_first(interceptor);
           if (!first || method_of(message) != "tools/list") return interceptor.pass_text(text);
           refuse(interceptor, id_of(message), -32600);
         },
     .also = {"tools.list-not-connection-dependent", "lifecycle.no-prior-request-context"}},
    {.id = "lifecycle.unadvertised-method-not-found",
     .revision = "2026-07-28",
     .what = "completes without saying so",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool result = message.contains("result");
           if (result && interceptor.method_asked(message) == "server/discover") {
             message["result"]["capabilities"].erase("completions");
           }
           interceptor.say(message);
         },
     .also = {"completion.unsupported-method-not-found", "completion.capability-declared"}},
    {.id = "lifecycle.server-info-on-results",
     .revision = "2026-07-28",
     .what = "names itself in some results alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (message.contains("result") && interceptor.method_asked(message) == "tools/list")
             message["result"].erase("_meta");
           interceptor.say(message);
         }},
};

}  // namespace

Deviations statelessness_deviations() { return kStatelessnessDeviations; }

}  // namespace plumbline::conformance
