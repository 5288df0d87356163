// What a run streams to its observer: made only where somebody listens.

#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/graph/leg.h"
#include "core/graph/observer.h"
#include "core/graph/saved_state.h"

namespace plumbline::graph::internal {

inline bool listens(const GraphObserver* observer, Stream stream) {
  return observer != nullptr && observer->streams(stream);
}

template <GraphState State>
void stream_values(GraphObserver* observer, const State& state) {
  if constexpr (StoredState<State>) {
    if (!listens(observer, Stream::kValues)) return;
    const Json what = state.to_json();
    observer->streamed({Stream::kValues, "", what});
  }
}

template <GraphState State, typename Services>
void stream_attempt(GraphObserver* observer, const Leg<State, Services>& leg) {
  if (!listens(observer, Stream::kDebug)) return;
  Json what = Json::object();
  what["type"] = "task";
  what["node"] = leg.node_name;
  what["attempt"] = leg.context.attempt();
  if (leg.input) what["input"] = *leg.input;
  observer->streamed({Stream::kDebug, leg.key, what});
}

// stream_result is about a branch that is done, waits or has failed.
template <GraphState State, typename Services>
void stream_result(GraphObserver* observer, const Leg<State, Services>& leg) {
  if (!listens(observer, Stream::kUpdates) && !listens(observer, Stream::kDebug)) return;
  Json what = Json::object();
  if (leg.is == Leg<State, Services>::Is::kWaits) {
    Json& asked = what["__interrupt__"] = Json::array();
    for (const Question& question : leg.questions) {
      Json& one = asked.emplace_back(Json::object());
      one["key"] = question.key;
      one["what"] = question.what;
    }
  } else if (const auto* const error = std::get_if<Error>(&leg.result)) {
    what["error"] = error->message;
  } else if constexpr (StoredState<State>) {
    what["update"] = std::get<0>(leg.result).to_json();
  }
  const Json* const update = find(what, "update");
  if (!what.contains("error") && !what.empty() && listens(observer, Stream::kUpdates)) {
    observer->streamed({Stream::kUpdates, leg.key, update != nullptr ? *update : what});
  }
  if (!listens(observer, Stream::kDebug)) return;
  what["type"] = "task_result";
  what["node"] = leg.node_name;
  observer->streamed({Stream::kDebug, leg.key, what});
}

template <GraphState State, typename Services>
void stream_next(GraphObserver* observer, const std::vector<Leg<State, Services>>& legs) {
  if (!listens(observer, Stream::kDebug)) return;
  Json what = Json::object();
  what["type"] = "checkpoint";
  Json& next = what["next"] = Json::array();
  for (const Leg<State, Services>& leg : legs) next.push_back(leg.key);
  observer->streamed({Stream::kDebug, "", what});
}

}  // namespace plumbline::graph::internal
