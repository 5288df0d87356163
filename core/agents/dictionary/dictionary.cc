#include "core/agents/dictionary/dictionary.h"

#include <algorithm>
#include <cstddef>

#include "core/agents/dictionary/dictionary_file.h"

namespace plumbline::agents {

namespace {

// Entry is what a line says behind its word.
struct Entry {
  std::string_view verb;  // Groups, set apart by single spaces.
  std::string_view noun;
  std::string_view base;  // Of an irregular form, which has nothing else.
  bool known = false;
};

Entry read_entry(std::string_view line) {
  Entry out;
  out.known = true;
  if (line.starts_with('=')) {
    out.base = line.substr(1);
    return out;
  }
  const std::size_t tab = std::min(line.find('\t'), line.size());
  out.verb = line.substr(0, tab);
  out.noun = line.substr(std::min(tab + 1, line.size()));
  return out;
}

// find_entry looks for the line of `word` among sorted lines.
Entry find_entry(std::string_view word) {
  const std::string_view text = embedded_text(dictionary_files(), "words.tsv");
  std::size_t begin = 0;
  std::size_t end = text.size();
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    const std::size_t before = middle == 0 ? text.npos : text.rfind('\n', middle - 1);
    const std::size_t start = before == text.npos ? 0 : before + 1;
    const std::size_t stop = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, stop - start);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const std::string_view found = line.substr(0, tab);
    if (found == word) return read_entry(line.substr(std::min(tab + 1, line.size())));
    if (found < word) {
      begin = stop + 1;
    } else {
      end = start;
    }
  }
  return {};
}

bool has_group(std::string_view groups, std::string_view group) {
  while (!groups.empty()) {
    const std::size_t end = std::min(groups.find(' '), groups.size());
    if (groups.substr(0, end) == group) return true;
    groups.remove_prefix(std::min(end + 1, groups.size()));
  }
  return false;
}

bool share_a_group(std::string_view groups, std::string_view others) {
  while (!groups.empty()) {
    const std::size_t end = std::min(groups.find(' '), groups.size());
    if (has_group(others, groups.substr(0, end))) return true;
    groups.remove_prefix(std::min(end + 1, groups.size()));
  }
  return false;
}

// plain_forms calls `take` with what a regular form may come from, until it returns true.
template <typename Take>
bool any_plain_form(std::string_view word, Take take) {
  if (take(std::string(word))) return true;
  struct Ending {
    std::string_view form;
    std::string_view plain;
  };
  constexpr Ending kEndings[] = {{"ies", "y"}, {"es", ""},  {"s", ""},   {"ied", "y"},
                                 {"ed", ""},   {"ed", "e"}, {"ing", ""}, {"ing", "e"}};
  for (const Ending& ending : kEndings) {
    if (!word.ends_with(ending.form) || word.size() < ending.form.size() + 3) continue;
    std::string plain(word.substr(0, word.size() - ending.form.size()));
    if (take(plain + std::string(ending.plain))) return true;
    const bool doubled = plain[plain.size() - 1] == plain[plain.size() - 2];
    if (doubled && ending.plain.empty() && take(plain.substr(0, plain.size() - 1))) return true;
  }
  return false;
}

}  // namespace

bool is_common_word(std::string_view word) {
  return any_plain_form(word, [](const std::string& form) { return find_entry(form).known; });
}

std::string base_form(std::string_view word) {
  const Entry entry = find_entry(word);
  return std::string(entry.base.empty() ? word : entry.base);
}

bool is_form_of(std::string_view form, std::string_view word) {
  return form.size() > word.size() &&
         any_plain_form(form, [&](const std::string& plain) { return plain == word; });
}

bool is_verb_too(std::string_view word) { return !find_entry(word).verb.empty(); }

bool same_deed(std::string_view one, std::string_view other) {
  if (one == other) return true;
  const Entry a = find_entry(one);
  const Entry b = find_entry(other);
  return share_a_group(a.verb, b.verb) || share_a_group(a.verb, b.noun) ||
         share_a_group(a.noun, b.verb);
}

bool same_thing(std::string_view one, std::string_view other) {
  return one == other || share_a_group(find_entry(one).noun, find_entry(other).noun);
}

}  // namespace plumbline::agents
