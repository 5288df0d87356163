#include <algorithm>
#include <cstdio>
#include <string>

#include "conformance/quality/checks.h"
#include "conformance/quality/safety/signs.h"
#include "conformance/quality/safety/unfolded.h"
#include "core/base/text.h"
#include "core/json/shown/visible_text.h"

namespace plumbline::conformance {

namespace {

std::string_view rule_for(const Signs& signs) {
  if (signs.hides) return "security.hidden-text";
  if (signs.has("others' tools")) return "security.other-tools";
  for (const char* const group : {"a file of keys", "credentials", "an address to send to",
                                  "the conversation", "carried along by the call"}) {
    if (signs.has(group)) return "security.exfiltration";
  }
  return "security.orders";
}

// with_escapes returns a text in which what is not shown is written as U+202E.
std::string with_escapes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    const std::string_view one = text.substr(0, letter.bytes);
    if (hides_text(one)) {
      std::array<char, 16> code{};
      std::snprintf(code.data(), code.size(), "<U+%04X>", static_cast<unsigned>(letter.code));
      out += code.data();
    } else {
      out += one == "\n" ? std::string_view(" ") : one;
    }
    text.remove_prefix(letter.bytes);
  }
  return out;
}

// first_unseen returns where the first character stands that is not shown.
std::size_t first_unseen(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (hides_text(text.substr(at, first_letter(text.substr(at)).bytes))) return at;
    at += first_letter(text.substr(at)).bytes;
  }
  return 0;
}

std::string told(const Text& text, const Signs& signs) {
  std::string what = shown_place(text);
  if (!signs.decoded.empty()) return what + " spells \"" + clipped(signs.decoded, 100) + "\"";
  if (signs.hides) {
    const std::string_view rest = std::string_view(text.text).substr(first_unseen(text.text));
    return what + " hides \"" + with_escapes(beginning(rest, 48)) + "\"";
  }
  std::string groups;
  for (const std::string_view group : signs.groups) {
    groups += (groups.empty() ? "" : ", ") + std::string(group);
  }
  return what + " (" + groups + "): \"" + with_escapes(signs.seen) + "\"";
}

}  // namespace

void check_safety(const Reading& read, const Around& around, Notes& notes) {
  for (const Text& text : read.texts) {
    const Signs signs = signs_of(text, read, around);
    if (signs.suspect()) notes.add(rule_for(signs), text.item, told(text, signs), signs.sure());
  }
  for (const std::string& other : around.other_servers) {
    if (look_alike(around.server, other)) {
      notes.add("security.look-alike", "", around.server + " is like " + other);
    }
  }
  for (const OfferedTool& tool : read.tools) {
    for (const std::string& other : around.other_tools) {
      if (look_alike(tool.name, other))
        notes.add("security.look-alike", tool.name, "like " + other);
    }
  }
  for (const char* const id : {"security.hidden-text", "security.orders", "security.exfiltration",
                               "security.other-tools"}) {
    notes.looked(id, read.texts.size());
  }
  notes.looked("security.look-alike", around.other_servers.size() + around.other_tools.size());
  // Who compares with pins says so.
  notes.looked("security.pin-changed", notes.looked_at("security.pin-changed", 0));
}

}  // namespace plumbline::conformance
