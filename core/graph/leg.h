// Leg is a Branch in a run: the visit of one node, from before it is made until its step ends.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/graph/parts.h"

namespace plumbline::graph::internal {

// payload_of returns what `questions` ask as one thing: the only one itself, or all with their
// keys.
inline Json payload_of(const std::vector<Question>& questions) {
  if (questions.size() == 1) return questions.front().what;
  Json out = Json::array();
  for (const Question& question : questions) {
    Json& one = out.emplace_back(Json::object());
    one["key"] = question.key;
    one["what"] = question.what;
  }
  return out;
}

template <GraphState State, typename Services>
struct Leg {
  enum class Is {
    kReady,     // To be visited.
    kUnderWay,  // Being visited.
    kDone,      // `result` is its update.
    kWaits,     // For answers to `questions`.
    kFailed,    // `result` is its error.
  };

  Leg(std::size_t to, std::string_view name, Context<State, Services> seen)
      : node(to), context(std::move(seen)), node_name(name), key(name) {}

  // take_up takes over what a Snapshot says of it.
  void take_up(Branch<State> branch);

  // branch returns what a Snapshot says of it.
  Branch<State> branch() const;

  // ask makes it wait for what the node or the graph inside has asked.
  void ask(Json payload);

  std::size_t node;
  Context<State, Services> context;
  std::string_view node_name;
  std::string key;
  std::optional<Json> input{};

  Is is = Is::kReady;
  bool entered = false;     // It counts as visited.
  std::int64_t number = 0;  // Of its first step, within the whole run.
  NodeResult<State> result = Error();
  std::vector<Question> questions{};
  Visit visit{};
  std::optional<Inside> inside{};  // How far the subgraph has come that is being visited.
  bool unkept = false;             // What it came to was not kept yet.
  Instant drop_at = kNever;
  Instant retry_at{};
};

template <GraphState State, typename Services>
void Leg<State, Services>::take_up(Branch<State> branch) {
  key = std::move(branch.key);
  input = std::move(branch.input);
  questions = std::move(branch.questions);
  visit.nested = std::move(branch.nested);
  visit.budget.steps = branch.steps;
  for (Note& note : branch.notes) {
    if (note.answers) {
      visit.answers.insert_or_assign(std::move(note.node), std::move(note.what));
    } else {
      visit.noted.push_back(std::move(note));
    }
  }
  if (!branch.update) return;
  is = Is::kDone;
  result = std::move(*branch.update);
}

template <GraphState State, typename Services>
Branch<State> Leg<State, Services>::branch() const {
  Branch<State> out{.key = key, .node = std::string(node_name), .input = input};
  out.steps = visit.budget.steps;
  if (is == Is::kDone) {
    out.update = std::get<0>(result);
    return out;
  }
  out.questions = questions;
  out.nested = visit.nested;
  if (is == Is::kWaits) return out;
  const AnswerMap* answers = &visit.answers;
  if (inside) {
    out.nested = inside->nested;
    out.questions = inside->questions;
    answers = &inside->answers;
  }
  out.notes = visit.noted;
  for (const auto& [question, answer] : *answers) out.notes.push_back({question, answer, true});
  return out;
}

template <GraphState State, typename Services>
void Leg<State, Services>::ask(Json payload) {
  is = Is::kWaits;
  questions = std::move(visit.questions);
  visit.questions.clear();
  for (Question& question : questions) question.key = key_inside(key, question.key);
  if (questions.empty()) questions.push_back({key, std::move(payload)});
  visit.answers.clear();
}

}  // namespace plumbline::graph::internal
