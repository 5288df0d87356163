// What a provider says where it gives no answer: a status with an error in JSON, or an error in the
// middle of a stream.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/model/model.h"
#include "core/wire/http.h"

namespace plumbline::model {

inline constexpr std::size_t kRefusalBytesMax = 64U << 10U;  // Read of its body.

// failure_of_answer reads an answer whose status is no success. Retry-After counts in seconds or as
// a date, and retry-after-ms before it. The message is one line, and bounded.
Failure failure_of_answer(int status, const wire::HttpHeaders& headers, std::string_view body);

// failure_of_error reads {"message", "type", "code"}, or a text, as it comes in a stream, where no
// status says what is meant.
Failure failure_of_error(const Json& error);

// one_line returns text of others as messages have it: in one line, without control characters, and
// at most kQuotedBytesMax bytes of it.
std::string one_line(std::string_view text);

}  // namespace plumbline::model
