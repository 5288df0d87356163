// What a request of a scenario means, for agents that are not ours: the call that our orchestrator
// makes of it in simulation, and what the server answers.

#pragma once

#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

struct AskedCall {
  std::string server;
  std::string method;  // "tools/call", "resources/read" or "prompts/get". Empty: no call is made.
  Json params;         // Its name or uri, and its arguments.
  bool once = false;   // It was sent once and answered with a result that is no error.
  std::string answer;  // Then the first line of text of that result; empty: it has none.
};

struct AskedRequest {
  std::string input;
  Duration pause{};  // Before it.
  AskedCall call;    // The first that is made for it.
};

// asked_requests plays `scenario` once and returns the requests of its first user, in order.
std::vector<AskedRequest> asked_requests(const Scenario& scenario);

// call_json returns {"server", "method", "name" or "uri", "arguments"}; null for none.
Json call_json(const AskedCall& call);

// requests_file returns what {requests} names: "input", "pause_ms" and "call" of each.
Json requests_file(const std::vector<AskedRequest>& requests);

}  // namespace plumbline::scenarios
