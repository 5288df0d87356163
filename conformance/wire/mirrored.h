// The headers in which a stateless request over HTTP repeats parts of its body.
//
// Spec 2026-07-28, basic/transports/streamable-http, Request Headers and Custom Headers from Tool
// Parameters.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/wire/http.h"

namespace plumbline::conformance {

// mirrored_headers returns what a correct client sends with `message`. `input_schema` is that of
// the tool it calls, nullptr when there is none or it is not known.
wire::HttpHeaders mirrored_headers(const Json& message, std::string_view revision,
                                   const Json* input_schema);

// mirrors returns whether a tool with this input schema has arguments that are repeated.
bool mirrors(const Json& input_schema);

// is_header_token returns whether `name` is a token: what a header can be called. RFC 9110, 5.6.2.
bool is_header_token(std::string_view name);

// header_text returns `value` as a header carries it: as it is, or in base64 between markers where
// it is not plain visible ASCII.
std::string header_text(std::string_view value);

// base64_text returns it in base64 whatever it is.
std::string base64_text(std::string_view value);

}  // namespace plumbline::conformance
