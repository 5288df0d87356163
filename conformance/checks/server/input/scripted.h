// Calls in which the judge's client answers what it is asked by a script, in both eras.

#pragma once

#include <string>

#include "conformance/checks/server/exercise.h"
#include "conformance/peer/answers.h"

namespace plumbline::conformance {

// Answers that scripts give.
Json result_answer(Json result);
Json error_answer(std::int64_t code, const std::string& message);

// call_by_script makes `call` again, on a session of the check's own, and answers each of the
// server's requests by `script`. A stateless server is answered at most `rounds_max` times: the
// reply may still ask. It hears of an error by the lack of an answer.
Task<Reply> call_by_script(Client& client, Call call, Answerer script, int rounds_max = 3);

// asks_for_input returns whether `reply` is an input_required result.
bool asks_for_input(const Reply& reply);

// succeeded returns whether `reply` is a complete result that does not say isError.
bool succeeded(const Reply& reply);

}  // namespace plumbline::conformance
