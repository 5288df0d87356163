#include "cli/commands/test/test.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <unistd.h>

#include "cli/commands/test/test_servers.h"
#include "cli/commands/test/test_text.h"
#include "cli/commands/test/watch.h"
#include "cli/commands/test/write_tests.h"
#include "cli/options/shown_words.h"
#include "cli/options/version.h"
#include "cli/publish.h"
#include "conformance/catalogue/revisions.h"
#include "core/base/errors/errors.h"
#include "core/base/task_group.h"
#include "core/os/child/environment.h"
#include "core/os/interrupt.h"
#include "core/os/wall_clock.h"
#include "scenarios/suite/suite_reader.h"
#include "scenarios/suite/suite_run.h"

namespace plumbline::cli {

namespace {

using suite::Launch;
using suite::Suite;
using suite::SuiteRun;
using suite::TestRun;

// TestPart is one file against one server in one revision, as often as it is run.
struct TestPart {
  const Suite* suite;
  const Launch* launch;
  std::string revision;
  suite::Snapshots* snapshots;
  suite::Names names;
  std::vector<TestPlace> places;
  std::vector<std::unique_ptr<SuiteRun>> runs;
};

Result<std::vector<Suite>> load_tests(const TestOptions& options, Host& host) {
  std::vector<std::string> paths = options.paths;
  if (paths.empty()) paths.emplace_back(".");
  std::vector<Suite> suites;
  for (const std::string& path : paths) {
    Result<std::vector<Suite>> loaded = suite::load_suites(host.files(), path);
    if (!loaded.ok()) return loaded;
    for (Suite& one : loaded.value()) suites.push_back(std::move(one));
  }
  return suites;
}

std::size_t usual_jobs() {
  const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 4 ? 1 : static_cast<std::size_t>(cores) / 2;
}

// measures returns whether any test has a budget of time: nothing runs beside those.
bool measures(const std::vector<Suite>& suites) {
  const auto in_steps = [](const suite::Step& step) { return find(step.expect, "ms") != nullptr; };
  return std::ranges::any_of(suites, [&](const Suite& suite) {
    return std::ranges::any_of(suite.tests, [&](const suite::Test& test) {
      return std::ranges::any_of(test.steps, in_steps);
    });
  });
}

// Testing runs every part and makes the report of it.
class Testing {
 public:
  // `newer` says whether the run is to be cut short.
  Testing(const TestOptions& options, Host& host, std::function<bool()> newer)
      : options_(options), host_(host), doors_(doors_of(host, options)), newer_(std::move(newer)) {}

  // watched returns the paths of what the run is made of.
  std::vector<std::string> watched() const {
    std::vector<std::vector<std::string>> commands;
    for (const TestPart& part : parts_) {
      commands.push_back(part.launch->subject.command.argv);
      commands.push_back(part.launch->subject.start.argv);
    }
    std::vector<std::string> files;
    for (const Suite& suite : suites_) {
      files.push_back(suite.file);
      if (!suite.fixture.empty()) files.push_back(suite.fixture);
    }
    std::vector<std::string> paths = paths_of(options_.watching, commands);
    paths.insert(paths.end(), files.begin(), files.end());
    return paths;
  }

  // prepare finds out what to run. kInvalidInput: what is wrong, and where.
  Status prepare() {
    Result<std::vector<Suite>> loaded = load_tests(options_, host_);
    if (!loaded.ok()) return std::move(loaded).error();
    suites_ = std::move(loaded).value();
    Result<std::vector<Launch>> targets = target_launches(options_, host_);
    if (!targets.ok()) return std::move(targets).error();
    targets_ = std::move(targets).value();
    for (const Suite& suite : suites_) {
      Status added = add(suite);
      if (!added.ok()) return added;
    }
    const Status named = check_only();
    return named;
  }

  int run() {
    report_.version = kVersion;
    report_.command = "test";
    report_.target = Json::object();
    report_.started = os::wall_clock_rfc3339();
    const Instant begin = host_.world().loop().now();
    run_parts();
    if (trouble_) return host_.complain(*trouble_, kExitUsage);
    if (newer_()) return kExitOk;  // The next round tells.
    for (const TestPart& part : parts_) add_rows(part);
    add_tools();
    report_.duration_ms = static_cast<double>((host_.world().loop().now() - begin).count()) / 1e6;
    const Status kept = write_snapshots();
    const auto shown = [this](const Report& report, bool color) {
      return test_text(report, {color, options_.common.quiet, options_.common.verbose});
    };
    const int status = publish(host_, options_.common, report_, shown);
    if (interrupted_) return kExitInterrupted;
    if (!kept.ok()) return host_.complain(kept.error(), kExitUsage);
    return status == kExitOk ? judge_coverage() : status;
  }

 private:
  Status add(const Suite& suite) {
    std::vector<Launch>& its = launches_.emplace_back(targets_);
    if (targets_.empty()) {
      Result<std::vector<Launch>> launches = file_launches(suite, options_);
      if (!launches.ok()) return std::move(launches).error();
      its = std::move(launches).value();
    }
    for (Launch& launch : its) suite::make_steady(suite, launch);
    suite::Snapshots& snapshots = snapshots_[suite.file];
    const Result<std::string> text = host_.files().read_file(suite.snapshots_file());
    if (text.ok()) {
      const Status read = snapshots.read(text.value());
      if (!read.ok()) {
        return behind(suite.snapshots_file() + ": ", read.error());
      }
    }
    for (const Launch& launch : its) {
      Result<suite::Names> names = environment_names(suite, launch, host_);
      if (!names.ok()) return std::move(names).error();
      for (const std::string& revision : revisions()) {
        parts_.push_back({&suite, &launch, revision, &snapshots, names.value(), {}, {}});
      }
    }
    return Done{};
  }

  std::vector<std::string> revisions() const {
    if (options_.revision.empty()) return {std::string(conformance::kNewestStateful)};
    if (options_.revision != "all") return {options_.revision};
    return {conformance::kRevisions.begin(), conformance::kRevisions.end()};
  }

  // check_only refuses an --only that names nothing.
  Status check_only() const {
    for (const std::string& part : options_.only) {
      const bool found = std::ranges::any_of(suites_, [&](const Suite& suite) {
        return std::ranges::any_of(suite.tests, [&](const suite::Test& test) {
          return test.name.find(part) != std::string::npos;
        });
      });
      if (found) continue;
      return the_error("test.only", part);
    }
    return Done{};
  }

  void run_parts() {
    os::RealLoop& loop = host_.world().loop();
    const os::Interrupt interrupt(loop, [this](int) { interrupted_ = true; });
    std::size_t next = 0;
    const std::size_t jobs = measures(suites_) ? 1 : options_.jobs;
    TaskGroup workers;
    for (std::size_t i = 0; i < (jobs == 0 ? usual_jobs() : jobs); ++i) {
      workers.spawn(work(next));
    }
    loop.run_until([&] { return workers.running() == 0 || interrupted_ || newer_(); });
  }

  Task<void> work(std::size_t& next) {
    while (next < parts_.size()) {
      TestPart& part = parts_[next++];
      for (int i = 0; i < options_.repeat; ++i) co_await run_once(part);
    }
  }

  Task<void> run_once(TestPart& part) {
    suite::Names names = part.names;
    Result<suite::Names> own =
        part.places.emplace_back().make(part.suite->fixture, host_.world().network());
    if (!own.ok()) trouble_ = own.error();
    if (!own.ok()) co_return;
    names.merge(own.value());
    suite::RunOptions how;
    how.only = options_.only;
    how.allow_writes = options_.allow_writes;
    how.update = options_.update;
    how.exact = !options_.revision.empty();
    how.writes_missing = !os::environment_variable("CI").has_value();
    part.runs.push_back(std::make_unique<SuiteRun>(*part.suite, *part.launch, part.revision, doors_,
                                                   *part.snapshots, std::move(how),
                                                   std::move(names)));
    co_await part.runs.back()->run();
  }

  // speaks returns whether a part is of a revision that its server agreed on: with --revision all
  // the others are told by the one that it did.
  bool speaks(const TestPart& part) const {
    if (options_.revision != "all" || part.runs.empty()) return true;
    const SuiteRun& run = *part.runs.front();
    return run.unreachable().empty() && run.revision() == part.revision;
  }

  void add_rows(const TestPart& part) {
    if (part.runs.empty() || !speaks(part)) return;
    const SuiteRun& run = *part.runs.front();
    for (std::size_t i = 0; i < run.tests().size(); ++i) {
      const TestRun& test = run.tests()[i];
      CheckResult row;
      row.id = "test." + part.suite->name + "/" + test.test->name;
      if (parts_of(*part.suite) > 1) row.server = part.launch->name;
      row.area = part.suite->name;
      row.title = test.test->name;
      row.revision = run.revision();
      row.transport = run.transport();
      row.verdict = test.verdict;
      row.message = test.message;
      if (row.verdict == Verdict::kInconclusive && row.message.empty())
        row.message = "it was not run";
      row.duration_ms = test.took_ms;
      judge_steadiness(part, i, row);
      if (row.verdict == Verdict::kSkip && options_.strict) row.verdict = Verdict::kFail;
      if (row.verdict == Verdict::kFail || row.verdict == Verdict::kInconclusive) {
        add_evidence(test, row);
        if (!test.answers.empty()) row.message += "\nat " + part.suite->place_of(*test.test);
        row.reproduce = reproduction(part, test.test->name);
      }
      report_.results.push_back(std::move(row));
    }
    for (const Json& tool : run.tools()) tools_.insert(string_or(tool, "name", ""));
    tested_.insert(run.tools_tested().begin(), run.tools_tested().end());
  }

  std::size_t parts_of(const Suite& suite) const {
    std::set<std::string> names;
    for (const TestPart& part : parts_) {
      if (part.suite == &suite) names.insert(part.launch->name);
    }
    return names.size();
  }

  // judge_steadiness fails what did not come out the same each time.
  static void judge_steadiness(const TestPart& part, std::size_t index, CheckResult& row) {
    std::size_t passed = 0;
    for (const auto& run : part.runs) {
      const TestRun& test = run->tests()[index];
      passed += test.verdict == Verdict::kPass ? 1U : 0U;
      if (row.message.empty() && test.verdict != row.verdict) row.message = test.message;
    }
    if (passed == 0 || passed == part.runs.size()) return;
    row.verdict = Verdict::kFail;
    row.message = "unsteady: it passed " + std::to_string(passed) + " of " +
                  std::to_string(part.runs.size()) + " times\n" + row.message;
  }

  static void add_evidence(const TestRun& test, CheckResult& row) {
    if (test.answers.empty()) return;
    const suite::Answered& last = test.answers.back();
    row.evidence.push_back({0, "->", conformance::excerpt(last.request)});
    if (!last.response.is_null()) {
      row.evidence.push_back({static_cast<std::int64_t>(last.median_ms()), "<-",
                              conformance::excerpt(last.response), true});
    }
  }

  std::string reproduction(const TestPart& part, const std::string& test) const {
    std::vector<std::string> words = {"plumbline", "test", part.suite->file, "--only", test};
    if (!options_.revision.empty()) {
      words.insert(words.end(), {"--revision", std::string(part.runs.front()->revision())});
    }
    if (options_.allow_writes) words.emplace_back("--allow-writes");
    if (targets_.empty() && parts_of(*part.suite) > 1) {
      words.insert(words.end(), {"--server", part.launch->name});
    }
    return shown_words(words) + (targets_.empty() ? "" : " " + part.launch->shown);
  }

  void add_tools() {
    report_.target["files"] = Json::array();
    for (const Suite& suite : suites_) report_.target["files"].push_back(suite.file);
    Json untested = Json::array();
    for (const std::string& tool : tools_) {
      if (!tested_.contains(tool)) untested.push_back(tool);
    }
    report_.target[kToolsListed] = tools_.size();
    report_.target[kToolsTested] = tools_.size() - untested.size();
    report_.target[kUntested] = std::move(untested);
  }

  int judge_coverage() const {
    if (options_.coverage == 0) return kExitOk;
    if (tools_.empty()) return host_.complain(the_error("test.no-tools"), kExitFailed);
    const std::size_t tested = tools_.size() - report_.target[kUntested].size();
    if (tested * 100 >= tools_.size() * static_cast<std::size_t>(options_.coverage)) return kExitOk;
    return host_.complain(the_error("test.coverage", std::to_string(options_.coverage),
                                    std::to_string(tested), std::to_string(tools_.size())),
                          kExitFailed);
  }

  Status write_snapshots() {
    for (const Suite& suite : suites_) {
      suite::Snapshots& snapshots = snapshots_.at(suite.file);
      if (options_.update && options_.only.empty()) snapshots.drop_unused();
      if (!snapshots.changed()) continue;
      const std::string text = snapshots.write();
      if (host_.secrets().redactor().finds_secret(text)) {
        return the_error("test.secret", suite.snapshots_file(), "an answer ");
      }
      Status written = host_.files().write_file(suite.snapshots_file(), text);
      if (!written.ok()) return written;
      host_.tell_line("wrote " + suite.snapshots_file());
    }
    return Done{};
  }

  const TestOptions& options_;
  Host& host_;
  suite::Doors doors_;
  std::function<bool()> newer_;
  std::vector<Suite> suites_;
  std::vector<Launch> targets_;               // Of the command line; empty: those of each file.
  std::deque<std::vector<Launch>> launches_;  // Of each file, steady as it says.
  std::map<std::string, suite::Snapshots> snapshots_;
  std::vector<TestPart> parts_;
  std::set<std::string> tools_;  // That any server lists.
  std::set<std::string> tested_;
  Report report_;
  std::optional<Error> trouble_;  // Of the machine: no folder, no port.
  bool interrupted_ = false;
};

}  // namespace

int run_test(const TestOptions& options, Host& host) {
  if (!options.new_file.empty() || !options.from.empty()) return write_tests(options, host);
  const Round round = [&host](const TestOptions& how, const std::function<bool()>& newer) {
    Testing testing(how, host, newer);
    const Status prepared = testing.prepare();
    if (!prepared.ok()) return host.complain(prepared.error(), kExitUsage);
    return testing.run();
  };
  if (!options.watching.on) return round(options, [] { return false; });
  Testing first(options, host, [] { return false; });
  const Status prepared = first.prepare();
  if (!prepared.ok()) return host.complain(prepared.error(), kExitUsage);
  return watch_tests(options, first.watched(), host, round);
}

}  // namespace plumbline::cli
