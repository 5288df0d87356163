#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

// forgives_dependents gives a call what only the dialect of 2020-12 asks for.
void forgives_dependents(Interceptor& interceptor, Json message) {
  Json* const params = message.contains("params") ? &message["params"] : nullptr;
  if (params != nullptr && string_or(*params, "name", "") == "greet" &&
      params->contains("arguments") && (*params)["arguments"].contains("title")) {
    Json& arguments = (*params)["arguments"];
    if (!arguments.contains("surname")) arguments["surname"] = "Somebody";
  }
  interceptor.pass(message);
}

Deviation by_no_dialect(std::string_view revision) {
  Deviation deviation;
  deviation.id = "schema.validate-per-dialect";
  deviation.revision = revision;
  deviation.what = "knows no dependentRequired";
  deviation.from_client_message = forgives_dependents;
  return deviation;
}

const Deviation kSchemaDeviations[] = {
    by_no_dialect("2025-11-25"),
    by_no_dialect("2026-07-28"),
    {.id = "schema.extra-fields-tolerated",
     .revision = "2025-11-25",
     .what = "refuses members of params that it does not know",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (value_at(message, "/params/plumblineExtra").is_null()) {
             return interceptor.pass_text(std::move(text));
           }
           refuse(interceptor, id_of(message), -32602);
         }},
    {.id = "schema.json-schema-2020-12-supported",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "drops what draft-07 does not have from schemas",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (message.contains("result") && interceptor.method_asked(message) == "tools/list") {
             for (Json& tool : message["result"]["tools"]) {
               tool["inputSchema"].erase("$defs");
               tool["inputSchema"].erase("$schema");
             }
           }
           interceptor.say(message);
         },
     .also = {"schema.references-resolve"}},
    {.id = "schema.messages-validate",
     .revision = "2025-06-18",
     .what = "gives prompts without names",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (message.contains("result") && interceptor.method_asked(message) == "prompts/list") {
             message["result"]["prompts"].push_back(Json::object());
           }
           interceptor.say(message);
         }},
};

}  // namespace

Deviations schema_deviations() { return kSchemaDeviations; }

}  // namespace plumbline::conformance
