// A server whose tools nobody knows by name: what they do is found out by calling them, so that no
// rule needs a fixture of the official suite.

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {
namespace {

constexpr std::string_view kFixture = "test_";
constexpr std::string_view kOther = "vendor_";

// renamed returns `name` with its first part in place of the other.
std::string renamed(std::string name, std::string_view from, std::string_view to) {
  if (!name.starts_with(from)) return name;
  return std::string(to) + name.substr(from.size());
}

void list_other_names(Interceptor& interceptor, Json message) {
  if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
    for (Json& tool : (*result)["tools"]) {
      tool["name"] = renamed(tool["name"].get<std::string>(), kFixture, kOther);
      tool["annotations"]["readOnlyHint"] = true;
    }
  }
  interceptor.say(message);
}

void call_by_fixture(Interceptor& interceptor, std::string text) {
  Json message = edit::read(text);
  const auto name = find_string(message.is_object() ? message["params"] : Json(), "name");
  if (!name || !name->starts_with(kOther)) return interceptor.pass_text(std::move(text));
  message["params"]["name"] = renamed(*name, kOther, kFixture);
  interceptor.pass(message);
}

Deviation other_names(std::string_view revision) {
  Deviation deviation{};
  deviation.revision = revision;
  deviation.what = "has other names for its tools";
  deviation.from_server = list_other_names;
  deviation.from_client = call_by_fixture;
  return deviation;
}

std::map<std::string, CheckResult> verdicts(const Deviation& deviation) {
  DeviantWorld world(Transport::kStdio, &deviation);
  JudgeOptions options;
  options.revision = std::string(deviation.revision);
  std::map<std::string, CheckResult> rows;
  for (CheckResult& row : world.judge(std::move(options)).results) rows.emplace(row.id, row);
  return rows;
}

void expect_judged(std::string_view revision, std::initializer_list<const char*> ids) {
  const Deviation deviation = other_names(revision);
  const std::map<std::string, CheckResult> rows = verdicts(deviation);
  for (const char* const id : ids) {
    const auto row = rows.find(id);
    ASSERT_NE(row, rows.end()) << id;
    EXPECT_EQ(row->second.verdict, Verdict::kPass) << id << ": " << row->second.message;
  }
  for (const auto& [id, row] : rows) {
    EXPECT_NE(row.verdict, Verdict::kFail) << id << ": " << row.message;
  }
}

TEST(OtherNames, AreFoundOutInAStatefulRevision) {
  expect_judged("2025-11-25",
                {"jsonrpc.responses-any-order", "logging.level-respected", "progress.track-tokens",
                 "lifecycle.capability-failure-handled", "tools.list-changed-notification",
                 "prompts.list-changed-notification", "resources.updated-after-subscribe"});
}

TEST(OtherNames, AreFoundOutInAStatelessRevision) {
  expect_judged("2026-07-28",
                {"subscriptions.only-requested-types", "subscriptions.multiple-concurrent",
                 "subscriptions.resource-updated-delivered"});
}

// A server that ignores the level is caught whatever its tool is called.
TEST(OtherNames, HideNoFinding) {
  Deviation deviation = other_names("2025-11-25");
  deviation.from_client = [](Interceptor& interceptor, std::string text) {
    Json message = edit::read(text);
    if (message.is_object() && string_or(message, "method", "") == "logging/setLevel" &&
        string_or(message["params"], "level", "") == "emergency") {
      message["params"]["level"] = "debug";
      return interceptor.pass(message);
    }
    call_by_fixture(interceptor, std::move(text));
  };
  EXPECT_EQ(verdicts(deviation).at("logging.level-respected").verdict, Verdict::kWarn);
}

}  // namespace
}  // namespace plumbline::conformance
