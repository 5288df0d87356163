#include "core/agents/command_line/command_desk.h"

#include <chrono>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/agents/command_line/command_fixture.h"

namespace plumbline::agents::command_line {
namespace {

class CommandDeskTest : public testing::Test {
 protected:
  // approval_of returns the digest that a person of this world approves; empty: the rules refuse.
  std::string approval_of(const CommandRequest& request) {
    const Result<Prepared, Refusal> prepared = world_.desk().prepare(request, "ada");
    return prepared.ok() ? digest_of(prepared.value().action) : "";
  }
  CommandResult run(std::string line, bool approved = true) {
    CommandRequest request{std::move(line), {}, {}, false};
    std::string digest = approved ? approval_of(request) : "";
    Task<CommandResult> task =
        world_.desk().run(std::move(request), std::move(digest), "ada", std::nullopt);
    task.start();
    EXPECT_TRUE(world_.loop.run_until_idle(10'000).ok());
    return std::move(task.result());
  }

  CommandWorld world_;
};

TEST_F(CommandDeskTest, WhatRunsIsWrittenDownBeforeAndAfter) {
  EXPECT_EQ(run("git status").status, CommandStatus::kSuccess);
  const std::vector<Json> lines = world_.logged();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], Json({{"at", "1970-01-01T09:00:00Z"},
                            {"command", "git status"},
                            {"decision", "approved"},
                            {"event", "decided"},
                            {"folder", "/srv/project"},
                            {"host", nullptr},
                            {"id", "desk-1"},
                            {"program", "/usr/bin/git"},
                            {"who", "ada"}}));
  EXPECT_EQ(lines[1], Json({{"at", "1970-01-01T09:00:00Z"},
                            {"duration_ms", 0},
                            {"event", "ended"},
                            {"id", "desk-1"},
                            {"return_code", 0},
                            {"status", "success"},
                            {"stderr_bytes", 0},
                            {"stdout_bytes", 6}}));
}

TEST_F(CommandDeskTest, SecretsAreNotWrittenDownAndTheCommandRunsAsItIs) {
  for (const std::string line :
       {"git log -u ada:pl4nted-1 https://ada:pl4nted-1@h/x", "git log -uada:pl4nted-1",
        "git -c 'http.extraHeader=Authorization: token pl4nted-1' fetch",
        "git log --pass pl4nted-1 --pass=pl4nted-1 pwd=pl4nted-1",
        "git log -H 'Cookie: a=pl4nted-1'",
        "git log '{\"api_key\":\"pl4nted-1\"}' DB_PASSWORD=pl4nted-1",
        "git log --grep=ghp_0123456789abcdefghij"}) {
    const std::size_t before = world_.shell.ran().size();
    run(line);
    ASSERT_EQ(world_.shell.ran().size(), before + 1) << line;
    EXPECT_EQ(dump_json(Json(world_.shell.ran().back().argv)).find("[redacted]"),
              std::string::npos);
  }
  std::string log;
  for (const Json& logged : world_.logged()) log += dump_json(logged);
  EXPECT_NE(log.find("[redacted]"), std::string::npos);
  EXPECT_EQ(log.find("pl4nted"), std::string::npos) << log;
  EXPECT_EQ(log.find("ghp_0123"), std::string::npos) << log;
}

TEST_F(CommandDeskTest, WhatIsRefusedIsWrittenDownAndDoesNotRun) {
  const CommandResult result = run("rm x");
  EXPECT_EQ(result.status, CommandStatus::kBlocked);
  EXPECT_EQ(result.error,
            "Command blocked for security: \"rm\" is not among the programs that may "
            "run (git, npm)");
  EXPECT_EQ(string_or(world_.logged().at(0), "decision", ""), "blocked");
  EXPECT_TRUE(world_.shell.ran().empty());
}

TEST_F(CommandDeskTest, NothingRunsWithoutTheApprovalThatIsDue) {
  EXPECT_EQ(run("git status", false).error, "Command blocked for security: nobody has approved it");
  EXPECT_TRUE(world_.shell.ran().empty());
  world_.made.reset();
  world_.rules.approval = false;
  EXPECT_EQ(run("git status", false).status, CommandStatus::kSuccess);
  EXPECT_EQ(string_or(world_.logged().at(1), "decision", ""), "allowed");
}

TEST_F(CommandDeskTest, OnlyWhatWasApprovedRuns) {
  world_.rules.request_env = {"GIT_PAGER"};
  world_.rules.roots.emplace_back("/srv/other");
  world_.paths.folder("/srv/other");
  const CommandRequest asked{"git log", "/srv/project", {{"GIT_PAGER", "cat"}}, false};
  const std::string digest = approval_of(asked);
  const auto run_as = [&](const CommandRequest& request, const char* who) {
    Task<CommandResult> task =
        world_.desk().run(CommandRequest(request), digest, who, std::nullopt);
    task.start();
    EXPECT_TRUE(world_.loop.run_until_idle(10'000).ok());
    return task.result().error;
  };
  const char* const kOther = "Command blocked for security: it is not what was approved";
  CommandRequest other = asked;
  other.line = "git  log";
  EXPECT_EQ(run_as(other, "ada"), kOther);
  other = asked;
  other.folder = "/srv/other";
  EXPECT_EQ(run_as(other, "ada"), kOther);
  other = asked;
  other.env["GIT_PAGER"] = "sh -c id";
  EXPECT_EQ(run_as(other, "ada"), kOther);
  EXPECT_EQ(run_as(asked, "eve"), kOther);
  world_.paths.replace("/usr/bin/git");
  EXPECT_EQ(run_as(asked, "ada"), kOther);
  EXPECT_TRUE(world_.shell.ran().empty());
}

// What is replaced while a command waits for its turn is seen before it starts.
TEST_F(CommandDeskTest, TheProgramIsLookedAtInTheMomentBeforeItStarts) {
  world_.desk();
  CommandRunner runner(world_.loop, world_.spawner, {.concurrent_max = 1});
  CommandDesk desk(*world_.policy, runner, &world_.audit);
  const CommandRequest first{"npm test", {}, {}, false};
  const CommandRequest second{"git status", {}, {}, false};
  Task<CommandResult> busy =
      desk.run(CommandRequest(first), approval_of(first), "ada", std::chrono::seconds(5));
  busy.start();
  Task<CommandResult> waits =
      desk.run(CommandRequest(second), approval_of(second), "ada", std::nullopt);
  waits.start();
  EXPECT_FALSE(waits.done());
  world_.paths.replace("/usr/bin/git");
  EXPECT_TRUE(world_.loop.run_until_idle(10'000).ok());
  EXPECT_EQ(waits.result().status, CommandStatus::kBlocked);
  EXPECT_EQ(waits.result().error,
            "Command blocked for security: /usr/bin/git is another program than the one that was "
            "approved");
  EXPECT_EQ(world_.shell.ran().size(), 1U);
}

// Goal: every line that was written whole can be read, and says what it is of. Method: two
// processes write to one file, and each write fails in turn in the middle of its line.
TEST_F(CommandDeskTest, NoTwoProcessesHaveTheSameIdAndATornLineHarmsNoOther) {
  for (std::size_t torn = 0; torn < 6; ++torn) {
    std::size_t writes = 0;
    fakes::SimFileStore disk([&](std::string_view, const std::string&) {
      return fakes::StoreTrouble{writes++ == torn ? fakes::StoreFault::kTear
                                                  : fakes::StoreFault::kNone};
    });
    AuditEntry entry;
    entry.command = "git status";
    AuditLog one(disk, world_.clock, "/audit", "one");
    AuditLog other(disk, world_.clock, "/audit", "other");
    std::set<std::string> ids;
    for (const bool first : {true, false, true, false, true}) {
      const Result<std::string> id = (first ? one : other).decided(entry);
      if (id.ok()) {
        EXPECT_TRUE(ids.insert(id.value()).second);
      }
    }
    std::istringstream text(disk.files().at("/audit").bytes);
    std::size_t read = 0;
    for (std::string line; std::getline(text, line);) {
      const Result<Json> json = parse_json(line);
      if (json.ok()) read += ids.count(string_or(json.value(), "id", ""));
    }
    // The other process cannot know of the torn line, and may lose one of its own to it.
    EXPECT_GE(read + 1, ids.size()) << torn;
    EXPECT_EQ(ids.size(), torn < 5 ? 4U : 5U);
  }
}

TEST_F(CommandDeskTest, AnotherFolderOfTheSameNameIsNotTheOneThatWasApproved) {
  const CommandRequest request{"git status", {}, {}, false};
  const std::string approved = approval_of(request);
  world_.paths.replace("/srv/project");
  Task<CommandResult> task =
      world_.desk().run(CommandRequest(request), approved, "ada", std::nullopt);
  task.start();
  EXPECT_TRUE(world_.loop.run_until_idle(10'000).ok());
  EXPECT_EQ(task.result().error, "Command blocked for security: it is not what was approved");

  CommandRunner runner(world_.loop, world_.spawner, {.concurrent_max = 1});
  CommandDesk desk(*world_.policy, runner, &world_.audit);
  const CommandRequest first{"npm test", {}, {}, false};
  Task<CommandResult> busy =
      desk.run(CommandRequest(first), approval_of(first), "ada", std::chrono::seconds(5));
  busy.start();
  Task<CommandResult> waits =
      desk.run(CommandRequest(request), approval_of(request), "ada", std::nullopt);
  waits.start();
  world_.paths.replace("/srv/project");
  EXPECT_TRUE(world_.loop.run_until_idle(10'000).ok());
  EXPECT_EQ(waits.result().error,
            "Command blocked for security: /srv/project is another folder than the one that was "
            "approved");
}

TEST_F(CommandDeskTest, NothingRunsThatCannotBeWrittenDown) {
  world_.files.files()["/audit"] = {"", 0644};
  fakes::SimFileStore broken([](std::string_view, const std::string&) {
    return fakes::StoreTrouble{fakes::StoreFault::kFail};
  });
  AuditLog audit(broken, world_.clock, "/audit", "desk");
  world_.desk();
  CommandDesk desk(*world_.policy, world_.runner, &audit);
  CommandRequest request{"git status", {}, {}, false};
  std::string digest = approval_of(request);
  Task<CommandResult> task = desk.run(std::move(request), std::move(digest), "ada", std::nullopt);
  task.start();
  ASSERT_TRUE(task.done());
  EXPECT_TRUE(task.result().error.starts_with("the audit log cannot be written: "));
  EXPECT_TRUE(world_.shell.ran().empty());
}

}  // namespace
}  // namespace plumbline::agents::command_line
