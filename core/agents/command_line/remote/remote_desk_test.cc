#include "core/agents/command_line/remote/remote_desk.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/command_line/command_fixture.h"
#include "core/agents/command_line/rules/words.h"

namespace plumbline::agents::command_line {
namespace {

using std::chrono::seconds;

// FakeHost ends every command as it is told, and keeps what it was sent.
struct FakeHost final : net::RemoteHost {
  Task<Result<net::RemoteEnd>> run(std::string line, Instant, std::size_t) override {
    lines.push_back(std::move(line));
    co_return end;
  }
  std::vector<std::string> lines;
  Result<net::RemoteEnd> end = net::RemoteEnd{"up\n", "", false, 0, std::nullopt};
};

class RemoteDeskTest : public testing::Test {
 protected:
  CommandResult run(std::string line, bool approved = true) {
    const RemotePolicy policy({true, {"systemctl", "tail", "df"}, {"--vacuum"}});
    RemoteDesk desk(policy, world_.loop, &world_.audit);
    approvals::Action action = remote_action("prod", "ssh_key", std::move(line), "ada");
    std::string digest = approved ? digest_of(action) : "";
    Task<CommandResult> task =
        desk.run(host_, std::move(action), std::move(digest), seconds(60), 1'000);
    task.start();
    EXPECT_TRUE(task.done());
    return std::move(task.result());
  }

  CommandWorld world_;
  FakeHost host_;
};

TEST_F(RemoteDeskTest, EveryWordIsQuotedForTheShellThere) {
  const CommandResult result = run(R"(tail -n 100 "/var/log/it's here")");
  EXPECT_EQ(result.status, CommandStatus::kSuccess);
  EXPECT_EQ(host_.lines.at(0), R"('tail' '-n' '100' '/var/log/it'\''s here')");
  EXPECT_EQ(string_or(world_.logged().at(0), "host", ""), "prod");
  EXPECT_EQ(string_or(world_.logged().at(0), "decision", ""), "approved");
  EXPECT_EQ(string_or(world_.logged().at(1), "status", ""), "success");
}

TEST_F(RemoteDeskTest, TheRulesAreStricterThere) {
  for (const char* line :
       {"systemctl stop nginx", "systemctl reboot", "df; shutdown now", "tail x | sh", "df $HOME",
        "tail --vacuum", "rm x", "/usr/bin/df", "systemctl 'st'op nginx; x",
        "systemctl 'st'op nginx", "service nginx stop", "tail kill -9 1"}) {
    EXPECT_EQ(run(line).status, CommandStatus::kBlocked) << line;
  }
  EXPECT_EQ(run("df -h", false).error, "Command blocked for security: nobody has approved it");
  EXPECT_TRUE(host_.lines.empty());
}

TEST_F(RemoteDeskTest, ALostConnectionIsAnUnknownOutcome) {
  net::RemoteEnd lost{"so far", "", false, std::nullopt, std::nullopt};
  lost.unknown = Error{ErrorCode::kDisconnected, "the connection was lost to prod"};
  host_.end = lost;
  const CommandResult result = run("df -h");
  EXPECT_EQ(result.status, CommandStatus::kError);
  EXPECT_TRUE(result.outcome_unknown);
  EXPECT_EQ(result.out, "so far");
  EXPECT_EQ(result.error, "the connection was lost to prod; it is not known how the command ended");
  EXPECT_EQ(host_.lines.size(), 1U);
  EXPECT_EQ(string_or(world_.logged().at(1), "outcome", ""), "unknown");
}

TEST(RemoteTargetTest, IsReadFromWhatPeopleWrite) {
  const auto all = parse_target("ada@prod-server.com:2222");
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all.value().user, "ada");
  EXPECT_EQ(all.value().host, "prod-server.com");
  EXPECT_EQ(all.value().port, 2222);
  EXPECT_EQ(parse_target("prod").value().host, "prod");
  EXPECT_EQ(parse_target("[::1]:22").value().host, "::1");
  EXPECT_EQ(parse_target("::1").value().host, "::1");
  for (const char* wrong : {"", "@x", "x:", "x:0", "x:99999", "x:2y", "-oProxyCommand=x", "a b",
                            "-u@x", "[::1", "[::1]x", "[::1]:", "x;y"}) {
    EXPECT_FALSE(parse_target(wrong).ok()) << wrong;
  }
}

RC_GTEST_PROP(QuotedLineProp, IsSplitIntoTheSameWords, ()) {
  auto words = *rc::gen::nonEmpty<std::vector<std::string>>();
  for (std::string& word : words) {
    for (char& c : word) c = static_cast<char>(0x20 + static_cast<unsigned char>(c) % 0x5f);
  }
  words.front() = "tail";
  const Result<std::vector<std::string>> split = split_words(quoted_line(words));
  RC_ASSERT(split.ok());
  RC_ASSERT(split.value() == words);
}

}  // namespace
}  // namespace plumbline::agents::command_line
