// A tool of a wrong peer's own, in place of a fixture: it takes what the peer says, and answers
// what the peer makes of that.

#pragma once

#include <string>

#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

inline constexpr const char* kOwnTool = "test_simple_text";

// own_tool has kOwnTool take `properties` and say whether it only reads. Returns whether `message`
// answers a call of it that fits them: `arguments` are what it was called with.
bool own_tool(Interceptor& interceptor, Json& message, const char* properties, bool reads,
              Json& arguments);

// describe_own_tool has the list say what it does.
void describe_own_tool(Interceptor& interceptor, Json& message, std::string description);

// answer_with has a call answered with a value, as text.
void answer_with(Json& message, const Json& value);

// always_answers has it say that it only reads, described so, and answer each call with `answer`, a
// JSON text.
void always_answers(Interceptor& interceptor, Json message, std::string description,
                    const char* answer);

// fail_as_own_tool has a call of it answered with isError.
void fail_as_own_tool(Json& message, std::string text);

}  // namespace plumbline::conformance
