// Checks properties of the source tree that no compiler checks: the floor plan of tidy_layers.h and
// the rules of tidy_rules.h. Every finding is printed as path:line: what, and what to use instead.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/tidy_folders.h"
#include "core/tidy_layers.h"
#include "core/tidy_rules.h"

namespace plumbline::tidy {
namespace {

namespace fs = std::filesystem;

Tree read_tree(const fs::path& root) {
  const std::set<std::string> extensions = {
      ".h",   ".cc",    ".c",   ".cpp",  ".md",  ".sh", ".json", ".tsv", ".toml", ".jsonl",
      ".txt", ".cmake", ".yml", ".yaml", ".mjs", ".js", ".ts",   ".py",  ".html", ""};
  const std::set<std::string> skipped = {"build", ".git", "node_modules", "corpus"};
  Tree tree;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator();
       ++at) {
    const std::string name = at->path().filename().string();
    if (at->is_directory() && skipped.contains(name)) at.disable_recursion_pending();
    if (at->is_directory() || skipped.contains(name)) continue;
    if (!extensions.contains(at->path().extension().string())) continue;
    std::ostringstream text;
    text << std::ifstream(at->path(), std::ios::binary).rdbuf();
    tree[fs::relative(at->path(), root).generic_string()] = text.str();
  }
  return tree;
}

// registry_name returns what our packages are called on npm and PyPI.
std::string registry_name(const Tree& tree) {
  const std::string& line = tree.at("packaging/name");
  return line.substr(0, line.find('\n'));
}

// kAtTheTop is all that may lie at the top of the tree: a newcomer reads it first.
const std::set<std::string> kAtTheTop = {".ci",
                                         ".clang-format",
                                         ".clang-tidy",
                                         ".git",
                                         ".gitattributes",
                                         ".github",
                                         ".gitignore",
                                         ".pre-commit-hooks.yaml",
                                         "CHANGELOG.md",
                                         "CMakeLists.txt",
                                         "CMakePresets.json",
                                         "CONTRIBUTING.md",
                                         "LICENSE",
                                         "NOTICE",
                                         "README.md",
                                         "SECURITY.md",
                                         "action.yml",
                                         "bench",
                                         "cli",
                                         "cmake",
                                         "conformance",
                                         "core",
                                         "docs",
                                         "examples",
                                         "fakes",
                                         "fuzz",
                                         "packaging",
                                         "plumb",
                                         "reference",
                                         "reports",
                                         "scenarios",
                                         "templates",
                                         "tests"};

// is_ignored returns whether .gitignore has `name`, whole or up to a star at its end.
bool is_ignored(const std::string& gitignore, const std::string& name) {
  std::istringstream lines(gitignore);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('/')) line.erase(0, 1);
    if (line.ends_with('/')) line.pop_back();
    const bool begins = line.ends_with('*') && name.starts_with(line.substr(0, line.size() - 1));
    if (begins || name == line) return true;
  }
  return false;
}

// check_collisions reports what two files of one folder both define for themselves: the Release
// build joins several files of a library or a test into one (CMAKE_UNITY_BUILD).
void check_collisions(const Tree& tree, std::vector<std::string>& report) {
  std::map<std::string, std::string> first;  // Kind, folder and name; the file.
  for (const auto& [path, text] : tree) {
    if (!path.ends_with(".cc")) continue;
    const std::string kind = is_test(path)                  ? "test "
                             : path.ends_with("_broken.cc") ? "wrong peer "
                                                            : "library ";
    for (const std::string& name : local_names(code_of(text))) {
      const auto [at, added] = first.emplace(kind + listing_of(tree, path) + " " + name, path);
      if (added || at->second == path) continue;
      report.push_back(path + ":1: '" + name + "' is defined in " + at->second +
                       " too, share it or rename it (unity build)");
    }
  }
}

// type_in returns the name of the type that a line begins to define; empty: none.
std::string type_in(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word == "enum") words >> word;
  if ((word != "struct" && word != "class") || line.ends_with(';')) return "";
  words >> word;
  if (word == "[[nodiscard]]") words >> word;
  return word.find('<') == std::string::npos ? word : "";
}

// check_types reports a type of which two headers have a definition in one namespace: the linker
// takes what the compiler makes of one for the other.
void check_types(const Tree& tree, std::vector<std::string>& report) {
  std::map<std::string, std::string> first;  // Namespace and name; the file.
  for (const auto& [path, text] : tree) {
    if (!path.ends_with(".h")) continue;
    std::istringstream lines(code_of(text));
    std::string space;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("namespace ")) space = line;
      const std::string name = line.starts_with(' ') ? "" : type_in(line);
      if (name.empty()) continue;
      const auto [at, added] = first.emplace(space + name, path);
      if (added || at->second == path) continue;
      report.push_back(path + ":1: '" + name + "' is another type in " + at->second +
                       ", share it or rename it");
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
    } else {
      check_machine_paths(text, findings);
    }
    check_package_names(registry_name(tree), text, findings);
    for (const Finding& finding : findings) {
      report.push_back(path + ":" + std::to_string(finding.line) + ": " + finding.what);
    }
  }
  check_built(tree, report);
  check_rooms(tree, report);
  check_circles(tree, report);
  check_folders(tree, upward_includes(), report);
  check_judge(tree, report);
  check_collisions(tree, report);
  check_types(tree, report);
  return report;
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

TEST(TreeTest, ATypeOfTwoHeadersIsReported) {
  const std::string type = "namespace plumbline {\nstruct Part {\n  int at;\n};\n}\n";
  const std::string other = "namespace plumbline::rpc {\nstruct Part;\nclass Part final {};\n}\n";
  std::vector<std::string> report;
  check_types({{"core/a.h", type}, {"core/b.h", other}, {"core/c.cc", type}}, report);
  EXPECT_EQ(report, std::vector<std::string>{});
  check_types({{"core/a.h", type}, {"core/b.h", type}}, report);
  EXPECT_EQ(report, std::vector<std::string>{
                        "core/b.h:1: 'Part' is another type in core/a.h, share it or rename it"});
}

TEST(TreeTest, EveryFileOfTheProjectIsTidy) {
  const Tree tree = read_tree(SOURCE_ROOT);
  ASSERT_GT(tree.size(), 50U) << "read the wrong folder";
  std::string findings;
  for (const std::string& finding : check_tree(tree)) findings += finding + "\n";
  if (!findings.empty()) ADD_FAILURE() << findings;
}

TEST(TreeTest, WhatLiesAtTheTopIsNamedOrIgnored) {
  const std::string gitignore = read_tree(SOURCE_ROOT).at(".gitignore");
  EXPECT_TRUE(is_ignored(gitignore, "plumbline-report.html"));
  EXPECT_FALSE(is_ignored(gitignore, "notes.txt"));
  for (const fs::directory_entry& entry : fs::directory_iterator(SOURCE_ROOT)) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(kAtTheTop.contains(name) || is_ignored(gitignore, name))
        << name << " lies at the top of the tree: move it into a folder, or name it here";
  }
}

TEST(TreeTest, TheNoticeNamesEachLibraryThatIsLinkedIn) {
  const Tree tree = read_tree(SOURCE_ROOT);
  const std::string& notice = tree.at("NOTICE");
  std::istringstream libraries(tree.at("packaging/libraries.tsv"));
  std::size_t count = 0;
  for (std::string line; std::getline(libraries, line); ++count) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    const std::string licence = line.substr(second + 1, line.find('\t', second + 1) - second - 1);
    EXPECT_NE(notice.find(line.substr(0, first) + " (" + licence + ")"), std::string::npos) << line;
  }
  EXPECT_GT(count, 5U);
}

}  // namespace
}  // namespace plumbline::tidy
