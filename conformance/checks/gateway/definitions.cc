// What a gateway lists: every item of every page, with every member.

#include "conformance/checks/gateway/compared.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kOpeningPage = "basic/lifecycle#initialization";
constexpr std::string_view kPaging = "server/utilities/pagination#pagination-model";
constexpr std::string_view kTool = "server/tools#tool";

constexpr GatewayCheck kDefinitionChecks[] = {
    {"gateway.keeps-instructions", "MUST", "The instructions of the server reach the client.",
     kOpeningPage, false, keeps, Ask::kOpening, "/instructions"},
    {"gateway.keeps-capabilities", "MUST",
     "What the server declares is declared to the client, and nothing else.", kOpeningPage, false,
     keeps_each, Ask::kOpening, "/capabilities/*"},
    {"gateway.keeps-change-notices", "SHOULD",
     "That lists may change, and resources be subscribed to, is declared to the client.",
     kOpeningPage, false, keeps, Ask::kOpening,
     "/capabilities/tools/listChanged /capabilities/prompts/listChanged "
     "/capabilities/resources/listChanged /capabilities/resources/subscribe"},
    {"gateway.keeps-experimental", "SHOULD", "Experimental capabilities are passed on whole.",
     kOpeningPage, false, keeps, Ask::kOpening, "/capabilities/experimental/*"},

    {"gateway.lists-all-tools", "MUST", "The client can list each tool of each page, and no other.",
     kPaging, false, keeps_each, Ask::kTools, "/tools/*"},
    {"gateway.keeps-tool-titles", "MUST", "Titles of tools are passed on.", kTool, false, keeps,
     Ask::kTools, "/tools/*/title"},
    {"gateway.keeps-tool-descriptions", "MUST", "Descriptions of tools are passed on unchanged.",
     kTool, false, keeps, Ask::kTools, "/tools/*/description"},
    {"gateway.keeps-input-schemas", "MUST", "Input schemas are passed on whole.", kTool, false,
     keeps, Ask::kTools, "/tools/*/inputSchema"},
    {"gateway.keeps-output-schemas", "MUST", "Output schemas are passed on whole.",
     "server/tools#output-schema", false, keeps, Ask::kTools, "/tools/*/outputSchema"},
    {"gateway.keeps-tool-annotations", "MUST", "Annotations of tools are passed on.", kTool, false,
     keeps, Ask::kTools, "/tools/*/annotations"},
    {"gateway.keeps-tool-icons", "MUST", "Icons of tools are passed on.", "basic/index#icons",
     false, keeps, Ask::kTools, "/tools/*/icons"},
    {"gateway.keeps-tool-meta", "MUST", "_meta of tools is passed on.", "basic/index#meta", false,
     keeps, Ask::kTools, "/tools/*/_meta"},
    {"gateway.keeps-tool-execution", "SHOULD", "How a tool is executed is passed on.",
     "basic/utilities/tasks#tool-level-negotiation", true, keeps, Ask::kTools,
     "/tools/*/execution"},
    {"gateway.keeps-cache-hints", "MUST",
     "ttlMs and cacheScope of a list are neither put in nor dropped nor changed.",
     "server/utilities/caching#cacheable-results", false, keeps, Ask::kTools, "/ttlMs /cacheScope"},

    {"gateway.lists-all-prompts", "MUST",
     "The client can list each prompt of each page, and no other.", kPaging, false, keeps_each,
     Ask::kPrompts, "/prompts/*"},
    {"gateway.keeps-prompt-definitions", "MUST",
     "Title, description, icons and _meta of prompts are passed on.", "server/prompts#capabilities",
     false, keeps, Ask::kPrompts,
     "/prompts/*/title /prompts/*/description /prompts/*/icons /prompts/*/_meta"},
    {"gateway.keeps-prompt-arguments", "MUST", "The arguments of prompts are passed on whole.",
     "server/prompts#capabilities", false, keeps, Ask::kPrompts, "/prompts/*/arguments"},

    {"gateway.lists-all-resources", "MUST",
     "The client can list each resource of each page, and no other.", kPaging, false, keeps_each,
     Ask::kResources, "/resources/*"},
    {"gateway.keeps-resource-definitions", "MUST",
     "Name, title, description, icons, size and _meta of resources are passed on.",
     "server/resources#capabilities", false, keeps, Ask::kResources,
     "/resources/*/name /resources/*/title /resources/*/description /resources/*/icons "
     "/resources/*/size /resources/*/_meta"},
    {"gateway.keeps-resource-types", "MUST", "The mimeType of resources is passed on.",
     "server/resources#capabilities", false, keeps, Ask::kResources, "/resources/*/mimeType"},
    {"gateway.keeps-resource-annotations", "MUST", "Annotations of resources are passed on.",
     "server/resources#capabilities", false, keeps, Ask::kResources, "/resources/*/annotations"},

    {"gateway.lists-all-templates", "MUST",
     "The client can list each resource template of each page, and no other.", kPaging, false,
     keeps_each, Ask::kTemplates, "/resourceTemplates/*"},
    {"gateway.keeps-template-definitions", "MUST",
     "Name, title, description, icons, annotations and _meta of templates are passed on.",
     "server/resources#capabilities", false, keeps, Ask::kTemplates,
     "/resourceTemplates/*/name /resourceTemplates/*/title /resourceTemplates/*/description "
     "/resourceTemplates/*/icons /resourceTemplates/*/annotations /resourceTemplates/*/_meta"},
    {"gateway.keeps-template-types", "MUST", "The mimeType of templates is passed on.",
     "server/resources#capabilities", false, keeps, Ask::kTemplates,
     "/resourceTemplates/*/mimeType"},
};

}  // namespace

GatewayChecks definition_checks() { return kDefinitionChecks; }

}  // namespace plumbline::conformance
