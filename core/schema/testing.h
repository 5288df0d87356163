// What the tests of this folder share.

#pragma once

#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/json/json.h"

namespace plumbline::schema {

// json returns the value of a text that is JSON.
inline Json json(std::string_view text) {
  Result<Json> parsed = parse_json(text);
  check(parsed.ok(), "the text of a test is no JSON");
  return std::move(parsed).value();
}

}  // namespace plumbline::schema
