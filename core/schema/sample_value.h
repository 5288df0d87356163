// Values made from a JSON Schema: arguments for a tool nobody has called before, and the answer of
// somebody who accepts every default of a form.

#pragma once

#include <cstddef>

#include "core/base/budget/budget.h"
#include "core/json/json.h"

namespace plumbline::schema {

// What one sample may hold and what may be read for it, so that no schema makes it explode. Behind
// either, lists and objects are cut short and values are null.
inline constexpr std::size_t kSampleValuesMax = 4'000;
inline constexpr std::size_t kSampleBytesMax = 1U << 20U;  // Of strings, names and references.

// sample_value returns a value for `schema`: its default, its const, the first of its enum, its
// examples or its choices, else a text that its description gives as an example, else the least
// value of its type. References within `root` are followed, any other is left alone: nothing is
// ever fetched. It satisfies the everyday keywords and plain patterns; a schema that asks for
// more (lookaround, conditions) may judge it wrong.
//
// `budget`, where there is one, is charged with the steps that it took and the bytes that were
// made; past its end the value is null, and an object has no members.
Json sample_value(const Json& root, const Json& schema, Budget* budget = nullptr);

// sample_arguments returns arguments for a tool with `input_schema`: every property that is
// required or has a default.
Json sample_arguments(const Json& input_schema, Budget* budget = nullptr);

// accepted_defaults returns the content of an accepted form: each property's default, and for a
// required one without, a sample.
//
// Spec 2025-11-25, client/elicitation, Requested Schema (clients that support defaults SHOULD
// pre-populate fields with them).
Json accepted_defaults(const Json& requested_schema, Budget* budget = nullptr);

}  // namespace plumbline::schema
