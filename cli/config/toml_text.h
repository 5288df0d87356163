// Reading the TOML that people write, as the Json that readers of settings take.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/locate.h"

namespace plumbline::cli {

struct TomlText {
  Json root = Json::object();
  std::map<std::string, Position> places;  // Of each value, by its pointer (RFC 6901).

  // place_of returns where the value at `pointer` stands, or else the nearest that holds it.
  Position place_of(std::string pointer) const;
};

// parse_toml reads one TOML 1.0 text; dates and times become strings. kInvalidInput: it is none,
// and `failed_at` says where.
Result<TomlText> parse_toml(std::string_view text, Position& failed_at);

}  // namespace plumbline::cli
