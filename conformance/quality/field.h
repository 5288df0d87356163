// The field: what lint says of servers that others have published, kept as data with versions and
// a date (field.tsv), to tell the place of one among them.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "conformance/quality/lint.h"

namespace plumbline::conformance {

struct FieldServer {
  std::string_view name;
  std::string_view version;
  std::string_view date;  // When it was looked at.
  std::int64_t tools = 0;
  std::int64_t tokens = 0;
  char grade = 'A';
};

std::span<const FieldServer> field_servers();

// place_in_field says where a server stands among them, in numbers of servers.
std::string place_in_field(const Linted& linted);

}  // namespace plumbline::conformance
