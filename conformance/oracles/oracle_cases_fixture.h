// The conversations of oracle_test.cc, in its notation.

#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace plumbline::conformance {

struct OracleCase {
  enum class Sides { kBoth, kServer, kClient };

  std::string_view id;
  std::string_view revision;
  Sides side = Sides::kBoth;  // kBoth: "s" is the side that is judged, whoever that is.
  std::string_view good;
  std::string_view bad;
  bool greeted = true;  // Stateful: whether a session is opened first.
  bool risky = false;   // Whether the bad one is only worth a warning.
  bool http = false;
};

std::vector<OracleCase> oracle_cases();

// oracle_cases_of_sessions are those about more than one message.
std::span<const OracleCase> oracle_cases_of_sessions();

}  // namespace plumbline::conformance
