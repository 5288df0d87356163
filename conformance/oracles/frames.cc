// Bytes and lines: what comes before there is a message.

#include <algorithm>
#include <optional>
#include <span>
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

// deepened returns how much deeper JSON nests behind `line`; nothing where it ends in a string.
std::optional<int> deepened(std::string_view line) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quoted && c == '\\') {
      ++at;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      depth += int{c == '{' || c == '['} - int{c == '}' || c == ']'};
    }
  }
  return quoted ? std::nullopt : std::optional(depth);
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

// no_json_in returns the first word of `text`, outside of its strings, that JSON does not have but
// JavaScript and Python write; empty: none.
std::string_view no_json_in(std::string_view text) {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (quoted && text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      for (const std::string_view word :
           {"NaN", "Infinity", "undefined", "None", "True", "False"}) {
        if (text.substr(at).starts_with(word)) return word;
      }
    }
  }
  return {};
}

// whole_message returns the text of a whole message on one line; empty: `entry` is no such thing.
std::string whole_message(const LogEntry& entry) {
  std::string text = text_of(entry);
  const bool whole = text.starts_with("{") && text.find("\"jsonrpc\"") != std::string::npos &&
                     deepened(text) == 0 && bool_or(*entry.message, "utf8", true);
  return whole && !is_two_messages(text) ? text : std::string();
}

// half_at returns whether \ud800 to \udfff stands at `at`, of the high half or the low one.
bool half_at(std::string_view text, std::size_t at, bool high) {
  const std::string escape = lower_case(text.substr(at, 6));
  return escape.size() == 6 && escape.starts_with("\\ud") &&
         std::string_view(high ? "89ab" : "cdef").find(escape[3]) != std::string_view::npos;
}

// take_halves_out puts U+FFFD in place of each half without the other, and returns the first.
std::string take_halves_out(std::string& text) {
  std::string first;
  for (std::size_t at = text.find('\\'); at < text.size(); at = text.find('\\', at)) {
    const bool high = half_at(text, at, true);
    if (high && half_at(text, at + 6, false)) {
      at += 12;
    } else if (high || half_at(text, at, false)) {
      if (first.empty()) first = text.substr(at, 6);
      text.replace(at, 6, "\\ufffd");
      at += 6;
    } else {
      at += 2;
    }
  }
  return first;
}

}  // namespace

std::string half_character(const LogEntry& entry) {
  std::string text = whole_message(entry);
  std::string half = take_halves_out(text);
  return half.empty() || !parse_json(text).ok() ? std::string() : half;
}

std::string broken_message(const LogEntry& entry) {
  const std::string text = whole_message(entry);
  if (text.empty()) return "";
  const Result<Json> read = parse_json(text);
  if (read.ok() || !half_character(entry).empty()) return "";
  const std::string_view word = no_json_in(text);
  return word.empty() ? read.error().message
                      : "it has " + std::string(word) + ", which JSON does not have";
}

// Half a character in escapes is JSON by its grammar, and no text of Unicode (RFC 8259, 8.2).
Finding says_utf8(const Transcript& transcript) {
  Ruling ruling(transcript);
  Ruling halves(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!is_ascii(dump_json(*said.message))) ruling.sees();
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
