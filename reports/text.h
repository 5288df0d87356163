// Text helpers of the writers: what is safe to print, how wide it is, how numbers look.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::reports {

// printable returns `text` as UTF-8 that no terminal and no XML reader trips over. Control
// characters become their pictures (U+0007 is ␇), the newline stays, a tab becomes a space; bytes
// that are not UTF-8, C1 controls, bidirectional overrides and noncharacters become U+FFFD.
std::string printable(std::string_view text);

// one_line returns printable text with every newline as a space.
std::string one_line(std::string_view text);

// list_of returns texts as one line, with commas between them.
template <class Items>
std::string list_of(const Items& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + one_line(item);
  return out;
}

// safe_json returns JSON that means the same and steers no terminal: what is DEL, a C1 control or
// changes the direction of text is written as \u escapes, and so is what a log of GitHub Actions
// would obey ("##[").
std::string safe_json(std::string_view json);

// without_commands returns printable text of which the runner of GitHub Actions obeys nothing: no
// line begins with "::", none has "##[".
std::string without_commands(std::string_view text);

// width_of returns how many terminal columns printable text takes: 2 for East Asian wide
// characters and emoji, 0 for combining marks.
std::size_t width_of(std::string_view text);

// counted returns "1 failure", "2 failures".
std::string counted(std::size_t number, std::string_view what);

// clip returns printable text cut to at most `columns` (at least 1), with … where something is
// missing.
std::string clip(std::string_view text, std::size_t columns);

// pad returns clip(text, columns), filled with spaces to exactly `columns`.
std::string pad(std::string_view text, std::size_t columns);

// wrap breaks printable text into lines of at most `columns`, between words only: a URL, or any
// other word that is longer, stays whole, and so does a line that shows a command of ours. Newlines
// of the text stay line ends.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

// decimal returns `value` with at most `places` digits after the point and no trailing zeros. What
// is not finite is 0: no format has a spelling for it.
std::string decimal(double value, int places);

// hex_text returns 16 hexadecimal digits.
std::string hex_text(std::uint64_t value);

// duration_text returns a span for people: "0.3 ms", "12 ms", "1.2 s", "2 min 5 s".
std::string duration_text(double milliseconds);

}  // namespace plumbline::reports
