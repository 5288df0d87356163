// Shapes of messages and dialects of JSON Schema: spec, basic#json-schema-usage. The messages
// themselves are judged by oracles.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "core/base/text.h"
#include "core/schema/sample_value.h"

namespace plumbline::conformance {

namespace {

Task<Finding> tolerates_extra_params(Probe& probe) {
  Client client = probe.client();
  Json params(Json::value_t::object);
  params["plumblineExtra"]["a"] = 1;
  // A list goes through what reads its params; what is harmless may have none.
  const std::string method =
      probe.survey().declares("/tools") ? "tools/list" : std::string(client.harmless_method());
  const Reply reply = co_await client.request(method, params);
  if (reply.result() != nullptr) co_return passes();
  co_return about(broken(method + " got " + reply.describe() +
                         " to params with a member of no meaning, expected a result"),
                  reply);
}

Task<Finding> keeps_keywords_of_2020_12(Probe& probe) {
  const Json* const tool = probe.fixture("json_schema_2020_12_tool");
  if (tool == nullptr) co_return not_for_it("no tool is known to have a schema of 2020-12");
  const Json* const schema = find(*tool, "inputSchema");
  for (const char* const keyword : {"$schema", "$defs", "additionalProperties"}) {
    if (schema != nullptr && find(*schema, keyword) != nullptr) continue;
    co_return showing(
        broken("the inputSchema of json_schema_2020_12_tool has lost " + std::string(keyword)),
        *tool);
  }
  co_return passes();
}

// Dependent is a property of which another one follows, in the words of one dialect alone.
struct Dependent {
  std::string property;
  std::string follows;
};

bool lists(const Json& object, const char* key, const std::string& name) {
  const Json* const list = find(object, key);
  return list != nullptr && list->is_array() && std::ranges::find(*list, Json(name)) != list->end();
}

// dependent_in returns what only the dialect of `schema` says: "dependentRequired" of 2019-09 and
// later, "dependencies" of the earlier ones. Nothing: it says nothing of the kind.
std::optional<Dependent> dependent_in(const Json& schema) {
  const std::string dialect = string_or(schema, "$schema", "");
  const bool early = dialect.find("/draft-0") != std::string::npos;
  const Json* const rules = find(schema, early ? "dependencies" : "dependentRequired");
  const Json* const properties = find(schema, "properties");
  if (rules == nullptr || !rules->is_object() || properties == nullptr) return std::nullopt;
  for (const auto& [property, list] : rules->items()) {
    if (!list.is_array() || find(*properties, property) == nullptr) continue;
    for (const Json& one : list) {
      const std::string follows = one.is_string() ? one.get<std::string>() : "";
      const bool free = find(*properties, follows) && !lists(schema, "required", follows);
      if (free) return Dependent{property, follows};
    }
  }
  return std::nullopt;
}

bool is_refused(const Reply& reply) {
  return reply.error() != nullptr ||
         (reply.result() != nullptr && bool_or(*reply.result(), "isError", false));
}

Task<Finding> validates_by_dialect(Probe& probe) {
  Client client = probe.client();
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const schema = find(tool, "inputSchema");
    const std::optional<Dependent> rule =
        schema == nullptr || !probe.may_call(tool) ? std::nullopt : dependent_in(*schema);
    if (!rule) continue;
    const Json& properties = *find(*schema, "properties");
    Json good = probe.call_params(tool);
    for (const std::string& name : {rule->property, rule->follows}) {
      good["arguments"][name] =
          schema::sample_value(*schema, *find(properties, name), &probe.measured().budget());
    }
    Json without = good;
    without["arguments"].erase(rule->follows);
    Json plain = good;
    plain["arguments"][rule->property] = Json::array({Json::object()});
    const Reply taken = co_await client.call("tools/call", std::move(good));
    const Reply refused = co_await client.call("tools/call", std::move(plain));
    if (is_refused(taken) || !is_refused(refused)) continue;  // It goes by something else.
    const Reply reply = co_await client.call("tools/call", std::move(without));
    if (is_refused(reply)) co_return passes();
    co_return broken("the inputSchema of " + clipped(string_or(tool, "name", "")) + " has \"" +
                     clipped(rule->follows) + "\" follow \"" + clipped(rule->property) +
                     "\" in the words of its dialect, and arguments without it got " +
                     reply.describe());
  }
  co_return not_for_it(
      "no tool that may be called, and that goes by its inputSchema, has a keyword of one dialect "
      "alone (dependentRequired, dependencies)");
}

constexpr ServerCheck kSchemaChecks[] = {
    {"schema.validate-per-dialect", Eras::kBoth, SessionUse::kShared, validates_by_dialect},
    {"schema.extra-fields-tolerated", Eras::kStateful, SessionUse::kShared, tolerates_extra_params},
    {"schema.json-schema-2020-12-supported", Eras::kBoth, SessionUse::kOpens,
     keeps_keywords_of_2020_12},
};

}  // namespace

ServerChecks schema_checks() { return kSchemaChecks; }

}  // namespace plumbline::conformance
