// What is known of hosts: which tools they take. Each fact has its source and its date (hosts.tsv),
// as such bounds move; what is not there is not known.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::conformance {

struct HostFact {
  std::string_view host;
  std::string_view fact;   // "tools", "name-length", "name-prefix" or "schema-without".
  std::string_view value;  // A number, a prefix in which SERVER stands for its name, or a keyword.
  std::string_view kind;   // "documentation", "source", "measured" or "reported".
  std::string_view source;
  std::string_view date;
};

std::span<const HostFact> host_facts();

// known_hosts returns the hosts that there are facts of.
std::vector<std::string> known_hosts();

}  // namespace plumbline::conformance
