#include "conformance/quality/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <vector>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"
#include "core/json/shown/visible_text.h"

namespace plumbline::conformance {

namespace {

using Prices = std::vector<std::int64_t>;

const Prices& prices_of(std::string_view kind) {
  static const std::map<std::string_view, Prices> kPrices = [] {
    std::map<std::string_view, Prices> all;
    Columns columns(table_text("prices.tsv"));
    while (columns.next_line()) {
      Prices& prices = all[columns.next()];
      const std::string_view row = columns.next();
      const char* at = row.data();
      const char* const end = row.data() + row.size();
      while (at < end) {
        std::int64_t price = 0;
        at = std::from_chars(at, end, price).ptr + 1;
        prices.push_back(price);
      }
    }
    return all;
  }();
  return kPrices.at(kind);
}

std::int64_t price_of(const Prices& prices, std::size_t letters) {
  return prices[std::min(letters, prices.size()) - 1];
}

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_latin(char c) { return is_small(c) || is_capital(c); }
bool is_figure(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) > 127; }

// InFront is what stands before a word and belongs to it.
enum InFront : std::size_t { kNothing, kSpace, kSign };

const Prices& foreign_prices(std::uint32_t code) {
  struct Script {
    std::uint32_t below;
    const Prices& prices;
  };
  static const std::array<Script, 10> kScripts = {{{0x370, prices_of("latin")},
                                                   {0x530, prices_of("cyrillic")},
                                                   {0x780, prices_of("semitic")},
                                                   {0x1100, prices_of("indic")},
                                                   {0x3040, prices_of("symbols")},
                                                   {0x3100, prices_of("kana")},
                                                   {0x4E00, prices_of("symbols")},
                                                   {0xA000, prices_of("han")},
                                                   {0xD7B0, prices_of("hangul")},
                                                   {0x10000, prices_of("symbols")}}};
  for (const Script& script : kScripts) {
    if (code < script.below) return script.prices;
  }
  return prices_of("emoji");
}

// Splitter takes the pieces off a text and adds up their prices.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::int64_t hundredths() {
    while (at_ < text_.size()) piece();
    return sum_;
  }

 private:
  bool is(bool (*kind)(char), std::size_t at) const { return at < text_.size() && kind(text_[at]); }

  std::size_t run(bool (*kind)(char), std::size_t from) const {
    while (is(kind, from)) ++from;
    return from;
  }

  void piece() {
    const char c = text_[at_];
    const bool joins = !is_latin(c) && !is_figure(c) && !is_beyond_ascii(c) && c != '\n' &&
                       c != '\r' && is(is_latin, at_ + 1);
    if (is_latin(c)) return word(at_, kNothing);
    if (joins) return word(at_ + 1, c == ' ' ? kSpace : kSign);
    if (is_figure(c)) return take(std::min(run(is_figure, at_), at_ + 3), digits_);
    if (is_beyond_ascii(c)) return foreign();
    if (is_blank(c)) {
      const std::size_t end = run(is_blank, at_);
      const bool leaves_one = end < text_.size() && end - at_ > 1 && text_[end - 1] == ' ';
      return take(leaves_one ? end - 1 : end, spaces_);
    }
    std::size_t end = at_;
    while (end < text_.size() && !is_latin(text_[end]) && !is_figure(text_[end]) &&
           !is_beyond_ascii(text_[end]) && !is_blank(text_[end])) {
      ++end;
    }
    take(end, signs_);
  }

  void take(std::size_t end, const Prices& prices) {
    sum_ += price_of(prices, end - at_);
    at_ = end;
  }

  void word(std::size_t begin, InFront before) {
    const std::size_t capitals = run(is_capital, begin);
    const std::size_t end = run(is_small, capitals);
    const bool shouts = capitals - begin > 1 && end == capitals;
    sum_ += price_of(shouts ? *capitals_[before] : *words_[before], end - begin);
    at_ = end;
  }

  void foreign() {
    const Letter letter = first_letter(text_.substr(at_));
    sum_ += foreign_prices(letter.code).front();
    at_ += letter.bytes;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t sum_ = 0;
  const Prices& digits_ = prices_of("digits");
  const Prices& signs_ = prices_of("signs");
  const Prices& spaces_ = prices_of("spaces");
  const std::array<const Prices*, 3> words_ = {&prices_of("word"), &prices_of("word-space"),
                                               &prices_of("word-sign")};
  const std::array<const Prices*, 3> capitals_ = {
      &prices_of("capitals"), &prices_of("capitals-space"), &prices_of("capitals-sign")};
};

}  // namespace

std::int64_t tokens_of(std::string_view text) {
  return (Splitter(text).hundredths() * 98 + 5'000) / 10'000;
}

std::string thousands(std::int64_t tokens) {
  if (tokens < 1'000) return std::to_string(tokens);
  const std::int64_t tenths = (tokens + 50) / 100;
  const bool whole = tenths >= 100 || tenths % 10 == 0;
  return std::to_string(whole ? (tokens + 500) / 1'000 : tenths / 10) +
         (whole ? "" : "." + std::to_string(tenths % 10)) + "k";
}

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace plumbline::conformance
