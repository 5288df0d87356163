#include "conformance/judge/server.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/catalogue/causes.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/judge/fingerprint.h"
#include "conformance/judge/schedule.h"
#include "core/base/errors/errors.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

// How long the first revision is asked for alone: who says nothing at all is told in time.
constexpr Duration kAlone = std::chrono::milliseconds(1'500);
// From when on a server is called slow.
constexpr Duration kSlowOpening = std::chrono::milliseconds(1'000);
constexpr Duration kSlowAnswer = std::chrono::milliseconds(200);

}  // namespace

ServerJudge::ServerJudge(Subject& subject, ServerChecks checks, JudgeOptions options)
    : subject_(subject), checks_(checks), options_(std::move(options)), openings_(subject.loop()) {}

// What is kept for several rounds was opened by one of them.
ServerJudge::~ServerJudge() { openings_.drop(); }

Judgement ServerJudge::so_far() const {
  Judgement judgement;
  Error unreachable = unreachable_;
  bool told = false;
  judgement.last_words = last_words_;
  judgement.gone = subject_.presence().gone();
  judgement.starts = subject_.starts().all;
  judgement.effort = subject_.effort();
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    if (round->surveyed()) {
      judgement.revisions.push_back(round->revision());
      judgement.tools_uncalled = round->tools_uncalled();
    }
    round->add_rows(judgement.results);
    told = told || (round->told() && !round->shut_out());
    if (unreachable.message.empty()) unreachable = round->refused();
    if (judgement.last_words.empty()) judgement.last_words = round->last_words();
  }
  name_causes(judgement.results);
  Fingerprint fingerprint;
  for (const std::unique_ptr<ServerRound>& round : rounds_) fingerprint.read(round->log());
  judgement.name = fingerprint.identity().name;
  judgement.version = fingerprint.identity().version;
  judgement.built_with = fingerprint.sdk();
  judgement.signs = fingerprint.signs();
  if (!told) judgement.unreachable = std::move(unreachable);
  return judgement;
}

void ServerJudge::add_round(std::string revision) {
  rounds_.push_back(
      std::make_unique<ServerRound>(subject_, options_, leases_, openings_, std::move(revision)));
}

Task<void> ServerJudge::ask(ServerRound& round, Event& answered) {
  co_await round.ask();
  answered.set();
  tell_if_slow(round);
}

// tell_if_slow says once that this takes longer than with others.
void ServerJudge::tell_if_slow(ServerRound& round) {
  const Duration opening = round.opening_took();
  const Duration answer = round.answer_takes();
  if (told_slow_ || !options_.tell || (opening < kSlowOpening && answer < kSlowAnswer)) return;
  told_slow_ = true;
  const bool answers = answer >= kSlowAnswer;
  options_.tell("the server is slow: " + std::string(answers ? "an answer" : "its first answer") +
                " takes " + std::to_string(milliseconds_of(answers ? answer : opening)) +
                " ms, so that judging it takes longer than with others");
}

Task<void> ServerJudge::choose_rounds() {
  if (is_one(options_.revision)) {
    add_round(options_.revision);
    rounds_.front()->start_ahead();
    co_await rounds_.front()->insist();
    tell_if_slow(*rounds_.front());
    co_return;
  }
  for (const std::string_view revision : kRevisions) {
    if (is_asked(options_.revision, revision)) add_round(std::string(revision));
  }
  // One alone, the one that most answer to: it shows what a start costs.
  const auto is_newest_stateful = [](const auto& round) {
    return round->revision() == kNewestStateful;
  };
  const auto first = std::ranges::find_if(rounds_, is_newest_stateful);
  Event answered;
  TaskGroup asking;
  if (first != rounds_.end()) {
    (*first)->start_ahead();
    asking.spawn(ask(**first, answered));
    co_await answered.wait(subject_.loop(), after(subject_.loop().now(), kAlone));
  }
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    if (first == rounds_.end() || round != *first) asking.spawn(round->ask());
  }
  co_await asking.join(subject_.loop());
  Error failure;
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    if (!round->refused().message.empty()) failure = round->refused();
    if (last_words_.empty()) last_words_ = round->last_words();
  }
  const bool none =
      std::ranges::none_of(rounds_, [](const auto& round) { return round->agreed(); });
  // Where none is answered, one may tell by which rule.
  std::erase_if(rounds_, [none](const auto& round) {
    const bool tells =
        none && round->revision() == kNewestStateful && !round->refused().message.empty();
    return !tells && !round->agreed();
  });
  if (none) {
    unreachable_ =
        failure.message.empty() ? the_error("server.revision-none", options_.revision) : failure;
  }
}

Task<void> ServerJudge::begin_rounds() {
  const ServerRound* newest_stateful = nullptr;
  const ServerRound* newest_stateless = nullptr;
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    (is_stateless(round->revision()) ? newest_stateless : newest_stateful) = round.get();
  }
  TaskGroup beginnings;
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    if (options_.tell) options_.tell("judging " + round->revision());
    const bool whole = options_.revision != "auto" || round.get() == newest_stateful ||
                       round.get() == newest_stateless;
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

Task<void> ServerJudge::explore() {
  co_await choose_rounds();
  if (rounds_.empty()) co_return;
  ServerRound& newest = *rounds_.back();
  const ServerChecks none;
  co_await newest.begin(none, true);
  if (newest.surveyed()) found_ = co_await newest.explore();
  for (const std::unique_ptr<ServerRound>& round : rounds_) {
    co_await round->use_at_last();
    co_await round->end();
  }
}

Task<void> ServerJudge::judge() {
  co_await choose_rounds();
  co_await begin_rounds();
  const std::vector<ServerRound*> rounds = surveyed();
  for (ServerRound* const round : rounds) tell_if_slow(*round);
  Schedule schedule(subject_.changes(), rounds, options_.concurrency, options_.progress);
  co_await schedule.run();
  TaskGroup last_uses;
  for (ServerRound* const round : rounds) last_uses.spawn(round->use_at_last());
  co_await last_uses.join(subject_.loop());
  co_await schedule.wait();
  TaskGroup endings;
  for (ServerRound* const round : rounds) endings.spawn(round->end());
  co_await endings.join(subject_.loop());
  co_await openings_.close();
}

}  // namespace plumbline::conformance
