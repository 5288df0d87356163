// An example of each rule that is broken: what a peer that is wrong in this way was sent, what came
// back, and what the judge said of it. examples.tsv is made by tests/examples, from the wrong peers
// that the judge is tested with.

#pragma once

#include <string_view>

namespace plumbline::conformance {

struct Example {
  std::string_view id;
  std::string_view what;  // Is wrong with the peer.
  std::string_view sent;  // In one line, cut where it is long. Empty: nothing was.
  std::string_view got;   // Likewise.
  std::string_view said;  // By the judge.
};

// example_of returns that of rule `id`; null: there is none.
const Example* example_of(std::string_view id);

}  // namespace plumbline::conformance
