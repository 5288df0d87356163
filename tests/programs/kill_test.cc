// The program is killed (SIGKILL) at any point of a request that is kept in a thread, and begun
// again: no step that was finished is lost, nothing is done twice, and every thread comes to its
// end. PLUMBLINE_KILLS says how often; the default is for every day.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/os/child/environment.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

using std::chrono::milliseconds;

// kSlowEmail has sent when half of its time is over.
constexpr const char* kSlowEmail =
    R"({"tools":[{"name":"send_email","description":"Sends a document by email.",
  "inputSchema":{"type":"object","properties":{"to":{"type":"string"},"document":{"type":"string"}},
  "required":["to","document"]},"effect":{},
  "does":[{"delay_ms":15},{"reply":{"content":[{"type":"text","text":"Sent."}]}}]}]})";

class KillTest : public ProgramTest {
 protected:
  struct Tally {
    int threads = 0;
    int killed = 0;           // In time: the program had not ended by itself.
    int before_it_began = 0;  // The thread was not there yet.
    int steps = 0;            // That were finished when it was killed.
    int in_doubt = 0;         // Ended as "it is not known whether".
    int sent = 0;
  };

  // When the program is killed: a pause after it has told of so many lines.
  struct Moment {
    std::ptrdiff_t lines = 0;
    Duration pause{};
  };

  // ask runs the one command of thread `id`, and kills it at a moment. Returns what it came to.
  Outcome ask(const std::string& id, const std::string& store, std::optional<Moment> moment = {}) {
    os::RealLoop loop;
    os::RealSpawner spawner(loop);
    net::Command command({PLUMBLINE_PROGRAM, "ask", "Email the report to finance", "--config",
                          path(id + ".json"), "--thread", id, "--store", store, "--approve", "all",
                          "--json", "-v"});
    command.cwd = folder_.string();
    command.env = {{"XDG_STATE_HOME", path("state")}};
    auto child = std::move(spawner.spawn(command)).value();
    Collector out;
    child->stdio().start(out);
    child->stdio().close_write();
    Alarm killer([&child] { child->signal(net::Signal::kKill); });
    Alarm look([&] {
      if (lines_of(child->stderr_tail()) < moment->lines) {
        loop.arm(look, after(loop.now(), milliseconds(1)));
      } else if (moment->pause == Duration{}) {
        child->signal(net::Signal::kKill);
      } else {
        loop.arm(killer, after(loop.now(), moment->pause));
      }
    });
    if (moment) loop.arm(look, loop.now());
    loop.run_until([&] { return out.ended && child->exit_status().has_value(); });
    Outcome outcome;
    outcome.code = child->exit_status()->signal == 0 ? child->exit_status()->code : -1;
    outcome.out = out.text;
    outcome.err = child->stderr_tail();
    return outcome;
  }

  static std::ptrdiff_t lines_of(const std::string& text) { return std::ranges::count(text, '\n'); }

  void prepare(const std::string& id) {
    scripted("email", kSlowEmail);
    Json server = Json::object();
    server["command"] = "sh";
    server["args"] = {"-c", "exec \"$0\" serve server.json --stdio 2>>" + id + ".log",
                      PLUMBLINE_PROGRAM};
    server["cwd"] = ".";
    Json root = Json::object();
    root["mcpServers"]["email"] = std::move(server);
    write(id + ".json", pretty_json(root));
  }

  // started counts the nodes that were told to start: what came before each of them is kept. One
  // that asks starts again with the answer, in the same step.
  static int started(const std::string& told) {
    int count = 0;
    std::string before;
    std::istringstream lines(told);
    for (std::string line; std::getline(lines, line);) {
      const bool node = std::ranges::count(line, ' ') == 2 && line.find(" ms ") != line.npos;
      if (!node) continue;
      const std::string name = line.substr(line.rfind(' '));
      count += name != before;
      before = name;
    }
    return count;
  }

  int sent(const std::string& id) {
    int count = 0;
    std::istringstream lines(read(id + ".log"));
    for (std::string line; std::getline(lines, line);) count += line.starts_with("effect ");
    return count;
  }

  // check_kept counts the steps that are kept, and holds them to what was told as finished.
  void check_kept(const std::string& id, const std::string& store, const Outcome& killed,
                  Tally& tally) {
    const Outcome shown = run({"thread", "show", id, "--store", store, "--json"});
    const int finished = started(killed.err);
    if (shown.code == 2) {
      EXPECT_EQ(finished, 0) << shown.err;
      ++tally.before_it_began;
      return;
    }
    const Result<Json> json = parse_json(shown.out);
    ASSERT_TRUE(json.ok()) << shown.out << shown.err;
    const auto kept = static_cast<int>(json.value()["history"].size());
    EXPECT_GE(kept, finished) << "a step that was finished is lost; it had said:\n" << killed.err;
    tally.steps += kept;
  }

  void kill_often(const std::string& store, int kills) {
    prepare("whole");
    const std::ptrdiff_t whole = lines_of(ask("whole", store).err);
    ASSERT_GT(whole, 1);
    Rng rng(2026);
    Tally tally;
    for (int i = 0; i < kills; ++i) {
      const std::string id = "t" + std::to_string(i);
      prepare(id);
      ++tally.threads;
      // The first is killed at once. Of the others some may have ended before, and that is no harm.
      Moment moment;
      if (i > 0) moment.lines = rng.between(0, whole - 1);
      if (i > 0) moment.pause = milliseconds(rng.between(0, 20));
      const Outcome killed = ask(id, store, moment);
      tally.killed += killed.code == -1;
      check_kept(id, store, killed, tally);
      const Outcome ended = ask(id, store);
      const Result<Json> answer = parse_json(ended.out);
      ASSERT_TRUE(answer.ok()) << ended.out << ended.err;
      const bool in_doubt = answer.value()["outcome"] == "unknown";
      EXPECT_TRUE(answer.value()["status"] == "ok" || in_doubt) << ended.out;
      EXPECT_LE(sent(id), 1) << ended.out;
      EXPECT_TRUE(in_doubt || sent(id) == 1) << ended.out;
      tally.in_doubt += in_doubt;
      tally.sent += sent(id);
      const Outcome shown = run({"thread", "show", id, "--store", store, "--json"});
      EXPECT_EQ(parse_json(shown.out).value()["status"], "ended") << shown.out;
      if (HasFailure()) return;
    }
    std::printf(
        "%d threads, %d killed in time, %d before they began; %d steps kept, %d sent, %d "
        "in doubt\n",
        tally.threads, tally.killed, tally.before_it_began, tally.steps, tally.sent,
        tally.in_doubt);
    EXPECT_GT(tally.killed, 0);
  }

  static int kills_of(int ordinary) {
    const auto asked = os::environment_variable("PLUMBLINE_KILLS");
    return asked ? std::atoi(asked->c_str()) : ordinary;
  }
};

TEST_F(KillTest, NothingIsLostOrDoneTwiceWithSqlite) { kill_often("sqlite:t.db", kills_of(15)); }

TEST_F(KillTest, NothingIsLostOrDoneTwiceWithPostgres) {
  const auto uri = os::environment_variable("PLUMBLINE_TEST_POSTGRES");
  if (!uri) GTEST_SKIP() << "PLUMBLINE_TEST_POSTGRES names no PostgreSQL server";
  kill_often(*uri, kills_of(10));
}

}  // namespace
}  // namespace plumbline::cli
