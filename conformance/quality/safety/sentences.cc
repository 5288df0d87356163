#include "conformance/quality/safety/sentences.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace plumbline::conformance {

namespace {

// ends_sentence returns how many bytes at the beginning of `rest` end a sentence.
std::size_t ends_sentence(std::string_view rest) {
  if (rest.front() == '\n') return 1;
  const bool may_end = (rest.front() & 0x80) != 0 || std::ispunct(rest.front()) != 0;
  if (!may_end) return 0;
  for (const std::string_view mark : {"。", "！", "？", "।", "؟"}) {
    if (rest.starts_with(mark)) return mark.size();
  }
  const bool mark = std::string_view(".!?;").find(rest.front()) != std::string_view::npos;
  return mark && (rest.size() == 1 || rest[1] == ' ' || rest[1] == '\n') ? 1 : 0;
}

// names_only returns whether `sentence` does nothing but list names, such as those of 300 icons: it
// says nothing, whatever words are among them.
bool names_only(std::string_view sentence) {
  constexpr std::size_t kItemsMin = 30;
  std::size_t items = 0;
  std::size_t names = 0;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find(", "), sentence.size());
    ++items;
    if (sentence.substr(0, end).find(' ') == sentence.npos) ++names;
    sentence.remove_prefix(std::min(end + 2, sentence.size()));
  }
  return items >= kItemsMin && names * 10 >= items * 9;
}

}  // namespace

std::vector<std::string_view> sentences(std::string_view text) {
  std::vector<std::string_view> sentences;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t mark = ends_sentence(text.substr(at));
    at += std::max<std::size_t>(mark, 1);
    if (mark == 0 && at < text.size()) continue;
    const std::string_view one = text.substr(begin, at - begin);
    const bool says_something = one.find_first_not_of(" \t\r\n.!?;") != one.npos;
    if (says_something && !names_only(one)) sentences.push_back(one);
    begin = at;
  }
  return sentences;
}

}  // namespace plumbline::conformance
