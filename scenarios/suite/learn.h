// What differs between two answers to the same request, though nothing has changed; and what a test
// may expect of an answer then.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "scenarios/suite/suite.h"

namespace plumbline::suite {

struct Learned {
  std::set<std::string> masks;                  // Kinds, and pointers into the result.
  std::set<std::string> sometimes;              // Members that are not always there, as pointers.
  std::map<std::string, std::string> patterns;  // Of texts that differ in part, by pointer.

  bool empty() const { return masks.empty() && sometimes.empty() && patterns.empty(); }

  // add takes in how two results differ.
  void add(const Json& one, const Json& other);
};

// kinds_in returns the kinds of masks of which there is something in the texts of `value`.
std::set<std::string> kinds_in(const Json& value);

// expectation_of returns what a test expects of `response` from now on: the shortest that says all
// of it. What is long becomes a snapshot.
Json expectation_of(const Json& response, Verb verb, const Learned& learned);

}  // namespace plumbline::suite
