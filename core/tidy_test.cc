// Checks properties of the source tree that no compiler checks: which folder may include which,
// that no file is forgotten by the build, and the rules of tidy_rules.h. Every finding is printed
// as path:line: what, and what to use instead.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/tidy_rules.h"

namespace plumbline::tidy {
namespace {

namespace fs = std::filesystem;
using Layers = std::set<std::string>;

// For each layer, the other layers it may include, lowest first. A layer is the longest key that
// prefixes a path; it always may include itself. Anything not listed is refused, so a new folder
// starts with a decision.
const std::map<std::string, Layers> kMayInclude = [] {
  const std::string base = "core/base/", json = "core/json/", schema = "core/schema/",
                    events = "core/events/", rpc = "core/rpc/", wire = "core/wire/",
                    transport = "core/transport/", mcp = "core/mcp/", auth = "core/auth/",
                    connector = "core/connector/", graph = "core/graph/", store = "core/store/",
                    agents = "core/agents/", service = "core/service/", os = "core/os/";
  std::map<std::string, Layers> may;
  may["core/"] = {};  // This test; every other file of core/ is in a layer below.
  may[base] = {};
  may[json] = {base};
  may[schema] = {base, json};
  may[events] = {base, json};
  may[rpc] = {base, json};
  may[wire] = {base, json, rpc};
  may[transport] = {base, json, events, rpc, wire};
  may[mcp] = {base, json, events, rpc, transport};
  may[auth] = {base, json, events, rpc, wire, transport};
  may[connector] = {base, json, schema, events, rpc, wire, transport, mcp, auth};
  may[graph] = {base, json, events};
  may[store] = {base, json, events, graph};
  may[agents] = {base, json, schema, events, rpc, transport, mcp, auth, connector, graph, store};
  may[service] = {base, json, schema,    events, rpc,   wire,  transport,
                  mcp,  auth, connector, graph,  store, agents};
  may[os] = {base, json, wire, transport};
  may["reports/"] = {base, json, events};
  may["reference/"] = {base, json, schema, events, rpc, wire, transport, mcp};
  may["fakes/"] = {base,      json, schema, events,    rpc,   wire,
                   transport, mcp,  auth,   connector, graph, store};
  // The judge shares no protocol code with the judged: a bug in our engines cannot excuse itself.
  may["conformance/"] = {base, json, schema, events, wire, transport, "fakes/"};
  // What is judged there is ours, with something put wrong.
  may["conformance/broken/"] = {base,      json, schema, events,       wire,
                                transport, mcp,  "fakes/", "reference/", "conformance/"};
  may["scenarios/"] = {base, json,      schema, events, rpc,    wire,    transport, mcp,
                       auth, connector, graph,  store,  agents, service, "fakes/",  "conformance/"};
  Layers everything;
  for (const auto& [layer, unused] : may) everything.insert(layer);
  everything.erase("core/");
  may["fuzz/"] = may["bench/"] = may["cli/"] = may["interop/"] = may["transports_test/"] =
      everything;
  return may;
}();

// A test may put fakes around its subject, whatever its layer, and hold it to a schema.
const Layers kTestAids = {"fakes/", "core/schema/"};

std::string layer_of(const std::string& path) {
  std::string best;
  for (const auto& [layer, unused] : kMayInclude) {
    if (path.starts_with(layer) && layer.size() > best.size()) best = layer;
  }
  return best == "core/" && path.find('/', best.size()) != std::string::npos ? "" : best;
}

void check_includes(const std::string& path, const std::string& text, Findings& out) {
  const std::string from = layer_of(path);
  if (from.empty()) return out.push_back({1, "no layer of core/tidy_test.cc holds this folder"});
  for (const Include& include : includes_of(text)) {
    if (include.angled) continue;
    const std::string to = layer_of(include.target);
    const bool is_test = path.ends_with("_test.cc") || path.ends_with("_fixture.h");
    const bool aid_of_test = is_test && kTestAids.contains(to);
    if (to.empty()) {
      out.push_back({include.line, "include \"" + include.target + "\" by its path from the root"});
    } else if (from != to && !kMayInclude.at(from).contains(to) && !aid_of_test) {
      out.push_back({include.line, from + " must not include " + to});
    }
  }
}

// Tree is every text file of the project by its path from the root.
using Tree = std::map<std::string, std::string>;

Tree read_tree(const fs::path& root) {
  const std::set<std::string> extensions = {".h",   ".cc",    ".md",  ".sh",   ".json", ".jsonl",
                                            ".txt", ".cmake", ".yml", ".yaml", ".mjs",  ""};
  const std::set<std::string> skipped = {"build", ".git", "node_modules", "corpus"};
  Tree tree;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator();
       ++at) {
    const std::string name = at->path().filename().string();
    if (at->is_directory()) {
      if (skipped.contains(name)) at.disable_recursion_pending();
      continue;
    }
    if (!extensions.contains(at->path().extension().string())) continue;
    std::ostringstream text;
    text << std::ifstream(at->path(), std::ios::binary).rdbuf();
    tree[fs::relative(at->path(), root).generic_string()] = text.str();
  }
  return tree;
}

bool is_source(const std::string& path) { return path.ends_with(".h") || path.ends_with(".cc"); }

// listing_of returns the nearest CMakeLists.txt at or above the folder of `path`, the root's aside;
// empty when there is none.
std::string listing_of(const Tree& tree, std::string path) {
  for (std::size_t slash = path.rfind('/'); slash != std::string::npos; slash = path.rfind('/')) {
    path.resize(slash);
    if (tree.contains(path + "/CMakeLists.txt")) return path + "/CMakeLists.txt";
  }
  return "";
}

// check_built reports a .cc that no CMakeLists.txt names, and a folder that the root forgets: a
// test that is not built cannot fail.
void check_built(const Tree& tree, const std::string& path, Findings& out) {
  if (!path.ends_with(".cc")) return;
  const std::string listing = listing_of(tree, path);
  if (listing.empty()) return out.push_back({1, "no CMakeLists.txt in this folder or above"});
  const std::string folder = listing.substr(0, listing.rfind('/'));
  const std::string name = path.substr(folder.size() + 1);
  if (find_word(tree.at(listing), name) == std::string::npos) {
    out.push_back({1, "not listed in " + listing});
  }
  const auto root = tree.find("CMakeLists.txt");
  if (root == tree.end() ||
      root->second.find("add_subdirectory(" + folder + ")") == std::string::npos) {
    out.push_back({1, folder + "/ is missing in the CMakeLists.txt of the root"});
  }
}

// check_collisions reports what two files of one folder both define for themselves: the Release
// build joins several files of a library or a test into one (CMAKE_UNITY_BUILD).
void check_collisions(const Tree& tree, std::vector<std::string>& report) {
  std::map<std::string, std::string> first;  // Kind, folder and name; the file.
  for (const auto& [path, text] : tree) {
    if (!path.ends_with(".cc")) continue;
    const std::string kind = path.ends_with("_test.cc") ? "test " : "library ";
    for (const std::string& name : local_names(code_of(text))) {
      const auto [at, added] = first.emplace(kind + listing_of(tree, path) + " " + name, path);
      if (added || at->second == path) continue;
      report.push_back(path + ":1: '" + name + "' is defined in " + at->second +
                       " too, share it or rename it (unity build)");
    }
  }
}

std::vector<std::string> check_tree(const Tree& tree) {
  std::vector<std::string> report;
  for (const auto& [path, text] : tree) {
    Findings findings;
    if (is_source(path)) {
      findings = check_source(path, text);
      check_includes(path, text, findings);
      check_built(tree, path, findings);
    } else {
      check_machine_paths(text, findings);
    }
    for (const Finding& finding : findings) {
      report.push_back(path + ":" + std::to_string(finding.line) + ": " + finding.what);
    }
  }
  check_collisions(tree, report);
  return report;
}

// The table itself must point one way: no layer may reach itself through others.
TEST(LayerTest, TheTableHasNoCycle) {
  for (const auto& [start, direct] : kMayInclude) {
    Layers seen;
    std::vector<std::string> todo(direct.begin(), direct.end());
    while (!todo.empty()) {
      const std::string layer = todo.back();
      todo.pop_back();
      EXPECT_NE(layer, start) << start << " reaches itself";
      if (!seen.insert(layer).second) continue;
      todo.insert(todo.end(), kMayInclude.at(layer).begin(), kMayInclude.at(layer).end());
    }
  }
}

TEST(LayerTest, TheJudgeReachesNothingOfTheJudged) {
  for (const char* judged : {"core/rpc/", "core/mcp/", "core/auth/", "core/connector/",
                             "core/agents/", "core/graph/", "core/os/"}) {
    EXPECT_FALSE(kMayInclude.at("conformance/").contains(judged)) << judged;
  }
}

std::string includes(const std::string& path, const std::string& line) {
  Findings findings;
  check_includes(path, line + "\n", findings);
  return findings.empty() ? "" : findings.front().what;
}

TEST(LayerTest, AnIncludePointsDown) {
  EXPECT_EQ(includes("core/mcp/a.cc", "#include \"core/rpc/message.h\""), "");
  EXPECT_EQ(includes("core/mcp/a.cc", "#include \"core/mcp/revision.h\""), "");
  EXPECT_EQ(includes("core/rpc/a.cc", "#include \"core/mcp/revision.h\""),
            "core/rpc/ must not include core/mcp/");
  EXPECT_EQ(includes("conformance/wire/a.cc", "#include \"core/rpc/message.h\""),
            "conformance/ must not include core/rpc/");
  EXPECT_EQ(includes("core/agents/a.cc", "#include \"core/os/real_loop.h\""),
            "core/agents/ must not include core/os/");
  EXPECT_EQ(includes("cli/main.cc", "#include \"core/os/real_loop.h\""), "");
}

TEST(LayerTest, ATestMayUseFakesAndItsSubjectMayNot) {
  EXPECT_EQ(includes("core/agents/a_test.cc", "#include \"fakes/sim_loop.h\""), "");
  EXPECT_EQ(includes("core/agents/a.cc", "#include \"fakes/sim_loop.h\""),
            "core/agents/ must not include fakes/");
}

TEST(LayerTest, AnIncludeIsWrittenFromTheRoot) {
  EXPECT_EQ(includes("fakes/a.cc", "#include \"sim_loop.h\""),
            "include \"sim_loop.h\" by its path from the root");
  EXPECT_EQ(includes("core/new_folder/a.cc", ""),
            "no layer of core/tidy_test.cc holds this folder");
}

TEST(TreeTest, AForgottenFileIsReported) {
  const std::string root = "add_subdirectory(fakes)\n";
  const auto report = [](const Tree& tree) { return check_tree(tree); };
  EXPECT_EQ(report({{"CMakeLists.txt", root},
                    {"fakes/CMakeLists.txt", "a_test.cc"},
                    {"fakes/a_test.cc", ""}}),
            std::vector<std::string>{});
  EXPECT_EQ(report({{"CMakeLists.txt", root},
                    {"fakes/CMakeLists.txt", "xa_test.cc"},
                    {"fakes/a_test.cc", ""}}),
            std::vector<std::string>{"fakes/a_test.cc:1: not listed in fakes/CMakeLists.txt"});
  EXPECT_EQ(report({{"CMakeLists.txt", root},
                    {"fakes/CMakeLists.txt", "peers/a.cc"},
                    {"fakes/peers/a.cc", ""}}),
            std::vector<std::string>{});
  EXPECT_EQ(report({{"CMakeLists.txt", ""}, {"fakes/CMakeLists.txt", "a.cc"}, {"fakes/a.cc", ""}}),
            std::vector<std::string>{
                "fakes/a.cc:1: fakes/ is missing in the CMakeLists.txt of the root"});
}

TEST(TreeTest, ANameOfTwoFilesOfAFolderIsReported) {
  const std::string text = "namespace {\nint twice(int a) { return a; }\n}  // namespace\n";
  std::vector<std::string> report;
  check_collisions({{"fakes/a.cc", text}, {"fakes/b_test.cc", text}, {"core/mcp/a.cc", "int a;"}},
                   report);
  EXPECT_EQ(report, std::vector<std::string>{});
  check_collisions({{"fakes/a.cc", text}, {"fakes/b.cc", text}}, report);
  EXPECT_EQ(report,
            std::vector<std::string>{"fakes/b.cc:1: 'twice(int a)' is defined in fakes/a.cc "
                                     "too, share it or rename it (unity build)"});
}

TEST(TreeTest, EveryFileOfTheProjectIsTidy) {
  const Tree tree = read_tree(SOURCE_ROOT);
  ASSERT_GT(tree.size(), 50U) << "read the wrong folder";
  std::string findings;
  for (const std::string& finding : check_tree(tree)) findings += finding + "\n";
  if (!findings.empty()) ADD_FAILURE() << findings;
}

}  // namespace
}  // namespace plumbline::tidy
