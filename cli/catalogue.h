// What this build has, by id: agents, checks, faults, revisions and the built-in scenarios.
// `list` prints it, `explain` looks one up.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cli {

// Entry is one line of a listing.
struct Entry {
  std::string id;
  std::string area;
  std::string what;
  std::vector<std::string> tags;     // Of a scenario.
  std::vector<std::string> sources;  // Of a scenario: where its failure was told.
};

// entries_of returns the entries of `kind`: "checks", "scenarios", "revisions", "agents",
// "faults", "situations", "errors" or "settings", in the order of their tables.
std::vector<Entry> entries_of(std::string_view kind);

}  // namespace plumbline::cli
