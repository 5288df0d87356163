// What a gateway lists: every item of every page, with every member.

#include <algorithm>
#include <string>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/compared.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/wire/members.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// openings_heard returns how often the mirror was asked what it is and has.
std::ptrdiff_t openings_heard(const MirrorServer& mirror) {
  return std::ranges::count_if(mirror.heard(), [](const MirrorServer::Heard& one) {
    const std::string method = string_or(one.message, "method", "");
    return method == "initialize" || method == "server/discover";
  });
}

// offered_by returns what a gateway declares to one more client; null: it cannot be known.
Task<Json> offered_by(GatewayProbe* probe) {
  Session* const session = co_await probe->enter();
  if (session == nullptr) co_return Json();
  Reply opening = session->opening();
  if (is_stateless(probe->revision())) {
    Client client(*session, probe->check());
    opening = co_await client.request("server/discover");
  }
  const Json* const offered =
      opening.result() == nullptr ? nullptr : find(*opening.result(), "capabilities");
  co_return offered == nullptr ? Json() : *offered;
}

// keeps_capabilities compares what is declared, and then what a server of tools alone declares: who
// looks the same in front of both declares what is not there.
Task<Finding> keeps_capabilities(GatewayProbe& probe) {
  Finding finding = co_await keeps_each(probe);
  if (finding.verdict != Verdict::kPass || probe.exchanges().manner().merges) co_return finding;
  probe.mirror().set_bare(true);
  const std::ptrdiff_t before = openings_heard(probe.mirror());
  co_await offered_by(&probe);
  // What it learned earlier it may keep.
  if (openings_heard(probe.mirror()) == before) co_return finding;
  const Json offered = co_await offered_by(&probe);
  for (const char* const capability : {"prompts", "resources", "completions", "logging"}) {
    if (find(offered, capability) == nullptr) continue;
    co_return broken("the server declared " + std::string("{\"tools\":{}}") +
                     " when it was opened anew, and a client after that got " +
                     clipped(dump_json(offered)) + ": it asks for " + capability +
                     ", which there are not");
  }
  co_return finding;
}

// told_server returns what a client is told of who the server is; null: nothing.
const Json* told_server(const Json& result) {
  if (const Json* const own = find(result, "serverInfo")) return own;
  const Json* const meta = find(result, "_meta");
  return meta == nullptr ? nullptr : find(*meta, kMetaServerInfo);
}

// Spec 2025-11-25, schema, Implementation: name and version are of one implementation. A gateway
// may name itself or the server.
Task<Finding> names_one_implementation(GatewayProbe& probe) {
  const Exchanged* const made = co_await probe.exchanges().of(Ask::kOpening, probe.check());
  const Json* const result = made->reply.result();
  const Json* const told = result == nullptr ? nullptr : told_server(*result);
  if (told == nullptr) co_return not_for_it("its clients are not told who the server is");
  const Json mirror = mirror_part("serverInfo", probe.revision());
  const std::string name = string_or(mirror, "name", "");
  const std::string own = string_or(mirror, "version", "");
  if (string_or(*told, "name", "") != name) co_return passes();
  if (string_or(*told, "version", "") == own) co_return passes();
  Finding mixed = risky("serverInfo has the name of the server behind it, \"" + name + "\", and " +
                        told_member(*told, "version") + ", where the server's own is \"" + own +
                        "\": clients that keep lists for a version, and people who report a "
                        "fault, go by one that there is not");
  mixed.evidence = made->evidence;
  co_return mixed;
}

constexpr GatewayCheck kDefinitionChecks[] = {
    {"gateway.keeps-instructions", keeps, Ask::kOpening, "/instructions"},
    {"gateway.keeps-capabilities", keeps_capabilities, Ask::kOpening, "/capabilities/*"},
    {"gateway.keeps-change-notices", keeps, Ask::kOpening,
     "/capabilities/tools/listChanged /capabilities/prompts/listChanged "
     "/capabilities/resources/listChanged /capabilities/resources/subscribe"},
    {"gateway.keeps-experimental", keeps, Ask::kOpening, "/capabilities/experimental/*"},
    {"gateway.names-one-implementation", names_one_implementation},

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
