#include "conformance/judge/server.h"

#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/judge/schedule.h"
#include "core/base/task_group.h"

namespace plumbline::conformance {

ServerJudge::ServerJudge(Subject& subject, ServerChecks checks, JudgeOptions options)
    : subject_(subject), checks_(checks), options_(std::move(options)) {}

Judgement ServerJudge::so_far() const {
  Judgement judgement;
  judgement.unreachable = unreachable_;
  judgement.gone = subject_.presence().gone();
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    if (round->surveyed()) judgement.revisions.push_back(round->revision());
    round->add_rows(judgement.results);
    const bool told = round->astray() && !judgement.results.empty();
    if (judgement.unreachable.empty() && !told) judgement.unreachable = round->refused();
  }
  return judgement;
}

void ServerJudge::add_round(std::string revision) {
  rounds_.push_back(
      std::make_unique<ServerRound>(subject_, options_, leases_, std::move(revision)));
}

Task<void> ServerJudge::choose_rounds() {
  if (is_one(options_.revision)) {
    add_round(options_.revision);
    co_await rounds_.front()->insist();
    co_return;
  }
  for (const std::string_view revision : kRevisions) {
    if (is_asked(options_.revision, revision)) add_round(std::string(revision));
  }
  TaskGroup asking;
  for (const std::unique_ptr<ServerRound>& round : rounds_) asking.spawn(round->ask());
  co_await asking.join(subject_.loop());
  std::string failure;
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    if (!round->refused().empty()) failure = round->refused();
  }
  std::erase_if(rounds_, [](const auto& round) { return !round->agreed(); });
  if (rounds_.empty())
    unreachable_ = "no revision is answered: " + (failure.empty() ? options_.revision : failure);
}

Task<void> ServerJudge::begin_rounds() {
  const ServerRound* newest_stateful = nullptr;
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    if (!is_stateless(round->revision())) newest_stateful = round.get();
  }
  TaskGroup beginnings;
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    if (options_.tell) options_.tell("judging " + round->revision());
    const bool whole = options_.revision != "auto" || is_stateless(round->revision()) ||
                       round.get() == newest_stateful;
    beginnings.spawn(round->begin(checks_, whole));
  }
  co_await beginnings.join(subject_.loop());
}

std::vector<ServerRound*> ServerJudge::surveyed() const {
  std::vector<ServerRound*> rounds;
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    if (round->surveyed()) rounds.push_back(round.get());
  }
  return rounds;
}

Task<void> ServerJudge::judge() {
  co_await choose_rounds();
  co_await begin_rounds();
  const std::vector<ServerRound*> rounds = surveyed();
  Schedule schedule(subject_.loop(), rounds, options_.concurrency);
  co_await schedule.run();
  TaskGroup endings;
  for (ServerRound* const round : rounds) endings.spawn(round->end());
  co_await endings.join(subject_.loop());
}

}  // namespace plumbline::conformance
