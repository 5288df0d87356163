// What the rules of clients have in common.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/peer/client/record.h"

namespace plumbline::conformance {

// Complaint says what is wrong with one message; empty: nothing.
using Complaint = std::function<std::string(const Heard& message)>;

// each_of holds the rule to every message: the first complaint breaks it, none of `messages` makes
// it not apply because of `none`.
Finding each_of(const Record& record, const std::vector<const Heard*>& messages,
                const Complaint& complaint, std::string none);

using HttpComplaint = std::function<std::string(const HttpHeard& request)>;

// each_http does so with the HTTP requests of one method; `method` empty: all.
Finding each_http(const Record& record, std::string_view method, const HttpComplaint& complaint,
                  std::string none);

// each_after_opening does so with what came over HTTP when initialize had been answered, and was
// agreed to.
Finding each_after_opening(const Record& record, const HttpComplaint& complaint);

// each_key calls `told` with each key of each _meta in `value`, at any depth.
void each_meta_key(const Json& value, const std::function<void(const std::string& key)>& told);

// shown returns a JSON value as messages quote it.
std::string shown(const Json* value);

// whole_header returns the value of a header; of several fields with one name the list that they
// are to whoever reads them (RFC 9110, 5.3). Nothing: there is none.
std::optional<std::string> whole_header(const wire::HttpHeaders& headers, std::string_view name);

// header_or_none returns the same as messages quote it, or "none".
std::string header_or_none(const wire::HttpHeaders& headers, std::string_view name);

}  // namespace plumbline::conformance
