#include "scenarios/world/user_runs.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/world/outcome.h"

namespace plumbline::scenarios {

UserRuns::UserRuns(const RunParts& parts) : parts_(parts) {
  for (const UserSpec& user : parts.scenario.users) {
    Person person(user.approve, parts.loop, *parts.watch.agents()[user.agent],
                  user.name.empty() ? "person" : user.name);
    users_.emplace_back(user, std::move(person));
  }
}

void UserRuns::begins(UserRun& user) {
  const std::string number = std::to_string(++user.requests);
  user.thread = (user.spec.name.empty() ? "request" : user.spec.name) + ' ' + number;
  parts_.watch.request_begins(user.spec.agent, parts_.redactor.redact(user.input()));
}

void UserRuns::ended(UserRun& user, agents::Outcome& outcome) {
  user.state = std::move(outcome.state);
  if (parts_.redacts) hide_said(user.state, user.input(), parts_.redactor);
  user.route = std::move(outcome.route);
  user.answered_after = answered_after_ = parts_.loop.now().time_since_epoch();
  parts_.watch.judges(user.spec.agent).request_ends(user.state);
  if (parts_.redacts) parts_.redactor.contain(user.state);  // What is told of it from here on.
  if (const Json* const output = find(user.state, "final_output")) {
    parts_.properties.check_output(*output);
  }
  const auto request = static_cast<std::size_t>(user.requests - 1);
  const Expect& expect = parts_.scenario.expect_of(user.spec);
  std::ranges::move(check_answer(expect, request, observed(user)),
                    std::back_inserter(user.of_answers));
}

std::vector<RunFailure> UserRuns::failures(const Expect& expect) const {
  std::vector<RunFailure> all;
  for (const UserRun& user : users_) {
    std::vector<RunFailure> own = user.of_answers;
    if (parts_.scenario.names_users()) {
      std::ranges::move(check_expectations(user.spec.expect, observed(user)),
                        std::back_inserter(own));
    }
    for (RunFailure& failure : own) {
      failure.about = user.spec.name;
      if (!user.spec.name.empty()) failure.message = user.spec.name + ": " + failure.message;
      all.push_back(std::move(failure));
    }
  }
  Observed seen = observed_of_run();
  for (const auto& [server, count] : expect.starts) {
    seen.starts.emplace(server, parts_.world.starts(server));
  }
  for (const auto& [label, count] : expect.exchanges) {
    seen.exchanges.emplace(label, parts_.world.exchanges(label));
  }
  seen.commands_run = parts_.watch.commands_run();
  std::ranges::move(check_expectations(expect, seen), std::back_inserter(all));
  for (const RuleSite* const trap : parts_.world.traps()) {
    all.push_back({"expect.never", trap->label + " did something, expected it never"});
  }
  return all;
}

Json UserRuns::outcome() const {
  Json out = outcome_of(observed_of_run(), parts_.redactor);
  if (parts_.scenario.names_users()) {
    for (const UserRun& user : users_) {
      add_user(out, user.spec.name, observed(user), parts_.redactor);
    }
  }
  if (parts_.scenario.shell) out["commands_run"] = parts_.watch.commands_run();
  return out;
}

Observed UserRuns::observed(const UserRun& user) const {
  Observed seen{user.state, user.route, parts_.world.ledger(), parts_.tally};
  if (parts_.virtual_time) seen.answered_after = user.answered_after;
  if (parts_.scenario.names_users()) seen.approvals_asked = user.person.asked();
  return seen;
}

Observed UserRuns::observed_of_all() const {
  static const Json kNone;
  static const std::vector<std::string> kNowhere;
  Observed seen{kNone, kNowhere, parts_.world.ledger(), parts_.tally};
  if (parts_.virtual_time) seen.answered_after = answered_after_;
  return seen;
}

Observed UserRuns::observed_of_run() const {
  return parts_.scenario.names_users() ? observed_of_all() : observed(users_.front());
}

}  // namespace plumbline::scenarios
