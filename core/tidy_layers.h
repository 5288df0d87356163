// The floor plan: which folder may include which, and that nothing gets around it. The functions
// work on a Tree, so that tidy_layers_test.cc can show each of them a bad one and a good one.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/tidy_rules.h"

namespace plumbline::tidy {

constexpr std::size_t kRoomFilesMax = 30;

// Tree is every text file of the project by its path from the root.
using Tree = std::map<std::string, std::string>;
using Layers = std::set<std::string>;

// floor_plan returns, for each layer, the layers that it may include besides itself. A layer is the
// longest key that a path begins with. A folder that is not listed is refused: a new one starts
// with a decision.
const std::map<std::string, Layers>& floor_plan();

// layer_of returns the layer of `path`, empty when the plan has none.
std::string layer_of(const std::string& path);

bool is_source(const std::string& path);

// is_test returns whether `path` is a test, or what tests alone include.
bool is_test(const std::string& path);

// check_includes reports each include of `path` that points up or sideways.
void check_includes(const std::string& path, const std::string& text, Findings& out);

// The others add lines "path:line: what" to `report`.
//
// check_judge reports each file of the judge that reaches, through whatever it includes, code that
// knows MCP or JSON-RPC and is not the judge's own.
void check_judge(const Tree& tree, std::vector<std::string>& report);

// check_circles reports modules that include each other, whether directly or on a way round. A
// header and its source are one module.
void check_circles(const Tree& tree, std::vector<std::string>& report);

// circles_of returns the strongly connected parts of a graph, those of one node aside.
std::vector<std::vector<std::string>> circles_of(
    const std::map<std::string, std::set<std::string>>& edges);

// folder_includes returns which folders each folder includes. Wrong peers are of one folder.
std::map<std::string, std::set<std::string>> folder_includes(const Tree& tree);

// check_rooms reports a folder with more than kRoomFilesMax sources; tests do not count.
void check_rooms(const Tree& tree, std::vector<std::string>& report);

// check_built reports a .cc that no CMakeLists.txt takes: a test that is not built cannot fail.
void check_built(const Tree& tree, std::vector<std::string>& report);

// listing_of returns the nearest CMakeLists.txt at or above the folder of `path`, the root's aside;
// empty when there is none.
std::string listing_of(const Tree& tree, std::string path);

}  // namespace plumbline::tidy
