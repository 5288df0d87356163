// What a run does with a server that is healthy, that dies and that says nothing: in simulation, so
// that starts are counted and no clock is looked at.

#include "scenarios/suite/suite_run.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/events/trace_event.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_network.h"
#include "fakes/world/sim_spawner.h"
#include "scenarios/suite/suite_reader.h"

namespace plumbline::suite {

namespace {

// Tools is a server with five tools: two that only read, one that ends the process, one that never
// answers, and one that counts its calls.
class Tools final : public fakes::Program, net::PipeReader {
 public:
  Tools(Loop& loop, net::Pipe& stdio, fakes::Process& process, std::size_t& at_once)
      : loop_(loop), stdio_(stdio), process_(process), at_once_(at_once) {
    stdio_.start(*this);
  }

  void on_bytes(std::string_view bytes) override {
    text_ += bytes;
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      const Result<Json> message = parse_json(text_.substr(0, end));
      text_.erase(0, end + 1);
      if (message.ok() && find(message.value(), "id") != nullptr) {
        waiting_.push_back(message.value());
      }
    }
    if (!waiting_.empty()) loop_.arm(work_, after(loop_.now(), std::chrono::milliseconds(1)));
  }
  void on_end(const Error*) override { process_.exit({}); }

 private:
  static Json tool(const char* name, bool reads) {
    Json tool = {{"name", name}, {"inputSchema", {{"type", "object"}}}};
    if (reads) tool["annotations"]["readOnlyHint"] = true;
    return tool;
  }

  void answer_all() {
    at_once_ = std::max(at_once_, waiting_.size());
    for (const Json& request : std::exchange(waiting_, {})) answer(request);
  }

  void answer(const Json& request) {
    Json response = {{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", Json::object()}};
    const std::string method = string_or(request, "method", "");
    Json& result = response["result"];
    if (method == "initialize") {
      result = {{"protocolVersion", "2025-11-25"},
                {"capabilities", {{"tools", Json::object()}}},
                {"serverInfo", {{"name", "t"}, {"version", "1"}}}};
    } else if (method == "tools/list") {
      result["tools"] = {tool("one", true), tool("two", true), tool("die", true),
                         tool("hang", false), tool("count", false)};
    } else if (method == "tools/call") {
      const std::string name = string_or(request["params"], "name", "");
      if (name == "hang") return;
      if (name == "die") {
        process_.write_stderr("out of luck\n");
        return process_.exit({7, 0});
      }
      const std::string text = name == "count" ? std::to_string(++count_) : name;
      result["content"] = {{{"type", "text"}, {"text", text}}};
      if (name == "two") result["structuredContent"]["password"] = "wide open";
    }
    stdio_.write(dump_json(response) + "\n");
  }

  Loop& loop_;
  net::Pipe& stdio_;
  fakes::Process& process_;
  std::size_t& at_once_;
  std::string text_;
  std::vector<Json> waiting_;
  Alarm work_{[this] { answer_all(); }};
  int count_ = 0;
};

class SuiteRunTest : public testing::Test {
 protected:
  SuiteRunTest() {
    spawner_.add("tools", {},
                 [this](const net::Command&, fakes::SimPipe& stdio,
                        fakes::Process& process) -> std::unique_ptr<fakes::Program> {
                   return std::make_unique<Tools>(loop_, stdio, process, at_once_);
                 });
    launch_.subject.command = net::Command({"tools"});
  }

  // run runs the tests of a file, given as its "tests" and what stands before them.
  SuiteRun& run(const std::string& tests, const std::string& head = "", RunOptions how = {}) {
    Result<Suite> read =
        read_suite(R"({"mcptest": 1, )" + head + R"("tests": [)" + tests + "]}", "a.mcptest.json");
    EXPECT_TRUE(read.ok()) << read.error().message;
    if (read.ok()) suite_ = std::move(read).value();
    run_ = std::make_unique<SuiteRun>(suite_, launch_, "2025-11-25", doors_, snapshots_,
                                      std::move(how), Names());
    Task<void> task = run_->run();
    EXPECT_TRUE(loop_.run_task(task).ok());
    return *run_;
  }

  std::string verdicts() const {
    std::string all;
    for (const TestRun& test : run_->tests()) {
      all += (all.empty() ? "" : " ") + std::string(name_of(test.verdict));
    }
    return all;
  }

  class NoEvents final : public EventSink {
   public:
    void on_event(const TraceEvent&) override {}
  };

  std::size_t at_once_ = 0;  // Requests that the server found waiting together.
  fakes::SimLoop loop_;
  NoEvents events_;
  fakes::SimSpawner spawner_{loop_, Rng(1), events_};
  fakes::SimNetwork network_{loop_, {}, Rng(2)};
  Redactor redactor_;
  Doors doors_{loop_,     spawner_,
               network_,  [](std::size_t count) { return std::string(count, 'a'); },
               redactor_, std::chrono::seconds(10)};
  Launch launch_;
  Suite suite_;
  Snapshots snapshots_;
  std::unique_ptr<SuiteRun> run_;
};

TEST_F(SuiteRunTest, AHealthyServerIsStartedOnce) {
  const SuiteRun& done = run(R"({"name": "a", "call": "count", "expect": {"text": "1"}},
                               {"name": "b", "call": "count", "expect": {"text": "2"}},
                               {"name": "c", "call": "count", "expect": {"text": "4"}},
                               {"name": "d", "list": "tools",
                                "expect": {"names": {"$length": 5}}})");
  EXPECT_EQ(verdicts(), "pass pass fail pass");
  EXPECT_EQ(done.tests()[2].message, "result/content/0/text: expected \"4\", got \"3\"");
  EXPECT_EQ(spawner_.spawned(), 1);
  EXPECT_EQ(done.tools_tested(), std::set<std::string>{"count"});
}

TEST_F(SuiteRunTest, TheValueOfASecretStandsInNoMessage) {
  const SuiteRun& done =
      run(R"({"name": "a", "call": "two", "expect": {"structured": {"password": "shut"}}})");
  EXPECT_EQ(verdicts(), "fail");
  EXPECT_EQ(done.tests()[0].message,
            "another secret than the expected one at result/structuredContent/password");
}

TEST_F(SuiteRunTest, ACrashFailsTheTestThatCausedItAndTheNextOneGetsANewServer) {
  const SuiteRun& done = run(R"({"name": "a", "call": "count", "expect": {"text": "1"}},
                               {"name": "b", "call": "die", "with": {"x": 1}, "fresh": false},
                               {"name": "c", "call": "count", "expect": {"text": "1"}})",
                             R"("in_order": true, )");
  EXPECT_EQ(verdicts(), "pass fail pass");
  EXPECT_NE(done.tests()[1].message.find("exit code 7"), std::string::npos);
  EXPECT_NE(done.tests()[1].message.find("out of luck"), std::string::npos);
  EXPECT_EQ(spawner_.spawned(), 2);
}

// Of those that were under way at the same time nobody knows whose doing it was, until each is
// asked alone.
TEST_F(SuiteRunTest, ACrashAmongTestsThatRunBesideEachOtherIsTheDoingOfOne) {
  run(R"({"name": "a", "call": "one", "expect": {"text": "one"}},
         {"name": "b", "call": "die"},
         {"name": "c", "call": "two", "expect": {"text": "two"}},
         {"name": "d", "call": "one", "expect": {"text": "one"}})");
  EXPECT_EQ(verdicts(), "pass fail pass pass");
}

TEST_F(SuiteRunTest, TestsThatOnlyReadRunBesideEachOtherUnlessTheFileSaysOtherwise) {
  const std::string tests = R"({"name": "a", "call": "one"}, {"name": "b", "call": "two"},
                               {"name": "c", "call": "one"})";
  run(tests);
  EXPECT_EQ(at_once_, 3U);
  at_once_ = 0;
  run(tests, R"("in_order": true, )");
  EXPECT_EQ(at_once_, 1U);
  at_once_ = 0;
  run(R"({"name": "a", "call": "one", "expect": {"ms": 5000}}, {"name": "b", "call": "two"})");
  EXPECT_EQ(at_once_, 1U);
  EXPECT_EQ(verdicts(), "pass pass");
}

TEST_F(SuiteRunTest, SilenceFailsAndAServerThatAnswersNothingMoreIsReplaced) {
  const SuiteRun& done = run(R"({"name": "a", "call": "hang"},
                               {"name": "b", "call": "one", "expect": {"text": "one"}})");
  EXPECT_EQ(verdicts(), "fail pass");
  EXPECT_EQ(done.tests()[0].message, "result: expected an answer, got nothing within 10000 ms");
}

TEST_F(SuiteRunTest, AFileMayForbidToolsThatDoNotSayTheyOnlyRead) {
  const SuiteRun& done = run(R"({"name": "a", "call": "count"}, {"name": "b", "call": "one"})",
                             R"("writes": false, )");
  EXPECT_EQ(verdicts(), "skip pass");
  EXPECT_NE(done.tests()[0].message.find("count does not say that it only reads"),
            std::string::npos);
}

TEST_F(SuiteRunTest, AToolThatIsNotThereIsToldWithTheOneThatWasMeant) {
  const SuiteRun& done = run(R"({"name": "a", "call": "cont", "expect": {"text": "x"}})");
  EXPECT_EQ(verdicts(), "fail");
  EXPECT_NE(
      done.tests()[0].message.find("the server lists no tool \"cont\", did you mean \"count\"?"),
      std::string::npos)
      << done.tests()[0].message;
}

TEST_F(SuiteRunTest, WhatOneTestKeepsAnotherUsesAlsoWhereOnlyThatIsSelected) {
  RunOptions how;
  how.only = {"uses"};
  run(R"({"name": "keeps", "call": "count", "keep": {"n": "/content/0/text"}},
         {"name": "other", "call": "die"},
         {"name": "uses", "call": "one", "with": {"n": "{n}"}, "expect": {"text": "one"}})",
      "", how);
  EXPECT_EQ(verdicts(), "pass pass");
  EXPECT_EQ(dump_json(run_->tests()[1].answers[0].request["params"]["arguments"]), R"({"n":"1"})");
}

TEST_F(SuiteRunTest, BeforeIsAskedFirstAndWithoutItNothingHasAVerdict) {
  run(R"({"name": "a", "call": "count", "expect": {"text": "2"}})",
      R"("before": [{"call": "count"}], "after": [{"call": "count"}], )");
  EXPECT_EQ(verdicts(), "pass");
  const SuiteRun& done = run(R"({"name": "a", "call": "count"})",
                             R"("before": [{"call": "one", "expect": {"text": "two"}}], )");
  EXPECT_EQ(verdicts(), "inconclusive");
  EXPECT_EQ(done.tests()[0].message,
            "before: call one: result/content/0/text: expected \"two\", got \"one\"");
}

TEST_F(SuiteRunTest, ASnapshotIsWrittenOnceAndHeldFromThenOn) {
  const std::string test =
      R"({"name": "a", "call": "count", "expect": {"text": {"$snapshot": true}}})";
  RunOptions in_ci;
  in_ci.writes_missing = false;
  run(test, "", in_ci);
  EXPECT_EQ(verdicts(), "inconclusive");
  run(test);
  EXPECT_EQ(verdicts(), "pass");
  run(test, "", in_ci);
  EXPECT_EQ(verdicts(), "pass");
  const std::string another = R"({"name": "b", "call": "count"}, )" + test;
  run(another);
  EXPECT_EQ(verdicts(), "pass fail");
  RunOptions update;
  update.update = true;
  run(another, "", update);
  EXPECT_EQ(verdicts(), "pass pass");
  run(another);
  EXPECT_EQ(verdicts(), "pass pass");
}

}  // namespace

}  // namespace plumbline::suite
