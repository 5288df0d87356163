// Thousands of messages of a client: no rule works with the square of what was said.

#include <algorithm>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/client/scenarios.h"
#include "conformance/wire/header_names.h"
#include "tests/flood/work_fixture.h"

namespace plumbline::conformance {
namespace {

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
    {"openings and calls",
     R"({"jsonrpc":"2.0","id":#,"method":"initialize","params":{"protocolVersion":"2025-11-25",
        "capabilities":{},"clientInfo":{"name":"c","version":"1"}}})",
     R"({"jsonrpc":"2.0","id":"c#","method":"tools/call","params":{"name":"a"}})"},
    {"calls with one token",
     R"({"jsonrpc":"2.0","id":#,"method":"tools/call","params":{"name":"a","_meta":{
        "progressToken":"one"}}})"},
    {"discoveries", R"({"jsonrpc":"2.0","id":#,"method":"server/discover"})"},
};

// Client is a program that says a lot.
class ClientRun {
 public:
  explicit ClientRun(bool http) {
    record_.revision = std::string(kNewestStateful);
    record_.over_http = http;
    log_.add({});  // No message has the first place.
    record_.streams.emplace_back();
    say(numbered(kClientKinds[1].said, 0));
  }

  // say takes in one message. Over HTTP it comes in a request of its own, and an initialize begins
  // a session that the next ones name.
  void say(const std::string& text) {
    LogEntry entry;
    entry.connection = 1;
    entry.sender = Sender::kSubject;
    entry.message = kept(parse_json(text).value());
    Heard heard;
    heard.connection = record_.over_http ? 0 : 1;
    heard.message = *entry.message;
    heard.place = log_.add(std::move(entry));
    const bool opens = heard.method() == "initialize";
    if (opens) heard.answered = heard.at;
    if (record_.over_http) heard.exchange = post(text, opens, heard.place);
    record_.heard.push_back(std::move(heard));
  }

  // judge adds the steps of every rule.
  void judge(std::size_t size, Work& work) const {
    for (const ClientRule& rule : all_client_rules()) {
      const std::int64_t before = steps_taken();
      rule.judge(record_);
      work[std::string(rule.id)][size] += steps_taken() - before;
    }
  }

 private:
  std::size_t post(const std::string& text, bool opens, std::size_t place) {
    HttpHeard request;
    request.request.method = "POST";
    request.request.target = "/mcp";
    request.request.body = text;
    request.request.headers.set("Accept", "application/json, text/event-stream");
    request.request.headers.set("Content-Type", "application/json");
    request.posted = posted_in(text);
    request.status = 200;
    request.ended = request.at;
    request.place = place;
    if (opens) {
      request.session = "session-" + std::to_string(record_.http.size());
      record_.session_id = request.session;
    } else {
      request.request.headers.set(kVersionHeader, record_.revision);
      request.request.headers.set(kSessionHeader, record_.session_id);
    }
    record_.http.push_back(std::move(request));
    return record_.http.size() - 1;
  }

  Redactor redactor_;
  WireLog log_{redactor_, Instant{}};
  Record record_{log_};
};

class ClientFloodTest : public testing::TestWithParam<ClientKind> {};

TEST_P(ClientFloodTest, IsJudgedInProportion) {
  const ClientKind& kind = GetParam();
  for (const bool http : {false, true}) {
    Work work;
    for (std::size_t size = 0; size < kSizes.size(); ++size) {
      ClientRun client(http);
      for (int i = 1; i <= kSizes[size]; ++i) {
        client.say(numbered(kind.said, i));
        if (*kind.then) client.say(numbered(kind.then, i));
      }
      client.judge(size, work);
    }
    expect_in_proportion(std::string(kind.name) + " of a client" + (http ? " over HTTP" : ""),
                         work);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ClientFloodTest, testing::ValuesIn(kClientKinds),
                         [](const auto& named) {
                           std::string name = named.param.name;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

}  // namespace
}  // namespace plumbline::conformance
