// Person answers for the one who is asked whether a call may run, as the scenario says.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

class Person {
 public:
  // All must outlive the person. `name` is what events call them.
  Person(const Approve& approve, const Loop& loop, EventSink& events, std::string name = "person")
      : approve_(approve), loop_(loop), events_(events), name_(std::move(name)) {}

  // answer answers the review of one call, {"approval_id", "server", "name", ...}, and emits
  // kApproval. A name of the scenario that was used approves nothing more.
  Json answer(const Json& review);

  // asked returns how often they were.
  std::int64_t asked() const { return asked_; }

 private:
  bool approves(const std::string& server, const std::string& name);

  const Approve& approve_;
  const Loop& loop_;
  EventSink& events_;
  std::string name_;
  std::vector<std::string> used_;
  std::int64_t asked_ = 0;
};

}  // namespace plumbline::scenarios
