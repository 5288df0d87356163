#include "scenarios/sweep/same_seed.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/library_files.h"
#include "scenarios/sweep/swarm.h"

namespace plumbline::scenarios {

namespace {

const Scenario& calm() { return find_scenario("list-files-happy-path"); }

// Planted runs a world that is no function of its seed: from its second run on, `change` alters it.
class Planted {
 public:
  explicit Planted(void (*change)(WorldRun&, const Want&)) : change_(change) {}

  Twice twice() {
    return run_twice([this](const Want& want) {
      WorldRun run = run_world(calm(), 3, Profile::kNone, want);
      if (++runs_ % 2 == 0) change_(run, want);
      return run;
    });
  }

  int runs() const { return runs_; }

 private:
  void (*change_)(WorldRun&, const Want&);
  int runs_ = 0;
};

// rerun replaces a run by one under another weather.
void rerun(WorldRun& run, const Want& want) {
  RunOptions options;
  options.seed = 3;
  options.weather = &run.weather;
  options.want = want;
  run.result = run_scenario(calm(), options);
}

TEST(SameSeedTest, AWorldThatIsAFunctionOfItsSeedRunsTwiceTheSame) {
  Planted planted([](WorldRun&, const Want&) {});
  EXPECT_EQ(planted.twice().difference, "");
  EXPECT_EQ(planted.runs(), 2);
}

TEST(SameSeedTest, ATimerArmedForAnotherInstantIsNamed) {
  Planted planted([](WorldRun& run, const Want& want) {
    run.weather.world.latency_max += std::chrono::milliseconds(20);
    rerun(run, want);
  });
  const std::string difference = planted.twice().difference;
  EXPECT_EQ(planted.runs(), 4);
  EXPECT_NE(difference.find(" is the first that differs: another time: a timer was armed"),
            std::string::npos)
      << difference;
  EXPECT_NE(difference.find("\n  once:  {\"seq\":"), std::string::npos) << difference;
  EXPECT_NE(difference.find("\n  again: {\"seq\":"), std::string::npos) << difference;
  EXPECT_NE(difference.find("\nbefore it, in both:\n  {\"seq\":"), std::string::npos) << difference;
}

TEST(SameSeedTest, ADrawThatDiffersIsNamed) {
  Planted planted([](WorldRun& run, const Want&) { run.drawn.push_back({2, 7}); });
  const std::string difference = planted.twice().difference;
  EXPECT_EQ(difference.find("draw 1 of the weather: none, then 2 below 7\n"), 0U) << difference;
  EXPECT_NE(difference.find("were alike: it does not happen every time"), std::string::npos);
}

TEST(SameSeedTest, AnotherVerdictAloneIsADifference) {
  Planted planted([](WorldRun& run, const Want&) {
    run.result.failures.push_back({"invariant.x", "by chance"});
  });
  EXPECT_NE(planted.twice().difference, "");
}

std::string event(int seq, int at, const std::string& kind, const std::string& detail) {
  return "{\"seq\":" + std::to_string(seq) + ",\"at_ns\":" + std::to_string(at) + ",\"kind\":\"" +
         kind + "\",\"who\":\"w\",\"detail\":" + detail + "}\n";
}

TEST(PartWaysTest, SaysInWhatTheFirstEventDiffers) {
  const std::string start = event(1, 0, "note", "{}");
  const auto parted = [&start](const std::string& once, const std::string& again) {
    const std::string text = part_ways(start + once, start + again);
    return text.substr(0, text.find('\n'));
  };
  const std::string first = "event 2 is the first that differs: ";
  const std::string a = event(2, 5, "note", R"({"x":[1,{"y/":2}]})");
  EXPECT_EQ(parted(a, a), "");
  EXPECT_EQ(parted(a, ""), first + "one of the runs ends before it");
  EXPECT_EQ(parted(a, event(2, 6, "note", R"({"x":[1,{"y/":2}]})")).find(first + "another time: "),
            0U);
  EXPECT_EQ(parted(a, event(2, 5, "note", R"({"x":[1,{"y/":3}]})"))
                .find(first + "another value of /detail/x/1/y~1: "),
            0U);
  EXPECT_EQ(parted(a, event(2, 5, "fault", "{}")).find(first + "another event: "), 0U);
  EXPECT_EQ(parted(a + event(3, 5, "fault", "{}"),
                   event(2, 5, "fault", "{}") + event(3, 5, "note", R"({"x":[1,{"y/":2}]})"))
                .find(first + "another order of the same events: "),
            0U);
}

}  // namespace
}  // namespace plumbline::scenarios
