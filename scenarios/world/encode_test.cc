// A body that is compressed although nobody asked for that is refused by the name of its encoding.

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/format.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

// outcome_of runs a server whose answers to `method` are compressed.
RunResult run_encoded(const std::string& coding, const std::string& transport,
                      const std::string& match, const std::string& does = "[]") {
  const Result<Scenario> scenario = load_scenario(
      R"({"plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
          "servers": {"files": {"tools": [{"name": "list_files", "description": "List the files",
                                           "does": )" +
          does + R"(}],
            "http": {"rules": [{)" +
          match + R"(, "do": {"encode": ")" + coding + R"("}}]}}},
          "world": {"transport": ")" +
          transport + R"("}, "expect": {"status": "any"}})",
      "s.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message;
  RunOptions options;
  options.want.state = true;
  options.want.trace = true;
  return run_scenario(scenario.value(), options);
}

TEST(EncodeTest, OurClientAsksForNoneAndNamesTheOneItGets) {
  const std::string streamed = R"([{"notify": {"method": "notifications/message",
                                               "params": {"level": "info", "data": "x"}}}])";
  for (const char* const coding : {"gzip", "br"}) {
    const std::string named = "in the content encoding " + std::string(coding);
    for (const std::string& does : {std::string("[]"), streamed}) {
      const RunResult result = run_encoded(coding, "http", R"("method": "tools/call")", does);
      EXPECT_NE(dump_json(result.state["errors"]).find(named), std::string::npos)
          << dump_json(result.state["errors"]);
      EXPECT_NE(result.trace.find(R"("Accept-Encoding":"identity")"), std::string::npos);
      EXPECT_LT(result.answered_after, std::chrono::seconds(5)) << "nobody waits for its end";
      EXPECT_TRUE(result.failures.empty()) << result.failures.front().message;
    }
    const RunResult older = run_encoded(coding, "sse", R"("http_method": "GET")");
    EXPECT_NE(dump_json(older.state["errors"]).find(named), std::string::npos)
        << dump_json(older.state["errors"]);
  }
}

}  // namespace
}  // namespace plumbline::scenarios
