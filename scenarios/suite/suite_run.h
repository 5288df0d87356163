// SuiteRun runs the tests of one file against one server in one revision.
//
// The server is started once and kept while it stays healthy. Tests that only read are run beside
// each other; the others, and those that measure or count what comes meanwhile, alone and in their
// order. A test whose server ends fails, and the next one gets a new server.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/task.h"
#include "core/events/check_result.h"
#include "scenarios/suite/expectation.h"
#include "scenarios/suite/server.h"
#include "scenarios/suite/suite.h"

namespace plumbline::suite {

struct RunOptions {
  std::vector<std::string> only;  // Parts of names; empty: every test.
  std::size_t beside = 8;         // Tests at a time.
  bool allow_writes = false;      // Whatever the file says.
  bool exact = false;             // A server that agrees on another revision is not asked.
  bool update = false;            // Snapshots that differ are written.
  bool writes_missing = true;     // Snapshots that there are none of are written.
};

// TestRun is what came of one test.
struct TestRun {
  const Test* test = nullptr;
  Verdict verdict = Verdict::kInconclusive;
  std::string message{};  // Of a pass empty.
  std::vector<match::Mismatch> mismatches{};
  std::vector<Answered> answers{};  // Of its steps, as far as it came.
  double took_ms = 0;
  bool differs_alone = false;  // Its server ended while others were asked, too.
};

class SuiteRun {
 public:
  // Everything given must outlive it. `names` are those that are known from the start.
  SuiteRun(const Suite& suite, const Launch& launch, std::string revision, const Doors& doors,
           Snapshots& snapshots, RunOptions options, Names names);
  SuiteRun(const SuiteRun&) = delete;
  SuiteRun& operator=(const SuiteRun&) = delete;
  ~SuiteRun();

  Task<void> run();

  // tests has one for each that was selected, in the order of the file.
  const std::vector<TestRun>& tests() const { return tests_; }

  // unreachable says why nothing could be asked; empty: it could.
  const std::string& unreachable() const { return unreachable_; }

  const std::string& revision() const { return revision_; }
  std::string_view transport() const;
  const Launch& launch() const { return launch_; }
  const Suite& suite() const { return suite_; }
  const Names& names() const { return names_; }

  // tools are those that the server lists; tools_tested those of them that a test called.
  const std::vector<Json>& tools() const { return tools_; }
  const std::set<std::string>& tools_tested() const { return tools_tested_; }
  int starts() const { return starts_; }

 private:
  void select();
  Task<bool> start();
  Task<void> restart_if_needed();
  Task<Server*> server_of(std::string user, std::string& why);
  Task<void> close_guests();
  Task<bool> run_steps(std::vector<Step> steps, std::string which, std::string& why);
  Task<void> run_batches();
  Task<void> run_some(std::size_t from, std::size_t to);
  Task<void> work(std::size_t& next, std::size_t to);
  Task<void> run_test(TestRun& run);
  Task<void> run_one_step(TestRun& run, std::size_t index, Names& names);
  bool runs_beside(const Test& test) const;
  bool skips(TestRun& run) const;
  void judge(TestRun& run, std::size_t index, const Names& names);
  static void keep(TestRun& run, const Step& step, Names& names);
  void settle(TestRun& run) const;
  void give_up(const std::string& why);
  std::string no_such_tool(const Step& step) const;

  const Suite& suite_;
  const Launch& launch_;
  std::string revision_;
  const Doors& doors_;
  Snapshots& snapshots_;
  RunOptions options_;
  Names names_;
  // Guest is the connection of one of the users.
  struct Guest {
    Launch launch;
    std::unique_ptr<Server> server;
  };
  std::map<std::string, Guest> guests_;
  std::unique_ptr<Server> server_;
  std::vector<TestRun> tests_;
  std::vector<Json> tools_;
  std::set<std::string> tools_tested_;
  std::string unreachable_;
  conformance::Transport transport_;
  int starts_ = 0;
  bool crowded_ = false;  // Several tests are at it.
};

}  // namespace plumbline::suite
