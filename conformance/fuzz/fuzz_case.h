// FuzzCase is one session of the fuzzer: what is sent, step by step. It is kept as a JSON file that
// runs again.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::conformance {

struct FuzzStep {
  std::string text;    // A line, or a body.
  std::string method;  // That it was made from; empty: of none.
  std::string twist;   // What is wrong with it: "wrong-type"; empty: nothing.
  Json id;             // Of a request that is as it should be, and has to be answered; else null.
  bool cut = false;    // HTTP: we go away before the answer.
  bool other = false;  // HTTP: in a second session.
  bool apart = false;  // Once all before it is dealt with.
};

struct FuzzCase {
  std::vector<FuzzStep> steps;
};

// spelled returns all that is said in a session, and how: equal sessions alone are spelled the
// same.
std::string spelled(const FuzzCase& session);

// bytes_of returns how many bytes are said in a session.
std::size_t bytes_of(const FuzzCase& session);

// file_of returns the case as a file keeps it; `about` says what it shows.
Json file_of(const FuzzCase& session, std::string_view about);

// read_case reads such a file. kInvalidInput: says what is wrong with it, and what was expected.
Result<FuzzCase> read_case(const Json& file);

}  // namespace plumbline::conformance
