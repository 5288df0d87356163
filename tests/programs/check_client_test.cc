// `check client` as a user meets it: our own reference client, and clients of a line of shell.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

// kBare opens a session over stdio with a message that lacks nearly everything, and goes.
constexpr const char* kBare =
    R"(server=$(printf %s "$PLUMBLINE_SERVER_COMMAND" | sed 's/^.//; s/.$//; s/","/" "/g')
       opening='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
       printf '%s\n' "$opening" | eval "$server")";

class CheckClientTest : public ProgramTest {
 protected:
  Outcome check_client(std::vector<std::string> words) {
    words.insert(words.begin(), {"check", "client"});
    return run(std::move(words));
  }

  Outcome check_reference(const std::string& transport, const std::string& revision) {
    return check_client({"--report", "json=report.json", "--transport", transport, "--revision",
                         revision, "--", PLUMBLINE_REFERENCE_CLIENT});
  }

  Outcome check_bare(std::vector<std::string> words) {
    words.insert(words.end(), {"--transport", "stdio", "--revision", "2025-11-25", "--only",
                               "lifecycle.client-sends-initialize", "--", "sh", "-c", kBare});
    return check_client(std::move(words));
  }

  std::int64_t count(const char* verdict) {
    const Result<Json> report = parse_json(read("report.json"));
    const Json* const summary = report.ok() ? find(report.value(), "summary") : nullptr;
    return summary == nullptr ? -1 : int_or(*summary, verdict, -1);
  }

  void expect_all_good(const Outcome& judged) {
    EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
    EXPECT_EQ(count("fail"), 0);
    EXPECT_EQ(count("warn"), 0) << judged.out;
    EXPECT_EQ(count("inconclusive"), 0) << judged.out;
    EXPECT_GT(count("pass"), 60);
  }

  static void expect_one_line(const Outcome& outcome, int code, const std::string& said) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
};

TEST_F(CheckClientTest, OurClientPassesOverHttp) {
  expect_all_good(check_reference("http", "2025-11-25"));
}

TEST_F(CheckClientTest, OurClientPassesOverStdioThroughTheRelay) {
  expect_all_good(check_reference("stdio", "2026-07-28"));
}

TEST_F(CheckClientTest, AFailureIsToldWithTheLineThatRepeatsIt) {
  const Outcome judged = check_bare({});
  EXPECT_EQ(judged.code, 1) << judged.out << judged.err;
  EXPECT_NE(judged.out.find("FAIL lifecycle.client-sends-initialize"), std::string::npos)
      << judged.out;
  EXPECT_NE(judged.out.find("plumbline explain "), std::string::npos);
  const Outcome verbose = check_bare({"--verbose"});
  EXPECT_NE(verbose.out.find("reproduce: plumbline check client --only "), std::string::npos);
}

TEST_F(CheckClientTest, ABaselineExcusesWhatIsKnown) {
  EXPECT_EQ(check_bare({"--baseline", "known.json", "--update-baseline"}).code, 0);
  const Outcome judged = check_bare({"--baseline", "known.json"});
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
  EXPECT_NE(judged.out.find("nothing is yours to mend, "), std::string::npos) << judged.out;
}

TEST_F(CheckClientTest, AProgramThatIsNoClientCannotBeJudged) {
  expect_one_line(check_client({"--", "/no/such/program"}), 3, "cannot start");
  expect_one_line(check_client({"--", "false"}), 3, "the client did not connect");
}

TEST_F(CheckClientTest, BadUsageIsOneLine) {
  expect_one_line(check_client({}), 2, "expected COMMAND, which is missing");
  expect_one_line(check_client({"--transport", "pigeon", "--", "true"}), 2, "--transport");
  expect_one_line(check_client({"--revision", "2020-01-01", "--", "true"}), 2, "--revision");
  expect_one_line(check_client({"--only", "no.such", "--", "true"}), 2, "no check has this id");
}

TEST_F(CheckClientTest, TheRelayNeedsAJudge) {
  expect_one_line(run({"relay", "nowhere"}), 2, "expected HOST:PORT");
  expect_one_line(run({"relay", "127.0.0.1:1"}), 3, "the judge is gone");
}

}  // namespace
}  // namespace plumbline::cli
