// What is recorded is what is read, no secret is in it, and a replay answers as the recorded server
// did.

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/schema/schema.h"
#include "scenarios/compare/mutations.h"
#include "scenarios/record/import.h"
#include "scenarios/record/likeness.h"
#include "scenarios/record/masker.h"
#include "scenarios/record/recorder.h"
#include "scenarios/record/recording.h"
#include "scenarios/record/recording_index.h"
#include "scenarios/record/replayer.h"

namespace plumbline::scenarios {
namespace {

constexpr Duration kSoon{1'000};

Json json(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? std::move(parsed).value() : Json();
}

// Taped is a recorder and what it has written.
struct Taped {
  explicit Taped(Redactor secrets = {}, Masks masks = {})
      : masker(std::move(secrets), std::move(masks)) {
    recorder.begin(json(R"({"transport":"stdio"})"));
  }

  Recording read() const {
    Result<Recording> recording = read_recording(text);
    EXPECT_TRUE(recording.ok()) << recording.error().message << "\n" << text;
    return recording.ok() ? std::move(recording).value() : Recording();
  }

  std::string text;
  Masker masker;
  Recorder recorder{masker, [this](const std::string& line) {
                      text += line;
                      return Done();
                    }};
};

RecordedSession session_of(const std::vector<std::pair<Side, const char*>>& said) {
  RecordedSession session;
  Duration at{};
  for (const auto& [to, text] : said) {
    RecordedEvent event;
    event.at = at += kSoon;
    event.to = to;
    event.message = json(text);
    session.events.push_back(std::move(event));
  }
  return session;
}

RecordedSession small_session() {
  return session_of({
      {Side::kServer,
       R"({"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","a":1}})"},
      {Side::kClient, R"({"id":1,"result":{"protocolVersion":"2025-11-25"}})"},
      {Side::kServer, R"({"method":"notifications/initialized"})"},
      {Side::kClient, R"({"method":"notifications/message","params":{"data":"ready"}})"},
      {Side::kServer,
       R"({"id":2,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":9}}})"},
      {Side::kServer, R"({"id":3,"method":"tools/call","params":{"name":"b"}})"},
      {Side::kClient, R"({"id":3,"result":{"content":"b"}})"},
      {Side::kClient, R"({"id":2,"result":{"content":"a"}})"},
  });
}

std::vector<std::string> lines_of(const std::vector<ReplayedOutput>& outputs) {
  std::vector<std::string> lines;
  for (const ReplayedOutput& output : outputs) lines.push_back(output.line.value_or(""));
  return lines;
}

using Lines = std::vector<std::string>;

TEST(RecordingTest, AnotherServerIsToldFromTheSameWithSecrets) {
  const Masker masker{{}, {}};
  const auto other = [&](const Json& then, const Json& now) {
    return other_server(masker.mask(then), now);
  };
  const std::string key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const Json url = {{"url", "http://127.0.0.1:9/mcp?api_key=abcd1234efgh5678&of=a"}};
  const Json command = {{"command", "serve --key " + key + " --all"}};
  EXPECT_EQ(other(url, url), "");
  EXPECT_EQ(other(command, command), "");
  EXPECT_EQ(other(command, Json::object()), "");
  EXPECT_EQ(other(url, {{"url", "http://127.0.0.1:9/mcp?api_key=abcd1234efgh5678&of=b"}}),
            "http://127.0.0.1:9/mcp?api_key=[secret 1]&of=a");
  EXPECT_EQ(other(url, {{"url", "http://127.0.0.1:9/mc"}}),
            "http://127.0.0.1:9/mcp?api_key=[secret 1]&of=a");
  EXPECT_EQ(other(command, url), "serve --key [secret 2] --all");
}

TEST(RecordingTest, WhatWasASecretOnceIsOneWhereverItStandsLater) {
  const Masker masker{{}, {}};
  const std::string value = "zS3cr9tQ7xYv41";
  masker.mask(Json{{"headers", {{"x-api-key", value}, {"cookie", "a=" + value + "2"}}}});
  EXPECT_EQ(masker.mask("you said " + value).find(value), std::string::npos);
  const std::string token = "qT7mW2nB5vC8x9";
  masker.mask("Authorization: Bearer " + token);
  EXPECT_EQ(masker.mask("it was " + token).find(token), std::string::npos);
  masker.mask(std::string("password=ordinaryword"));
  EXPECT_EQ(masker.mask(std::string("an ordinaryword")), "an ordinaryword")
      << "may be no secret elsewhere";
}

RC_GTEST_PROP(RecordingProp, WhatWasSaidIsReadHoweverItWasCut, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::element('a', '{', '}', '"', '\n', '\xC3', '1')));
  Taped cut;
  Taped whole;
  std::string all;
  for (const std::string& piece : pieces) {
    if (!piece.empty()) cut.recorder.bytes(Side::kClient, piece, kSoon);
    all += piece;
  }
  if (!all.empty()) whole.recorder.bytes(Side::kClient, all, kSoon);
  cut.recorder.end(Side::kClient, kSoon);
  whole.recorder.end(Side::kClient, kSoon);
  RC_ASSERT(cut.text == whole.text);
  const Recording recording = cut.read();
  std::size_t bytes = 0;
  for (const RecordedEvent& event : recording.sessions[0].events) {
    bytes += event.kind == RecordedEvent::Kind::kMessage ? dump_json(event.message).size()
                                                         : event.what.size();
  }
  const auto ends = static_cast<std::size_t>(std::ranges::count(all, '\n'));
  RC_ASSERT((bytes <= all.size() && bytes + ends >= all.size()));
}

TEST(RecordingTest, EveryLineIsAsTheSchemaSays) {
  Taped taped;
  taped.recorder.bytes(Side::kServer, "{\"id\":1}\nnot JSON\n\xFF\nhalf", kSoon);
  taped.recorder.end(Side::kServer, kSoon);
  taped.recorder.stderr_bytes("up\n", kSoon);
  taped.recorder.signal("SIGTERM", kSoon);
  taped.recorder.exited("signal 15 (SIGTERM)", kSoon);
  std::ostringstream text;
  text << std::ifstream(std::string(SOURCE_ROOT) + "/docs/recording.schema.json").rdbuf();
  const Result<schema::Schema> schema = schema::Schema::compile(json(text.str()));
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  std::istringstream lines(taped.text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto wrong = schema.value().validate(json(line));
    EXPECT_FALSE(wrong) << line;
  }
  EXPECT_EQ(count, 9U) << taped.text;
  EXPECT_TRUE(schema.value().validate(json(R"({"ns":1,"to":"server"})"))) << "says nothing";
}

TEST(RecordingTest, WhatIsWrittenOfSessionsIsReadAsTheSame) {
  Taped taped;
  taped.recorder.bytes(Side::kServer, "{\"id\":1}\nnot JSON\n\xFF\nhalf", kSoon);
  taped.recorder.end(Side::kServer, kSoon);
  taped.recorder.stderr_bytes("up\n", kSoon);
  taped.recorder.signal("SIGTERM", kSoon);
  taped.recorder.exited("exit code 3", kSoon);
  const Recording once = taped.read();
  const Recording again = read_recording(written(once.sessions)).value();
  ASSERT_EQ(again.sessions.size(), 1U);
  ASSERT_EQ(again.sessions[0].events.size(), 8U);
  EXPECT_EQ(again.sessions[0].events[2].what, "\xFF");
  EXPECT_EQ(again.sessions[0].events[7].what, "exit code 3");
  EXPECT_EQ(written(again.sessions), written(once.sessions));
}

TEST(RecordingTest, ATornLastLineIsLeftOutAndAWrongLineIsNamed) {
  Taped taped;
  taped.recorder.bytes(Side::kServer, "{\"id\":1,\"method\":\"ping\"}\n", kSoon);
  taped.recorder.exited("exit code 3", 2 * kSoon);
  for (std::size_t size = taped.text.find('\n') + 1; size <= taped.text.size(); ++size) {
    const Result<Recording> torn = read_recording(std::string_view(taped.text).substr(0, size));
    ASSERT_TRUE(torn.ok()) << size << ": " << torn.error().message;
    EXPECT_LE(torn.value().sessions[0].events.size(), 2U);
  }
  const Result<Recording> twice = read_recording(taped.text + taped.text);
  ASSERT_TRUE(twice.ok()) << "recordings may be joined";
  EXPECT_EQ(twice.value().sessions.size(), 2U);
  const Result<Recording> wrong = read_recording(taped.text + "{\"ns\":1,\"to\":\"me\"}\n");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().message, R"(line 4: "to" is expected to be "server" or "client")");
  const std::string grown = taped.text + "{\"ns\":5,\"to\":\"cli\n" + taped.text;
  const Result<Recording> after_a_death = read_recording(grown);
  ASSERT_TRUE(after_a_death.ok()) << after_a_death.error().message;
  EXPECT_EQ(after_a_death.value().sessions.size(), 2U);
  EXPECT_TRUE(after_a_death.value().torn);
  EXPECT_FALSE(read_recording(taped.text + "{\"ns\":5,\"to\":\"cli\n{\"ns\":6}\n").ok());
  EXPECT_FALSE(read_recording(taped.text + "{\"ns\":5,\"to\":\"cli\n").ok());
  EXPECT_FALSE(read_recording(taped.text + "{\"ns\":1,\"to\":\"me\"}\n" + taped.text).ok());
  EXPECT_FALSE(read_recording("").ok());
  EXPECT_FALSE(read_recording("{\"recording\":2}\n").ok());
}

TEST(RecordingTest, SecretsAreTheSamePlaceholderThroughoutAndNowhereThemselves) {
  Redactor secrets;
  secrets.add("hunter2-hunter2");
  Taped taped(std::move(secrets), {{"pin", "/params/note"}, {"credential"}});
  taped.recorder.bytes(
      Side::kServer,
      "{\"id\":1,\"method\":\"m\",\"params\":{\"pin\":1234,\"note\":\"mine\",\"credential\":\"x1\","
      "\"password\":\"swordfish\",\"of hunter2-hunter2\":\"\\u0068unter2-hunter2\"}}\n",
      kSoon);
  taped.recorder.bytes(Side::kClient, "{\"id\":1,\"result\":{\"password\":\"swordfish\"}}\n",
                       kSoon);
  taped.recorder.stderr_bytes("logged in with hunter2-hunter2\n", kSoon);
  taped.recorder.bytes(Side::kClient, "no json, but hunter2-hunter2\n", kSoon);
  for (const char* secret : {"hunter2", "swordfish", "1234", "mine"}) {
    EXPECT_EQ(taped.text.find(secret), std::string::npos) << secret << " in\n" << taped.text;
  }
  const Recording recording = taped.read();
  const auto& events = recording.sessions[0].events;
  ASSERT_EQ(events.size(), 4U);
  const Json& params = *find(events[0].message, "params");
  EXPECT_EQ(string_or(params, "credential", ""), "x1") << "--keep";
  EXPECT_EQ(string_or(params, "password", "then"),
            string_or(*find(events[1].message, "result"), "password", "now"));
  EXPECT_EQ(taped.recorder.withheld(), 0U);
}

TEST(ReplayerTest, WhatWasAskedIsAnsweredWithTheIdsOfWhoAsksNow) {
  Replayer replayer({small_session()}, Match::kContent);
  EXPECT_EQ(lines_of(replayer.take(json(
                R"({"id":"x","method":"initialize","params":{"protocolVersion":"2025-11-25"}})"))),
            Lines{R"({"id":"x","result":{"protocolVersion":"2025-11-25"}})"});
  EXPECT_EQ(lines_of(replayer.take(json(R"({"method":"notifications/initialized"})"))),
            Lines{R"({"method":"notifications/message","params":{"data":"ready"}})"})
      << "what it said of its own accord follows what it followed";
  const Json b = json(
      R"({"id":7,"method":"tools/call","params":{"name":"b","_meta":{"progressToken":"mine"}}})");
  EXPECT_EQ(lines_of(replayer.take(b)), Lines{R"({"id":7,"result":{"content":"b"}})"});
  EXPECT_EQ(lines_of(replayer.take(b)), Lines{R"({"id":7,"result":{"content":"b"}})"}) << "again";
  const auto missed =
      replayer.take(json(R"({"id":8,"method":"tools/call","params":{"name":"c"}})"));
  ASSERT_EQ(missed.size(), 1U);
  EXPECT_NE(missed[0].line->find(R"(not in the recording: tools/call {\"name\":\"c\"})"),
            std::string::npos)
      << *missed[0].line;
  EXPECT_EQ(replayer.counts().played, 3U);
  EXPECT_EQ(replayer.counts().recorded, 4U);
  EXPECT_EQ(replayer.counts().missed.size(), 1U);
}

TEST(RecordingTest, ALineThatIsNoMessageHidesNoSecretThatIsNamed) {
  Taped taped;
  const std::string odd =
      R"({"id":1,"params":{"password" : "hunter2","a":"\ud800","b":"password"}})";
  ASSERT_FALSE(parse_json(odd).ok()) << "a lone surrogate is no text";
  taped.recorder.bytes(Side::kServer, odd + "\n", kSoon);
  taped.recorder.stderr_bytes("{\"api_key\":\"k-4711\",\"half\":\"\n", kSoon);
  EXPECT_EQ(taped.text.find("hunter2"), std::string::npos) << taped.text;
  EXPECT_EQ(taped.text.find("k-4711"), std::string::npos) << taped.text;
  const std::string kept = taped.read().sessions[0].events[0].what;
  EXPECT_EQ(kept, R"({"id":1,"params":{"password" : "[secret 1]","a":"\ud800","b":"password"}})");
}

TEST(ReplayerTest, ALineThatIsNoMessageIsAnsweredAsItWas) {
  Taped taped;
  const std::string odd = R"({"id":1,"method":"ping","params":{"a":"\ud800"}})";
  taped.recorder.bytes(Side::kServer, odd + "\n", kSoon);
  taped.recorder.bytes(Side::kClient, "{\"id\":1,\"result\":{\"a\":\"\\ud800\"}}\n", kSoon);
  for (const Match match : {Match::kStrict, Match::kContent}) {
    Replayer replayer(taped.read().sessions, match);
    const std::vector<ReplayedOutput> outputs = replayer.take(Json(odd));
    ASSERT_EQ(outputs.size(), 1U);
    EXPECT_EQ(outputs[0].line, R"({"id":1,"result":{"a":"\ud800"}})");
    EXPECT_TRUE(replayer.take(Json("another")).empty());
    EXPECT_EQ(replayer.counts().missed.size(), 1U);
  }
}

TEST(ReplayerTest, OfSeveralSessionsItPlaysTheLastThatBeginsAlike) {
  const RecordedSession probe =
      session_of({{Side::kServer, R"({"id":"p","method":"server/discover"})"},
                  {Side::kClient, R"({"id":"p","result":{"probe":1}})"}});
  const Json ping = json(R"({"id":9,"method":"server/discover"})");
  Replayer first({probe, small_session()}, Match::kContent);
  EXPECT_EQ(lines_of(first.take(ping)), Lines{R"({"id":9,"result":{"probe":1}})"});
  Replayer second({probe, small_session()}, Match::kContent);
  second.take(json(R"({"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"));
  EXPECT_EQ(second.counts().recorded, 4U);
}

TEST(ReplayerTest, StrictWantsTheOrderAndMethodOnlyTheMethod) {
  const Json b = json(R"({"id":7,"method":"tools/call","params":{"name":"b"}})");
  Replayer strict({small_session()}, Match::kStrict);
  strict.take(b);
  EXPECT_EQ(strict.counts().missed.size(), 1U) << "initialize comes first";
  const Json c = json(R"({"id":7,"method":"tools/call","params":{"name":"c"}})");
  Replayer method({small_session()}, Match::kMethod);
  EXPECT_EQ(lines_of(method.take(c)), Lines{R"({"id":7,"result":{"content":"a"}})"});
  EXPECT_EQ(lines_of(method.take(c)), Lines{R"({"id":7,"result":{"content":"b"}})"});
}

TEST(ReplayerTest, ProgressGoesToTheTokenOfWhoAsksNowAndASecretOfThenIsAnything) {
  Replayer replayer(
      {session_of(
          {{Side::kServer, R"({"id":1,"method":"m","params":{"key":"Bearer [secret 1]",)"
                           R"("_meta":{"progressToken":1}}})"},
           {Side::kClient, R"({"method":"notifications/progress","params":{"progressToken":1}})"},
           {Side::kClient, R"({"id":1,"result":{}})"}})},
      Match::kContent);
  EXPECT_EQ(
      lines_of(replayer.take(json(
          R"({"id":5,"method":"m","params":{"key":"Bearer abc","_meta":{"progressToken":"p"}}})"))),
      (Lines{R"({"method":"notifications/progress","params":{"progressToken":"p"}})",
             R"({"id":5,"result":{}})"}));
}

TEST(ReplayerTest, AnAnswerWaitsForWhatTheServerAskedFirst) {
  Replayer replayer(
      {session_of({{Side::kServer, R"({"id":1,"method":"tools/call","params":{"name":"a"}})"},
                   {Side::kClient, R"({"id":1,"method":"roots/list"})"},
                   {Side::kServer, R"({"id":1,"result":{"roots":[]}})"},
                   {Side::kClient, R"({"id":1,"result":{"content":"a"}})"}})},
      Match::kContent);
  EXPECT_EQ(
      lines_of(replayer.take(json(R"({"id":5,"method":"tools/call","params":{"name":"a"}})"))),
      Lines{R"({"id":1,"method":"roots/list"})"});
  EXPECT_EQ(lines_of(replayer.take(json(R"({"id":1,"result":{"roots":[]}})"))),
            Lines{R"({"id":5,"result":{"content":"a"}})"});
}

TEST(ReplayerTest, AServerThatDiedDiesAgainAtTheSamePlace) {
  RecordedSession session = small_session();
  session.events.resize(5);  // Up to the first call.
  RecordedEvent exit;
  exit.kind = RecordedEvent::Kind::kExit;
  exit.at = session.events.back().at + kSoon;
  exit.what = "exit code 3";
  session.events.push_back(exit);
  Replayer replayer({session}, Match::kMethod);
  const auto outputs =
      replayer.take(json(R"({"id":2,"method":"tools/call","params":{"name":"a"}})"));
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].exit, "exit code 3");
  EXPECT_EQ(outputs[0].after, kSoon);
}

TEST(RecordingIndexTest, LinesAreFoundByWhatIsInThemAndByTheirWay) {
  const std::string text =
      "{\"to\":\"server\",\"text\":\"one two\"}\n{\"to\":\"client\",\"text\":\"two\"}\r\n\n{\"torn";
  const RecordingIndex index(text);
  ASSERT_EQ(index.lines(), 4U);
  EXPECT_EQ(index.line(1), R"({"to":"client","text":"two"})");
  const auto found = [&index](std::string_view words, std::optional<Side> to, std::size_t first) {
    return index.search(words, to, first).lines;
  };
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(found("two", std::nullopt, 0), (Numbers{0, 1}));
  EXPECT_EQ(found("two", Side::kClient, 0), (Numbers{1}));
  EXPECT_EQ(found("two", std::nullopt, 1), (Numbers{1}));
  EXPECT_EQ(found("", Side::kServer, 0), (Numbers{0}));
  EXPECT_EQ(found("three", std::nullopt, 0), (Numbers{}));
  EXPECT_EQ(parse_json(index.page(2, 100)).value(), json(R"(["","{\"torn"])"));
}

TEST(ImportTest, AnArchiveIsARecordingOfItsMessages) {
  const Json archive = json(R"har({"log":{"entries":[
    {"startedDateTime":"2026-11-25T02:00:00.250+01:00","time":12.5,
     "request":{"method":"POST","url":"https://a.example/mcp?x=1",
       "headers":[{"name":"Authorization","value":"Bearer planted-4711-secret"}],
       "postData":{"text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"}},
     "response":{"status":200,"headers":[{"name":"Content-Type","value":"text/event-stream"}],
       "content":{"text":"id: 7\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"}}},
    {"startedDateTime":"2026-11-25T01:00:00.000Z","time":1,
     "request":{"method":"GET","url":"https://a.example/picture.png","headers":[]},
     "response":{"status":200,"headers":[],"content":{}}}]}})har");
  Taped taped;
  taped.text.clear();
  const Result<std::size_t> messages = import_har(archive, taped.recorder);
  ASSERT_TRUE(messages.ok()) << messages.error().message;
  EXPECT_EQ(messages.value(), 2U);
  EXPECT_EQ(taped.text.find("planted-4711"), std::string::npos) << taped.text;
  const Recording recording = taped.read();
  ASSERT_EQ(recording.sessions.size(), 1U);
  std::vector<RecordedEvent> said;
  for (const RecordedEvent& event : recording.sessions[0].events) {
    if (event.kind == RecordedEvent::Kind::kMessage) said.push_back(event);
  }
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0].message["method"], "ping");
  EXPECT_EQ(said[0].exchange, said[1].exchange);
  EXPECT_EQ(said[1].at - said[0].at, Duration(12'500'000));
  EXPECT_FALSE(import_har(json(R"({"log":{"entries":[]}})"), taped.recorder).ok());
}

// archive_with returns an archive of two exchanges, the second one with these times, in JSON.
Json archive_with(const std::string& started, const std::string& time) {
  const auto entry = [](const std::string& began, const std::string& took) {
    return R"({"startedDateTime":)" + began + R"(,"time":)" + took + R"(,
      "request":{"method":"POST","url":"https://a.example/mcp","headers":[],
        "postData":{"text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"}},
      "response":{"status":200,"headers":[],
        "content":{"text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"}},
      "_webSocketMessages":[{"type":"send","time":)" +
           took + R"(,"data":"{\"jsonrpc\":1}"},
                            {"type":"send","time":-1e300,"data":"{\"jsonrpc\":2}"}]})";
  };
  return json(R"({"log":{"entries":[)" + entry(R"("2026-11-25T02:00:00Z")", "1") + "," +
              entry(started, time) + "]}}");
}

TEST(ImportTest, WhateverTheTimesOfAnArchiveItsRecordingCanBeReadOrTheOneIsNamed) {
  for (const std::string time :
       {"-1", "0", "1e300", "-1e300", "9223372036854775807", "1e-300", "null", "\"soon\""}) {
    Taped taped;
    taped.text.clear();
    ASSERT_TRUE(import_har(archive_with(R"("2199-12-31T23:59:60.9Z")", time), taped.recorder).ok());
    const Result<Recording> read = read_recording(taped.text);
    EXPECT_TRUE(read.ok()) << time << ": " << read.error().message << taped.text;
  }
  for (const std::string started :
       {R"("0000-01-01T00:00:00Z")", R"("9999-12-31T23:59:59Z")", R"("2026-13-01T00:00:00Z")",
        R"("2026-02-30T00:00:00Z")", R"("2026-01-01T99:00:00Z")", R"("-026-01-01T00:00:00Z")",
        R"("2026-01-01")", R"("yesterday")", "null", "1764036000"}) {
    Taped taped;
    taped.text.clear();
    const Result<std::size_t> refused = import_har(archive_with(started, "1"), taped.recorder);
    ASSERT_FALSE(refused.ok()) << started;
    EXPECT_EQ(refused.error().message.find("/log/entries/1/startedDateTime: "), 0U)
        << refused.error().message;
    EXPECT_EQ(taped.text, "");
  }
  Taped taped;
  EXPECT_EQ(import_trace(R"({"at_ns":-1,"kind":"message_sent","detail":{}})", taped.recorder)
                .error()
                .message,
            "line 1: \"at_ns\" is before the beginning");
}

TEST(ImportTest, ATraceIsASessionForEachConnection) {
  Taped taped;
  taped.text.clear();
  const Result<std::size_t> messages = import_trace(
      "{\"at_ns\":5,\"kind\":\"message_sent\",\"who\":\"b\",\"detail\":{\"id\":1,\"method\":"
      "\"ping\"}}\n"
      "{\"at_ns\":6,\"kind\":\"note\",\"who\":\"a\",\"detail\":{}}\n"
      "{\"at_ns\":7,\"kind\":\"message_received\",\"who\":\"b\",\"detail\":{\"id\":1,\"result\":{}}"
      "}\n"
      "{\"at_ns\":8,\"kind\":\"message_sent\",\"who\":\"a\",\"detail\":{\"method\":\"x\"}}\n"
      "{\"trace_hash\":\"00\"}\n",
      taped.recorder);
  ASSERT_TRUE(messages.ok()) << messages.error().message;
  EXPECT_EQ(messages.value(), 3U);
  const Recording recording = taped.read();
  ASSERT_EQ(recording.sessions.size(), 2U);
  EXPECT_EQ(recording.sessions[1].events[1].at, Duration(7));
  EXPECT_EQ(import_trace("{}\nx\n", taped.recorder).error().message.substr(0, 6), "line 2");
}

TEST(MutationsTest, EachDeviatesInOneAnswerAndIsElseAsItWas) {
  const RecordedSession session = session_of(
      {{Side::kServer, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"},
       {Side::kClient,
        R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},
            "serverInfo":{"name":"s","version":"1"}}})"},
       {Side::kServer, R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"},
       {Side::kClient,
        R"({"jsonrpc":"2.0","id":2,
            "result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}})"},
       {Side::kServer, R"({"jsonrpc":"2.0","id":3,"method":"tools/list"})"},
       {Side::kClient, R"({"jsonrpc":"2.0","id":3,"result":{"tools":[]}})"}});
  std::map<std::string, const Mutation*> by_name;
  const std::vector<Mutation> mutations = mutations_of(session);
  for (const Mutation& mutation : mutations) {
    EXPECT_TRUE(by_name.emplace(mutation.name, &mutation).second) << mutation.name;
    const RecordedSession wrong = mutated(session, mutation);
    for (std::size_t i = 0; i < session.events.size(); ++i) {
      EXPECT_EQ(wrong.events[i].message != session.events[i].message, i == mutation.event);
    }
  }
  EXPECT_TRUE(by_name.contains("initialize:empty_version"));
  EXPECT_TRUE(by_name.contains("tools/list:tool_without_name"));
  EXPECT_FALSE(by_name.contains("initialize:wrong_response_id")) << "it would end there";
  EXPECT_FALSE(by_name.contains("tools/list#2:tool_without_name")) << "it has none";
  ASSERT_TRUE(by_name.contains("tools/list#2:wrong_response_id"));
  EXPECT_EQ(by_name["tools/list#2:wrong_response_id"]->message["id"], "never-asked");
}

}  // namespace
}  // namespace plumbline::scenarios
