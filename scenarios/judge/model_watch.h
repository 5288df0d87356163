// ModelWatch judges what an agent asks its model: whether a provider would take every conversation,
// whether the model is asked within bounds, and whether a user hears of nobody else. What makes a
// conversation good is read here a second time.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/agent.h"
#include "core/json/json.h"
#include "core/model/model.h"
#include "scenarios/judge/invariants.h"

namespace plumbline::scenarios {

class ModelWatch final {
 public:
  static constexpr std::string_view kHistory = "invariant.model-history";
  static constexpr std::string_view kRounds = "invariant.model-bounded";
  static constexpr std::string_view kPrivacy = "invariant.model-hears-one-user";
  static constexpr std::int64_t kTriesMax = 3;  // How often one answer may be asked for.

  // A request may take `answers_max` answers of models.
  explicit ModelWatch(std::int64_t answers_max = agents::AgentBounds().answers_max)
      : answers_max_(answers_max) {}

  // keep_apart names what users say, none of which another one's conversation may hold.
  void keep_apart(std::vector<std::string> inputs) { inputs_ = std::move(inputs); }

  // request_begins and request_ends stand around each request; `said` is what the user said. One
  // that died and is taken up may ask the model for what it had heard again.
  void request_begins(std::string said);
  void restarted() { ++lives_; }
  void request_ends(const Json& state);

  void on_prompt(const model::Prompt& prompt);

  // failures returns the first failure of each invariant.
  const std::vector<RunFailure>& failures() const { return failures_; }

 private:
  void fail(std::string_view id, std::string message);

  std::int64_t answers_max_;
  std::vector<std::string> inputs_;
  std::string said_;
  std::int64_t prompts_ = 0;
  std::int64_t lives_ = 1;
  std::vector<RunFailure> failures_;
};

}  // namespace plumbline::scenarios
