// Tens of thousands of messages of a client: no rule takes time with the square of what was said.

#include <algorithm>
#include <ctime>
#include <string>

#include <gtest/gtest.h>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/client/scenarios.h"

namespace plumbline::conformance {
namespace {

#ifdef PLUMBLINE_SANITIZED
constexpr int kFewHeard = 1'000;
#else
constexpr int kFewHeard = 5'000;
#endif

struct ClientKind {
  const char* name;
  const char* said;  // With # for a number.
  const char* then = "";
};

constexpr ClientKind kClientKinds[] = {
    {"pings", R"({"jsonrpc":"2.0","id":"p#","method":"ping"})"},
    {"openings",
     R"({"jsonrpc":"2.0","id":#,"method":"initialize","params":{"protocolVersion":"2025-11-25",
        "capabilities":{"extensions":{"a.b/c":{}}},"clientInfo":{"name":"c","version":"1"}}})"},
    {"calls", R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a","_meta":{
        "progressToken":"t#"}}})"},
    {"cancelled calls",
     R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a","_meta":{
        "progressToken":"t#"}}})",
     R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":#}})"},
    {"answers", R"({"jsonrpc":"2.0","id":"x#","result":{}})"},
};

std::string numbered(std::string text, int number) {
  for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos;) {
    text.replace(at, 1, std::to_string(number));
  }
  return text;
}

void say(WireLog& log, Record& record, const std::string& text) {
  LogEntry entry;
  entry.connection = 1;
  entry.sender = Sender::kSubject;
  entry.message = kept(parse_json(text).value());
  Heard heard;
  heard.connection = 1;
  heard.message = *entry.message;
  heard.place = log.add(std::move(entry));
  const bool opens = heard.method() == "initialize";
  if (opens) heard.answered = heard.at;
  record.heard.push_back(std::move(heard));
}

// cpu_seconds returns what judging `messages` of a kind by every rule takes.
double cpu_seconds(const ClientKind& kind, int messages) {
  const Redactor redactor;
  WireLog log(redactor, Instant{});
  Record record(log);
  record.revision = std::string(kNewestStateful);
  log.add({});  // No message has the first place.
  record.streams.emplace_back();
  say(log, record, numbered(kClientKinds[1].said, 0));
  for (int i = 1; i <= messages; ++i) {
    say(log, record, numbered(kind.said, i));
    if (*kind.then) say(log, record, numbered(kind.then, i));
  }
  const std::clock_t start = std::clock();
  for (const ClientRule& rule : all_client_rules()) rule.judge(record);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

class ClientFloodTest : public testing::TestWithParam<ClientKind> {};

TEST_P(ClientFloodTest, IsJudgedInTimeInProportion) {
  const double few = cpu_seconds(GetParam(), kFewHeard);
  const double many = cpu_seconds(GetParam(), 4 * kFewHeard);
  // Four times as long, or a little more; not sixteen times.
  EXPECT_LT(many, 9 * few + 1.0);  // A second, because so much lies in no cache.
}

INSTANTIATE_TEST_SUITE_P(All, ClientFloodTest, testing::ValuesIn(kClientKinds),
                         [](const auto& named) {
                           std::string name = named.param.name;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

}  // namespace
}  // namespace plumbline::conformance
