// Tools that a model takes for each other: the cosine of their words, each weighed by how few of
// the server's tools have it.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/peer/name_words.h"
#include "conformance/quality/checks.h"
#include "conformance/quality/rules.h"
#include "conformance/quality/verbs.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kComparedMax = 1'000;  // Whose pairs are compared.
constexpr double kNameWeight = 1;

struct Weighed {
  std::size_t word;
  double weight;
};
using Vector = std::vector<Weighed>;  // By word, of length 1.

std::vector<Vector> vectors_of(const std::vector<OfferedTool>& tools) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::map<std::size_t, double>> counts;
  std::vector<double> tools_with;
  for (const OfferedTool& tool : tools) {
    std::map<std::size_t, double>& count = counts.emplace_back();
    const auto add = [&](const std::vector<std::string>& words, double weight) {
      for (const std::string& word : words) {
        const std::size_t number = numbers.emplace(word, numbers.size()).first->second;
        if (number == tools_with.size()) tools_with.push_back(0);
        if (count[number] == 0) ++tools_with[number];
        count[number] += weight;
      }
    };
    add(tool.words, kNameWeight);
    add(words_of(tool.description), 1);
  }
  std::vector<Vector> vectors;
  for (const auto& count : counts) {
    Vector& vector = vectors.emplace_back();
    double square = 0;
    for (const auto& [word, times] : count) {
      const double rarity = std::log(1 + static_cast<double>(tools.size()) / tools_with[word]);
      vector.push_back({word, times * rarity});
      square += vector.back().weight * vector.back().weight;
    }
    for (Weighed& one : vector) one.weight /= std::sqrt(square);
  }
  return vectors;
}

std::size_t words_in(const std::vector<Vector>& vectors) {
  std::size_t words = 0;
  for (const Vector& vector : vectors) {
    if (!vector.empty()) words = std::max(words, vector.back().word + 1);
  }
  return words;
}

// cosine returns that of `vector` and another whose weights stand by words in `weights`.
double cosine(const Vector& vector, const std::vector<double>& weights) {
  double sum = 0;
  for (const Weighed& one : vector) sum += weights[one.word] * one.weight;
  return sum;
}

// deed_of_tool returns that of the first verb of a name.
Deed deed_of_tool(const OfferedTool& tool) {
  for (const std::string& word : tool.words) {
    if (is_verb(word)) return deed_of(word);
  }
  return Deed::kNone;
}

std::string two_places(double value) {
  const auto hundredths = static_cast<int>(std::floor(value * 100));
  return hundredths >= 100
             ? "1.00"
             : "0." + std::string(hundredths < 10 ? "0" : "") + std::to_string(hundredths);
}

}  // namespace

void check_confusion(const Reading& read, const Around&, Notes& notes) {
  const std::size_t count = std::min(read.tools.size(), kComparedMax);
  const std::vector<Vector> vectors = vectors_of(read.tools);
  std::vector<Deed> deeds;
  for (const OfferedTool& tool : read.tools) deeds.push_back(deed_of_tool(tool));
  const double limit = find_quality_rule("quality.confusable")->limit;
  std::vector<double> weights(words_in(vectors));
  for (std::size_t i = 0; i < count; ++i) {
    for (const Weighed& one : vectors[i]) weights[one.word] = one.weight;
    for (std::size_t j = i + 1; j < count; ++j) {
      const OfferedTool& a = read.tools[i];
      const OfferedTool& b = read.tools[j];
      const bool bare = a.description.empty() || b.description.empty();
      if (bare || a.name == b.name || deeds[i] != deeds[j]) continue;
      const double alike = cosine(vectors[j], weights);
      if (alike < limit) continue;
      notes.add("quality.confusable", b.name, "as " + a.name + ", " + two_places(alike));
    }
    for (const Weighed& one : vectors[i]) weights[one.word] = 0;
  }
  notes.looked("quality.confusable", count * (count > 0 ? count - 1 : 0) / 2);
}

}  // namespace plumbline::conformance
