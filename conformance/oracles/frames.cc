// Bytes and lines: what comes before there is a message.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "conformance/oracles/rules.h"
#include "conformance/wire/broken_text.h"
#include "core/base/text.h"
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
  return text.size() <= kGarbageShownBytes
             ? text
             : std::string(beginning(text, kGarbageShownBytes)) + "...";
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

// is_utf16 returns whether `text` begins as a JSON object or an order of bytes does in UTF-16.
bool is_utf16(std::string_view text) {
  using namespace std::string_view_literals;
  return text.starts_with("{\0"sv) || text.starts_with("\0{"sv) || text.starts_with("\xff\xfe"sv) ||
         text.starts_with("\xfe\xff"sv);
}

// is_message returns whether an object can be one of JSON-RPC.
bool is_message(const Json& message) {
  return message.contains("method") || message.contains("result") || message.contains("error");
}

// lines_of_message returns how many of `lines`, from the first, are one message together; 0: they
// are none. Only where the brackets close it is read, so each line is looked at once.
std::size_t lines_of_message(std::span<const LogEntry* const> lines) {
  std::string joined;
  int depth = 0;
  for (std::size_t count = 1; count <= std::min(lines.size(), kLinesJoined); ++count) {
    const std::string text = text_of(*lines[count - 1]);
    const std::optional<int> deeper = deepened(text);
    if (!deeper) return 0;
    depth += *deeper;
    joined += text + "\n";
    if (depth <= 0) return parse_json(joined).ok() ? count : 0;
  }
  return 0;
}

}  // namespace

std::string half_character(const LogEntry& entry) {
  return string_or(*entry.message, kHalfCharacter, read_broken(text_of(entry)).half);
}

std::string broken_message(const LogEntry& entry) {
  return string_or(*entry.message, kBrokenMessage, read_broken(text_of(entry)).wrong);
}

// Half a character in escapes is JSON by its grammar, and no text of Unicode (RFC 8259, 8.2).
Finding says_utf8(const Transcript& transcript) {
  Ruling ruling(transcript);
  Ruling halves(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!is_ascii(dump_json(*said.message))) ruling.sees();
    if (said.entry->not_utf8) ruling.breaks(said, "a message is not UTF-8");
  });
  for (const Dialogue& dialogue : transcript.dialogues()) {
    for (const LogEntry* const entry : dialogue.garbage) {
      const std::string text = text_of(*entry);
      if (is_utf16(text)) {
        ruling.breaks(*entry, "a message is UTF-16");
      } else if (text.starts_with("{") &&
                 (!bool_or(*entry->message, "utf8", true) || !is_cut_utf8(text))) {
        ruling.breaks(*entry, "a message is not UTF-8");
      }
      const std::string half = half_character(*entry);
      if (half.empty()) continue;
      ruling.sees();
      halves.breaks(*entry, "a message has half a character, " + half +
                                ", which UTF-8 cannot hold: readers in Rust and Python refuse it. "
                                "Cut texts by characters, not by UTF-16 units");
    }
  }
  Finding finding = ruling.finding("it said nothing but ASCII");
  Finding half = halves.finding("");
  if (finding.verdict == Verdict::kFail || half.verdict != Verdict::kFail) return finding;
  half.verdict = Verdict::kWarn;
  return half;
}

Finding lines_are_messages(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    if (said_something(dialogue, transcript.judged())) ruling.sees();
    for (const LogEntry* const entry : dialogue.garbage) {
      // A message, and no banner.
      if (!broken_message(*entry).empty() || !half_character(*entry).empty()) continue;
      ruling.breaks(*entry, "a line on stdout is no JSON: " + shown_of(*entry));
    }
    for (const ObservedMessage& said : dialogue.said) {
      if (said.by != transcript.judged()) continue;
      if (!said.message->is_object()) {
        ruling.breaks(said, "a line on stdout is " + std::string(type_name(*said.message)) +
                                ", expected a message");
      } else if (!is_message(*said.message)) {
        ruling.breaks(said, "a line on stdout is an object that is no message");
      }
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
      const std::size_t count = lines_of_message(std::span(lines).subspan(first));
      if (count == 0) continue;
      ruling.breaks(*lines[first],
                    "a message spread over " + std::to_string(count) + " lines, expected one");
      first += count - 1;
    }
  }
  return ruling.finding("nothing was said");
}

}  // namespace plumbline::conformance
