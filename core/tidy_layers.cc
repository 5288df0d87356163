#include "core/tidy_layers.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

namespace plumbline::tidy {

namespace {

// A test may put fakes around its subject, whatever its layer, lay messages of MCP over its bytes,
// and hold it to a schema.
const Layers kTestAids = {"fakes/", "core/schema/", "core/mcp/transport/", "core/mcp/both_sides/"};

// What the judge may never reach: a bug in our engines cannot excuse itself. Bytes below MCP may be
// shared, because foreign peers put them to the test every day.
const std::vector<std::string> kJudged = {
    "core/rpc/",   "core/mcp/",     "core/auth/", "core/model/", "core/connector/", "core/agents/",
    "core/graph/", "core/service/", "core/os/",   "fakes/",      "reference/",      "scenarios/"};

Layers joined(std::initializer_list<Layers> sets) {
  Layers all;
  for (const Layers& set : sets) all.insert(set.begin(), set.end());
  return all;
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

// included returns the files of `tree` that one of them includes.
std::vector<std::string> included(const Tree& tree, const std::string& path) {
  std::vector<std::string> found;
  for (const Include& include : includes_of(tree.at(path))) {
    if (!include.angled && tree.contains(include.target)) found.push_back(include.target);
  }
  return found;
}

bool is_wrong_peer(const std::string& path) {
  return path.starts_with("conformance/broken/") || path.ends_with("_broken.cc");
}

}  // namespace

const std::map<std::string, Layers>& floor_plan() {
  static const std::map<std::string, Layers> plan = [] {
    const Layers bytes = {"core/base/", "core/json/"};
    const Layers net = joined({bytes, {"core/wire/", "core/net/"}});
    const Layers protocol = joined({net, {"core/events/", "core/rpc/", "core/mcp/protocol/"}});
    const Layers channels = joined({protocol, {"core/mcp/transport/"}});
    const Layers mcp = joined({channels, {"core/mcp/client/", "core/mcp/server/"}});
    const Layers connector = joined({mcp,
                                     {"core/schema/", "core/metrics/", "core/trace/", "core/auth/",
                                      "core/model/", "core/connector/"}});
    const Layers agents = joined({connector, {"core/graph/", "core/store/", "core/agents/"}});
    const Layers judge = joined({net, {"core/schema/", "core/events/", "conformance/"}});

    std::map<std::string, Layers> may;
    may["core/"] = {};  // The tidy test; every other file of core/ is in a layer below.
    may["core/base/"] = {};
    may["core/json/"] = {"core/base/"};
    may["core/schema/"] = bytes;
    may["core/match/"] = joined({bytes, {"core/schema/"}});
    may["core/events/"] = bytes;
    may["core/rpc/"] = bytes;
    may["core/wire/"] = bytes;
    may["core/net/"] = joined({bytes, {"core/wire/"}});
    may["core/metrics/"] = net;
    may["core/trace/"] = bytes;
    may["core/trace/export/"] = joined({net, {"core/trace/"}});
    may["core/mcp/protocol/"] = joined({net, {"core/events/", "core/rpc/"}});
    may["core/mcp/transport/"] = protocol;
    may["core/mcp/client/"] = channels;
    may["core/mcp/server/"] = channels;
    may["core/mcp/both_sides/"] = mcp;
    may["core/auth/"] = protocol;
    may["core/model/"] = joined({net, {"core/trace/"}});
    may["core/connector/"] =
        joined({mcp, {"core/schema/", "core/metrics/", "core/trace/", "core/auth/"}});
    may["core/graph/"] = joined({bytes, {"core/events/"}});
    may["core/store/"] = may["core/graph/"];
    may["core/store/"].insert("core/graph/");
    may["core/agents/"] = agents;
    may["core/service/"] = agents;
    may["core/os/"] = net;
    may["reports/"] = joined({bytes, {"core/events/"}});
    may["reference/"] = joined({mcp, {"core/schema/"}});
    may["fakes/"] = agents;
    may["fakes/"].erase("core/agents/");
    may["conformance/"] = judge;
    may["conformance/broken/"] = joined({judge, mcp, {"core/auth/", "fakes/", "reference/"}});
    may["scenarios/"] = joined({agents, {"core/service/", "fakes/", "reference/", "conformance/"}});
    may["scenarios/"].insert("core/match/");
    Layers everything;
    for (const auto& [layer, unused] : may) everything.insert(layer);
    everything.erase("core/");
    may["fuzz/"] = may["bench/"] = may["cli/"] = may["tests/"] = everything;
    may["packaging/playground/"] = {"core/base/", "core/json/", "core/os/", "scenarios/"};
    for (const char* const above : {"tests/", "fuzz/"}) may[above].insert("cli/");
    for (auto& [layer, below] : may) below.erase(layer);
    return may;
  }();
  return plan;
}

std::string layer_of(const std::string& path) {
  if (is_wrong_peer(path)) return "conformance/broken/";
  std::string best;
  for (const auto& [layer, unused] : floor_plan()) {
    if (path.starts_with(layer) && layer.size() > best.size()) best = layer;
  }
  return best == "core/" && path.find('/', best.size()) != std::string::npos ? "" : best;
}

bool is_source(const std::string& path) { return path.ends_with(".h") || path.ends_with(".cc"); }

bool is_test(const std::string& path) {
  return path.ends_with("_test.cc") || path.ends_with("_fixture.h") ||
         path.ends_with("_fixture.cc");
}

void check_includes(const std::string& path, const std::string& text, Findings& out) {
  const std::string from = layer_of(path);
  if (from.empty()) return out.push_back({1, "no layer of core/tidy_layers.cc holds this folder"});
  for (const Include& include : includes_of(text)) {
    if (include.angled) continue;
    const std::string to = layer_of(include.target);
    const bool aid_of_test = is_test(path) && kTestAids.contains(to);
    if (to.empty()) {
      out.push_back({include.line, "include \"" + include.target + "\" by its path from the root"});
    } else if (from != to && !floor_plan().at(from).contains(to) && !aid_of_test) {
      out.push_back({include.line, from + " must not include " + to});
    }
  }
}

void check_judge(const Tree& tree, std::vector<std::string>& report) {
  for (const auto& [start, text] : tree) {
    if (!is_source(start) || layer_of(start) != "conformance/" || is_test(start)) continue;
    std::map<std::string, std::string> reached_from = {{start, ""}};
    std::vector<std::string> todo = {start};
    while (!todo.empty()) {
      const std::string at = todo.back();
      todo.pop_back();
      const bool judged = std::ranges::any_of(
          kJudged, [&](const std::string& folder) { return at.starts_with(folder); });
      if (judged) {
        std::string way = at;
        for (std::string by = reached_from[at]; !by.empty(); by = reached_from[by]) {
          way = by + " -> " + way;
        }
        report.push_back(start + ":1: the judge must not reach what it judges: " + way);
        break;
      }
      for (const std::string& next : included(tree, at)) {
        if (reached_from.emplace(next, at).second) todo.push_back(next);
      }
    }
  }
}

namespace {

std::string module_of(const std::string& path) { return path.substr(0, path.rfind('.')); }

// Circles finds the strongly connected parts of a graph of modules (Tarjan's algorithm).
class Circles {
 public:
  explicit Circles(const std::map<std::string, std::set<std::string>>& edges) : edges_(edges) {
    for (const auto& [module, unused] : edges_) {
      if (!index_.contains(module)) visit(module);
    }
  }
  const std::vector<std::vector<std::string>>& found() const { return found_; }

 private:
  void visit(const std::string& module) {
    const std::size_t index = index_.size();
    index_[module] = low_[module] = index;
    stack_.push_back(module);
    if (const auto at = edges_.find(module); at != edges_.end()) {
      for (const std::string& next : at->second) {
        if (!index_.contains(next)) visit(next);
        if (std::ranges::find(stack_, next) != stack_.end()) {
          low_[module] = std::min(low_[module], low_[next]);
        }
      }
    }
    if (low_[module] != index) return;
    const auto begin = std::ranges::find(stack_, module);
    if (stack_.end() - begin > 1) found_.emplace_back(begin, stack_.end());
    stack_.erase(begin, stack_.end());
  }

  const std::map<std::string, std::set<std::string>>& edges_;
  std::map<std::string, std::size_t> index_;
  std::map<std::string, std::size_t> low_;
  std::vector<std::string> stack_;
  std::vector<std::vector<std::string>> found_;
};

}  // namespace

std::vector<std::vector<std::string>> circles_of(
    const std::map<std::string, std::set<std::string>>& edges) {
  return Circles(edges).found();
}

std::map<std::string, std::set<std::string>> folder_includes(const Tree& tree) {
  const auto floor_of = [](const std::string& path) {
    return is_wrong_peer(path) ? "conformance/broken" : folder_of(path);
  };
  std::map<std::string, std::set<std::string>> edges;
  for (const auto& [path, text] : tree) {
    if (!is_source(path) || is_test(path)) continue;
    const std::string from = floor_of(path);
    for (const std::string& target : included(tree, path)) {
      if (floor_of(target) != from) edges[from].insert(floor_of(target));
    }
  }
  return edges;
}

void check_circles(const Tree& tree, std::vector<std::string>& report) {
  std::map<std::string, std::set<std::string>> edges;
  for (const auto& [path, text] : tree) {
    if (!is_source(path) || is_test(path)) continue;
    const std::string from = module_of(path);
    for (const std::string& target : included(tree, path)) {
      if (module_of(target) != from) edges[from].insert(module_of(target));
    }
  }
  for (std::vector<std::string> circle : circles_of(edges)) {
    std::ranges::sort(circle);
    std::string names;
    for (const std::string& module : circle) names += (names.empty() ? "" : ", ") + module;
    report.push_back(circle.front() + ".h:1: modules that include each other: " + names);
  }
}

void check_rooms(const Tree& tree, std::vector<std::string>& report) {
  std::map<std::string, std::size_t> rooms;
  for (const auto& [path, text] : tree) {
    if (is_source(path) && !is_test(path)) ++rooms[folder_of(path)];
  }
  for (const auto& [room, files] : rooms) {
    if (files <= kRoomFilesMax) continue;
    report.push_back(room + ":1: a room of " + std::to_string(files) + " source files, at most " +
                     std::to_string(kRoomFilesMax));
  }
}

std::string listing_of(const Tree& tree, std::string path) {
  for (std::size_t slash = path.rfind('/'); slash != std::string::npos; slash = path.rfind('/')) {
    path.resize(slash);
    if (tree.contains(path + "/CMakeLists.txt")) return path + "/CMakeLists.txt";
  }
  return "";
}

namespace {

// calls_of returns the arguments of each call of `function` in a CMakeLists.txt.
std::vector<std::string> calls_of(const std::string& listing, const std::string& function) {
  std::vector<std::string> calls;
  for (std::size_t at = find_word(listing, function + "("); at != std::string::npos;
       at = find_word(listing, function + "(", at + 1)) {
    const std::size_t begin = at + function.size() + 1;
    calls.push_back(listing.substr(begin, listing.find(')', begin) - begin));
  }
  return calls;
}

// is_taken returns whether a listing takes the file `name`, a path from the listing's folder: by
// its name, or as plumbline_sources of cmake/plumbline.cmake does.
bool is_taken(const std::string& listing, const std::string& name) {
  if (find_word(listing, name) != std::string::npos) return true;
  if (name.ends_with("main.cc")) return false;
  if (name.ends_with("_broken.cc")) return listing.find("*_broken.cc") != std::string::npos;
  const std::string function = is_test(name) ? "plumbline_test" : "plumbline_library";
  const std::string folder = name.find('/') == std::string::npos ? "." : folder_of(name);
  return std::ranges::any_of(calls_of(listing, function), [&](const std::string& call) {
    if (find_word(call, "FOLDERS") != std::string::npos) {
      return find_word(call, folder) != std::string::npos;
    }
    return !is_test(name) || find_word(call, "SOURCES") == std::string::npos;
  });
}

}  // namespace

void check_built(const Tree& tree, std::vector<std::string>& report) {
  const auto root = tree.find("CMakeLists.txt");
  for (const auto& [path, text] : tree) {
    if (!path.ends_with(".cc")) continue;
    const std::string listing = listing_of(tree, path);
    if (listing.empty()) {
      report.push_back(path + ":1: no CMakeLists.txt in this folder or above");
      continue;
    }
    const std::string folder = folder_of(listing);
    if (!is_taken(tree.at(listing), path.substr(folder.size() + 1))) {
      report.push_back(path + ":1: not taken by " + listing);
    }
    if (root == tree.end() ||
        root->second.find("add_subdirectory(" + folder + ")") == std::string::npos) {
      report.push_back(path + ":1: " + folder + "/ is missing in the CMakeLists.txt of the root");
    }
  }
}

}  // namespace plumbline::tidy
