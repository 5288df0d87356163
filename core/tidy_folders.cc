#include "core/tidy_folders.h"

#include <algorithm>
#include <map>

namespace plumbline::tidy {

namespace {

using Edges = std::map<std::string, std::set<std::string>>;

bool closes_a_circle(Edges edges, const UpwardInclude& include) {
  edges[include.first].insert(include.second);
  return std::ranges::any_of(circles_of(edges), [&](const std::vector<std::string>& circle) {
    return std::ranges::find(circle, include.first) != circle.end() &&
           std::ranges::find(circle, include.second) != circle.end();
  });
}

}  // namespace

const std::set<UpwardInclude>& upward_includes() {
  static const std::set<UpwardInclude> left = {
      {"conformance/checks/client", "conformance/checks/client/forms"},
      {"core/connector/links", "core/connector"},
      {"core/schema", "core/schema/compile"},
      {"scenarios/auth", "scenarios/world"},
      {"scenarios/judge", "scenarios/format"},
  };
  return left;
}

void check_folders(const Tree& tree, const std::set<UpwardInclude>& known,
                   std::vector<std::string>& report) {
  Edges edges = folder_includes(tree);
  std::set<UpwardInclude> there;
  for (const UpwardInclude& include : known) {
    const auto from = edges.find(include.first);
    if (from != edges.end() && from->second.erase(include.second) > 0) there.insert(include);
  }
  for (std::vector<std::string> circle : circles_of(edges)) {
    std::ranges::sort(circle);
    std::string names;
    for (const std::string& folder : circle) names += (names.empty() ? "" : ", ") + folder;
    report.push_back(circle.front() + ":1: folders that include each other: " + names);
  }
  for (const UpwardInclude& include : known) {
    const std::string what = include.first + ":1: includes " + include.second + " ";
    if (!there.contains(include)) {
      report.push_back(what + "no more, take it from core/tidy_folders.cc");
    } else if (!closes_a_circle(edges, include)) {
      report.push_back(what + "and closes no circle, take it from core/tidy_folders.cc");
    }
  }
}

}  // namespace plumbline::tidy
