// Person answers for the one who is asked whether a call may run, as the scenario says.

#pragma once

#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

class Person {
 public:
  // All must outlive the person.
  Person(const Approve& approve, const Loop& loop, EventSink& events)
      : approve_(approve), loop_(loop), events_(events) {}

  // decide answers the review of one call, {"approval_id", "server", "name", ...}, and emits
  // kApproval. A name of the scenario that was used approves nothing more.
  bool decide(const Json& review);

 private:
  bool approves(const std::string& server, const std::string& name);

  const Approve& approve_;
  const Loop& loop_;
  EventSink& events_;
  std::vector<std::string> used_;
};

}  // namespace plumbline::scenarios
