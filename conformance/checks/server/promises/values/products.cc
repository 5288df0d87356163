// Products, beside the factors that a description names.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/server/promises/values/formula.h"
#include "conformance/checks/server/promises/values/numbers.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kTellingLetters = 5;

// Factor is a number that a phrase speaks of.
struct Factor {
  std::string name;
  double value = 0;
};

// names_all_of returns whether a phrase has all words of a name, and shares_word whether it has a
// telling one.
bool names_all_of(const Sentence& phrase, const std::string& name) {
  if (phrase.names.contains(name)) return true;
  const std::vector<std::string> words = words_of(name);
  return std::ranges::all_of(words,
                             [&](const std::string& one) { return phrase.words.contains(one); });
}

bool shares_word(const Sentence& phrase, const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  return std::ranges::any_of(words, [&](const std::string& one) {
    return one.size() >= kTellingLetters && phrase.words.contains(one);
  });
}

// factor_of returns the one number that a phrase speaks of; nothing: none, or it is not clear.
template <typename Means>
std::optional<Factor> factor_of(const Sentence& phrase, const std::vector<Factor>& known,
                                Means means) {
  std::optional<Factor> found;
  for (const Factor& one : known) {
    if (!means(phrase, one.name)) continue;
    if (found) return std::nullopt;
    found = one;
  }
  return found;
}

std::optional<Factor> factor_named(const Sentence& phrase, const std::vector<Factor>& known) {
  const std::optional<Factor> sure = factor_of(phrase, known, names_all_of);
  return sure ? sure : factor_of(phrase, known, shares_word);
}

std::string product_problem(const Look& look, const Formula& formula, const Json& object) {
  std::string result;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_number() || !formula.result.names.contains(name)) continue;
    if (!result.empty() || look.arguments.contains(name)) return {};
    result = name;
  }
  if (result.empty()) return {};
  std::vector<Factor> known;
  for (const auto& [name, value] : object.items()) {
    if (value.is_number() && name != result) known.push_back({name, value.get<double>()});
  }
  for (const auto& [name, value] : look.arguments.items()) {
    if (value.is_number() && !object.contains(name)) known.push_back({name, value.get<double>()});
  }
  const std::optional<Factor> one = factor_named(formula.one, known);
  const std::optional<Factor> other = factor_named(formula.other, known);
  if (!one || !other || one->name == other->name) return {};
  const double product = one->value * other->value / formula.divided_by;
  const double told = object[result].get<double>();
  if (product <= 0 || told <= 0 || may_be(told, product, step_of(object[result]), 1)) return {};
  if (is_other_unit(told / product)) return {};
  return "\"" + shortened(result) + "\" is " + dump_json(object[result]) + ", and \"" +
         shortened(one->name) + "\" " + number_text(one->value) + " times \"" +
         shortened(other->name) + "\" " + number_text(other->value) +
         (formula.divided_by == 1 ? "" : " divided by " + number_text(formula.divided_by)) +
         " is " + number_text(product);
}

}  // namespace

std::string products_apart(const Look& look) {
  std::string found;
  if (is_changed_elsewhere(look.said)) return found;
  for (const Sentence& sentence : look.said) {
    const std::optional<Formula> formula = formula_in(sentence);
    if (!formula) continue;
    each_object(look.answer, [&](const Json& object) {
      if (found.empty()) found = product_problem(look, *formula, object);
    });
  }
  return found;
}

}  // namespace plumbline::conformance
