// Wrong gateways that change what is listed.

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

// without passes a response to `method` on without what `path` names; "*" in it is each item.
void without(Interceptor& interceptor, Json message, std::string_view method,
             std::string_view path) {
  if (interceptor.method_asked(message) == method) edit::erase_at(message, path);
  interceptor.say(message);
}

constexpr std::string_view kAsked = kNewestStateful;
constexpr std::string_view kToldServer = "/result/_meta/io.modelcontextprotocol~1serverInfo";

// cut_names lists tools whose properties have lost what stands before their first underscore.
void cut_names(Interceptor& interceptor, Json message) {
  if (at_pointer(message, "/result/tools") == nullptr) return interceptor.say(message);
  for (Json& tool : message["result"]["tools"]) {
    const Json* const properties = at_pointer(tool, "/inputSchema/properties");
    if (properties == nullptr) continue;
    Json cut(Json::value_t::object);
    for (auto item = properties->begin(); item != properties->end(); ++item) {
      const std::string& name = item.key();
      const std::size_t underscore = name.find('_');
      cut[underscore == std::string::npos ? name : name.substr(underscore + 1)] = *item;
    }
    tool["inputSchema"]["properties"] = std::move(cut);
  }
  interceptor.say(message);
}

const Deviation kDefinitionDeviations[] = {
    {"gateway.keeps-instructions", kAsked, Transport::kHttp, "drops the instructions",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "initialize", "/result/instructions");
     }},
    {"gateway.keeps-capabilities", kAsked, Transport::kHttp, "does not declare completions",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "initialize", "/result/capabilities/completions");
     }},
    {"gateway.keeps-change-notices", kAsked, Transport::kHttp, "does not say that prompts change",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "initialize",
               "/result/capabilities/prompts/listChanged");
     }},
    {"gateway.keeps-experimental", kAsked, Transport::kHttp, "empties experimental capabilities",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "initialize",
               "/result/capabilities/experimental/plumbline.dev~1mirror");
     }},
    {"gateway.names-one-implementation", kAsked, Transport::kHttp,
     "gives the server the version of its SDK",
     [](Interceptor& interceptor, Json message) {
       const bool opens = interceptor.method_asked(message) == "initialize";
       if (opens && at_pointer(message, "/result/serverInfo") != nullptr) {
         message["result"]["serverInfo"]["version"] = "1.26.0";
       }
       interceptor.say(message);
     }},
    {"gateway.names-one-implementation", kNewestStateless, Transport::kHttp,
     "gives the server the version of its SDK",
     [](Interceptor& interceptor, Json message) {
       const bool opens = interceptor.method_asked(message) == "server/discover";
       if (opens && at_pointer(message, kToldServer) != nullptr) {
         message["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["version"] = "1.26.0";
       }
       interceptor.say(message);
     }},
    {"gateway.lists-all-tools", kAsked, Transport::kHttp, "drops nextCursor of tools",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "tools/list", "/result/nextCursor");
     }},
    {"gateway.keeps-tool-titles", kAsked, Transport::kHttp, "drops titles of tools",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "tools/list", "/result/tools/*/title");
     }},
    {"gateway.keeps-tool-descriptions", kAsked, Transport::kHttp, "drops descriptions of tools",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "tools/list", "/result/tools/*/description");
     }},
    {"gateway.keeps-input-schemas", kAsked, Transport::kHttp, "drops $defs of input schemas",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "tools/list", "/result/tools/*/inputSchema/$defs");
     }},
    {"gateway.keeps-input-schemas", kAsked, Transport::kHttp,
     "cuts names of properties up to their first underscore", cut_names},
    {"gateway.keeps-output-schemas", kAsked, Transport::kHttp, "drops output schemas",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "tools/list", "/result/tools/*/outputSchema");
     }},
    {"gateway.keeps-tool-annotations", kAsked, Transport::kHttp, "drops annotations of tools",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "tools/list", "/result/tools/*/annotations");
     }},
    {"gateway.keeps-tool-icons", kAsked, Transport::kHttp, "drops icons of tools",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "tools/list", "/result/tools/*/icons");
     }},
    {"gateway.keeps-tool-meta", kAsked, Transport::kHttp, "drops _meta of tools",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "tools/list", "/result/tools/*/_meta");
     }},
    {"gateway.keeps-tool-execution", kAsked, Transport::kHttp, "drops execution of tools",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "tools/list", "/result/tools/*/execution");
     }},
    {"gateway.keeps-cache-hints", kAsked, Transport::kHttp, "puts in an empty cacheScope",
     [](Interceptor& interceptor, Json message) {
       if (at_pointer(message, "/result/tools")) {
         message["result"]["ttlMs"] = 0;
         message["result"]["cacheScope"] = "";
       }
       interceptor.say(message);
     }},
    {"gateway.lists-all-prompts", kAsked, Transport::kHttp, "drops nextCursor of prompts",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "prompts/list", "/result/nextCursor");
     }},
    {"gateway.keeps-prompt-definitions", kAsked, Transport::kHttp, "drops titles of prompts",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "prompts/list", "/result/prompts/*/title");
     }},
    {"gateway.keeps-prompt-arguments", kAsked, Transport::kHttp,
     "drops what arguments of prompts are required",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "prompts/list",
               "/result/prompts/*/arguments/*/required");
     }},
    {"gateway.lists-all-resources", kAsked, Transport::kHttp, "drops nextCursor of resources",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "resources/list", "/result/nextCursor");
     }},
    {"gateway.keeps-resource-definitions", kAsked, Transport::kHttp, "drops sizes of resources",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "resources/list", "/result/resources/*/size");
     }},
    {"gateway.keeps-resource-types", kAsked, Transport::kHttp, "drops mimeType of resources",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "resources/list", "/result/resources/*/mimeType");
     }},
    {"gateway.keeps-resource-annotations", kAsked, Transport::kHttp,
     "drops annotations of resources",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "resources/list",
               "/result/resources/*/annotations");
     }},
    {"gateway.lists-all-templates", kAsked, Transport::kHttp, "drops nextCursor of templates",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "resources/templates/list", "/result/nextCursor");
     }},
    {"gateway.keeps-template-definitions", kAsked, Transport::kHttp,
     "drops descriptions of templates",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "resources/templates/list",
               "/result/resourceTemplates/*/description");
     }},
    {"gateway.keeps-template-types", kAsked, Transport::kHttp, "drops mimeType of templates",
     [](Interceptor& interceptor, Json message) {
       without(interceptor, std::move(message), "resources/templates/list",
               "/result/resourceTemplates/*/mimeType");
     }},
};

}  // namespace

Deviations definition_deviations() { return kDefinitionDeviations; }

}  // namespace plumbline::conformance
