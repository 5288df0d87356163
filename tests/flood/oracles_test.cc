// Thousands of messages of a kind: no oracle works with the square of what was said.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/catalogue/requirement.h"
#include "conformance/oracles/oracle.h"
#include "tests/flood/work_fixture.h"

namespace plumbline::conformance {
namespace {

// Chat is a conversation in which one side talks too much.
class Chat {
 public:
  Chat(std::string_view revision, bool http) : revision_(revision), http_(http) {
    open("POST /mcp");
    if (is_stateless(revision)) return;
    says(Sender::kHarness, R"({"jsonrpc":"2.0","id":"begin","method":"initialize","params":{
        "protocolVersion":")" + revision_ +
                               R"(","capabilities":{"roots":{},"sampling":{}},
        "clientInfo":{"name":"c","version":"1"}}})");
    says(Sender::kSubject, R"({"jsonrpc":"2.0","id":"begin","result":{"protocolVersion":")" +
                               revision_ +
                               R"(","capabilities":{"logging":{},"tools":{},"tasks":{}},
        "serverInfo":{"name":"s","version":"1"}}})");
    says(Sender::kHarness, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }

  // open begins an HTTP exchange that what follows belongs to.
  void open(const std::string& line) {
    if (!http_) return;
    ++exchange_;
    says(Sender::kNobody, R"({"http":")" + line + R"(","headers":{"a":"b"}})");
  }

  // answer begins the answer of the exchange, as a stream of events.
  void answer() {
    if (!http_) return;
    says(Sender::kNobody, R"({"status":200,"headers":{"Content-Type":"text/event-stream"}})");
  }

  // says takes in one message; what begins with "garbage" is no JSON, and nothing is nothing.
  void says(Sender sender, const std::string& text, std::string event_id = {}) {
    if (text.empty()) return;
    LogEntry entry;
    entry.at = at_;
    entry.connection = 1;
    entry.exchange = http_ ? exchange_ : 0;
    entry.garbage = text.starts_with("garbage");
    Json message = Json::object();
    if (entry.garbage) message["garbage"] = text.substr(text.find(' ') + 1);
    entry.message = kept(entry.garbage ? std::move(message) : parse_json(text).value());
    entry.sender = sender;
    if (!event_id.empty() && http_) entry.event_id = std::move(event_id);
    log_.add(std::move(entry));
  }

  // wait lets more time pass than messages may take to cross.
  void wait() { at_ = after(at_, std::chrono::seconds(1)); }

  // catch_up shows that the server has read everything.
  void catch_up(int number) {
    says(Sender::kHarness, numbered(R"({"jsonrpc":"2.0","id":"fence-#","method":"ping"})", number));
    says(Sender::kSubject, numbered(R"({"jsonrpc":"2.0","id":"fence-#","result":{}})", number));
    wait();
  }

  // judge adds the steps of every oracle of both sides.
  void judge(std::size_t size, Work& work) const {
    for (const Side side : {Side::kServer, Side::kClient}) {
      const bool server = side == Side::kServer;
      const std::string role = server ? "server" : "client";
      const Sender judged = server ? Sender::kSubject : Sender::kHarness;
      const Conversation all{log_, log_.entries(), revision_, judged, http_};
      std::int64_t before = steps_taken();
      const Transcript transcript(all, side);
      work["the transcript of a " + role][size] = steps_taken() - before;
      for (const Oracle& oracle : all_oracles()) {
        if (oracle.role != role) continue;
        before = steps_taken();
        oracle.judge(transcript);
        work[std::string(oracle.id) + " of a " + role][size] += steps_taken() - before;
      }
    }
  }

 private:
  std::string revision_;
  bool http_;
  Redactor redactor_;
  WireLog log_{redactor_, Instant{}};
  std::uint32_t exchange_ = 0;
  Instant at_;
};

// Kind is a message of the server with a number in it, and what the client says before and after.
struct Kind {
  const char* name;
  const char* before;
  const char* said;
  const char* after;
  const char* first = "";  // Of the client, once.
};

constexpr const char* kCall = R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a",
    "_meta":{"progressToken":"t#"}}})";
constexpr const char* kCancel =
    R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":#}})";
constexpr const char* kLog =
    R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"#"}})";
constexpr const char* kProgressOfOne = R"({"jsonrpc":"2.0","method":"notifications/progress",
    "params":{"progressToken":"one","progress":#}})";
constexpr const char* kAnswer =
    R"({"jsonrpc":"2.0","id":#,"result":{"content":[{"type":"text","text":"a"}]}})";
constexpr const char* kPing = R"({"jsonrpc":"2.0","id":"p#","method":"ping"})";
constexpr const char* kError = R"({"jsonrpc":"2.0","id":#,"error":{"code":-32603,"message":"m"}})";

constexpr Kind kKinds[] = {
    {"pings", "", kPing, R"({"jsonrpc":"2.0","id":"p#","result":{}})"},
    {"answers", kCall, kAnswer, ""},
    {"errors", kCall, kError, kPing},
    {"progress", kCall, R"({"jsonrpc":"2.0","method":"notifications/progress","params":{
        "progressToken":"t#","progress":1}})",
     ""},
    {"progress of one call", "", kProgressOfOne, "",
     R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"a","_meta":{
        "progressToken":"one"}}})"},
    {"progress of nothing", "", R"({"jsonrpc":"2.0","method":"notifications/progress","params":{
        "progressToken":"x#","progress":1}})",
     ""},
    {"answers to nothing", "", R"({"jsonrpc":"2.0","id":"x#","error":{"code":1,"message":"m"}})",
     ""},
    {"answers to one call", "", R"({"jsonrpc":"2.0","id":"c","result":{}})", "",
     R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"a"}})"},
    {"ids that come again",
     R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{
        "progressToken":"one"}}})",
     R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})",
     R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"},
    {"logs", "", kLog, ""},
    {"logs wanted by many calls",
     R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a","_meta":{
        "io.modelcontextprotocol/logLevel":"warning"}}})",
     kLog, ""},
    {"logs wanted by answered calls",
     R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a","_meta":{
        "io.modelcontextprotocol/logLevel":"warning"}}})",
     kAnswer, kLog},
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
    {"cancelled calls", kCall, kLog, kCancel},
    {"cancelled calls of one token",
     R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a","_meta":{
        "progressToken":"one"}}})",
     kProgressOfOne, kCancel},
    {"cancelled calls that fail", kCall, kError, kCancel,
     R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"b"}})"},
    {"cancelled calls that are answered", kCall, kAnswer, kCancel},
    {"cancelled subscriptions",
     R"({"jsonrpc":"2.0","id":#,"method":"subscriptions/listen","params":{"notifications":{}}})",
     R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{
        "io.modelcontextprotocol/subscriptionId":#},"notifications":{}}})",
     kCancel},
    {"cancellations of one call", kPing, kProgressOfOne,
     R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}})",
     R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"a","_meta":{
        "progressToken":"one"}}})"},
    {"cancelled lists", R"({"jsonrpc":"2.0","id":#,"method":"tools/list"})",
     R"({"jsonrpc":"2.0","id":#,"result":{"tools":[{"name":"b#"},{"name":"c"}]}})", kCancel},
    {"lists that are used", R"({"jsonrpc":"2.0","id":#,"method":"tools/list"})",
     R"({"jsonrpc":"2.0","id":#,"result":{"tools":[{"name":"a"},{"name":"b"}]}})",
     R"({"jsonrpc":"2.0","id":"u#","method":"tools/call","params":{"name":"a"}})"},
    {"tasks", R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a","task":{},
        "_meta":{"progressToken":"t#"}}})",
     R"({"jsonrpc":"2.0","id":#,"result":{"task":{"taskId":"k#","status":"working"}}})",
     R"({"jsonrpc":"2.0","id":"g#","method":"tasks/get","params":{"taskId":"k#"}})"},
    {"ends of tasks", kCall, R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":{
        "taskId":"k#","status":"completed"}})",
     ""},
    {"arrays", R"([{"jsonrpc":"2.0","id":#,"method":"ping"}])",
     R"([{"jsonrpc":"2.0","id":#,"result":{}}])", ""},
    {"garbage", "", "garbage {\"a\":", ""},
    {"lines that are no JSON", "", "garbage {\"a\":1}{\"b\":#", "garbage x"},
    {"openings", R"({"jsonrpc":"2.0","id":#,"method":"initialize","params":{
        "protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{
        "name":"c","version":"1"}}})",
     R"({"jsonrpc":"2.0","id":#,"result":{"protocolVersion":"2025-11-25","capabilities":{},
        "serverInfo":{"name":"s","version":"1"}}})",
     R"({"jsonrpc":"2.0","method":"notifications/initialized"})"},
};

// Order says how what both say comes: a number after the other, or all numbers of a phase at once.
enum class Order { kInTurn, kSaidBeforeAfter, kSaidLast };

// Way is how a conversation is held.
struct Way {
  const char* name;
  bool http;
  bool apart;  // Each number in an exchange of its own.
};

constexpr Way kWays[] = {
    {"stdio", false, false}, {"one stream", true, false}, {"HTTP", true, true}};

// Talk holds one conversation of a kind.
class Talk {
 public:
  Talk(const Kind& kind, std::string_view revision, const Way& way)
      : kind_(kind), way_(way), chat_(revision, way.http) {
    chat_.says(Sender::kHarness, kind.first);
    if (way.apart) return;
    chat_.open("GET /mcp");
    chat_.answer();
  }

  const Chat& hold(Order order, int messages) {
    if (order == Order::kInTurn) {
      for (int i = 1; i <= messages; ++i) {
        before(i);
        chat_.wait();
        said(i);
        after(i);
      }
    } else {
      all(messages, &Talk::before);
      all(messages, order == Order::kSaidLast ? &Talk::after : &Talk::said);
      all(messages, order == Order::kSaidLast ? &Talk::said : &Talk::after);
    }
    return chat_;
  }

 private:
  void all(int messages, void (Talk::*phase)(int)) {
    for (int i = 1; i <= messages; ++i) (this->*phase)(i);
    chat_.wait();
    chat_.catch_up(++phases_);
  }

  void before(int number) {
    if (way_.apart) chat_.open("POST /mcp");
    chat_.says(Sender::kHarness, numbered(kind_.before, number));
    if (way_.apart) chat_.answer();
  }
  void said(int number) {
    chat_.says(Sender::kSubject, numbered(kind_.said, number), "e" + std::to_string(number));
  }
  void after(int number) {
    const bool of_server = std::string_view(kind_.after) == kLog;
    chat_.says(of_server ? Sender::kSubject : Sender::kHarness, numbered(kind_.after, number));
  }

  const Kind& kind_;
  const Way& way_;
  Chat chat_;
  int phases_ = 0;
};

// WarmTest counts nothing of what is made once a process: schemas, tables.
class WarmTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (const std::string_view revision : {kNewestStateful, kNewestStateless}) {
      Chat chat(revision, false);
      chat.says(Sender::kHarness, R"({"jsonrpc":"2.0","id":"c","method":"tools/list"})");
      chat.says(Sender::kSubject, R"({"jsonrpc":"2.0","id":"c","result":{"tools":[{"name":"a",
          "inputSchema":{"type":"object"}}]}})");
      Work work;
      chat.judge(0, work);
    }
  }
};

class FloodTest : public WarmTest,
                  public testing::WithParamInterface<std::tuple<Kind, std::string_view, Way>> {};

TEST_P(FloodTest, IsJudgedInProportion) {
  const auto& [kind, revision, way] = GetParam();
  for (const Order order : {Order::kInTurn, Order::kSaidBeforeAfter, Order::kSaidLast}) {
    Work work;
    for (std::size_t size = 0; size < kSizes.size(); ++size) {
      Talk talk(kind, revision, way);
      talk.hold(order, kSizes[size]).judge(size, work);
    }
    const char* const how = order == Order::kInTurn     ? ", in turn"
                            : order == Order::kSaidLast ? ", the server last"
                                                        : ", the client last";
    expect_in_proportion(
        std::string(kind.name) + ", " + std::string(revision) + ", " + way.name + how, work);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FloodTest,
                         testing::Combine(testing::ValuesIn(kKinds),
                                          testing::Values(kNewestStateful, kNewestStateless),
                                          testing::ValuesIn(kWays)),
                         [](const auto& named) {
                           const bool old = std::get<1>(named.param) == kNewestStateful;
                           std::string name = std::get<0>(named.param).name;
                           name += old ? " in sessions" : " without sessions";
                           name += std::string(" over ") + std::get<2>(named.param).name;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

// Whole is one message with many parts.
struct Whole {
  const char* name;
  const char* begin;
  const char* part;
  const char* end;
};

constexpr Whole kWholes[] = {
    {"a list of tools", R"({"jsonrpc":"2.0","id":"c","result":{"tools":[)",
     R"({"name":"t#","inputSchema":{"type":"object"}},)", R"({"name":"z"}]}})"},
    {"contents", R"({"jsonrpc":"2.0","id":"c","result":{"content":[)",
     R"({"type":"text","text":"#"},)", R"({"type":"text","text":""}]}})"},
    {"keys of _meta", R"({"jsonrpc":"2.0","id":"c","result":{"tools":[],"_meta":{)",
     R"("a.b/c#":#,)", R"("d":1}}})"},
    {"labels", R"({"jsonrpc":"2.0","id":"c","result":{"tools":[],"_meta":{")", "a.",
     R"(b/c":1}}})"},
    {"arrays of messages", "[", R"({"jsonrpc":"2.0","id":"x#","method":"ping"},)",
     R"({"jsonrpc":"2.0","id":"c","result":{}}])"},
    {"questions at once", R"({"jsonrpc":"2.0","id":"c","result":{"resultType":"input_required",
        "inputRequests":{)",
     R"("q#":{"method":"elicitation/create","params":{"requestedSchema":{"type":"object"}}},)",
     R"("z":{"method":"roots/list"}}}})"},
    {"a long message of an error", R"({"jsonrpc":"2.0","id":"c","error":{"code":1,"message":")",
     "word # ", R"(end"}})"},
};

class WholeFloodTest : public WarmTest, public testing::WithParamInterface<Whole> {};

TEST_P(WholeFloodTest, IsJudgedInProportion) {
  const Whole& whole = GetParam();
  for (const std::string_view revision : {kNewestStateful, kNewestStateless}) {
    Work work;
    for (std::size_t size = 0; size < kSizes.size(); ++size) {
      Chat chat(revision, true);
      chat.says(Sender::kHarness, R"({"jsonrpc":"2.0","id":"c","method":"tools/list"})");
      chat.answer();
      std::string text = whole.begin;
      for (int i = 1; i <= kSizes[size]; ++i) text += numbered(whole.part, i);
      chat.says(Sender::kSubject, text + whole.end, "e1");
      chat.judge(size, work);
    }
    expect_in_proportion(std::string(whole.name) + ", " + std::string(revision), work);
  }
}

INSTANTIATE_TEST_SUITE_P(All, WholeFloodTest, testing::ValuesIn(kWholes), [](const auto& named) {
  std::string name = named.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

}  // namespace
}  // namespace plumbline::conformance
