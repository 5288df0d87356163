// Placeholders are the {{names}} in the texts of a script, which a request fills.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::fakes {

// fill_placeholders returns `text` with each {{name}} replaced by the member `name` of
// `arguments`: a string as it is, anything else dumped; as it stands when there is none.
// {{text:N}} and {{base64:N}} are N bytes of that.
std::string fill_placeholders(std::string_view text, const Json& arguments);

// filled_bytes returns how many bytes the {{text:N}} and {{base64:N}} of `text` ask for.
std::uint64_t filled_bytes(std::string_view text);

// fill_id returns `text` with each {{id}} replaced by the id of a request as JSON; where it stands
// in quotes alone, by the id without them.
std::string fill_id(std::string text, const Json& id);

// fill_id_in does so in every string inside `value`; one that is {{id}} alone becomes the id.
void fill_id_in(Json& value, const Json& id);

// fill_placeholders_in does so in every string inside `value`.
void fill_placeholders_in(Json& value, const Json& arguments);

}  // namespace plumbline::fakes
