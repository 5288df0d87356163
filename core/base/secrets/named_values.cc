#include "core/base/secrets/named_search.h"

#include <algorithm>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/header_values.h"
#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/secrets/value_words.h"

namespace plumbline {

std::size_t NamedSearch::behind(std::size_t at, std::string_view stops) const {
  return std::min(text_.find_first_of(stops, at), text_.size());
}

void NamedSearch::hide(const String& string) {
  if (!is_ordinary_value(text_of(string))) found_.push_back({string, {}});
}

void NamedSearch::headers(std::size_t begin) {
  bool named = false;
  each_string(begin, structure_from(begin), [&](const String& string) {
    if (named && !string.is_name) hide(string);
    named = !named && string.has_next && names(text_of(string), NamedAs::kHeader);
  });
}

void NamedSearch::suggestions(std::size_t begin) {
  bool suggested = false;
  each_string(begin, structure_from(begin), [&](const String& string) {
    if (suggested && !string.is_name) hide(string);
    if (string.is_name) suggested = suggests_value(text_of(string));
  });
}

void NamedSearch::header(std::size_t value, const NameBefore& named) {
  std::size_t end = header_end(text_, value, named);
  while (value < end && (is_gap(text_[value]) || ends_line(text_[value]))) ++value;
  while (end > value && is_gap(text_[end - 1])) --end;
  if (!is_ordinary_header(text_.substr(value, end - value))) add(value, end);
}

bool NamedSearch::string(std::size_t at, bool apart) {
  Mark mark = prefixed_mark(text_, at);
  if (mark.end == mark.begin) {
    const Call call = call_at(text_, at);
    if (call.looks_up) return true;
    mark = call.mark;
  }
  if (mark.end == mark.begin) return false;
  if (closes_string(text_, mark)) return true;
  const Span whole = whole_string(text_, mark, apart);
  if (is_ordinary_value(text_of(whole))) return true;
  add(whole);
  const std::size_t behind = behind_gap(text_, mark_at(text_, whole.end).end);
  if (behind < text_.size() && text_[behind] == ':')
    name_ahead_ = mark.begin;  // It is a name, too.
  return true;
}

void NamedSearch::value(std::size_t at, const NameBefore& named, bool prose) {
  if (at >= text_.size() || string(at, prose)) return;
  if (const std::size_t hidden = placeholder_at(text_.substr(at)); hidden > 0) {
    const std::size_t end = at + hidden;
    if (end < text_.size() && ascii_word(text_[end])) bare(at, named, prose);
    return;
  }
  if (const std::size_t end = behind_brackets(text_, at)) return add(at, end);
  if (describes_type(text_, at)) return suggestions(at);
  if (text_[at] == '[' || text_[at] == '{') {
    const std::size_t end = structure_from(at);
    if (end > at) return structure(at, end, named);
  }
  const bool in_json = named.mark.end > named.mark.begin;
  if (!in_json && takes_line(named.name)) {
    const std::size_t end = end_of_phrase(text_, at, named.around());
    if (!is_ordinary_phrase(text_.substr(at, end - at))) return add(at, end);
  }
  bare(at, named, prose);
}

namespace {

// is_of_tests returns whether what stands behind "pass" tells of tests: 120/130, tools.list-2025.
bool is_of_tests(std::string_view name, std::string_view value) {
  if (!ends_alike(name, "pass") || name.size() != 4) return false;
  const std::size_t sign = value.find_first_of("./");
  if (sign == value.npos || sign == 0 || sign + 1 == value.size()) return false;
  const std::string_view first = value.substr(0, sign);
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  if (value[sign] == '/') {
    return std::ranges::all_of(value, [](char c) { return ascii_digit(c) || c == '/'; });
  }
  return first.size() >= 3 && std::ranges::all_of(first, small) && small(value[sign + 1]) &&
         std::ranges::all_of(value, [&](char c) {
           return small(c) || ascii_digit(c) || c == '.' || c == '-' || c == '_';
         });
}

}  // namespace

void NamedSearch::bare(std::size_t at, const NameBefore& named, bool prose) {
  std::size_t end = at;
  while (end < text_.size() && !ends_bare(text_, end)) ++end;
  end = behind_parts(text_, end, kWordEnds, named.around());
  while (prose && end > at && (text_[end - 1] == '.' || text_[end - 1] == ',')) --end;
  const std::string_view value = text_.substr(at, end - at);
  const bool form = value.starts_with("{{") && value.size() < kNameBytesMax;
  if (value.empty() || is_ordinary_value(value) || form) return;
  if (prose && is_of_tests(named.name, value)) return;
  const bool number = std::ranges::all_of(value, ascii_digit);
  const bool strong = hides_numbers(named.name) || (rule_ && rule_(named.name).value_or(false));
  const bool in_json = named.mark.end > named.mark.begin;
  const std::size_t least = std::min<std::size_t>(number_digits_min(named.name), in_json ? 9 : 8);
  if (number && !strong && value.size() < least) return;
  if (prose && !strong && !looks_random(value)) return;
  add(at, end, in_json ? named.mark.of(text_) : std::string_view());
  // It may be a name, or an option, of what stands behind it.
  const bool option = value.starts_with('-');
  if (!option && !value.ends_with(':')) return;
  done_ = option ? at : end - 1;
  name_ahead_ = at;
}

std::size_t NamedSearch::structure_from(std::size_t at) const {
  const std::size_t last = at < within_ ? at + kStructureReadMax : text_.size();
  return structure_end(text_, at, std::min(last, text_.size()));
}

void NamedSearch::structure(std::size_t begin, std::size_t end, const NameBefore& named) {
  const bool strings = each_string(begin, end, [this](const String& string) {
    if (!string.is_name) hide(string);
  });
  const bool in_json = named.mark.end > named.mark.begin;
  if (strings || (in_json && number_digits_min(named.name) > 4)) return;
  const std::size_t last = end > begin + 1 ? end - 1 : end;
  if (is_placeholder(text_.substr(begin + 1))) return;
  add(begin + 1, last, in_json ? named.mark.of(text_) : std::string_view());
}

}  // namespace plumbline
