// Shapes of messages and dialects of JSON Schema: spec, basic#json-schema-usage. The messages
// themselves are judged by oracles.

#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

Task<Finding> tolerates_extra_params(Probe& probe) {
  Client client = probe.client();
  Json params(Json::value_t::object);
  params["plumblineExtra"]["a"] = 1;
  const Reply reply = co_await client.request(std::string(client.harmless_method()), params);
  if (reply.result() != nullptr) co_return passes();
  co_return broken("got " + reply.describe() +
                   " to params with a member of no meaning, expected "
                   "a result");
}

Task<Finding> keeps_keywords_of_2020_12(Probe& probe) {
  const Json* const tool = probe.fixture("json_schema_2020_12_tool");
  if (tool == nullptr) co_return not_for_it("no tool is known to have a schema of 2020-12");
  const Json* const schema = find(*tool, "inputSchema");
  for (const char* const keyword : {"$schema", "$defs", "additionalProperties"}) {
    if (schema != nullptr && find(*schema, keyword) != nullptr) continue;
    co_return broken("the inputSchema of json_schema_2020_12_tool has lost " +
                     std::string(keyword));
  }
  co_return passes();
}

constexpr ServerCheck kSchemaChecks[] = {
    {"schema.extra-fields-tolerated", Eras::kStateful, SessionUse::kShared, tolerates_extra_params},
    {"schema.json-schema-2020-12-supported", Eras::kBoth, SessionUse::kOpens,
     keeps_keywords_of_2020_12},
};

}  // namespace

ServerChecks schema_checks() { return kSchemaChecks; }

}  // namespace plumbline::conformance
