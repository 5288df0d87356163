#include "conformance/checks/server/promises/values/stated_factors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kStatedMax = 3;
constexpr double kApart = 0.1;  // A factor is another than 1.
constexpr double kNear = 0.01;

// StatedFactor is a factor: 1 `from` is `factor` `to`, by a parameter that takes either.
struct StatedFactor {
  std::string from;
  std::string to;
  double factor = 1;
  std::string parameter;
  std::string text;
};

std::vector<std::string> words_of_sentence(std::string_view text) {
  constexpr std::string_view kBetween = " \t\n()[],;:";
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(kBetween), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

// choosing returns the parameter of which both units are choices; empty: none is.
std::string choosing(const Json& tool, const std::string& one, const std::string& other) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return {};
  for (const auto& [name, property] : properties->items()) {
    const Json* const choices = choices_of(tool, name);
    const auto has = [choices](const std::string& unit) {
      return std::ranges::find(*choices, Json(unit)) != choices->end();
    };
    if (choices != nullptr && has(one) && has(other)) return name;
  }
  return {};
}

// stated_by returns the factor that a tool states; nothing: it states none between units it takes.
std::optional<StatedFactor> stated_by(const Json& tool) {
  for (const Sentence& one : sentences_in(string_or(tool, "description", ""))) {
    const std::vector<std::string> words = words_of_sentence(one.text);
    for (std::size_t i = 0; i + 4 < words.size(); ++i) {
      const bool is = words[i + 2] == "=" || words[i + 2] == "is" || words[i + 2] == "equals";
      if (words[i] != "1" || !is) continue;
      char* end = nullptr;
      const double factor = std::strtod(words[i + 3].c_str(), &end);
      if (*end != '\0' || factor <= 0 || std::abs(factor - 1) < kApart) continue;
      std::string to = words[i + 4];
      while (to.ends_with('.')) to.pop_back();
      std::string parameter = choosing(tool, words[i + 1], to);
      if (parameter.empty()) continue;
      return StatedFactor{words[i + 1], std::move(to), factor, std::move(parameter), one.text};
    }
  }
  return std::nullopt;
}

// says_unit returns whether an answer has a unit as a value.
bool says_unit(const Json& answer, const std::string& unit) {
  bool says = false;
  each_object(answer, [&](const Json& object) {
    for (const Json& value : object) says = says || value == Json(unit);
  });
  return says;
}

// has_number returns whether an answer has a number, but for rounding, whatever it is called.
bool has_number(const Json& answer, double number) {
  bool has = false;
  each_object(answer, [&](const Json& object) {
    for (const Json& value : object) {
      if (!value.is_number()) continue;
      has = has || may_be(value.get<double>(), number, std::max(step_of(value), kNear * number), 1);
    }
  });
  return has;
}

// judge_converted compares the numbers that were given with those that came back under their names.
Finding judge_converted(const StatedFactor& stated, const Json& params, const Reply& reply) {
  const Json answer = answer_in(reply);
  std::size_t converted = 0;
  for (const auto& [name, value] : params["arguments"].items()) {
    const Json* const back = value.is_number() ? scalar_called(answer, name) : nullptr;
    if (back == nullptr || !back->is_number() || value.get<double>() <= 0) continue;
    const double given = value.get<double>();
    if (has_number(answer, given * stated.factor)) {
      ++converted;
      continue;
    }
    if (*back != value || !says_unit(answer, stated.to) || says_unit(answer, stated.from)) continue;
    return about(
        broken(tool_in(params) + " answers with \"" + shortened(name) + "\" " + dump_json(*back) +
               " in \"" + stated.to + "\" when it is given " + dump_json(value) + " in \"" +
               stated.from + "\", expected " + number_text(given * stated.factor) + ": it says \"" +
               shortened(stated.text) + "\""),
        reply);
  }
  return converted > 0 ? passes() : not_for_it("");
}

Task<Finding> judge_stated(Client client, const Json* tool, StatedFactor stated, Json params) {
  params["arguments"][stated.parameter] = stated.from;
  const Reply reply = co_await call_mended(client, tool, &params);
  co_return has_gone_well(reply) ? judge_converted(stated, params, reply) : not_for_it("");
}

}  // namespace

Task<Finding> converts_as_stated(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  std::size_t tried = 0;
  std::size_t judged = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const std::optional<StatedFactor> stated = stated_by(tool);
    if (!stated || !probe.may_call(tool) || probe.disturbs(string_or(tool, "name", ""))) continue;
    Json params = known_params(probe, exercise, tool);
    if (!params.is_object() || !params.contains("arguments") || tried++ == kStatedMax) continue;
    Client client = co_await probe.open(probe.usual());
    if (!client.session().usable()) continue;
    Finding finding = co_await judge_stated(client, &tool, *stated, std::move(params));
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

}  // namespace plumbline::conformance
