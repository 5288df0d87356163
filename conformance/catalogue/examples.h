// An example of each rule that is broken: what a peer that is wrong in this way was sent, what came
// back, and what the judge said of it. examples.tsv is made by tests/examples, from the wrong peers
// that the judge is tested with.

#pragma once

#include <string>
#include <string_view>

namespace plumbline::conformance {

struct Example {
  std::string_view id;
  std::string_view what;  // Is wrong with the peer.
  std::string_view sent;  // In one line, cut where it is long. Empty: nothing was.
  std::string_view got;   // Likewise.
  std::string_view said;  // By the judge.
  // The change that sets it right, as a patch of JSON (RFC 6902) of the answer to `of`, a method,
  // or of an object in that. Empty: it is not a short one.
  std::string_view mend;
  std::string_view of;
};

// example_of returns that of rule `id`; null: there is none.
const Example* example_of(std::string_view id);

// mend_in_words says what its `mend` changes: "replace /jsonrpc by \"2.0\" (of ping)"; empty: it
// has none.
std::string mend_in_words(const Example& example);

}  // namespace plumbline::conformance
