// What many checks say in the same words.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/peer/client.h"

namespace plumbline::conformance {

// expect_error: the reply has to be an error with one of `codes`; none named: any code.
Finding expect_error(const Reply& reply, std::initializer_list<std::int64_t> codes);

// expect_result: the reply has to be a result.
Finding expect_result(const Reply& reply);

// expect_refused: what was sent has to come to nothing: an error with one of `codes`, on HTTP a
// status of 4xx will do, and the server has to live on. Another code is only risky, and so are a
// status of 5xx, and silence without a status: MCP itself does not ask for an answer to what is no
// message.
Finding expect_refused(const Reaction& reaction, std::initializer_list<std::int64_t> codes);

// shuts_out says that a server refused a session to whoever was not the first: `when` of "while
// another is open, initialize got status 400".
Finding shuts_out(const std::string& when, const Reply& opening);

// evidence_of returns what is wrong, as it came: a message that nobody asked for, or an item of
// one.
std::vector<Evidence> evidence_of(const Json& message);

// showing returns `finding` as one about such a message.
Finding showing(Finding finding, const Json& message);

}  // namespace plumbline::conformance
