// An approval lets one call run once: here with files in memory and nonces in order, below with the
// program.

#include "cli/approvals.h"

#include <chrono>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "fakes/world/sim_file_store.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

Json review_of(const std::string& to) {
  Json review = Json::object();
  review["server"] = "email";
  review["type"] = "tool";
  review["name"] = "send_email";
  review["arguments"]["to"] = to;
  return review;
}

class ApprovalsTest : public testing::Test {
 protected:
  Approver approver(std::vector<std::string> given, std::string request = "mail finance",
                    Result<std::string> folder = std::string("/state")) {
    return Approver(std::move(given), std::move(request), std::move(folder), files_, now_,
                    [this] { return "abc" + std::to_string(++nonces_); });
  }

  // offer returns the id that a request without one is offered.
  std::string offer(const std::string& request = "mail finance") {
    Approver asked = approver({}, request);
    EXPECT_FALSE(asked.decide(review_of("finance")));
    Json output = waiting();
    asked.tell(output);
    return output["approval_id"];
  }

  static Json waiting() {
    Json output = Json::object();
    output["approval_id"] = "call-1";
    output["response"] = "It waits.";
    output["errors"] = Json::array();
    return output;
  }

  bool full_ = false;
  Duration now_ = std::chrono::hours(24 * 365);
  fakes::SimFileStore files_{[this](std::string_view, const std::string&) {
    return fakes::StoreTrouble{full_ ? fakes::StoreFault::kFail : fakes::StoreFault::kNone};
  }};
  int nonces_ = 0;
};

TEST_F(ApprovalsTest, AnIdLetsItsCallRunOnceAndIsKeptFirst) {
  const std::string id = offer();
  EXPECT_TRUE(files_.files().empty()) << "asking keeps nothing";
  Approver first = approver({id});
  EXPECT_TRUE(first.decide(review_of("finance")));
  EXPECT_EQ(files_.files().size(), 1U);
  EXPECT_EQ(files_.read_file("/state/" + id).value(), "email/send_email\n");
  Approver second = approver({id});
  EXPECT_FALSE(second.decide(review_of("finance")));
  Json output = waiting();
  second.tell(output);
  EXPECT_EQ(output["response"],
            "Approval " + id + " was used before; it lets the call run once. It waits.");
  EXPECT_EQ(output["errors"].size(), 1U);
  EXPECT_NE(output["approval_id"], id);
  EXPECT_TRUE(approver({output["approval_id"]}).decide(review_of("finance")));
}

TEST_F(ApprovalsTest, AnIdIsForItsRequestItsServerItsToolAndItsArguments) {
  const std::string id = offer();
  EXPECT_FALSE(approver({id}, "mail finance again").decide(review_of("finance")));
  EXPECT_FALSE(approver({id}).decide(review_of("sales")));
  for (const char* const part : {"server", "type", "name", "arguments", "digest"}) {
    Json other = review_of("finance");
    other[part] = "another";
    EXPECT_FALSE(approver({id}).decide(other)) << part;
  }
  EXPECT_TRUE(files_.files().empty()) << "an id of another call is not used up";
  EXPECT_TRUE(approver({id}).decide(review_of("finance")));
}

TEST_F(ApprovalsTest, AnIdHoldsForADay) {
  const std::string id = offer();
  now_ += std::chrono::hours(25);
  Approver late = approver({id});
  EXPECT_FALSE(late.decide(review_of("finance")));
  EXPECT_TRUE(files_.files().empty());
  Json output = waiting();
  late.tell(output);
  EXPECT_NE(string_or(output, "response", "").find("has expired"), std::string::npos);
  now_ -= std::chrono::hours(2);
  EXPECT_TRUE(approver({id}).decide(review_of("finance")));
}

TEST_F(ApprovalsTest, EachRequestIsOfferedAnIdOfItsOwn) {
  std::set<std::string> ids;
  for (int i = 0; i < 10; ++i) ids.insert(offer());
  EXPECT_EQ(ids.size(), 10U);
}

TEST_F(ApprovalsTest, WhatIsNoIdApprovesNothing) {
  const std::string id = offer();
  const std::string wrong[] = {"",
                               "call-",
                               "call-abc1",
                               id + "0",
                               id.substr(0, id.size() - 1),
                               "../" + id,
                               "finance",
                               approval_id("../x", "mail finance", review_of("finance")),
                               approval_id("ABC", "mail finance", review_of("finance"))};
  for (const std::string& one : wrong) {
    Approver asked = approver({one});
    EXPECT_FALSE(asked.decide(review_of("finance"))) << one;
    EXPECT_FALSE(asked.failure()) << one;
  }
  EXPECT_TRUE(files_.files().empty());
}

TEST_F(ApprovalsTest, AllIsForThisRunAndKeepsNothing) {
  EXPECT_TRUE(approver({"all"}).decide(review_of("finance")));
  EXPECT_TRUE(approver({"all"}).decide(review_of("finance")));
  EXPECT_TRUE(files_.files().empty());
}

TEST_F(ApprovalsTest, AUseThatCannotBeKeptApprovesNothing) {
  const std::string id = offer();
  full_ = true;
  Approver full = approver({id});
  EXPECT_FALSE(full.decide(review_of("finance")));
  ASSERT_TRUE(full.failure());
  EXPECT_EQ(full.failure()->message, "the use of an approval cannot be kept: cannot write /state/" +
                                         id + ": Input/output error");
  Approver homeless = approver({id}, "mail finance", approvals_folder(std::nullopt, "here"));
  EXPECT_FALSE(homeless.decide(review_of("finance")));
  EXPECT_TRUE(homeless.failure());
}

TEST_F(ApprovalsTest, UsesAreKeptInTheStateFolderOfTheUser) {
  EXPECT_EQ(approvals_folder("/s", "/h").value(), "/s/plumbline/approvals");
  EXPECT_EQ(approvals_folder("relative", "/h").value(), "/h/.local/state/plumbline/approvals");
  EXPECT_EQ(approvals_folder(std::nullopt, "/h").value(), "/h/.local/state/plumbline/approvals");
  EXPECT_FALSE(approvals_folder(std::nullopt, std::nullopt).ok());
}

// The program ---------------------------------------------------------------------------------

constexpr const char* kMailServer = R"({"tools":[{"name":"send_email",
  "description":"Send an email to a recipient",
  "inputSchema":{"type":"object","properties":{"to":{"type":"string"},"subject":{"type":"string"}},
                 "required":["to","subject"]},
  "effect":{"key":"{{to}}"},"does":[{"reply":{"content":[{"type":"text","text":"sent"}]}}]}]})";

class ApproveTest : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    config_ = scripted("email", kMailServer);
  }

  Outcome ask(const std::string& request, std::vector<std::string> more) {
    std::vector<std::string> words = {"ask", request, "--config", config_, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(std::move(words));
  }

  // asked_id asks and returns the id that would let the call run.
  std::string asked_id() {
    const Result<Json> answer = parse_json(ask(request_, {}).out);
    return answer.ok() ? string_or(answer.value(), "approval_id", "") : "";
  }

  // approving asks with `id` and returns the answer.
  Json approving(const std::string& request, const std::string& id) {
    const Outcome outcome = ask(request, {"--approve", id});
    Result<Json> answer = parse_json(outcome.out);
    EXPECT_TRUE(answer.ok()) << outcome.out;
    if (answer.ok()) {
      const bool done = string_or(answer.value(), "status", "") == "ok";
      EXPECT_EQ(outcome.code, done ? 0 : 4) << outcome.err;
    }
    return answer.ok() ? answer.value() : Json::object();
  }

  std::string config_;
  const std::string request_ = "Email the report to finance";
};

TEST_F(ApproveTest, AnIdThatIsGivenTwiceSendsOnce) {
  const std::string id = asked_id();
  EXPECT_FALSE(fs::exists(folder_ / "state"));
  EXPECT_EQ(string_or(approving(request_, id), "status", ""), "ok");
  EXPECT_EQ(effects(), 1U);
  const fs::path used = folder_ / "state/plumbline/approvals" / id;
  EXPECT_EQ(fs::status(used).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(used.parent_path()).permissions(), fs::perms::owner_all);

  const Json again = approving(request_, id);
  EXPECT_EQ(string_or(again, "status", ""), "needs_review");
  EXPECT_EQ(effects(), 0U);
  EXPECT_NE(string_or(again, "response", "").find(id + " was used before"), std::string::npos);
  EXPECT_EQ(string_or(approving(request_, string_or(again, "approval_id", "")), "status", ""),
            "ok");
}

TEST_F(ApproveTest, AnIdOfAnotherRequestSendsNothing) {
  const std::string id = asked_id();
  const Json other = approving("Please email the report to finance", id);
  EXPECT_EQ(string_or(other, "status", ""), "needs_review");
  EXPECT_EQ(effects(), 0U);
  EXPECT_NE(string_or(other, "response", "").find("is not for this request"), std::string::npos)
      << dump_json(other);
  EXPECT_EQ(string_or(approving(request_, id), "status", ""), "ok") << "it was not used up";
}

// The name of a server says nothing: its words, its folder and its variables do.
TEST_F(ApproveTest, AnIdIsForTheServerThatStandsBehindItsName) {
  const std::string id = asked_id();
  const Json test = parse_json(read(config_)).value();
  fs::create_directory(folder_ / "other");
  fs::copy_file(folder_ / "server.json", folder_ / "other/server.json");
  for (const char* const change : {R"({"env": {"DATABASE": "production"}})", R"({"cwd": "other"})",
                                   R"({"command": "/usr/bin/env"})"}) {
    Json other = test;
    Json& server = other["mcpServers"]["email"];
    const Json members = parse_json(change).value();
    if (members.contains("command")) {
      server["args"].insert(server["args"].begin(), server["command"]);
    }
    server.update(members);
    write(config_, dump_json(other));
    const Json answer = approving(request_, id);
    EXPECT_EQ(string_or(answer, "status", ""), "needs_review") << change;
    EXPECT_EQ(effects(), 0U) << change;
  }
  write(config_, dump_json(test));
  EXPECT_EQ(string_or(approving(request_, id), "status", ""), "ok");
}

TEST_F(ApproveTest, OfTwoProcessesAtOnceOneSends) {
  for (int round = 0; round < 3; ++round) {
    const std::string id = asked_id();
    const std::string line =
        "\"$1\" ask '" + request_ + "' --config config.json --json --approve " + id;
    const Outcome both = shell(line + " >a.json & " + line + " >b.json & wait");
    EXPECT_EQ(both.code, 0) << both.err;
    const Result<Json> a = parse_json(read("a.json"));
    const Result<Json> b = parse_json(read("b.json"));
    ASSERT_TRUE(a.ok() && b.ok());
    const std::set<std::string> seen = {string_or(a.value(), "outcome", ""),
                                        string_or(b.value(), "outcome", "")};
    EXPECT_EQ(seen, (std::set<std::string>{"done", "not_done"}))
        << read("a.json") << read("b.json");
  }
}

TEST_F(ApproveTest, WhereItsUseCannotBeKeptNothingIsSent) {
  const std::string id = asked_id();
  write("state", "no folder\n");
  const Outcome outcome = ask(request_, {"--approve", id});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("the use of an approval cannot be kept"), std::string::npos);
  EXPECT_EQ(effects(), 0U);
}

}  // namespace
}  // namespace plumbline::cli
