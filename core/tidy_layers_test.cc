#include "core/tidy_layers.h"

#include <gtest/gtest.h>

#include "core/tidy_folders.h"

namespace plumbline::tidy {
namespace {

using Report = std::vector<std::string>;

Report report_of(void (*check)(const Tree&, Report&), const Tree& tree) {
  Report report;
  check(tree, report);
  return report;
}

std::string includes(const std::string& path, const std::string& line) {
  Findings findings;
  check_includes(path, line + "\n", findings);
  return findings.empty() ? "" : findings.front().what;
}

// The plan itself must point one way: no layer may reach itself through others.
TEST(LayerTest, ThePlanHasNoCircle) {
  for (const auto& [start, direct] : floor_plan()) {
    Layers seen;
    std::vector<std::string> todo(direct.begin(), direct.end());
    while (!todo.empty()) {
      const std::string layer = todo.back();
      todo.pop_back();
      EXPECT_NE(layer, start) << start << " reaches itself";
      if (!seen.insert(layer).second || !floor_plan().contains(layer)) continue;
      todo.insert(todo.end(), floor_plan().at(layer).begin(), floor_plan().at(layer).end());
    }
  }
}

TEST(LayerTest, AnIncludePointsDown) {
  EXPECT_EQ(includes("core/mcp/client/a.cc", "#include \"core/rpc/message.h\""), "");
  EXPECT_EQ(includes("core/mcp/client/a.cc", "#include \"core/mcp/protocol/revision.h\""), "");
  EXPECT_EQ(includes("core/rpc/a.cc", "#include \"core/mcp/protocol/revision.h\""),
            "core/rpc/ must not include core/mcp/protocol/");
  EXPECT_EQ(includes("core/net/a.cc", "#include \"core/rpc/message.h\""),
            "core/net/ must not include core/rpc/");
  EXPECT_EQ(includes("core/agents/a.cc", "#include \"core/os/real_loop.h\""),
            "core/agents/ must not include core/os/");
  EXPECT_EQ(includes("cli/commands/main.cc", "#include \"core/os/real_loop.h\""), "");
}

TEST(LayerTest, ATestMayUseFakesAndItsSubjectMayNot) {
  EXPECT_EQ(includes("core/agents/a_test.cc", "#include \"fakes/world/sim_loop.h\""), "");
  EXPECT_EQ(includes("core/agents/a.cc", "#include \"fakes/world/sim_loop.h\""),
            "core/agents/ must not include fakes/");
}

TEST(LayerTest, AWrongPeerMayBeOursAndTheCheckBesideItMayNot) {
  const std::string line = "#include \"core/mcp/server/server.h\"";
  EXPECT_EQ(includes("conformance/checks/server/basic/ping_broken.cc", line), "");
  EXPECT_EQ(includes("conformance/checks/server/basic/ping.cc", line),
            "conformance/ must not include core/mcp/server/");
}

TEST(LayerTest, AnIncludeIsWrittenFromTheRoot) {
  EXPECT_EQ(includes("fakes/a.cc", "#include \"sim_loop.h\""),
            "include \"sim_loop.h\" by its path from the root");
  EXPECT_EQ(includes("core/new_folder/a.cc", ""),
            "no layer of core/tidy_layers.cc holds this folder");
}

TEST(JudgeTest, WhatItReachesThroughOthersIsReported) {
  Tree tree = {{"conformance/checks/a.cc", "#include \"core/net/b.h\"\n"},
               {"core/net/b.h", "#include \"core/mcp/protocol/c.h\"\n"},
               {"core/mcp/protocol/c.h", ""}};
  EXPECT_EQ(report_of(check_judge, tree),
            Report{"conformance/checks/a.cc:1: the judge must not reach what it judges: "
                   "conformance/checks/a.cc -> core/net/b.h -> core/mcp/protocol/c.h"});
  tree["core/net/b.h"] = "";
  EXPECT_EQ(report_of(check_judge, tree), Report{});
}

TEST(CircleTest, ModulesThatIncludeEachOtherAreReported) {
  Tree tree = {{"fakes/a.cc", "#include \"fakes/a.h\"\n#include \"fakes/b.h\"\n"},
               {"fakes/a.h", ""},
               {"fakes/b.h", "#include \"fakes/c.h\"\n"},
               {"fakes/c.h", "#include \"fakes/a.h\"\n"}};
  EXPECT_EQ(report_of(check_circles, tree),
            Report{"fakes/a.h:1: modules that include each other: fakes/a, fakes/b, fakes/c"});
  tree["fakes/c.h"] = "";
  EXPECT_EQ(report_of(check_circles, tree), Report{});
}

// folders returns what is said of the folders of `tree` where `known` is left as it is.
Report folders(const Tree& tree, const std::set<UpwardInclude>& known) {
  Report report;
  check_folders(tree, known, report);
  return report;
}

TEST(FolderTest, FoldersThatIncludeEachOtherAreReported) {
  Tree tree = {{"cli/low/a.h", ""},
               {"cli/low/b.cc", "#include \"cli/high/b.h\"\n"},
               {"cli/middle/a.h", "#include \"cli/low/a.h\"\n"},
               {"cli/high/a.h", "#include \"cli/middle/a.h\"\n"},
               {"cli/high/b.h", ""}};
  EXPECT_EQ(folders(tree, {}),
            Report{"cli/high:1: folders that include each other: cli/high, cli/low, cli/middle"});
  EXPECT_EQ(folders(tree, {{"cli/low", "cli/high"}}), Report{}) << "it is known";
  tree["cli/middle/b.cc"] = "#include \"cli/high/b.h\"\n";
  EXPECT_EQ(folders(tree, {{"cli/low", "cli/high"}}),
            Report{"cli/high:1: folders that include each other: cli/high, cli/middle"})
      << "another one beside it";
}

TEST(FolderTest, WhatIsKnownCanOnlyBecomeLess) {
  const std::set<UpwardInclude> known = {{"cli/low", "cli/high"}};
  Tree tree = {{"cli/low/a.h", ""}, {"cli/high/a.h", "#include \"cli/low/a.h\"\n"}};
  EXPECT_EQ(folders(tree, known),
            Report{"cli/low:1: includes cli/high no more, take it from core/tidy_folders.cc"});
  tree = {{"cli/low/a.cc", "#include \"cli/high/a.h\"\n"}, {"cli/high/a.h", ""}};
  EXPECT_EQ(folders(tree, known),
            Report{"cli/low:1: includes cli/high and closes no circle, take it from "
                   "core/tidy_folders.cc"});
}

TEST(FolderTest, WrongPeersLieBesideWhatTheyAreWrongAbout) {
  const Tree tree = {{"conformance/checks/a.h", ""},
                     {"conformance/checks/a_broken.cc", "#include \"conformance/broken/b.h\"\n"},
                     {"conformance/broken/b.h", "#include \"conformance/checks/a.h\"\n"}};
  EXPECT_EQ(folders(tree, {}), Report{});
}

TEST(RoomTest, AFullRoomIsReportedAndTestsDoNotFillIt) {
  Tree tree;
  for (std::size_t i = 0; i < kRoomFilesMax; ++i) tree["fakes/a" + std::to_string(i) + ".cc"] = "";
  tree["fakes/a_test.cc"] = "";
  EXPECT_EQ(report_of(check_rooms, tree), Report{});
  tree["fakes/b.h"] = "";
  EXPECT_EQ(report_of(check_rooms, tree), Report{"fakes:1: a room of 31 source files, at most 30"});
}

// built returns what is said of one file with the listing of its folder.
Report built(const std::string& path, const std::string& listing) {
  return report_of(check_built, {{"CMakeLists.txt", "add_subdirectory(fakes)\n"},
                                 {"fakes/CMakeLists.txt", listing},
                                 {path, ""}});
}

TEST(BuiltTest, AFileThatNothingTakesIsReported) {
  EXPECT_EQ(built("fakes/peers/a.cc", "plumbline_library(fakes DEPS b)"), Report{});
  EXPECT_EQ(built("fakes/peers/a.cc", "plumbline_library(fakes FOLDERS peers DEPS b)"), Report{});
  EXPECT_EQ(built("fakes/peers/a.cc", "plumbline_library(fakes FOLDERS world DEPS b)"),
            Report{"fakes/peers/a.cc:1: not taken by fakes/CMakeLists.txt"});
  EXPECT_EQ(built("fakes/a_test.cc", "plumbline_library(fakes DEPS b)"),
            Report{"fakes/a_test.cc:1: not taken by fakes/CMakeLists.txt"});
  EXPECT_EQ(built("fakes/a_test.cc", "plumbline_test(fakes_test DEPS b)"), Report{});
  EXPECT_EQ(built("fakes/a_test.cc", "plumbline_test(fakes_test SOURCES xa_test.cc DEPS b)"),
            Report{"fakes/a_test.cc:1: not taken by fakes/CMakeLists.txt"});
  EXPECT_EQ(built("fakes/echo_main.cc", "plumbline_library(fakes DEPS b)"),
            Report{"fakes/echo_main.cc:1: not taken by fakes/CMakeLists.txt"});
}

TEST(BuiltTest, AFolderThatTheRootForgetsIsReported) {
  EXPECT_EQ(report_of(check_built, {{"CMakeLists.txt", ""},
                                    {"fakes/CMakeLists.txt", "plumbline_library(fakes DEPS b)"},
                                    {"fakes/a.cc", ""}}),
            Report{"fakes/a.cc:1: fakes/ is missing in the CMakeLists.txt of the root"});
}

}  // namespace
}  // namespace plumbline::tidy
