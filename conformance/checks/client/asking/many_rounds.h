// ManyRounds is a tool that asks for input again and again before it is done, each time in another
// way: with a question and a state, with a state alone, with a question alone. What a client sends
// back belongs to the last of these results. Spec 2026-07-28, basic/patterns/mrtr.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

// input_required returns a result that asks for input; null and nullptr: it lacks that member.
Json input_required(Json requests, const char* state);

// confirm_request returns inputRequests with one form, under `key`.
Json confirm_request(const char* key);

// given returns a member of the params of a message; nullptr for none.
const Json* given(const Heard& message, std::string_view member);

class ManyRounds {
 public:
  static constexpr const char* kTool = "test_mrtr_many_rounds";

  // answer answers a call of the tool.
  void answer(ScriptedPeer& peer, const Asked& asked);

  // judge says what the calls of it show. `takes_states`: the client has come back with a state
  // that came without a question.
  static void judge(const Record& record, bool takes_states, Verdicts& verdicts);

 private:
  std::size_t calls_ = 0;
};

}  // namespace plumbline::conformance
