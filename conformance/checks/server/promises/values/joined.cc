#include "conformance/checks/server/promises/values/joined.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/checks/server/promises/values/formula.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kRowsMin = 3;
constexpr std::size_t kRowsMax = 60;
constexpr std::size_t kNumbersMax = 16;
constexpr std::size_t kTellingMin = 5;  // Letters.
constexpr double kSame = 0.02;

// Where these are spoken of, a factor may well come of one unit and another.
constexpr std::array<std::string_view, 22> kOfTwoUnits = {
    "mile",    "miles", "mi",       "pound",    "pounds",  "lb",       "lbs",  "ounce",
    "ounces",  "oz",    "feet",     "foot",     "ft",      "inch",     "yard", "gallon",
    "gallons", "rate",  "exchange", "currency", "convert", "converted"};

// Numbers are what is known of one thing, by the names of members.
using Numbers = std::map<std::string, double>;

// Things are the objects that have been told of, by their ids.
using Things = std::map<std::string, std::vector<Json>>;

Things things_told(const Exercise& exercise) {
  Things found;
  for (const Call* const call : exercise.completed("tools/call")) {
    if (!has_gone_well(call->reply)) continue;
    each_object(answer_in(call->reply), [&](const Json& object) {
      const auto id = find_string(object, "id");
      if (!id) return;
      std::vector<Json>& known = found[std::string(*id)];
      if (std::ranges::find(known, object) == known.end()) known.push_back(object);
    });
  }
  return found;
}

// add_numbers takes in the numbers of an object; false: one of them is known otherwise.
bool add_numbers(const Json& object, Numbers& numbers) {
  for (const auto& [name, value] : object.items()) {
    if (!value.is_number()) continue;
    const auto [at, fresh] = numbers.emplace(name, value.get<double>());
    if (!fresh && at->second != value.get<double>()) return false;
  }
  return true;
}

// add_known takes in what is known of the things that an object names by their ids, and of those
// that they name.
bool add_known(const Json& object, const Things& things, Numbers& numbers, int steps = 2) {
  if (steps == 0) return true;
  for (const auto& [name, value] : object.items()) {
    const auto* const id = value.get_ptr<const std::string*>();
    const auto known =
        id == nullptr || !is_id_like(words_of(name)) ? things.end() : things.find(*id);
    if (known == things.end()) continue;
    for (const Json& thing : known->second) {
      if (!add_numbers(thing, numbers) || !add_known(thing, things, numbers, steps - 1))
        return false;
    }
  }
  return true;
}

// NumbersRow is an object that a tool has answered, and the numbers about it.
struct NumbersRow {
  const Call* call = nullptr;
  std::set<std::string> own;  // That the answer has and the call had not.
  Numbers numbers;
  std::map<std::string, double> steps;
};

std::vector<NumbersRow> rows_of(const Json& tool, const Exercise& exercise) {
  const Things things = things_told(exercise);
  std::vector<NumbersRow> rows;
  for (const Call* const call : exercise.completed("tools/call")) {
    const bool its = string_or(call->params, "name", "") == string_or(tool, "name", "");
    if (!its || !has_gone_well(call->reply)) continue;
    const Json* const given = find(call->params, "arguments");
    const Json arguments = given != nullptr && given->is_object() ? *given : Json::object();
    each_object(answer_in(call->reply), [&](const Json& object) {
      NumbersRow row{call, {}, {}, {}};
      for (const auto& [name, value] : object.items()) {
        if (!value.is_number()) continue;
        row.steps[name] = step_of(value);
        if (!arguments.contains(name)) row.own.insert(name);
      }
      const bool whole = add_numbers(object, row.numbers) && add_numbers(arguments, row.numbers) &&
                         add_known(object, things, row.numbers) &&
                         add_known(arguments, things, row.numbers);
      if (whole && !row.own.empty() && row.numbers.size() <= kNumbersMax &&
          rows.size() < kRowsMax) {
        rows.push_back(std::move(row));
      }
    });
  }
  return rows;
}

// Product is a result and the two numbers that it may come of.
struct Product {
  std::string result;
  std::string one;
  std::string other;
  double divided_by = 1;
};

// of_rows returns the rows that have all three, none of them 0.
std::vector<const NumbersRow*> of_rows(const Product& product,
                                       const std::vector<NumbersRow>& rows) {
  std::vector<const NumbersRow*> found;
  for (const NumbersRow& row : rows) {
    const auto has = [&](const std::string& name) {
      const auto at = row.numbers.find(name);
      return at != row.numbers.end() && at->second > 0;
    };
    if (row.own.contains(product.result) && has(product.result) && has(product.one) &&
        has(product.other)) {
      found.push_back(&row);
    }
  }
  return found;
}

bool varies(const std::vector<const NumbersRow*>& rows, const std::string& name) {
  return std::ranges::any_of(rows, [&](const NumbersRow* row) {
    return row->numbers.at(name) != rows.front()->numbers.at(name);
  });
}

// factor_in returns by what the results are other than the product, where that is the same in all
// rows; nothing: it is not.
std::optional<double> factor_in(const Product& product,
                                const std::vector<const NumbersRow*>& rows) {
  const auto made = [&](const NumbersRow* row) {
    return row->numbers.at(product.one) * row->numbers.at(product.other) / product.divided_by;
  };
  const auto* const largest = *std::ranges::max_element(rows, {}, made);
  const double factor = largest->numbers.at(product.result) / made(largest);
  const bool same = std::ranges::all_of(rows, [&](const NumbersRow* row) {
    const double step = row->steps.at(product.result);
    return may_be(row->numbers.at(product.result), factor * made(row), step, 1.5);
  });
  return same ? std::optional(factor) : std::nullopt;
}

bool has_telling_word(const std::string& name, const std::set<std::string>& words) {
  return std::ranges::any_of(words_of(name), [&](const std::string& word) {
    return word.size() >= kTellingMin && words.contains(word);
  });
}

// is_copy returns whether the results are the one factor in all rows, where the other one, which is
// spoken of in the same unit, makes a difference.
bool is_copy(const Product& product, const std::vector<const NumbersRow*>& rows) {
  const std::vector<std::string> words = words_of(product.result);
  if (!has_telling_word(product.other, std::set<std::string>(words.begin(), words.end()))) {
    return false;
  }
  return std::ranges::all_of(rows, [&](const NumbersRow* row) {
    return row->numbers.at(product.result) == row->numbers.at(product.one) &&
           row->numbers.at(product.other) != product.divided_by;
  });
}

std::string says_product(const Product& product, const NumbersRow& row) {
  const auto of = [&](const std::string& name) {
    return "\"" + shortened(name) + "\" " + number_text(row.numbers.at(name));
  };
  std::string what = "\"" + shortened(product.result) + "\" is " +
                     number_text(row.numbers.at(product.result)) + ", and " + of(product.one) +
                     " times " + of(product.other);
  if (product.divided_by != 1) what += " divided by " + number_text(product.divided_by);
  const double made = row.numbers.at(product.one) * row.numbers.at(product.other);
  return what + " is " + number_text(made / product.divided_by);
}

// Looked is what became of one formula: told of rightly by some numbers, or wrongly.
struct Looked {
  bool right = false;
  Contradicted wrong;
};

void look_at_product(const Formula& formula, const Product& product,
                     const std::vector<NumbersRow>& rows, Looked& looked) {
  const std::vector<const NumbersRow*> its = of_rows(product, rows);
  if (its.size() < kRowsMin || !varies(its, product.one) || !varies(its, product.other)) return;
  const std::optional<double> factor = factor_in(product, its);
  if (factor && (std::abs(*factor - 1) < kSame || is_other_unit(*factor))) looked.right = true;
  const bool spoken = has_telling_word(product.other, formula.other.words);
  if (!spoken || looked.wrong.call != nullptr) return;
  if (!factor && !is_copy(product, its)) return;
  looked.wrong = {its.front()->call, says_product(product, *its.front())};
}

Looked look_at_formula(const Formula& formula, const std::vector<NumbersRow>& rows) {
  Looked looked;
  std::set<std::string> names;
  for (const NumbersRow& row : rows) {
    for (const auto& [name, value] : row.numbers) names.insert(name);
  }
  const bool two_units = std::ranges::any_of(
      names, [](const std::string& name) { return has_word(words_of(name), kOfTwoUnits); });
  if (names.size() > kNumbersMax || two_units) return looked;
  for (const std::string& result : names) {
    for (const std::string& one : names) {
      for (const std::string& other : names) {
        if (result == one || result == other || one == other) continue;
        look_at_product(formula, {result, one, other, formula.divided_by}, rows, looked);
      }
    }
  }
  return looked;
}

}  // namespace

Contradicted formula_contradicted(const Json& tool, const Exercise& exercise) {
  if (is_changed_elsewhere(said_of_answers(tool))) return {};
  for (const Sentence& sentence : sentences_in(string_or(tool, "description", ""))) {
    const std::optional<Formula> formula = formula_in(sentence);
    const auto named = [&](const Sentence& one) { return says_word(one, kOfTwoUnits); };
    if (!formula || std::ranges::any_of(said_of_answers(tool), named)) continue;
    const Looked looked = look_at_formula(*formula, rows_of(tool, exercise));
    if (!looked.right && looked.wrong.call != nullptr) return looked.wrong;
  }
  return {};
}

}  // namespace plumbline::conformance
