// Content in gzip, as a server may give it to who says that it is accepted: RFC 1952, RFC 9110,
// 8.4.1.3.

#pragma once

#include <string>
#include <string_view>

#include "core/wire/http.h"

namespace plumbline::conformance {

// gzip_of returns content in gzip, the same bytes each time.
std::string gzip_of(std::string_view content);

// accepts_gzip returns whether a request says that its answer may come so.
bool accepts_gzip(const wire::HttpHeaders& headers);

}  // namespace plumbline::conformance
