// What the schemas of tools say that clients, hosts and models cannot use, though the metaschema
// has nothing against it: JSON Schema 2020-12, Core and Validation. All of it is a warning.

#include <string>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/exercise.h"
#include "conformance/checks/server/features/schema_problems.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

using SchemaProblem = std::string (*)(SchemaAt one, const Json& root);

// is_meant returns whether `schema` is one by its metaschema; what is not is told by another rule.
bool is_meant(Probe& probe, const Json& schema) {
  return schema.is_object() && schema_problem(schema, probe.measured()).empty();
}

// each_schema judges the inputSchema of every tool, and with `kOutput` the outputSchema. It returns
// to the loop between one tool and the next: there may be many.
template <SchemaProblem kProblem, bool kOutput = true>
Task<Finding> each_schema(Probe& probe) {
  Tally tally;
  for (const Json& tool : probe.survey().tools.items) {
    co_await Sleep(probe.loop(), probe.loop().now());
    for (const char* const member : {"inputSchema", "outputSchema"}) {
      const Json* const root = find(tool, member);
      const bool wanted = kOutput || std::string_view(member) == "inputSchema";
      if (root == nullptr || !wanted || !is_meant(probe, *root)) continue;
      tally.saw();
      const auto one_problem = [&](SchemaAt one) { return kProblem(one, *root); };
      const std::string wrong = first_in(*root, one_problem);
      if (wrong.empty()) continue;
      tally.wrong("the " + std::string(member) + " of the tool \"" +
                      shortened(string_or(tool, "name", "")) + "\": " + wrong,
                  evidence_of(tool));
    }
  }
  co_return tally.finding("it lists no tool with a schema");
}

constexpr SchemaProblem kPatternTrouble = [](SchemaAt one, const Json&) {
  return pattern_trouble(one);
};
constexpr SchemaProblem kMisfit = [](SchemaAt one, const Json&) { return misfit(one); };
constexpr SchemaProblem kHostTrouble = [](SchemaAt one, const Json&) { return host_trouble(one); };

// spare_member returns the first member of a response that JSON-RPC has none for; empty: none.
std::string spare_member(const Json& response) {
  for (const auto& [name, value] : response.items()) {
    const bool known = name == "jsonrpc" || name == "id" || name == "result" || name == "error";
    if (!known) return name;
  }
  return {};
}

Task<Finding> members_are_in_place(Probe& probe) {
  Tally tally;
  const Exercise& exercise = *co_await probe.exercise();
  for (const Call& call : exercise.calls) {
    if (call.reply.result() == nullptr) continue;
    tally.saw();
    const std::string spare = spare_member(*call.reply.message);
    if (spare.empty()) continue;
    tally.wrong("the response to " + call.method + " has \"" + shortened(spare) +
                    "\" beside its result: clients on the TypeScript SDK refuse a response with "
                    "other members than jsonrpc, id and result",
                call.evidence);
  }
  for (const Json& tool : probe.survey().tools.items) {
    tally.saw();
    const std::string wrong = misplaced(tool);
    if (wrong.empty()) continue;
    tally.wrong("the tool \"" + shortened(string_or(tool, "name", "")) + "\" " + wrong,
                evidence_of(tool));
  }
  co_return tally.finding("it lists no tools, and gave no result");
}

constexpr ServerCheck kToolSchemasChecks[] = {
    {"schema.patterns-ecma262", Eras::kBoth, SessionUse::kOpens, each_schema<kPatternTrouble>},
    {"schema.satisfiable", Eras::kBoth, SessionUse::kOpens, each_schema<kMisfit>},
    {"schema.references-resolve", Eras::kBoth, SessionUse::kOpens, each_schema<reference_trouble>},
    {"schema.hosts-accept", Eras::kBoth, SessionUse::kOpens, each_schema<kHostTrouble, false>},
    {"schema.members-in-place", Eras::kBoth, SessionUse::kOpens, members_are_in_place},
};

}  // namespace

ServerChecks tool_schemas_checks() { return kToolSchemasChecks; }

}  // namespace plumbline::conformance
