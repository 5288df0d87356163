// Tools as a server lists them: spec, server/tools. How they answer is in tools_calls.cc.

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/secrets/secret_names.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kToolNameBytesMax = 128;

std::string tool_called(const Json& tool) {
  return "the tool \"" + shortened(string_or(tool, "name", "")) + "\"";
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

// each_tool judges every listed tool by itself; `problem` returns an empty string for a good one.
template <typename Problem>
Finding each_tool(Probe& probe, Problem problem) {
  Tally tally;
  for (const Json& tool : probe.survey().tools.items) {
    tally.saw();
    if (std::string wrong = problem(tool); !wrong.empty()) {
      tally.wrong(tool_called(tool) + " " + wrong, evidence_of(tool));
    }
  }
  return tally.finding("it lists no tools");
}

Task<Finding> declares_tools(Probe& probe) {
  co_return co_await declares_feature(probe, "tools/list", "tools");
}

Task<Finding> lists_tools(Probe& probe) { co_return answers_list(probe.survey().tools, "tools"); }

Task<Finding> lists_the_same_tools(Probe& probe) {
  co_return co_await lists_everywhere_the_same(probe, "tools/list", "tools", "name");
}

// in_another_order says how the tools that are in both lists came in another order; empty: in the
// same.
std::string in_another_order(const Listing& one, const Listing& other) {
  std::vector<std::string> first = values_of(one, "name");
  std::vector<std::string> second = values_of(other, "name");
  const std::vector<std::string> before = first;
  std::erase_if(first, [&](const std::string& name) {
    return std::ranges::find(second, name) == second.end();
  });
  std::erase_if(second, [&](const std::string& name) {
    return std::ranges::find(before, name) == before.end();
  });
  if (first == second) return "";
  return "the same tools came in another order: " + joined(first) + "; then " + joined(second);
}

// Before 2026-07-28 no clause asks for an order. Whoever adds a tool may put it anywhere then: what
// was listed long before is not compared.
Task<Finding> keeps_the_order(Probe& probe) {
  constexpr int kLists = 3;
  if (probe.survey().tools.items.size() < 2) co_return not_for_it("it lists fewer than two tools");
  Client client = probe.client();
  std::vector<Listing> lists;
  for (int time = 0; time < kLists; ++time) {
    lists.push_back(co_await list_all(client.session(), probe.check(), "tools/list", "tools"));
    if (lists.back().items.empty()) co_return undecided("another tools/list had nothing");
  }
  if (probe.stateless()) lists.insert(lists.begin(), probe.survey().tools);
  for (std::size_t at = 1; at < lists.size(); ++at) {
    const std::string differs = in_another_order(lists[at - 1], lists[at]);
    if (differs.empty()) continue;
    co_return about(broken(differs), lists[at].pages.back());
  }
  co_return passes();
}

Task<Finding> defines_tools(Probe& probe) {
  co_return each_tool(probe, [](const Json& tool) -> std::string {
    if (!find_string(tool, "name")) return "has no name that is a string";
    const Json* const schema = find(tool, "inputSchema");
    if (schema == nullptr) return "has no inputSchema";
    return schema->is_object() ? ""
                               : "has an inputSchema that is " + std::string(type_name(*schema));
  });
}

Task<Finding> has_input_schemas(Probe& probe) {
  co_return each_tool(probe, [&probe](const Json& tool) -> std::string {
    const Json* const schema = find(tool, "inputSchema");
    if (schema == nullptr) return "has no inputSchema";
    const std::string wrong = schema_problem(*schema, probe.measured());
    if (!wrong.empty()) return "has an inputSchema that " + wrong;
    if (string_or(*schema, "type", "") == "object") return "";
    const Json* const type = find(*schema, "type");
    return "has an inputSchema with " +
           (type == nullptr ? std::string("no type") : "the type " + dump_json(*type)) +
           ", expected \"object\"";
  });
}

Task<Finding> closes_empty_schemas(Probe& probe) {
  Tally tally;
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const schema = find(tool, "inputSchema");
    const Json* const properties = schema == nullptr ? nullptr : find(*schema, "properties");
    if (schema == nullptr || (properties != nullptr && !properties->empty())) continue;
    tally.saw();
    // {"type": "object"} alone is the other form that the page names as valid.
    const Json* const more = find(*schema, "additionalProperties");
    if (more == nullptr || *more == Json(false)) continue;
    tally.wrong(tool_called(tool) + " has no parameters, and additionalProperties that are " +
                    shortened(dump_json(*more)) + ", expected false",
                evidence_of(tool));
  }
  co_return tally.finding("every tool has parameters");
}

Task<Finding> names_of_fair_length(Probe& probe) {
  co_return each_tool(probe, [](const Json& tool) -> std::string {
    const std::size_t bytes = string_or(tool, "name", "").size();
    if (bytes >= 1 && bytes <= kToolNameBytesMax) return "";
    return "has a name of " + std::to_string(bytes) + " characters, expected 1 to 128";
  });
}

Task<Finding> names_of_plain_characters(Probe& probe) {
  co_return each_tool(probe, [](const Json& tool) -> std::string {
    const std::string name = string_or(tool, "name", "");
    const auto odd = std::ranges::find_if_not(name, is_name_char);
    if (odd == name.end()) return "";
    return "has a name with the character '" + std::string(1, *odd) +
           "', expected letters, digits, '_', '-' and '.'";
  });
}

Task<Finding> names_are_unique(Probe& probe) {
  std::map<std::string, int> seen;
  co_return each_tool(probe, [&seen](const Json& tool) -> std::string {
    return ++seen[string_or(tool, "name", "")] == 2 ? "is listed twice" : "";
  });
}

Task<Finding> mirrors_no_secrets(Probe& probe) {
  Tally tally;
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const properties = properties_of(tool);
    if (properties == nullptr) continue;
    for (const auto& [name, property] : properties->items()) {
      const auto header = find_string(property, "x-mcp-header");
      if (!header) continue;
      tally.saw();
      const auto is_secret = [](std::string_view one) {
        return names_secret(one, NamedAs::kMember);
      };
      if (!is_secret(name) && !is_secret(*header)) continue;
      tally.wrong(tool_called(tool) + " mirrors \"" + name + "\" into a header", evidence_of(tool));
    }
  }
  co_return tally.finding("no tool mirrors a parameter into a header");
}

Task<Finding> tells_of_changed_tools(Probe& probe) {
  co_return co_await tells_of_a_change(probe, "tools", Shows::kToolsChange);
}

constexpr ServerCheck kToolsChecks[] = {
    {"tools.capability-declared", Eras::kBoth, SessionUse::kShared, declares_tools},
    {"tools.list-responds", Eras::kStateless, SessionUse::kOpens, lists_tools},
    {"tools.list-not-connection-dependent", Eras::kStateless, SessionUse::kShared,
     lists_the_same_tools},
    {"tools.deterministic-order", Eras::kBoth, SessionUse::kShared, keeps_the_order},
    {"tools.definition-required-fields", Eras::kStateless, SessionUse::kOpens, defines_tools},
    {"tools.input-schema-valid", Eras::kBoth, SessionUse::kOpens, has_input_schemas},
    {"tools.no-params-schema-closed", Eras::kStateful, SessionUse::kOpens, closes_empty_schemas},
    {"tools.name-length", Eras::kBoth, SessionUse::kOpens, names_of_fair_length},
    {"tools.name-charset", Eras::kBoth, SessionUse::kOpens, names_of_plain_characters},
    {"tools.name-no-special-chars", Eras::kStateless, SessionUse::kOpens,
     names_of_plain_characters},
    {"tools.name-unique", Eras::kBoth, SessionUse::kOpens, names_are_unique},
    {"tools.x-mcp-header-no-sensitive", Eras::kStateless, SessionUse::kOpens, mirrors_no_secrets},
    {"tools.list-changed-notification", Eras::kBoth, SessionUse::kAlone, tells_of_changed_tools},
};

}  // namespace

ServerChecks tools_checks() { return kToolsChecks; }

}  // namespace plumbline::conformance
