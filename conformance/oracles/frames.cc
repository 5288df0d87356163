// Bytes and lines: what comes before there is a message.

#include <algorithm>
#include <string>
#include <string_view>

#include "conformance/oracles/rules.h"
#include "core/wire/utf8.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kLinesJoined = 50;
constexpr std::size_t kGarbageShownBytes = 80;

// text_of returns the beginning of what is no JSON.
std::string text_of(const LogEntry& entry) { return string_or(*entry.message, "garbage", ""); }

// shown_of returns less of it, and says so.
std::string shown_of(const LogEntry& entry) {
  const std::string text = text_of(entry);
  return text.size() <= kGarbageShownBytes ? text : text.substr(0, kGarbageShownBytes) + "...";
}

bool said_something(const Dialogue& dialogue, Side side) {
  return std::ranges::any_of(dialogue.said,
                             [&](const ObservedMessage& said) { return said.by == side; });
}

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// is_cut_utf8 returns whether `text` is UTF-8, a last character cut off left aside.
bool is_cut_utf8(std::string_view text) {
  for (std::size_t cut = 0; cut < 4 && cut <= text.size(); ++cut) {
    if (wire::is_utf8(text.substr(0, text.size() - cut))) return true;
  }
  return false;
}

// is_two_messages returns whether `text` begins with a whole JSON object and goes on with another.
bool is_two_messages(std::string_view text) {
  for (std::size_t at = text.find('}'); at != std::string_view::npos; at = text.find('}', at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r", at + 1);
    if (next == std::string_view::npos || text[next] != '{') continue;
    const Result<Json> first = parse_json(text.substr(0, at + 1));
    if (first.ok() && first.value().is_object()) return true;
  }
  return false;
}

}  // namespace

Finding says_utf8(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!is_ascii(dump_json(*said.message))) ruling.sees();
  });
  for (const Dialogue& dialogue : transcript.dialogues()) {
    for (const LogEntry* const entry : dialogue.garbage) {
      const std::string text = text_of(*entry);
      const bool told = find(*entry->message, "utf8") != nullptr;  // Of the whole of it.
      if (text.starts_with("{") && (told || !is_cut_utf8(text))) {
        ruling.breaks(*entry, "a message is not UTF-8");
      }
    }
  }
  return ruling.finding("it said nothing but ASCII");
}

Finding lines_are_messages(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    if (said_something(dialogue, transcript.judged())) ruling.sees();
    for (const LogEntry* const entry : dialogue.garbage) {
      ruling.breaks(*entry, "a line on stdout is no JSON: " + shown_of(*entry));
    }
    for (const ObservedMessage& said : dialogue.said) {
      if (said.by != transcript.judged() || said.message->is_object()) continue;
      ruling.breaks(said, "a line on stdout is " + std::string(type_name(*said.message)) +
                              ", expected a message");
    }
  }
  return ruling.finding("nothing was said");
}

Finding lines_are_separate(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    if (said_something(dialogue, transcript.judged())) ruling.sees();
    for (const LogEntry* const entry : dialogue.garbage) {
      if (!is_two_messages(text_of(*entry))) continue;
      ruling.breaks(*entry, "two messages on one line, expected a newline between");
    }
  }
  return ruling.finding("nothing was said");
}

Finding messages_keep_to_a_line(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    if (said_something(dialogue, transcript.judged())) ruling.sees();
    const auto& lines = dialogue.garbage;
    for (std::size_t first = 0; first < lines.size(); ++first) {
      if (!text_of(*lines[first]).starts_with("{")) continue;
      std::string joined;
      for (std::size_t next = first; next < std::min(lines.size(), first + kLinesJoined); ++next) {
        joined += text_of(*lines[next]) + "\n";
        if (!parse_json(joined).ok()) continue;
        ruling.breaks(*lines[first], "a message spread over " + std::to_string(next - first + 1) +
                                         " lines, expected one");
        first = next;
        break;
      }
    }
  }
  return ruling.finding("nothing was said");
}

}  // namespace plumbline::conformance
