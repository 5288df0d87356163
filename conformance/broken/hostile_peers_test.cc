// Peers that mean harm: nothing they say ends the judge, grows it without end, or gets what the
// user gave for somebody else.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/client/scenarios.h"
#include "conformance/peer/client/run.h"

namespace plumbline::conformance {
namespace {

Judgement judged_in(DeviantWorld& world, std::string_view revision) {
  JudgeOptions options;
  options.revision = std::string(revision);
  return world.judge(std::move(options));
}

const CheckResult* row_of(const Judgement& judgement, std::string_view id) {
  const auto found = std::ranges::find(judgement.results, id, &CheckResult::id);
  return found == judgement.results.end() ? nullptr : &*found;
}

// heard_in returns whether `text` stands in a message that one side has sent.
bool heard_in(const WireLog& log, Sender sender, std::string_view text) {
  return std::ranges::any_of(log.entries(), [&](const LogEntry& entry) {
    return entry.sender == sender && dump_json(*entry.message).find(text) != std::string::npos;
  });
}

const Deviation kLineBreak = {
    .id = "a line break in the version",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "a line break in the version",
    .from_server =
        [](Interceptor& interceptor, Json message) {
          Json* const result = message.contains("result") ? &message["result"] : nullptr;
          if (result != nullptr && result->contains("protocolVersion")) {
            (*result)["protocolVersion"] = std::string(kNewestStateful) + "\n";
          }
          interceptor.say(message);
        },
};

TEST(HostileServer, NamesAVersionThatNoHeaderCanCarry) {
  DeviantWorld world(Transport::kHttp, &kLineBreak);
  const Judgement judgement = judged_in(world, kNewestStateful);
  const CheckResult* const row = row_of(judgement, "versioning.server-echoes-supported");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->verdict, Verdict::kFail);
  EXPECT_NE(row->message.find("which no header can carry"), std::string::npos) << row->message;
}

TEST(HostileServer, NamesNoRevisionAtAll) {
  DeviantWorld world(Transport::kHttp, &kLineBreak);
  const Judgement judgement = judged_in(world, "auto");
  EXPECT_TRUE(row_of(judgement, "versioning.server-echoes-supported") == nullptr);
}

bool odd_id_came_back = false;

const Deviation kOddSession = {
    .id = "an odd session id",
    .revision = kNewestStateful,
    .transport = Transport::kHttp,
    .what = "an odd session id",
    .response =
        [](const wire::HttpRequest& request, int&, wire::HttpHeaders& headers) {
          odd_id_came_back = odd_id_came_back || request.headers.count("Mcp-Session-Id") > 0;
          if (headers.count("Mcp-Session-Id")) headers.set("Mcp-Session-Id", "an \x80id");
        },
};

TEST(HostileServer, GivesASessionIdThatIsNotSentBack) {
  DeviantWorld world(Transport::kHttp, &kOddSession);
  const Judgement judgement = judged_in(world, kNewestStateful);
  const CheckResult* const row = row_of(judgement, "http.session-id-visible-ascii");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->verdict, Verdict::kFail);
  EXPECT_FALSE(odd_id_came_back);
}

const Deviation kAstray = {
    .id = "an endpoint elsewhere",
    .revision = "2024-11-05",
    .transport = Transport::kSse,
    .what = "an endpoint elsewhere",
    .credentials = {{"Authorization", "Bearer of-the-user"}},
    .event =
        [](const wire::HttpRequest&, wire::SseEvent& event) {
          if (event.event == "endpoint") event.data = "http://evil.example/steal";
          return true;
        },
};

TEST(HostileServer, NamesAnEndpointAtAnotherOriginAndGetsNothingThere) {
  for (const char* const revision : {"2024-11-05", "auto"}) {
    DeviantWorld world(Transport::kSse, &kAstray);
    const Judgement judgement = judged_in(world, revision);
    EXPECT_EQ(judgement.unreachable.message, "");
    const CheckResult* const row = row_of(judgement, "sse-legacy.endpoint-event");
    ASSERT_NE(row, nullptr) << revision;
    EXPECT_EQ(row->verdict, Verdict::kFail);
    EXPECT_NE(row->message.find("http://evil.example,"), std::string::npos) << row->message;
    for (const fakes::SimNetwork::Dial& dial : world.dials()) {
      EXPECT_NE(dial.to.host, "evil.example");
    }
  }
}

// LoudWire is a connection to a subject that says what the test wants.
class LoudWire final : public Wire {
 public:
  using Wire::Wire;
  std::size_t send(std::string, wire::HttpHeaders, std::uint32_t) override { return 0; }
  Task<void> close() override { co_return; }
  void say(std::string_view text) { arrived(text, Frame{}, 0); }
  void tell(std::string id) { note(Json::object(), 1, 0, std::move(id)); }
};

class LoudSubject : public testing::Test {
 protected:
  fakes::SimLoop loop_;
  Redactor redactor_;
};

TEST_F(LoudSubject, FillsNoMoreThanTheLogHoldsByEvents) {
  constexpr std::size_t kBytes = 100'000;
  const WireLog whole(redactor_, loop_.now(), {.bytes = kBytes});
  WireLog log = whole.fresh();
  LoudWire one(loop_, log);
  for (int i = 0; i < 10'000; ++i) one.tell("1");
  EXPECT_TRUE(one.inbox().closed);
  EXPECT_NE(one.inbox().why_closed.find("more than the log"), std::string::npos);
  EXPECT_LT(log.entries().size(), kBytes / 64);
  WireLog other = whole.fresh();  // What may be kept is for all of the run.
  LoudWire two(loop_, other);
  two.say("{}");
  EXPECT_TRUE(two.inbox().closed);
  EXPECT_EQ(other.entries().size(), 1U);  // That says why.
}

TEST_F(LoudSubject, IsHeardOnlySoLongOnOneConnection) {
  WireLog log(redactor_, loop_.now());
  LoudWire wire(loop_, log);
  const std::string large = "[\"" + std::string(1'000'000, 'x') + "\"]";
  int said = 0;
  while (!wire.inbox().closed && said < 1'000) {
    wire.say(large);
    ++said;
  }
  EXPECT_NE(wire.inbox().why_closed.find("more than 4 MB that nobody asked for"),
            std::string::npos);
  EXPECT_LE(static_cast<std::size_t>(said), kConnectionUnaskedBytesMax / large.size() + 1);
}

TEST_F(LoudSubject, LeavesNoPartOfASecretWhereItIsCut) {
  redactor_.add("hunter2-hunter2");
  WireLog log(redactor_, loop_.now());
  LoudWire wire(loop_, log);
  wire.say(std::string(250, '-') + "hunter2-hunter2");  // The beginning shown ends in it.
  EXPECT_FALSE(heard_in(log, Sender::kSubject, "hunter"));
  EXPECT_EQ(wire.inbox().frames.front().garbage.find("hunter"), std::string::npos);
  EXPECT_EQ(log.told(std::string(1'020, '-') + "hunter2-hunter2").find("hunter"),
            std::string::npos);
}

TEST_F(LoudSubject, IsShownInExcerpts) {
  WireLog log(redactor_, loop_.now());
  LoudWire wire(loop_, log);
  wire.say("[\"" + std::string(1'000'000, 'x') + "\"]");
  std::string wide = "[0";
  for (int i = 0; i < 100'000; ++i) wide += ",{\"a\":\"b\"}";
  wire.say(wide + "]");
  for (const LogEntry& entry : log.entries()) {
    EXPECT_LT(dump_json(log.evidence(entry).message).size(), 64U << 10U);
  }
  EXPECT_EQ(excerpt(Json::parse(R"({"a":[1,"b",null]})")), Json::parse(R"({"a":[1,"b",null]})"));
}

TEST(LoudServer, IsDescribedInFewWords) {
  Reply reply;
  reply.how = Reply::How::kAnswered;
  Json message;
  message["error"]["code"] = std::string(1'000'000, '1');
  message["error"]["message"] = std::string(1'000'000, 'x');
  reply.message = kept(std::move(message));
  EXPECT_LT(reply.describe().size(), 3'000U);
}

// NoPlace is a machine without a free port, or with too many files open.
class NoPlace final : public net::Network {
 public:
  Task<Result<std::unique_ptr<net::Pipe>>> dial(net::Authority,
                                                std::optional<net::TlsClient>) override {
    co_return Error{ErrorCode::kDisconnected, "nobody is there"};
  }
  Result<std::unique_ptr<net::Listener>> listen(net::Authority, std::optional<net::TlsServer>,
                                                OnAccept) override {
    return Error{ErrorCode::kInvalidInput, "too many open files"};
  }
};

class NoEvents final : public EventSink {
 public:
  void on_event(const TraceEvent&) override {}
};

TEST(FullMachine, IsSaidInsteadOfEndingTheJudgeOfClients) {
  fakes::SimLoop loop;
  NoEvents events;
  fakes::SimSpawner spawner(loop, Rng(1), events);
  NoPlace network;
  const Redactor redactor;
  for (const Transport transport : {Transport::kHttp, Transport::kStdio}) {
    ClientSubject subject{loop, spawner, network, redactor, [] { return std::string("id"); }};
    subject.transport = transport;
    ClientRun run(subject, all_client_scenarios().front(), std::string(kNewestStateful), false);
    Task<void> work = run.run();
    ASSERT_TRUE(loop.run_task(work, 1'000).ok());
    EXPECT_EQ(run.record().why_ended, "no place to serve: too many open files");
  }
}

}  // namespace
}  // namespace plumbline::conformance
