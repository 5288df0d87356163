#include "core/wire/sse.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::wire {
namespace {

using Events = std::vector<SseEvent>;

Events read_sse(SseReader& reader, std::string_view bytes) {
  Events events;
  reader.feed(bytes);
  while (std::optional<SseEvent> event = reader.next()) events.push_back(*std::move(event));
  return events;
}

Events read_sse(std::string_view bytes) {
  SseReader reader;
  return read_sse(reader, bytes);
}

SseEvent data_event(std::string data) {
  return {.event = "", .data = std::move(data), .id = std::nullopt, .retry_ms = std::nullopt};
}

TEST(SseReaderTest, AnEventHasNameDataIdAndRetry) {
  EXPECT_EQ(read_sse("event: add\ndata: {}\nid: 7\nretry: 250\n\n"),
            (Events{{.event = "add", .data = "{}", .id = "7", .retry_ms = 250}}));
}

TEST(SseReaderTest, SeveralDataLinesAreJoinedAndOneSpaceIsDropped) {
  EXPECT_EQ(read_sse("data:a\ndata:  b\ndata\ndata:\n\n"), Events{data_event("a\n b\n\n")});
  EXPECT_EQ(read_sse("data\n\n"), Events{data_event("")});
}

TEST(SseReaderTest, EveryLineEndEndsALine) {
  EXPECT_EQ(read_sse("data: 1\r\rdata: 2\r\n\r\ndata: 3\n\ndata: 4\r\n\n"),
            (Events{data_event("1"), data_event("2"), data_event("3"), data_event("4")}));
}

TEST(SseReaderTest, ACarriageReturnEndsAnEventAtOnce) {
  SseReader reader;
  EXPECT_EQ(read_sse(reader, "data: 1\r\n\r"), Events{data_event("1")});
  EXPECT_EQ(read_sse(reader, "\ndata: 2\n\n"), Events{data_event("2")});
}

TEST(SseReaderTest, AByteOrderMarkIsSkippedOnceAtTheStart) {
  EXPECT_EQ(read_sse("\xEF\xBB\xBF"
                     "data: 1\n\n\xEF\xBB\xBF"
                     "data: 2\n\n"),
            Events{data_event("1")});
  SseReader reader;
  EXPECT_EQ(read_sse(reader, "\xEF\xBB"), Events{});
  EXPECT_EQ(read_sse(reader,
                     "\xBF"
                     "data: 1\n\n"),
            Events{data_event("1")});
}

TEST(SseReaderTest, EventsWithoutDataComeWhenThereIsSomethingToRemember) {
  EXPECT_EQ(read_sse("id: 3\n\nretry: 5\n\nid\n\nevent: x\n\n\n\n"),
            (Events{{.event = "", .data = "", .id = "3", .retry_ms = std::nullopt},
                    {.event = "", .data = "", .id = std::nullopt, .retry_ms = 5},
                    {.event = "", .data = "", .id = "", .retry_ms = std::nullopt}}));
}

TEST(SseReaderTest, WhatMeansNothingIsSkipped) {
  SseReader reader;
  const std::string nul(1, '\0');
  EXPECT_EQ(
      read_sse(reader, "Data: x\n data: x\nid: a" + nul + "b\nretry: 1x\nretry:\nretry: -1\n" +
                           ": comment\n:\nfoo: bar\ndata: y\n\n"),
      Events{data_event("y")});
  EXPECT_EQ(reader.comments(), 2U);
}

TEST(SseReaderTest, ARetryThatIsTooLargeIsTheLargest) {
  EXPECT_EQ(read_sse("retry: 99999999999999999999\n\n").at(0).retry_ms, 2147483647);
}

TEST(SseReaderTest, AnEventCutOffByTheEndIsDropped) {
  EXPECT_EQ(read_sse("data: 1\n\ndata: 2\n"), Events{data_event("1")});
}

TEST(SseReaderTest, AnEventThatIsTooLongEndsTheStream) {
  SseReader reader(14);
  EXPECT_EQ(read_sse(reader, "data: 1\n\ndata: 12345678\n\n"),
            (Events{data_event("1"), data_event("12345678")}));
  EXPECT_FALSE(reader.too_long());
  EXPECT_EQ(read_sse(reader, "data: 3\n\ndata: 1\ndata: 12\n\ndata: 4\n\n"),
            Events{data_event("3")});
  EXPECT_TRUE(reader.too_long());
  EXPECT_EQ(read_sse(reader, "data: 5\n\n"), Events{});
}

TEST(SseReaderTest, ALineWithoutEndIsTooLongBeforeItEnds) {
  SseReader reader(14);
  EXPECT_EQ(read_sse(reader, ":23456789012345"), Events{});
  EXPECT_TRUE(reader.too_long());
}

TEST(SseReaderTest, CommentsDoNotAddUp) {
  SseReader reader(14);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(read_sse(reader, ": ping\n"), Events{});
  EXPECT_FALSE(reader.too_long());
  EXPECT_EQ(reader.comments(), 100U);
}

TEST(SseWriterTest, EveryLineOfTheDataIsAField) {
  std::string out;
  append_sse(out, {.event = "e", .data = "a\nb\r\n\rc\n", .id = "1", .retry_ms = 20});
  EXPECT_EQ(out, "event: e\nid: 1\nretry: 20\ndata: a\ndata: b\ndata: \ndata: c\ndata: \n\n");
  out.clear();
  append_sse(out, {.event = "", .data = "", .id = "", .retry_ms = std::nullopt});
  append_sse_comment(out, "ping");
  EXPECT_EQ(out, "id: \ndata: \n\n: ping\n");
}

TEST(SseWriterDeathTest, AnIdCannotSmuggleAField) {
  std::string out;
  EXPECT_DEATH(append_sse(out, {.event = "", .data = "", .id = "1\ndata: x", .retry_ms = 1}), "id");
}

}  // namespace
}  // namespace plumbline::wire
