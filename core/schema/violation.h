// Violation is how a schema refuses a value.

#pragma once

#include <string>

namespace plumbline::schema {

// Violation is one place where a value is not what the schema asks for.
struct Violation {
  // Each of these three is cut behind kQuotedBytesMax.
  std::string instance_pointer;  // RFC 6901, into the value. Empty: the value as a whole.
  std::string schema_pointer;  // The keyword, in the schema; in a metaschema: its URI, # and this.
  std::string message;         // For people: "\"status\" is 3, expected a string".
  bool undecided = false;      // A bound stopped the walk here: nothing is known about the rest.
};

}  // namespace plumbline::schema
