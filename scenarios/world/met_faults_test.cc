// A fault that is said to have met something changed a byte, a time or an order; one that is not
// changed nothing.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fakes/testing/event_log.h"
#include "fakes/world/sim_loop.h"
#include "fakes/world/sim_pipe.h"
#include "scenarios/format/fault_verbs.h"
#include "scenarios/format/format.h"
#include "scenarios/world/fault_plan.h"
#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

using std::chrono::milliseconds;

// Heard is what one end of a stream was given, and when.
struct Heard final : net::PipeReader {
  explicit Heard(Loop& its_loop) : loop(its_loop) {}
  void on_bytes(std::string_view bytes) override { note(std::string(bytes)); }
  void on_end(const Error* error) override { note(error == nullptr ? "end" : "broken"); }
  void note(std::string what) { all.emplace_back(loop.now(), std::move(what)); }

  Loop& loop;
  std::vector<std::pair<Instant, std::string>> all;
};

struct Write {
  Duration at{};
  bool from = false;  // The server.
  std::size_t bytes = 0;
  bool last = false;
};

struct PlainLink final : Link {
  explicit PlainLink(fakes::SimPipe& its_pipe) : pipe(its_pipe) {}
  fakes::Breakable& end() override { return pipe; }
  fakes::SimPipe& pipe;
};

struct Course {
  std::vector<std::pair<Instant, std::string>> ours;
  std::vector<std::pair<Instant, std::string>> theirs;
  bool met = false;
};

Course course_of(const std::vector<Write>& writes, const std::vector<Fault>& faults) {
  fakes::SimLoop loop;
  fakes::EventLog events;
  fakes::PipeOptions options;
  options.latency_min = options.latency_max = milliseconds(2);
  FaultPlan plan(loop, events, faults);
  fakes::SimPipePair pipes = fakes::make_sim_pipe(loop, options, Rng(1));
  Heard ours(loop);
  Heard theirs(loop);
  pipes.near->start(ours);
  pipes.far->start(theirs);
  PlainLink link(*pipes.near);
  plan.opened("s", link);
  std::vector<std::unique_ptr<Alarm>> alarms;
  for (const Write& write : writes) {
    fakes::SimPipe& end = write.from ? *pipes.far : *pipes.near;
    alarms.push_back(std::make_unique<Alarm>([&end, &write] {
      end.write(std::string(write.bytes, 'x'));
      if (write.last) end.close_write();
    }));
    loop.arm(*alarms.back(), after(Instant{}, write.at));
  }
  RC_ASSERT(loop.run_until_idle(100'000).ok());
  const std::size_t met = faults.empty() ? 0 : events.lines.size();
  RC_ASSERT(met <= 1U);
  return Course{std::move(ours.all), std::move(theirs.all), met == 1};
}

Duration any_time() { return milliseconds(*rc::gen::inRange(0, 40)); }

Fault any_fault() {
  Fault fault;
  do {
    fault.verb = all_verbs()[*rc::gen::inRange<std::size_t>(0, kVerbCount)].verb;
  } while (fault.verb == Fault::Verb::kKill);
  const VerbInfo& info = info_of(fault.verb);
  fault.server = "s";
  if (info.after_bytes == Takes::kMay && *rc::gen::arbitrary<bool>()) {
    fault.after_bytes = *rc::gen::inRange<std::size_t>(0, 500);
    fault.nth = *rc::gen::inRange<std::int64_t>(0, 3);
  } else if (info.at != Takes::kNo) {
    fault.at = any_time();
  }
  if (info.nth == Takes::kMust) fault.nth = *rc::gen::inRange<std::int64_t>(1, 6);
  if (info.lasts != Takes::kNo) fault.lasts = any_time();
  if (info.bytes_per_s == Takes::kMust) fault.bytes_per_s = *rc::gen::inRange(1, 100'000);
  if (takes_way(fault)) fault.way = info.ways[*rc::gen::inRange<std::size_t>(0, info.ways.size())];
  return fault;
}

RC_GTEST_PROP(MetFaultPropTest, AFaultIsToldOfWhenItChangedSomethingAndOnlyThen, ()) {
  std::vector<Write> writes;
  for (int left = *rc::gen::inRange(0, 7); left > 0; --left) {
    writes.push_back(Write{any_time(), *rc::gen::arbitrary<bool>(),
                           *rc::gen::inRange<std::size_t>(1, 300), *rc::gen::inRange(0, 6) == 0});
  }
  const Fault fault = any_fault();
  const Course calm = course_of(writes, {});
  const Course struck = course_of(writes, {fault});
  RC_LOG() << info_of(fault.verb).name;
  RC_ASSERT(struck.met == (struck.ours != calm.ours || struck.theirs != calm.theirs));
}

// told returns whether a rule before a server is in the trace of a read of a folder.
bool told(const std::string& transport, const std::string& action) {
  const std::string text = R"({
    "plumbline": 1, "id": "s", "title": "T.", "request": {"input": "List the files"},
    "servers": {"files": {
      "tools": [{"name": "list_files", "description": "List the files"}],
      "http": {"rules": [{"http_method": "POST", "method": "tools/call", "do": )" +
                           action + R"(}]}}},
    "world": {"transport": ")" +
                           transport + R"(", "latency_ms": 10},
    "expect": {"status": "any"}})";
  const Result<Scenario> scenario = load_scenario(text, "s.json");
  EXPECT_TRUE(scenario.ok()) << scenario.error().message << action;
  RunOptions options;
  options.want.trace = true;
  const RunResult result = run_scenario(scenario.value(), options);
  return result.trace.find(R"("fault":"http")") != std::string::npos;
}

TEST(MetRuleTest, ARuleThatChangedAnExchangeIsTold) {
  for (const char* const action :
       {R"({"delay_ms": 5})", R"({"forget_sessions": true})", R"({"down_ms": 5})",
        R"({"status": 500})", R"({"raw": "junk"})", R"({"drop": "hang"})", R"({"drop": "close"})",
        R"({"drop": "reset"})", R"({"request_headers": {"X-New": "1"}})",
        R"({"response_headers": {"Content-Type": null}})", R"({"replace": {"jsonrpc": "other"}})",
        R"({"cut": {"after_bytes": 3}})", R"({"cut": {"before_answer": true}})"}) {
    EXPECT_TRUE(told("http", action)) << action;
  }
}

TEST(MetRuleTest, ARuleThatChangedNothingIsNotTold) {
  for (const char* const action :
       {R"({"delay_ms": 0})", R"({"request_headers": {"X-None": null}})",
        R"({"response_headers": {"X-None": null}})", R"({"replace": {"not there": "other"}})",
        R"({"replace": {"jsonrpc": "jsonrpc"}})", R"({"cut": {"after_bytes": 1000000}})",
        R"({"insert": {"after_events": 50, "text": "x"}})", R"({"idle_cut_ms": 1})",
        R"({"chunk_bytes": 1000000})", R"({"sse": {"strip": ["id"]}})"}) {
    EXPECT_FALSE(told("http", action)) << action;
  }
}

}  // namespace
}  // namespace plumbline::scenarios
