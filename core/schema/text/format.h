// The formats that can be asserted: date-time, date, time, email, hostname, ipv4, ipv6, uri,
// uri-reference, uuid, json-pointer, regex. Any other stays an annotation.

#pragma once

#include <string_view>

namespace plumbline::schema {

struct Format {
  std::string_view name;
  bool (*accepts)(std::string_view text);
};

// find_format returns the format called `name`, nullptr when it cannot be asserted.
const Format* find_format(std::string_view name);

}  // namespace plumbline::schema
