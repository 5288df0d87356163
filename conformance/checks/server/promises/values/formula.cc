#include "conformance/checks/server/promises/values/formula.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kTimes = " times ";
constexpr std::string_view kDividedBy = "divided by ";
// What makes of a product something else.
constexpr std::array<std::string_view, 27> kMore = {
    "plus",    "minus",  "less",   "discount",   "discounts", "surcharge", "minimum",
    "maximum", "least",  "most",   "tax",        "vat",       "fee",       "free",
    "except",  "unless", "capped", "weekend",    "weekends",  "season",    "seasonal",
    "started", "begun",  "added",  "multiplied", "about",     "roughly"};
// What a sentence elsewhere may say of the same product.
constexpr std::array<std::string_view, 17> kSaidElsewhere = {
    "discount", "discounts", "discounted", "surcharge", "minimum",  "tax",
    "vat",      "fee",       "fees",       "weekend",   "weekends", "season",
    "seasonal", "capped",    "percent",    "rebate",    "extra"};
constexpr std::array<double, 9> kOtherUnits = {7, 12, 24, 30, 52, 60, 365, 1440, 3600};

// last_part returns what stands behind the last of `marks` in a text, and where it begins.
std::size_t last_part(std::string_view text) {
  std::size_t at = 0;
  for (const std::string_view mark : {",", ";", ":", "(", "=", " is ", " are ", " equals "}) {
    const std::size_t found = text.rfind(mark);
    if (found != std::string_view::npos) at = std::max(at, found + mark.size());
  }
  return at;
}

std::size_t first_end(std::string_view text) {
  std::size_t end = text.size();
  for (const std::string_view mark : {",", ";", ":", ")", " rounded", " divided", " and "}) {
    end = std::min(end, text.find(mark));
  }
  return end;
}

Sentence phrase_of(std::string_view text) {
  std::vector<Sentence> all = sentences_in(text);
  return all.empty() ? Sentence() : all.front();
}

}  // namespace

std::optional<Formula> formula_in(const Sentence& sentence) {
  const std::string& text = sentence.text;
  const std::size_t at = text.find(kTimes);
  if (at == std::string::npos || text.find(kTimes, at + 1) != std::string::npos)
    return std::nullopt;
  if (says_word(sentence, kMore)) return std::nullopt;
  const std::string_view before = std::string_view(text).substr(0, at);
  const std::string_view after = std::string_view(text).substr(at + kTimes.size());
  const std::size_t begin = last_part(before);
  const std::size_t end = first_end(after);
  Formula formula{phrase_of(before.substr(0, begin)), phrase_of(before.substr(begin)),
                  phrase_of(after.substr(0, end)), 1};
  if (formula.one.words.empty() || formula.other.words.empty()) return std::nullopt;
  const std::string_view rest = after.substr(end);
  const std::size_t divided = rest.find(kDividedBy);
  if (divided == std::string_view::npos) return formula;
  const std::string_view number = rest.substr(divided + kDividedBy.size());
  int by = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), by);
  if (read.ec != std::errc() || by <= 0) return std::nullopt;
  formula.divided_by = by;
  return formula;
}

bool is_changed_elsewhere(const std::vector<Sentence>& said) {
  return std::ranges::any_of(said,
                             [](const Sentence& one) { return says_word(one, kSaidElsewhere); });
}

bool is_other_unit(double factor) {
  if (factor <= 0) return false;
  const double tens = std::log10(factor);
  if (std::abs(tens - std::round(tens)) < 0.01) return true;
  return std::ranges::any_of(kOtherUnits, [factor](double times) {
    return std::abs(factor / times - 1) < 0.02 || std::abs(times * factor - 1) < 0.02;
  });
}

}  // namespace plumbline::conformance
