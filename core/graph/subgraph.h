// A graph that is a node of another one.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/nesting.h"
#include "core/graph/parts.h"
#include "core/graph/run_ways.h"

namespace plumbline::graph::internal {

// NotesInside is the notebook of a subgraph: it leaves every note in the one around it, for the
// process that comes after this one, and in the visit, for the next attempt.
class NotesInside final : public Notebook {
 public:
  // `visit` must outlive it.
  NotesInside(Visit& visit, std::string_view key) : visit_(visit), key_(key) {}

  // noted returns what was noted in here before, under the names of the inside.
  std::vector<Note> noted() const {
    std::vector<Note> inside;
    for (const Note& note : visit_.noted) {
      const std::string_view inner = inner_key(note.node, key_);
      if (!inner.empty()) inside.push_back({std::string(inner), note.what});
    }
    return inside;
  }

  // implements Notebook ---
  Task<Status> add_note(Note note) override {
    note.node = key_inside(key_, note.node);
    if (visit_.scope->notebook != nullptr) {
      Note copy = note;
      Status kept = co_await visit_.scope->notebook->add_note(std::move(copy));
      if (!kept.ok()) co_return kept;
    }
    visit_.noted.push_back(std::move(note));
    co_return Done{};
  }

 private:
  Visit& visit_;
  std::string key_;
};

template <GraphState State, GraphState Inner, typename Services>
class SubgraphBody final : public Body<State, Services> {
 public:
  using Enter = std::function<Inner(const State&, const Json* input)>;
  using Leave = std::function<typename State::Update(Inner)>;

  SubgraphBody(Graph<Inner, Services> inner, Enter enter, Leave leave)
      : inner_(std::move(inner)), enter_(std::move(enter)), leave_(std::move(leave)) {}

  // implements Body ---
  Task<NodeResult<State>> run(Context<State, Services>& context, Visit& visit) const override;
  Status fits(const Nested& nested) const override {
    if (!nested.has_value()) return Done{};
    Result<Snapshot<Inner>> snapshot = unnest<Inner>(nested);
    if (!snapshot.ok()) return snapshot.error();
    return inner_.fits(snapshot.value());
  }
  void draw_inside(Drawing::Node& node) const override { node.inside.push_back(inner_.drawing()); }

 private:
  Graph<Inner, Services> inner_;
  Enter enter_;
  Leave leave_;
};

template <GraphState State, GraphState Inner, typename Services>
Task<NodeResult<State>> SubgraphBody<State, Inner, Services>::run(Context<State, Services>& context,
                                                                  Visit& visit) const {
  std::optional<PrefixObserver> prefixed;
  GraphObserver* const observer = visit.scope->observer;
  if (observer != nullptr) prefixed.emplace(*observer, context.node(), context.key());
  NotesInside notes(visit, context.key());
  Scope within = {.options = visit.scope->options,
                  .observer = prefixed ? &*prefixed : nullptr,
                  .around = &visit.budget,
                  .notebook = &notes,
                  .progress = visit.progress,
                  .noted = notes.noted()};
  within.options.deadline = context.deadline();

  AnswerMap answers;  // A copy: another attempt may need them again.
  for (const auto& [key, answer] : visit.answers) {
    answers.emplace(inner_key(key, context.key()), answer);
  }
  std::optional<Snapshot<Inner>> place;
  if (visit.nested.has_value()) {
    Result<Snapshot<Inner>> kept = unnest<Inner>(visit.nested);
    if (!kept.ok()) co_return kept.error();
    place.emplace(std::move(kept).value());
  }
  Inner initial = place ? place->state : enter_(context.state(), context.input());
  typename Graph<Inner, Services>::From from{std::move(initial), std::move(place),
                                             std::move(answers)};
  Outcome<Inner> outcome = co_await inner_.drive(std::move(from), std::move(within),
                                                 context.services(), context.loop(), nullptr);
  if (outcome.status == Outcome<Inner>::kFailed) co_return std::move(outcome.error);
  if (outcome.status == Outcome<Inner>::kFinished) co_return leave_(std::move(outcome.state));
  visit.questions = outcome.snapshot->open();
  visit.nested = nest(std::move(*outcome.snapshot));
  Json payload = payload_of(visit.questions);
  co_return Interrupt{std::move(payload)};
}

}  // namespace plumbline::graph::internal
