#include "conformance/quality/hosts.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"
#include "conformance/quality/checks.h"
#include "conformance/quality/rules.h"

namespace plumbline::conformance {

namespace {

// name_max is that of quality.name-length.
std::size_t name_max() {
  return static_cast<std::size_t>(find_quality_rule("quality.name-length")->limit);
}

std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// prefix_of returns how many characters a host puts in front of a tool's name.
std::size_t prefix_of(std::string_view host, std::string_view server) {
  constexpr std::string_view kServer = "SERVER";
  for (const HostFact& fact : host_facts()) {
    if (fact.host != host || fact.fact != "name-prefix") continue;
    return fact.value.size() - kServer.size() + server.size();
  }
  return 0;
}

bool uses(const Json& schema, std::string_view keyword) {
  if (schema.is_array()) {
    return std::ranges::any_of(schema, [&](const Json& one) { return uses(one, keyword); });
  }
  if (!schema.is_object()) return false;
  const Json* const used = find(schema, keyword);
  if (used != nullptr && *used != Json(false)) return true;
  return std::ranges::any_of(schema, [&](const Json& one) { return uses(one, keyword); });
}

void hold_to(const HostFact& fact, const Reading& read, const Around& around, Notes& notes) {
  const std::string who = " (" + std::string(fact.kind) + " " + std::string(fact.date) + ")";
  const std::string host(fact.host);
  if (fact.fact == "tools" && read.tools.size() > number_in(fact.value)) {
    notes.add(
        "quality.host-tools", host,
        std::to_string(read.tools.size()) + " tools, it takes " + std::string(fact.value) + who);
  }
  for (const OfferedTool& tool : read.tools) {
    // What is too long for any host is told once.
    const bool told = tool.name.size() > name_max();
    const std::size_t length = prefix_of(fact.host, around.server) + tool.name.size();
    if (fact.fact == "name-length" && !told && length > number_in(fact.value)) {
      notes.add(
          "quality.host-names", host,
          tool.name + " has " + std::to_string(length) + " of " + std::string(fact.value) + who);
    }
    const Json* const schema = tool.schema();
    if (fact.fact == "schema-without" && schema != nullptr && uses(*schema, fact.value)) {
      notes.add("quality.host-schemas", host, std::string(fact.value) + " in " + tool.name + who);
    }
  }
}

}  // namespace

std::span<const HostFact> host_facts() {
  static const std::vector<HostFact> kFacts = [] {
    std::vector<HostFact> facts;
    Columns columns(table_text("hosts.tsv"));
    while (columns.next_line()) {
      HostFact& fact = facts.emplace_back();
      fact.host = columns.next();
      fact.fact = columns.next();
      fact.value = columns.next();
      fact.kind = columns.next();
      fact.source = columns.next();
      fact.date = columns.next();
    }
    return facts;
  }();
  return kFacts;
}

std::vector<std::string> known_hosts() {
  std::vector<std::string> hosts;
  for (const HostFact& fact : host_facts()) {
    if (std::ranges::find(hosts, fact.host) == hosts.end()) hosts.emplace_back(fact.host);
  }
  return hosts;
}

void check_hosts(const Reading& read, const Around& around, Notes& notes) {
  for (const HostFact& fact : host_facts()) {
    const bool asked =
        around.hosts.empty() || std::ranges::find(around.hosts, fact.host) != around.hosts.end();
    if (asked) hold_to(fact, read, around, notes);
  }
  for (const char* const id :
       {"quality.host-tools", "quality.host-names", "quality.host-schemas"}) {
    notes.looked(id, host_facts().size());
  }
}

}  // namespace plumbline::conformance
