// Tens of thousands of messages of a kind: no oracle takes time with the square of what was said.

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/catalogue/requirement.h"
#include "conformance/oracles/oracle.h"

namespace plumbline::conformance {
namespace {

#ifdef PLUMBLINE_SANITIZED
constexpr int kMessages = 1'000;
#else
constexpr int kMessages = 5'000;
#endif

// Chat is a conversation in which the server talks too much.
class Chat {
 public:
  Chat(std::string_view revision, bool http) : revision_(revision), http_(http) {
    if (http) note(1, R"({"http":"POST /mcp","headers":{}})");
    if (is_stateless(revision)) return;
    says(Sender::kHarness, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{
        "protocolVersion":")" + revision_ +
                               R"(","capabilities":{"roots":{},"sampling":{}},
        "clientInfo":{"name":"c","version":"1"}}})");
    says(Sender::kSubject, R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":")" + revision_ +
                               R"(","capabilities":{"logging":{},"tools":{},"tasks":{}},
        "serverInfo":{"name":"s","version":"1"}}})");
    says(Sender::kHarness, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }

  // listens begins a stream that the client has asked for.
  void listens(std::uint32_t exchange) {
    if (!http_) return;
    note(exchange, R"({"http":"GET /mcp","headers":{}})");
    note(exchange, R"({"status":200,"headers":{"Content-Type":"text/event-stream"}})");
    exchange_ = exchange;
  }

  void says(Sender sender, const std::string& text, std::string event_id = {}) {
    LogEntry entry = entry_of(text, exchange_);
    entry.sender = sender;
    if (!event_id.empty() && http_) entry.event_id = std::move(event_id);
    log_.add(std::move(entry));
  }

  void judge() const {
    const Conversation all{log_, log_.entries(), revision_, Sender::kSubject, http_};
    const Transcript transcript(all, Side::kServer);
    for (const Oracle& oracle : all_oracles()) {
      if (oracle.role == "server") oracle.judge(transcript);
    }
  }

 private:
  LogEntry entry_of(const std::string& text, std::uint32_t exchange) const {
    LogEntry entry;
    entry.connection = 1;
    entry.exchange = http_ ? exchange : 0;
    entry.message = kept(parse_json(text).value());
    return entry;
  }
  void note(std::uint32_t exchange, const std::string& text) { log_.add(entry_of(text, exchange)); }

  std::string revision_;
  bool http_;
  Redactor redactor_;
  WireLog log_{redactor_, Instant{}};
  std::uint32_t exchange_ = 1;
};

std::string with_number(std::string text, int number) {
  for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos;) {
    text.replace(at, 1, std::to_string(number));
  }
  return text;
}

// Kind is a message of the server with a number in it, and what the client says before and after.
struct Kind {
  const char* name;
  const char* before;
  const char* said;
  const char* after;
};

constexpr Kind kKinds[] = {
    {"pings", "", R"({"jsonrpc":"2.0","id":"p#","method":"ping"})",
     R"({"jsonrpc":"2.0","id":"p#","result":{}})"},
    {"answers", R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a","_meta":{
        "progressToken":"t#"}}})",
     R"({"jsonrpc":"2.0","id":#,"result":{"content":[{"type":"text","text":"a"}]}})", ""},
    {"progress", R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a","_meta":{
        "progressToken":"t#"}}})",
     R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t#",
        "progress":1}})",
     ""},
    {"answers to nothing", "", R"({"jsonrpc":"2.0","id":"x#","error":{"code":1,"message":"m"}})",
     ""},
    {"logs", "", R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",
        "data":"#"}})",
     ""},
    {"cancellations", "", R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{
        "requestId":"p#"}})",
     ""},
    {"questions", "", R"({"jsonrpc":"2.0","id":"p#","method":"sampling/createMessage","params":{
        "messages":[],"maxTokens":1}})",
     R"({"jsonrpc":"2.0","id":"p#","result":{"role":"assistant","model":"m","content":{
        "type":"text","text":"a"}}})"},
    {"changes", "", R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{
        "uri":"a:#"}})",
     ""},
    {"cancelled calls", R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a"}})",
     R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})",
     R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":#}})"},
};

// cpu_seconds returns what judging `messages` of a kind takes.
double cpu_seconds(const Kind& kind, std::string_view revision, int messages) {
  Chat chat(revision, !is_stateless(revision));
  chat.listens(2);
  for (int i = 1; i <= messages; ++i) {
    if (*kind.before) chat.says(Sender::kHarness, with_number(kind.before, i));
    chat.says(Sender::kSubject, with_number(kind.said, i), "e" + std::to_string(i));
    if (*kind.after) chat.says(Sender::kHarness, with_number(kind.after, i));
  }
  const std::clock_t start = std::clock();
  chat.judge();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

class FloodTest : public testing::TestWithParam<std::tuple<Kind, std::string_view>> {};

TEST_P(FloodTest, IsJudgedInTimeInProportion) {
  const auto& [kind, revision] = GetParam();
  const double few = cpu_seconds(kind, revision, kMessages);
  const double many = cpu_seconds(kind, revision, 4 * kMessages);
  // Four times as long, or a little more; not sixteen times.
  EXPECT_LT(many, 9 * few + 1.0);  // A second, because so much lies in no cache.
}

INSTANTIATE_TEST_SUITE_P(All, FloodTest,
                         testing::Combine(testing::ValuesIn(kKinds),
                                          testing::Values(kNewestStateful, kNewestStateless)),
                         [](const auto& named) {
                           std::string name = std::get<0>(named.param).name;
                           std::ranges::replace(name, ' ', '_');
                           const bool old = std::get<1>(named.param) == kNewestStateful;
                           return name + (old ? "_over_http" : "_without_sessions");
                         });

}  // namespace
}  // namespace plumbline::conformance
