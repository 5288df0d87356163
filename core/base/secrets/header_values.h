// What stands behind "Authorization" and "Cookie": all of it is secret, whatever it is.

#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/secrets/name_signs.h"

namespace plumbline {

// names_whole_header returns whether all is secret that stands behind a name like this.
bool names_whole_header(std::string_view name);

// begins_header returns whether what stands behind such a name and an = is what a header says,
// instead of a word: "Token X", "a=1; sid=X".
bool begins_header(std::string_view text, std::size_t value);

// header_end returns where what a header says ends, which begins at `value` behind what is `named`;
// in the quotes that are around it, it ends with them. It may go on in the lines below.
std::size_t header_end(std::string_view text, std::size_t value, const NameBefore& named);

// is_ordinary_header returns whether what stands behind "Authorization:" tells no secret: each of
// its words is ordinary, or the name of a scheme; or it is a sentence.
bool is_ordinary_header(std::string_view value);

}  // namespace plumbline
