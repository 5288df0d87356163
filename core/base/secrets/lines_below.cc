#include "core/base/secrets/lines_below.h"

#include <algorithm>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/name_signs.h"
#include "core/base/secrets/said_secrets.h"
#include "core/base/secrets/secret_names.h"

namespace plumbline {

namespace {

constexpr std::size_t kListBytesMax = 2'048;
constexpr std::size_t kKeyLinesMax = 8'192;
constexpr std::size_t kOracleUserMax = 512;
constexpr std::size_t kBotKeyBytes = 32;
constexpr std::string_view kBlank = " \t\r\n";

std::size_t first_of(std::string_view text, std::string_view stops, std::size_t at) {
  return std::min(text.find_first_of(stops, at), text.size());
}

std::size_t first_not_of(std::string_view text, std::string_view passed, std::size_t at) {
  return std::min(text.find_first_not_of(passed, at), text.size());
}

bool is_key_of_bot(std::string_view name, std::string_view key) {
  if (name.starts_with("bot")) name.remove_prefix(3);
  const auto is_byte = [](char c) { return ascii_word(c) || c == '-' || c == '_'; };
  return name.size() >= 8 && name.size() <= 10 && std::ranges::all_of(name, ascii_digit) &&
         key.size() >= kBotKeyBytes && std::ranges::all_of(key.substr(0, kBotKeyBytes), is_byte);
}

std::size_t indent_of(std::string_view text, std::size_t line) {
  return first_not_of(text, " \t", line) - line;
}

}  // namespace

Span known_by_place(std::string_view text, std::size_t colon, std::size_t value,
                    std::string_view name) {
  text = text.substr(0, value + kKeyLinesMax);  // Each byte is read a bounded number of times.
  if (name == "Private-Lines") {
    const std::size_t begin = std::min(text.find('\n', value), text.size());
    const std::size_t end = std::min(text.find("Private-MAC", begin), text.size());
    const std::size_t first = first_not_of(text, kBlank, begin);
    return first < end && !is_placeholder(text.substr(first)) ? Span{first, end} : Span{};
  }
  if (text.substr(colon + 1).starts_with("AA") && is_key_of_bot(name, text.substr(colon + 1))) {
    return {colon + 1, first_of(text, " \t\r\n\"'/`;|&<>\\", colon + 1)};
  }
  if (name != "thin" && name != "oci") return {};
  text = text.substr(0, value + kOracleUserMax);
  const std::size_t end = first_of(text, "@ \t\r\n\"'", value);
  const std::size_t slash = text.substr(0, end).find('/', value);
  if (end == text.size() || text[end] != '@' || slash == text.npos) return {};
  const bool told = !is_ordinary_value(text.substr(slash + 1, end - slash - 1));
  return told ? Span{slash + 1, end} : Span{};
}

bool begins_block(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '|' && text[at] != '>')) return false;
  const std::size_t last = behind_gap(text, first_not_of(text, "|>+-123456789", at));
  return last < text.size() && ends_line(text[last]);
}

Span block_below(std::string_view text, std::size_t colon, std::size_t at) {
  const std::size_t own = indent_of(text, text.substr(0, colon).rfind('\n') + 1);
  std::size_t next = std::min(text.find('\n', at), text.size());
  const std::size_t begin = first_not_of(text, kBlank, next);
  std::size_t end = begin;
  while (next < text.size()) {
    const bool empty = next + 1 < text.size() && ends_line(text[next + 1]);
    if (!empty && indent_of(text, next + 1) <= own) break;
    next = std::min(text.find('\n', next + 1), text.size());
    end = std::max(end, next);
  }
  return is_placeholder(text.substr(begin)) ? Span{} : Span{begin, end};
}

std::size_t words_below(std::string_view text, std::size_t at, std::string_view name,
                        std::vector<Span>& found) {
  const std::size_t near = std::min(at + kListBytesMax, text.size());
  while (at < near) {
    std::size_t begin = first_not_of(text, kBlank, at);
    const bool item = text.substr(begin).starts_with("- ");
    if (item) begin = behind_gap(text, begin + 2);
    std::size_t end = first_of(text, kBlank, begin);
    const bool quoted = begin < end && is_quote(text[begin]);
    if (!quoted) end = first_of(text.substr(0, end), "\"'`", begin);  // Around all of it.
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t last = behind_gap(text, end);
    if (word == "value:" || word == "val:") return last;
    const bool whole = last == text.size() || ends_line(text[last]) || is_quote(text[last]);
    if (!whole || word.empty() || word.ends_with(':')) break;
    const std::size_t mark = quoted && word.size() > 2 ? 1 : 0;
    const Span value{begin + mark, end - mark};
    if (looks_told(text.substr(value.begin, value.end - value.begin), name)) found.push_back(value);
    if (!item) break;
    at = last;
  }
  return text.size();
}

namespace {

// each_value_below calls `take` with each value in the lines of `block`: what stands behind a name
// and its colon, or alone in its line; and with its name.
template <typename Take>
void each_value_below(std::string_view text, Span block, const Take& take) {
  for (std::size_t at = block.begin; at < block.end;) {
    const std::size_t end = std::min(first_of(text, "\r\n", at), block.end);
    const std::string_view line = text.substr(at, end - at);
    const std::size_t sign = line.find(": ");
    const std::size_t first = sign == line.npos ? at : at + sign + 2;
    const std::size_t mark = mark_at(text, first).end - first;
    const Span told{first_not_of(text, " \t", first + mark), end - std::min(mark, end - first)};
    const bool named = sign != line.npos || !line.ends_with(':');
    const bool any = told.begin < told.end && !is_placeholder(text.substr(told.begin));
    if (named && any && text[told.begin] != '|' && text[told.begin] != '>') {
      take(told, line.substr(0, std::min(sign, line.size())));
    }
    at = first_not_of(text, kBlank, end);
  }
}

}  // namespace

void secret_data(std::string_view text, std::size_t colon, std::size_t value,
                 std::vector<Named>& found) {
  constexpr std::size_t kNearMax = 1'024;
  constexpr std::string_view kKind = "kind: Secret";
  const std::size_t from = colon - std::min(colon, kNearMax);
  const Span block = block_below(text.substr(0, value + kKeyLinesMax), colon, value);
  const std::string_view before = text.substr(from, colon - from);
  const std::string_view behind = text.substr(std::max(block.end, value), kNearMax);
  if (before.find(kKind) == before.npos && behind.find(kKind) == behind.npos) return;
  each_value_below(text, block, [&](const Span& told, auto) { found.push_back({told, {}}); });
}

void mapping_below(std::string_view text, std::size_t colon, std::size_t value,
                   std::string_view name, std::vector<Named>& found) {
  const Span block = block_below(text.substr(0, value + kListBytesMax), colon, value);
  each_value_below(text, block, [&](const Span& told, std::string_view key) {
    while (!key.empty() && is_quote(key.back())) key.remove_suffix(1);
    if (key.ends_with("name") || key.ends_with("id")) return;
    if (looks_told(text.substr(told.begin, told.end - told.begin), name)) {
      found.push_back({told, {}});
    }
  });
}

}  // namespace plumbline
