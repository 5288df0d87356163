// Snapshot is a run at one moment: what it knows, which branches its step has, how far each of them
// has come. A plain value that can be copied and stored, and taken up by any Graph built the same
// way.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/nested.h"
#include "core/graph/node.h"
#include "core/json/json.h"

namespace plumbline::graph {

// Question is what an Interrupt asks, and under which key it is answered.
struct Question {
  std::string key;  // Of its branch: "ask", "ask:2", or "outer/ask" inside a subgraph.
  Json what;
};

// Branch is one visit of a step. It is to be made, or waits for an answer, or is done while its
// sisters are not.
template <GraphState State>
struct Branch {
  // key names it within its step: the node's name, and for the second visit of the same node in
  // one step "NAME:2".
  std::string key;
  std::string node;
  std::optional<Json> input{};                     // Of the Send that it comes from.
  std::vector<Question> questions{};               // What it waits for; several inside a subgraph.
  std::optional<typename State::Update> update{};  // What it came to, once it is done.
  Nested nested{};                                 // How far the subgraph that it visits has come.
  std::int64_t steps = 0;                          // Nodes visited in it so far, its own included.
  std::vector<Note> notes{};                       // Left since it began to work or to wait.

  bool done() const { return update.has_value(); }
  bool waits() const { return !questions.empty(); }

  // answer_to returns what was noted as the answer to `question`, a key; nullptr when it is open.
  const Json* answer_to(std::string_view question) const {
    for (const Note& note : notes) {
      if (note.answers && note.node == question) return &note.what;
    }
    return nullptr;
  }
};

// Join is a node that waits for several others, of which some have come.
struct Join {
  std::string node;
  std::vector<std::string> arrived;
};

template <GraphState State>
struct Snapshot {
  State state;                            // As the step before has left it.
  std::vector<Branch<State>> branches{};  // Of this step, in their order. None: it is at its end.
  std::vector<Join> joins{};              // Those that have begun to wait.
  std::vector<std::string> route{};       // The nodes visited before this step, in order.
  std::int64_t steps = 0;                 // Nodes visited before it, those of subgraphs included.

  // open returns the questions that nobody has answered.
  std::vector<Question> open() const {
    std::vector<Question> out;
    for (const Branch<State>& branch : branches) {
      for (const Question& question : branch.questions) {
        if (branch.answer_to(question.key) == nullptr) out.push_back(question);
      }
    }
    return out;
  }
};

// Answers are what persons have said: one answer to the only question that is open, or several by
// the keys of their questions. The rest goes on waiting.
class Answers {
 public:
  Answers(Json answer) : only_(std::move(answer)) {}  // NOLINT(google-explicit-constructor)

  static Answers by_key(std::map<std::string, Json> answers) {
    Answers out;
    out.by_key_ = std::move(answers);
    return out;
  }

  const std::optional<Json>& only() const { return only_; }
  const std::map<std::string, Json>& keyed() const { return by_key_; }

 private:
  Answers() = default;

  std::optional<Json> only_;
  std::map<std::string, Json> by_key_;
};

}  // namespace plumbline::graph
