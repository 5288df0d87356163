// compare holds what a server says now against what it said then, request by request.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "scenarios/compare/conversation.h"
#include "scenarios/compare/differences.h"

namespace plumbline::scenarios {

// Volatile is where values differ from one time to the next though nothing has changed: times, ids,
// counters.
class Volatile {
 public:
  // add takes a pointer into an answer, "/result/content/*/text", where * is any one step; behind
  // the name of a request, "tools/call/now /result/...", in answers to that one alone. What lies
  // below such a place is volatile, too.
  void add(std::string place);

  // learn adds every place at which the answers of two sessions with the same server differ.
  void learn(const Conversation& one, const Conversation& other);

  bool has(const std::string& target, const std::string& place) const;

  const std::set<std::string>& places() const { return places_; }

 private:
  std::set<std::string> places_;
};

// compare returns the differences of `now` from `then`, whose exchanges are answers to the same
// requests in the same order. Each kind at each place is told once. A placeholder of a secret in
// `then` stands for any text.
std::vector<Difference> compare(const Conversation& then, const Conversation& now,
                                const Volatile& unsteady);

}  // namespace plumbline::scenarios
