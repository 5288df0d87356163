#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

const Deviation kBaseDeviations[] = {
    {.id = "base.core-and-lifecycle-supported",
     .revision = "2025-11-25",
     .what = "does not know ping",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json asked = interceptor.asked(message);
           if (method_of(asked) != "ping" || asked.contains("params"))
             return interceptor.say(message);
           refuse(interceptor, id_of(message), -32601);
         },
     .also = {"ping.empty-result", "lifecycle.ping-during-init-answered",
              "jsonrpc.responses-any-order"}},
    {.id = "base.support-core-components",
     .revision = "2026-07-28",
     .what = "answers in any version",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const std::string past = "1900-01-01";
           const std::size_t at = text.find(past);
           if (at != std::string::npos) text.replace(at, past.size(), "2026-07-28");
           interceptor.pass_text(std::move(text));
         },
     .also = {"versioning.unsupported-version-error", "discover.supported-versions-truthful"}},
    {.id = "base.meta-reserved-no-assumptions",
     .revision = "2025-11-25",
     .what = "refuses keys of _meta that it does not know",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (text.find("plumbline-deep") == std::string::npos) return interceptor.pass_text(text);
           refuse(interceptor, id_of(read(text)), -32602);
         }},
    {.id = "base.meta-reserved-no-assumptions",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "refuses keys of _meta that it does not know",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (text.find("plumbline-deep") == std::string::npos) return interceptor.pass_text(text);
           refuse(interceptor, id_of(read(text)), -32602);
         }},
    {.id = "base.meta-unknown-keys-tolerated",
     .revision = "2025-06-18",
     .what = "refuses what others put into _meta",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (text.find("com.example/plumbline\":{") == std::string::npos) {
             return interceptor.pass_text(text);
           }
           const Json message = read(text);
           if (method_of(message) == "initialize") return interceptor.pass_text(text);
           refuse(interceptor, id_of(message), -32602);
         }},
    {.id = "base.result-type-required",
     .revision = "2026-07-28",
     .what = "forgets resultType",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (message.contains("result") && interceptor.method_asked(message) == "prompts/list")
             message["result"].erase("resultType");
           interceptor.say(message);
         }},
};

}  // namespace

Deviations base_deviations() { return kBaseDeviations; }

}  // namespace plumbline::conformance
