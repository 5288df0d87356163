#include "scenarios/suite/suite_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/peer/client.h"
#include "core/base/task_group.h"
#include "core/base/words/nearest_word.h"
#include "core/json/shown/secret_places.h"
#include "scenarios/suite/asking.h"

namespace plumbline::suite {

namespace {

constexpr std::size_t kTold = 4;  // Differences of one test.

// uses returns the names that a test needs of others, keeps those that it gives them.
std::set<std::string> uses(const Test& test) {
  std::set<std::string> needed;
  std::set<std::string> own = {"folder", "port"};
  for (const Step& step : test.steps) {
    for (const std::string& name : names_in_text(step.what)) needed.insert(name);
    for (const Json* const part : {&step.with, &step.expect}) {
      for (const std::string& name : names_in(*part)) needed.insert(name);
    }
    for (const std::string& name : own) needed.erase(name);
    for (const auto& [name, unused] : step.keep) own.insert(name);
  }
  std::erase_if(needed, [](const std::string& name) { return name.starts_with(kEnvPrefix); });
  return needed;
}

bool keeps_any(const Test& test, const std::set<std::string>& names) {
  return std::ranges::any_of(test.steps, [&](const Step& step) {
    return std::ranges::any_of(step.keep,
                               [&](const auto& kept) { return names.contains(kept.first); });
  });
}

// told says it without the values of a secret: their name stands before them now, and too far away
// later.
std::string told(const match::Mismatch& mismatch) {
  if (is_below_credential(mismatch.path)) {
    return "another secret than the expected one at " + mismatch.path;
  }
  return mismatch.path + ": expected " + mismatch.expected + ", got " + mismatch.got;
}

}  // namespace

SuiteRun::SuiteRun(const Suite& suite, const Launch& launch, std::string revision,
                   const Doors& doors, Snapshots& snapshots, RunOptions options, Names names)
    : suite_(suite),
      launch_(launch),
      revision_(std::move(revision)),
      doors_(doors),
      snapshots_(snapshots),
      options_(std::move(options)),
      names_(std::move(names)),
      transport_(launch.subject.transport) {
  select();
}

SuiteRun::~SuiteRun() = default;

std::string_view SuiteRun::transport() const { return conformance::name_of(transport_); }

// select takes the tests that are wanted, and those that keep what they need.
void SuiteRun::select() {
  const auto is_named = [this](const Test& test) {
    return options_.only.empty() ||
           std::ranges::any_of(options_.only, [&](const std::string& part) {
             return test.name.find(part) != std::string::npos;
           });
  };
  std::set<std::string> needed;
  std::vector<const Test*> chosen;
  for (auto test = suite_.tests.rbegin(); test != suite_.tests.rend(); ++test) {
    const bool here = test->on.empty() || launch_.name.empty() ||
                      std::ranges::find(test->on, launch_.name) != test->on.end();
    if (!here || (!is_named(*test) && !keeps_any(*test, needed))) continue;
    needed.merge(uses(*test));
    chosen.push_back(&*test);
  }
  for (auto test = chosen.rbegin(); test != chosen.rend(); ++test) tests_.push_back({*test});
}

Task<void> SuiteRun::run() {
  if (tests_.empty()) co_return;
  const bool started = co_await start();
  if (!started) {
    give_up(unreachable_);
    if (server_) co_await server_->close();
    co_return;
  }
  std::string why;
  const bool ready = co_await run_steps(suite_.before, "before", why);
  if (ready) {
    co_await run_batches();
  } else {
    give_up(why);
  }
  co_await restart_if_needed();
  if (server_ && server_->healthy()) {
    const bool cleaned = co_await run_steps(suite_.after, "after", why);
    if (!cleaned && ready) give_up(why);
  }
  co_await close_guests();
  if (server_) co_await server_->close();
}

// give_up leaves every test that has passed or was not run without a verdict.
void SuiteRun::give_up(const std::string& why) {
  for (TestRun& run : tests_) {
    if (run.verdict == Verdict::kFail || run.verdict == Verdict::kSkip) continue;
    run.verdict = Verdict::kInconclusive;
    run.message = why;
  }
}

Task<bool> SuiteRun::start() {
  ++starts_;
  server_ = std::make_unique<Server>(doors_, launch_, names_, revision_);
  const Status opened = co_await server_->open(suite_.answers);
  if (!opened.ok()) {
    unreachable_ = "the server could not be opened: " + opened.error().message;
    co_return false;
  }
  if (options_.exact && server_->revision() != revision_) {
    unreachable_ = "the server answers to " + server_->revision() + ", not to " + revision_;
    co_return false;
  }
  unreachable_.clear();
  transport_ = server_->transport();
  revision_ = server_->revision();
  if (tools_.empty()) tools_ = server_->tools();
  co_return true;
}

Task<void> SuiteRun::restart_if_needed() {
  if (server_ && server_->healthy()) co_return;
  co_await close_guests();
  if (server_) co_await server_->close();
  co_await start();
}

Task<void> SuiteRun::close_guests() {
  for (auto& [name, guest] : guests_) {
    if (guest.server) co_await guest.server->close();
  }
  guests_.clear();
}

// server_of returns the connection of a user, nullptr where it cannot be opened.
Task<Server*> SuiteRun::server_of(std::string user, std::string& why) {
  if (user.empty()) co_return server_.get();
  Guest& guest = guests_[user];
  if (guest.server && guest.server->healthy()) co_return guest.server.get();
  if (guest.server) co_await guest.server->close();
  const auto known = std::ranges::find(suite_.users, user, &SuiteUser::name);
  guest.launch = as_user(launch_, *known, names_);
  guest.server = std::make_unique<Server>(doors_, guest.launch, names_, revision_);
  const Status opened = co_await guest.server->open(suite_.answers);
  if (opened.ok()) co_return guest.server.get();
  why = opened.error().message;
  co_return nullptr;
}

Task<bool> SuiteRun::run_steps(std::vector<Step> steps, std::string which, std::string& why) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Test test;
    test.steps.push_back(steps[i]);
    TestRun run;
    run.test = &test;
    co_await run_one_step(run, 0, names_);
    if (run.mismatches.empty()) continue;
    why = which + ": " + steps[i].told() + ": " + told(run.mismatches.front());
    co_return false;
  }
  co_return true;
}

bool SuiteRun::runs_beside(const Test& test) const {
  if (suite_.in_order || test.fresh || options_.beside < 2 || !uses(test).empty()) return false;
  return std::ranges::all_of(test.steps, [this](const Step& step) {
    const bool plain = step.answers.empty() && step.keep.empty() && step.as.empty();
    if (!plain || needs_quiet(step.expect)) return false;
    const Json* const tool = step.verb == Verb::kCall ? server_->tool(step.what) : nullptr;
    return step.verb != Verb::kSend && (step.verb != Verb::kCall || (tool && only_reads(*tool)));
  });
}

Task<void> SuiteRun::run_batches() {
  for (std::size_t from = 0; from < tests_.size();) {
    std::size_t to = from;
    while (to < tests_.size() && runs_beside(*tests_[to].test)) ++to;
    to = std::max(to, from + 1);
    co_await restart_if_needed();
    if (!server_->healthy()) {
      const std::string why = unreachable_;
      for (; from < tests_.size(); ++from) tests_[from].message = why;
      co_return;
    }
    co_await run_some(from, to);
    from = to;
  }
}

// run_some runs tests beside each other. Where the server ends meanwhile, those that were under way
// are run again one after the other: so it shows whose doing it was.
Task<void> SuiteRun::run_some(std::size_t from, std::size_t to) {
  if (to - from > 1) {
    std::size_t next = from;
    crowded_ = true;
    TaskGroup workers;
    for (std::size_t i = 0; i < std::min(options_.beside, to - from); ++i) {
      workers.spawn(work(next, to));
    }
    co_await workers.join(doors_.loop);
    crowded_ = false;
  }
  for (std::size_t i = from; i < to; ++i) {
    const bool again = to - from == 1 || tests_[i].differs_alone;
    if (!again) continue;
    co_await restart_if_needed();
    tests_[i] = TestRun{tests_[i].test};
    if (server_->healthy()) {
      co_await run_test(tests_[i]);
    } else {
      tests_[i].message = unreachable_;
    }
  }
}

Task<void> SuiteRun::work(std::size_t& next, std::size_t to) {
  while (next < to) {
    TestRun& run = tests_[next++];
    if (server_->healthy()) {
      co_await run_test(run);
    } else {
      run.differs_alone = true;
    }
  }
}

bool SuiteRun::skips(TestRun& run) const {
  const Test& test = *run.test;
  const auto skip = [&run](std::string why) {
    run.verdict = Verdict::kSkip;
    run.message = std::move(why);
    return true;
  };
  if (!test.since.empty() && revision_ < test.since) return skip("it is of " + test.since + " on");
  if (!test.until.empty() && revision_ > test.until) return skip("it is until " + test.until);
  const auto guest = std::ranges::find_if(test.steps, [](const Step& s) { return !s.as.empty(); });
  if (guest != test.steps.end() && launch_.subject.transport == conformance::Transport::kStdio) {
    return skip("it asks as " + guest->as + ", and over stdio a server has one user");
  }
  if (suite_.writes || options_.allow_writes) return false;
  for (const Step& step : test.steps) {
    const Json* const tool = step.verb == Verb::kCall ? server_->tool(step.what) : nullptr;
    if (tool == nullptr || only_reads(*tool)) continue;
    return skip(step.what +
                " does not say that it only reads: --allow-writes, or \"writes\": true "
                "in the file, lets it be called");
  }
  return false;
}

Task<void> SuiteRun::run_test(TestRun& run) {
  if (skips(run)) co_return;
  const Instant begin = doors_.loop.now();
  if (run.test->fresh) {
    co_await server_->close();
    server_.reset();
    co_await restart_if_needed();
    if (!server_->healthy()) {
      run.message = unreachable_;
      co_return;
    }
  }
  Names own = names_;
  for (std::size_t i = 0; i < run.test->steps.size(); ++i) {
    co_await run_one_step(run, i, own);
    if (!run.mismatches.empty() || run.differs_alone) break;
  }
  if (!crowded_) names_ = std::move(own);  // Later tests may use what it has kept.
  run.took_ms = static_cast<double>((doors_.loop.now() - begin).count()) / 1e6;
  settle(run);
}

Task<void> SuiteRun::run_one_step(TestRun& run, std::size_t index, Names& names) {
  const Step& step = run.test->steps[index];
  Answers answers = suite_.answers;
  for (const auto& [method, answer] : step.answers) answers[method] = filled(answer, names);
  std::string why;
  Server* const server = co_await server_of(step.as, why);
  if (server == nullptr) {
    run.mismatches.push_back({"as " + step.as, "a connection", why});
    co_return;
  }
  if (!step.answers.empty()) server->answer_by(answers);
  const Duration patience = suite_.timeout == Duration{} ? doors_.patience : suite_.timeout;
  Question question{&step, &names, &answers, patience};
  Answered answered = co_await ask(*server, std::move(question));
  if (!step.answers.empty()) server->answer_by(suite_.answers);
  if (answered.lost && crowded_) {
    run.differs_alone = true;
    co_return;
  }
  if (answered.lost) {
    co_await server->close();  // So that it has ended, and its status is known.
    answered.why = "the server ended: " + server->why_gone();
  }
  const bool silent = answered.response.is_null() && !answered.lost;
  run.answers.push_back(std::move(answered));
  judge(run, index, names);
  keep(run, step, names);
  if (!silent || crowded_) co_return;
  conformance::Client client(server->session(), 0);
  const bool alive = co_await client.alive();
  if (!alive) co_await server->close();
}

void SuiteRun::judge(TestRun& run, std::size_t index, const Names& unfilled) {
  const Step& step = run.test->steps[index];
  const Answered& answered = run.answers.back();
  match::Masks masks = suite_.masks;
  masks.add_all(run.test->masks);
  const bool calls = step.verb == Verb::kCall;
  const Json* const tool = calls ? server_->tool(step.what) : nullptr;
  if (tool != nullptr) tools_tested_.insert(step.what);
  Held held{masks, snapshots_, run.test->name};
  if (index > 0) held.snapshot += " then " + std::to_string(index);
  held.updates = options_.update;
  held.writes_missing = options_.writes_missing;
  if (tool != nullptr && run.test->promises) held.output_schema = find(*tool, "outputSchema");
  const Json expect = step.expect.is_null() ? Json() : filled_expectation(step.expect, unfilled);
  std::vector<match::Mismatch> found = hold(expect, answered, held);
  if (!found.empty() && calls && tool == nullptr) {
    found.front().got += no_such_tool(step);
  }
  for (match::Mismatch& one : found) {
    if (index > 0) one.path = "then " + std::to_string(index) + ' ' + step.told() + ": " + one.path;
    run.mismatches.push_back(std::move(one));
  }
}

// keep takes what the step keeps of its answer.
void SuiteRun::keep(TestRun& run, const Step& step, Names& names) {
  const Json* const result = run.answers.back().result();
  for (const auto& [name, pointer] : step.keep) {
    std::optional<Json> value = result == nullptr ? std::nullopt : value_at(*result, pointer);
    if (value) {
      names[name] = std::move(*value);
    } else if (run.mismatches.empty()) {
      run.mismatches.push_back(
          {"result" + pointer, "something to keep as \"" + name + "\"", "nothing"});
    }
  }
}

std::string SuiteRun::no_such_tool(const Step& step) const {
  std::vector<std::string> known;
  for (const Json& tool : server_->tools()) known.push_back(string_or(tool, "name", ""));
  return "; the server lists no tool \"" + step.what + "\"" + meant(step.what, known);
}

void SuiteRun::settle(TestRun& run) const {
  if (run.differs_alone) return;
  const bool undecided =
      !run.mismatches.empty() && std::ranges::all_of(run.mismatches, &match::Mismatch::undecided);
  run.verdict = run.mismatches.empty() ? Verdict::kPass
                : undecided            ? Verdict::kInconclusive
                                       : Verdict::kFail;
  for (std::size_t i = 0; i < run.mismatches.size(); ++i) {
    if (i == kTold) {
      run.message += "\nand " + std::to_string(run.mismatches.size() - i) + " more";
      break;
    }
    run.message += (i == 0 ? "" : "\n") + told(run.mismatches[i]);
  }
}

}  // namespace plumbline::suite
