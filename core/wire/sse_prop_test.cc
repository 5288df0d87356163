#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/wire/sse.h"
#include "core/wire/test_support.h"

namespace plumbline::wire {
namespace {

constexpr std::size_t kEventMax = 20;

struct SseOutcome {
  std::vector<SseEvent> events;
  bool too_long = false;
  std::size_t comments = 0;
  friend bool operator==(const SseOutcome&, const SseOutcome&) = default;
};

SseOutcome outcome_of(const std::vector<std::string>& pieces, std::size_t event_bytes_max) {
  SseReader reader(event_bytes_max);
  SseOutcome outcome;
  for (const std::string& piece : pieces) {
    reader.feed(std::string(piece));
    while (auto event = reader.next()) outcome.events.push_back(*std::move(event));
  }
  outcome.too_long = reader.too_long();
  outcome.comments = reader.comments();
  return outcome;
}

// expected_of says the same in the plainest way, from the whole text: the steps of the standard.
std::vector<SseEvent> expected_of(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  std::vector<std::string> lines{""};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (text[i] == '\r' || text[i] == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += text[i];
    }
  }
  lines.pop_back();
  std::vector<SseEvent> events;
  SseEvent event;
  std::string data;
  for (const std::string& line : lines) {
    if (line.empty()) {
      if (!data.empty()) event.data = data.substr(0, data.size() - 1);
      if (!data.empty() || event.id || event.retry_ms) events.push_back(event);
      event = {};
      data.clear();
      continue;
    }
    const std::size_t colon = line.find(':');
    const std::string name = line.substr(0, colon);
    std::string value = colon == std::string::npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' ')) value.erase(0, 1);
    if (name == "data") data += value + "\n";
    if (name == "event") event.event = value;
    if (name == "id") event.id = value;
    if (name == "retry" && value == "5") event.retry_ms = 5;
  }
  return events;
}

const std::vector<std::string> kSseWords = {
    "data",     "data: x\n", "event: e",     "id: 1", "id",
    "retry: 5", "retry: 5x", ": c",          ":",     " ",
    "a",        "\n",        "\n",           "\n\n",  "\r",
    "\r\n",     "\r\n",      "\xEF\xBB\xBF", "\xEF",  "data: 0123456789\n"};

RC_GTEST_PROP(SsePropTest, TheEventsAreThoseOfTheStandardHoweverTheBytesAreCut, ()) {
  const std::string text = any_of_words(kSseWords);
  const std::vector<SseEvent> expected = expected_of(text);
  RC_ASSERT(outcome_of({text}, 1000).events == expected);
  RC_ASSERT(outcome_of(cut_anywhere(text), 1000).events == expected);
}

RC_GTEST_PROP(SsePropTest, TheLimitIsReachedHoweverTheBytesAreCut, ()) {
  const std::string text = any_of_words(kSseWords);
  const SseOutcome expected = outcome_of({text}, kEventMax);
  RC_ASSERT(outcome_of(cut_anywhere(text), kEventMax) == expected);
  RC_ASSERT(outcome_of(cut_to_bytes(text), kEventMax) == expected);
}

RC_GTEST_PROP(SsePropTest, WhatIsWrittenIsRead, ()) {
  std::string wire;
  std::vector<SseEvent> written;
  const int count = *rc::gen::inRange(1, 5);
  const auto letters = rc::gen::element('a', ' ', ':', '\x80');
  for (int i = 0; i < count; ++i) {
    SseEvent event;
    event.event = *rc::gen::container<std::string>(letters);
    event.data = *rc::gen::container<std::string>(rc::gen::element('a', ' ', ':', '\n', '\0'));
    if (*rc::gen::arbitrary<bool>()) event.id = *rc::gen::container<std::string>(letters);
    if (*rc::gen::arbitrary<bool>()) event.retry_ms = *rc::gen::inRange(0, 100'000);
    append_sse(wire, event);
    append_sse_comment(wire, "ping");
    written.push_back(std::move(event));
  }
  const SseOutcome read = outcome_of(cut_anywhere(wire), 100'000);
  RC_ASSERT(read.events == written);
  RC_ASSERT(read.comments == written.size());
}

}  // namespace
}  // namespace plumbline::wire
