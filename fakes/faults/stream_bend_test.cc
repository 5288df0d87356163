#include "fakes/faults/stream_bend.h"

#include <limits>

#include <gtest/gtest.h>

namespace plumbline::fakes {
namespace {

using Unit = StreamBend::Unit;

constexpr std::string_view kEvents =
    "id: 1\ndata:\n\nid: 2\ndata: {\"method\":\"x\"}\n\nid: 3\ndata: {\"id\":7,\"result\":{}}\n\n";

// bent returns what comes through, a byte at a time.
std::string bent(const StreamEdits& edits, Unit unit, std::string_view bytes) {
  StreamBend bend(edits, unit);
  std::string out;
  for (const char c : bytes) out += bend.push(std::string_view(&c, 1));
  return out + bend.finish();
}

TEST(StreamBendTest, PassesWhatItDoesNotChange) {
  EXPECT_EQ(bent({}, Unit::kEvents, kEvents), kEvents);
  EXPECT_EQ(bent({}, Unit::kText, "{}"), "{}");
}

TEST(StreamBendTest, RewritesEvents) {
  StreamEdits edits;
  edits.line_ends = StreamEdits::LineEnds::kCrLf;
  edits.strip = {"id"};
  edits.retry_ms = 5;
  edits.comments = true;
  EXPECT_EQ(bent(edits, Unit::kEvents, "id: 1\ndata: a\n\n"),
            ": still there\r\ndata: a\r\nretry: 5\r\n\r\n");
}

TEST(StreamBendTest, CutsBehindEventsAndBytesAndBeforeTheAnswer) {
  StreamEdits events;
  events.cut_after_events = 1;
  EXPECT_EQ(bent(events, Unit::kEvents, kEvents), "id: 1\ndata:\n\n");
  StreamEdits bytes;
  bytes.cut_after_bytes = 15;
  EXPECT_EQ(bent(bytes, Unit::kEvents, kEvents), kEvents.substr(0, 15));
  StreamEdits answer;
  answer.cut_before_answer = true;
  EXPECT_EQ(bent(answer, Unit::kEvents, kEvents), kEvents.substr(0, kEvents.find("id: 3")));
  EXPECT_EQ(bent(answer, Unit::kText, R"({"id":1,"result":{}})"), "");
}

TEST(StreamBendTest, HoldsBackUntilThereIsEnough) {
  StreamEdits edits;
  edits.buffer_bytes = std::numeric_limits<std::size_t>::max();
  StreamBend bend(edits, Unit::kEvents);
  EXPECT_EQ(bend.push(kEvents), "");
  EXPECT_EQ(bend.finish(), kEvents);
}

TEST(StreamBendTest, PutsBytesBetweenFrames) {
  const std::string frame = "\x81\x02hi";
  StreamEdits edits;
  edits.insert_after = 1;
  edits.insert = "XX";
  EXPECT_EQ(bent(edits, Unit::kFrames, frame + frame), frame + "XX" + frame);
  const std::string longer = std::string("\x81\x7e\x00\xc8", 4) + std::string(200, 'a');
  EXPECT_EQ(bent(edits, Unit::kFrames, longer + frame), longer + "XX" + frame);
}

TEST(StreamBendTest, ReplacesTextAndCanGrowIt) {
  StreamEdits edits;
  edits.replace = {{"/messages", "/lost/messages"}};
  EXPECT_EQ(bent(edits, Unit::kEvents, "data: /messages?a=/messages\n\n"),
            "data: /lost/messages?a=/lost/messages\n\n");
}

}  // namespace
}  // namespace plumbline::fakes
