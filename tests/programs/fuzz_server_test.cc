// `fuzz server`: odd sessions for a server of ours.

#include <string>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

class FuzzServerTest : public ProgramTest {};

TEST_F(FuzzServerTest, OurReferenceServerIsNotBlamed) {
  const Outcome outcome = run({"fuzz", "server", "--runs", "150", "--report", "json=-", "--stdio",
                               "--", PLUMBLINE_PROGRAM, "serve", "--reference", "--stdio"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const Result<Json> report = parse_json(outcome.out);
  ASSERT_TRUE(report.ok()) << outcome.out;
  EXPECT_EQ(report.value()["summary"]["pass"], 9) << outcome.out;
  EXPECT_EQ(report.value()["effort"]["sessions"], 150);
}

TEST_F(FuzzServerTest, TheSameSeedPlaysTheSameSessions) {
  const auto digest = [this](const std::string& seed) {
    const Outcome outcome =
        run({"fuzz", "server", "--runs", "80", "--seed", seed, "--quiet", "--report", "json=d.json",
             "--stdio", "--", PLUMBLINE_PROGRAM, "serve", "--reference", "--stdio"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const Json report = parse_json(read("d.json")).value();
    const Json* const said = at_pointer(report, "/effort/digest");
    return said == nullptr ? std::string() : said->get<std::string>();
  };
  const std::string once = digest("7");
  EXPECT_EQ(once.size(), 16U);
  EXPECT_EQ(once, digest("7"));
  EXPECT_NE(once, digest("8"));
}

TEST_F(FuzzServerTest, AServerThatEndsIsFoundAndTheFileShowsItAgain) {
  // It answers its opening and ends at the next line that is not what it expects.
  write("frail.sh", R"(#!/bin/sh
while read -r line; do
  case "$line" in
    *'"initialize"'*)
      echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",' \
           '"capabilities":{},"serverInfo":{"name":"frail","version":"1"}}}';;
    *'"ping"'*) id="${line#*\"id\":}"; echo "{\"jsonrpc\":\"2.0\",\"id\":${id%%,*},\"result\":{}}";;
    *'"notifications/'*) ;;
    *) exit 3;;
  esac
done
)");
  const Outcome found = run({"fuzz", "server", "--runs", "60", "--timeout", "2s", "--out", "found",
                             "--stdio", "--", "/bin/sh", "frail.sh"});
  EXPECT_EQ(found.code, 1) << found.out << found.err;
  EXPECT_NE(found.out.find("fuzz.exit"), std::string::npos) << found.out;
  EXPECT_NE(found.out.find("brought about by 1 message"), std::string::npos) << found.out;
  const Outcome again = run({"fuzz", "server", "--again", "found/fuzz.exit-1.json", "--timeout",
                             "2s", "--stdio", "--", "/bin/sh", "frail.sh"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
}

TEST_F(FuzzServerTest, WhatIsNoServerIsNotReached) {
  EXPECT_EQ(run({"fuzz", "server", "--runs", "1", "--stdio", "--", "/not/there"}).code, 3);
  EXPECT_EQ(run({"fuzz", "server", "--runs", "1"}).code, 2);
}

}  // namespace
}  // namespace plumbline::cli
