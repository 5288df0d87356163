#include "fakes/world/trace_recorder.h"

#include <chrono>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/json/json.h"

namespace plumbline::fakes {
namespace {

void record_two(TraceRecorder& trace) {
  const Json message = {{"method", "ping"}, {"id", 1}, {"jsonrpc", "2.0"}};
  trace.on_event({Instant(), EventKind::kMessageSent, "files", message});
  const Json note = {{"text", "a \"quoted\" line\n"}};
  trace.on_event({Instant(std::chrono::milliseconds(3)), EventKind::kNote, "", note});
}

constexpr std::string_view kLines =
    R"({"seq":1,"at_ns":0,"kind":"message_sent","who":"files",)"
    R"("detail":{"id":1,"jsonrpc":"2.0","method":"ping"}})"
    "\n"
    R"({"seq":2,"at_ns":3000000,"kind":"note","who":"","detail":{"text":"a \"quoted\" line\n"}})"
    "\n"
    R"({"unseed":"00000000000000ff"})"
    "\n";

TEST(TraceRecorderTest, TheTraceIsTheseBytes) {
  TraceRecorder trace(Keep::kText);
  record_two(trace);
  const std::string hash = trace.finish(255);
  Sha256 sha;
  sha.update(kLines);
  EXPECT_EQ(hash, sha.finish_hex());
  EXPECT_EQ(trace.text(), std::string(kLines) + R"({"trace_hash":")" + hash + "\"}\n");
}

TEST(TraceRecorderTest, TheHashIsTheSameWithoutTheText) {
  TraceRecorder with(Keep::kText);
  TraceRecorder without(Keep::kHashOnly);
  record_two(with);
  record_two(without);
  EXPECT_EQ(with.finish(1), without.finish(1));
  EXPECT_EQ(without.text(), "");
}

TEST(TraceRecorderTest, AnotherEventOrUnseedIsAnotherHash) {
  TraceRecorder a(Keep::kHashOnly);
  TraceRecorder b(Keep::kHashOnly);
  TraceRecorder c(Keep::kHashOnly);
  record_two(a);
  record_two(b);
  record_two(b);
  record_two(c);
  const std::string hash = a.finish(1);
  EXPECT_NE(hash, b.finish(1));
  EXPECT_NE(hash, c.finish(2));
}

TEST(TraceRecorderTest, AtItsBoundItDropsAndSaysSo) {
  TraceRecorder trace(Keep::kText, 130);
  for (int i = 0; i < 3; ++i) record_two(trace);
  EXPECT_EQ(trace.dropped(), 5U);
  trace.finish(0);
  EXPECT_NE(trace.text().find("\n{\"dropped\":5}\n{\"unseed\":"), std::string::npos);
  EXPECT_NE(trace.text().find("\"seq\":1,"), std::string::npos);
  EXPECT_EQ(trace.text().find("\"seq\":2,"), std::string::npos);
}

TEST(TraceRecorderTest, TextThatIsNotUtf8IsReplacedAndTheTraceStaysJson) {
  TraceRecorder trace(Keep::kText);
  trace.on_event({Instant(), EventKind::kNote, "a\xff", Json{{"text", "\xc3("}}});
  const std::string line = trace.text().substr(0, trace.text().find('\n'));
  EXPECT_TRUE(parse_json(line).ok());
}

TEST(EventFanoutTest, EverySinkHearsEveryEvent) {
  TraceRecorder a(Keep::kText);
  TraceRecorder b(Keep::kText);
  EventFanout both{&a};
  both.add(b);
  const Json detail = {{"text", "x"}};
  both.on_event({Instant(), EventKind::kNote, "w", detail});
  EXPECT_FALSE(a.text().empty());
  EXPECT_EQ(a.text(), b.text());
}

}  // namespace
}  // namespace plumbline::fakes
