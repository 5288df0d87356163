// What may not happen, whatever a client sends: the oracles of the fuzzer.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/fuzz/player.h"

namespace plumbline::conformance {

struct FuzzOracle {
  std::string_view id;    // "fuzz.crash".
  std::string_view what;  // One sentence: what holds.
};

// fuzz_oracles returns every one, in the order of reports.
std::span<const FuzzOracle> fuzz_oracles();

inline constexpr std::string_view kFuzzMemory = "fuzz.memory";

struct FuzzFinding {
  std::string_view oracle;  // The id of one.
  std::string key;          // What is the same finding has the same key.
  std::string message;      // What was seen, what was expected.
};

// What a session is judged by.
struct JudgedSession {
  const FuzzCase& session;
  const Played& played;
  const Honest* honest;  // That was asked behind it; null: none.
  const WireLog& log;
  std::size_t opening_end;  // Where in the log the handshake ends.
  const std::string& revision;
  bool http;
};

// judge_session returns what is wrong. The rules of the specification cost the most: `thoroughly`
// has them applied, too.
std::vector<FuzzFinding> judge_session(const JudgedSession& judged, bool thoroughly);

}  // namespace plumbline::conformance
