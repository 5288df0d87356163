// The shapes of values as JSON Schema 2020-12 says them, for the tables of files that people write
// (core/json/fields/fields.h).

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/json/value.h"

namespace plumbline::shape {

Json whole(std::int64_t min, std::int64_t max);
Json number(std::int64_t above, std::int64_t max);  // With a fraction or without.
Json yes();                                         // A switch.
Json text();
Json words();  // A text that holds something.
Json object();
Json list(Json items);
Json pair(Json items);      // Two of them.
Json by_name(Json values);  // An object of any names.
Json one_of(std::span<const std::string_view> names);
Json only(Json value);
Json either(Json first, Json second);

// ref is what stands under "$defs" as `name`. milliseconds is that of ObjectReader::milliseconds,
// which each schema has to define as any_milliseconds.
Json ref(std::string_view name);
Json milliseconds();
Json any_milliseconds();

// duration_text is a text that duration_in reads.
Json duration_text();

// closed is an object of these members and no others.
Json closed(Json members);

// one_of_two says that one of two members is there, and not both; any_of_two that one at least is.
Json one_of_two(std::string_view first, std::string_view second);
Json any_of_two(std::string_view first, std::string_view second);

// with_members returns the shape of an object with the members of another that it has not.
Json with_members(Json shape, const Json& other);

// says returns `shape` with a line about it.
Json says(Json shape, std::string_view words);

// with returns `shape` with the member `key` as well.
Json with(Json shape, std::string_view key, Json value);

}  // namespace plumbline::shape
