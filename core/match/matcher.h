// A matcher holds a value of JSON against what was expected of it, and says where and how they
// differ.
//
// An expectation is JSON: a plain value fits itself; of an object the members that it names, others
// may be there; of an array every item in its order. An object with members that begin with $ is a
// matcher, and every one of them has to fit:
//
//   $equal V         the same, objects too            $any true         whatever is there
//   $contains V      a text or an array has it        $absent true      nothing is there
//   $regex TEXT      RE2, found anywhere in a text    $not E            does not fit E
//   $type NAME       a type of JSON                   $each E           every item fits E
//   $schema S        a JSON Schema                    $some E, $none E  an item does, none does
//   $length N|E      of a text, array or object       $unordered [E]    the items, in any order
//   $min N, $max N   numbers                          $json E           a text that is JSON
//   $near [N, D]     at most D away from N            $literal V        V is data, whatever it
//   holds

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "core/json/object_reader.h"
#include "core/match/masks.h"
#include "core/match/mismatch.h"

namespace plumbline::match {

// check_expectation makes what is no expectation a Problem at `pointer`: an unknown matcher, a
// pattern that RE2 refuses, a schema that is none.
void check_expectation(const Json& expectation, const std::string& pointer,
                       std::optional<Problem>& problem);

// compare appends to `out` how `got` differs from `expectation`, which check_expectation has let
// pass. Null: nothing is there.
void compare(const Json& expectation, const Json* got, const Place& at, const Masks& masks,
             std::vector<Mismatch>& out);

// fits returns whether it does not.
bool fits(const Json& expectation, const Json& got, const Masks& masks);

}  // namespace plumbline::match
