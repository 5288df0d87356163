// The program: a failure is made small, and its file fails by itself; every order of a small world.

#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

const char* const kPaysTwice = R"({
  "plumbline": 1, "id": "pays-twice", "title": "A server pays twice once it was started again.",
  "request": {"input": "List the files in the managed project folder."},
  "approve": "all", "policy": {"allow": ["files/*"]},
  "servers": {
    "files": {
      "tools": [
        {"name": "list_directory", "description": "List the files of a folder",
         "inputSchema": {"type": "object"},
         "does": [{"delay_ms": 30}, {"reply": {"content": [{"type": "text", "text": "a.txt"}]}}]},
        {"name": "read_file", "description": "Read a file", "inputSchema": {"type": "object"}}],
      "on": [{"method": "initialize", "do": [
        {"effect": {"key": "pay"}}, {"effect": {"key": "pay"}}]}]}},
  "expect": {"status": "ok"}})";

TEST_F(ProgramTest, AShrunkFailureFailsByItself) {
  write("pays-twice.json", kPaysTwice);
  const Outcome shrunk = run({"shrink", "pays-twice.json", "--seed", "1", "--out", "small.json"});
  EXPECT_EQ(shrunk.code, 1) << shrunk.err;
  EXPECT_NE(shrunk.out.find("fails invariant.no-effect-twice"), std::string::npos) << shrunk.out;
  EXPECT_NE(shrunk.out.find("needs no fault"), std::string::npos) << shrunk.out;
  EXPECT_NE(shrunk.out.find("plumbline run small.json"), std::string::npos) << shrunk.out;
  EXPECT_EQ(read("small.json").find("read_file"), std::string::npos) << read("small.json");
  const Outcome again = run({"run", "small.json"});
  EXPECT_EQ(again.code, 1) << again.err;
  EXPECT_NE(again.out.find("invariant.no-effect-twice"), std::string::npos) << again.out;
}

TEST_F(ProgramTest, WhatPassesCannotBeShrunk) {
  write("calm.json",
        R"({"plumbline": 1, "id": "calm", "title": "Nothing.", "request": {"input": "hello"},
            "servers": {}, "expect": {"status": "answered_without_mcp"}})");
  const Outcome outcome = run({"shrink", "calm.json", "--seed", "7"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "plumbline: calm.json: nothing fails under seed 7 [scenario.nothing-fails]\n");
}

TEST_F(ProgramTest, EveryOrderOfASmallWorldIsCounted) {
  write("calm.json",
        R"({"plumbline": 1, "id": "calm", "title": "Nothing.", "request": {"input": "hello"},
            "servers": {}, "expect": {"status": "answered_without_mcp"}})");
  const Outcome outcome = run({"run", "calm.json", "--all-orders"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("calm: all 1 orders pass"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace plumbline::cli
