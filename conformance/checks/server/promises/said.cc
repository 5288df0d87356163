#include "conformance/checks/server/promises/said.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>

#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kSentencesMax = 60;

bool stands_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

Sentence sentence_of(std::string_view text) {
  Sentence sentence{std::string(trimmed(text)), lower_case(trimmed(text)), {}, {}};
  for (auto at = sentence.text.begin(); at != sentence.text.end();) {
    const auto begin = std::find_if(at, sentence.text.end(), stands_in_name);
    at = std::find_if_not(begin, sentence.text.end(), stands_in_name);
    if (begin == at) break;
    sentence.names.insert(std::string(begin, at));
    for (std::string& word : words_of(std::string(begin, at))) {
      sentence.words.insert(std::move(word));
    }
    sentence.words.insert(lower_case(std::string(begin, at)));
  }
  return sentence;
}

void said_of_members(const Json& schema, std::vector<Sentence>& found, int depth_max = 6) {
  if (!schema.is_object() || depth_max == 0) return;
  if (const Json* const properties = find(schema, "properties");
      properties != nullptr && properties->is_object()) {
    for (const auto& [name, property] : properties->items()) {
      const std::string said = property.is_object() ? string_or(property, "description", "") : "";
      for (const Sentence& one : sentences_in(said)) {
        found.push_back(sentence_of("\"" + name + "\" is " + one.text));
      }
      said_of_members(property, found, depth_max - 1);
    }
  }
  if (const Json* const items = find(schema, "items"))
    said_of_members(*items, found, depth_max - 1);
}

}  // namespace

std::vector<Sentence> sentences_in(std::string_view text) {
  std::vector<Sentence> found;
  while (!text.empty() && found.size() < kSentencesMax) {
    const std::size_t end = std::min({text.find(". "), text.find('\n'), text.size()});
    if (!trimmed(text.substr(0, end)).empty()) found.push_back(sentence_of(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

std::vector<Sentence> said_of_answers(const Json& tool) {
  std::vector<Sentence> found = sentences_in(string_or(tool, "description", ""));
  if (const Json* const schema = find(tool, "outputSchema")) said_of_members(*schema, found);
  return found;
}

bool names_member(const Sentence& sentence, std::string_view member) {
  const std::string name(member);
  if (sentence.names.contains(name)) return true;
  return words_of(name).size() == 1 && sentence.words.contains(lower_case(name));
}

bool is_objects(const Json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const Json& one) { return one.is_object(); });
}

double step_of(const Json& number) {
  const std::string text = dump_json(number);
  const std::size_t dot = text.find('.');
  const bool plain = text.find_first_of("eE") == std::string::npos;
  if (dot == std::string::npos || !plain) return 1;
  return std::pow(10.0, -static_cast<double>(text.size() - dot - 1));
}

std::string number_text(double number) {
  const bool whole = std::abs(number) < 1e15 && number == std::trunc(number);
  return whole ? std::to_string(static_cast<std::int64_t>(number)) : dump_json(Json(number));
}

bool may_be(double one, double other, double step, double steps) {
  const double apart = std::abs(one - other);
  return apart <= step * steps || apart <= 1e-9 * std::max(std::abs(one), std::abs(other));
}

}  // namespace plumbline::conformance
