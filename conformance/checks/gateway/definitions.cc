// What a gateway lists: every item of every page, with every member.

#include "conformance/checks/gateway/compared.h"

namespace plumbline::conformance {

namespace {

constexpr GatewayCheck kDefinitionChecks[] = {
    {"gateway.keeps-instructions", keeps, Ask::kOpening, "/instructions"},
    {"gateway.keeps-capabilities", keeps_each, Ask::kOpening, "/capabilities/*"},
    {"gateway.keeps-change-notices", keeps, Ask::kOpening,
     "/capabilities/tools/listChanged /capabilities/prompts/listChanged "
     "/capabilities/resources/listChanged /capabilities/resources/subscribe"},
    {"gateway.keeps-experimental", keeps, Ask::kOpening, "/capabilities/experimental/*"},

    {"gateway.lists-all-tools", keeps_each, Ask::kTools, "/tools/*"},
    {"gateway.keeps-tool-titles", keeps, Ask::kTools, "/tools/*/title"},
    {"gateway.keeps-tool-descriptions", keeps, Ask::kTools, "/tools/*/description"},
    {"gateway.keeps-input-schemas", keeps, Ask::kTools, "/tools/*/inputSchema"},
    {"gateway.keeps-output-schemas", keeps, Ask::kTools, "/tools/*/outputSchema"},
    {"gateway.keeps-tool-annotations", keeps, Ask::kTools, "/tools/*/annotations"},
    {"gateway.keeps-tool-icons", keeps, Ask::kTools, "/tools/*/icons"},
    {"gateway.keeps-tool-meta", keeps, Ask::kTools, "/tools/*/_meta"},
    {"gateway.keeps-tool-execution", keeps, Ask::kTools, "/tools/*/execution"},
    {"gateway.keeps-cache-hints", keeps, Ask::kTools, "/ttlMs /cacheScope"},

    {"gateway.lists-all-prompts", keeps_each, Ask::kPrompts, "/prompts/*"},
    {"gateway.keeps-prompt-definitions", keeps, Ask::kPrompts,
     "/prompts/*/title /prompts/*/description /prompts/*/icons /prompts/*/_meta"},
    {"gateway.keeps-prompt-arguments", keeps, Ask::kPrompts, "/prompts/*/arguments"},

    {"gateway.lists-all-resources", keeps_each, Ask::kResources, "/resources/*"},
    {"gateway.keeps-resource-definitions", keeps, Ask::kResources,
     "/resources/*/name /resources/*/title /resources/*/description /resources/*/icons "
     "/resources/*/size /resources/*/_meta"},
    {"gateway.keeps-resource-types", keeps, Ask::kResources, "/resources/*/mimeType"},
    {"gateway.keeps-resource-annotations", keeps, Ask::kResources, "/resources/*/annotations"},

    {"gateway.lists-all-templates", keeps_each, Ask::kTemplates, "/resourceTemplates/*"},
    {"gateway.keeps-template-definitions", keeps, Ask::kTemplates,
     "/resourceTemplates/*/name /resourceTemplates/*/title /resourceTemplates/*/description "
     "/resourceTemplates/*/icons /resourceTemplates/*/annotations /resourceTemplates/*/_meta"},
    {"gateway.keeps-template-types", keeps, Ask::kTemplates, "/resourceTemplates/*/mimeType"},
};

}  // namespace

GatewayChecks definition_checks() { return kDefinitionChecks; }

}  // namespace plumbline::conformance
