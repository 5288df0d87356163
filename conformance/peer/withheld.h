// Withheld is what the judge does not declare in initialize, since the server refuses to open a
// session to a client that does. With the rest it can be judged.

#pragma once

#include <string>
#include <vector>

#include "core/events/report.h"
#include "core/json/json.h"

namespace plumbline::conformance {

struct Withheld {
  struct Capability {
    std::string name;
    Json refused;  // What it was declared as.
    Json instead;  // What the server takes in its place; null: nothing.
  };
  std::vector<Capability> capabilities;
  std::string refusal;             // What came of initialize with all of them.
  std::vector<Evidence> evidence;  // Of that.

  // without_them returns `declared` as the server takes it.
  Json without_them(Json declared) const;

  // names returns them as a message has it: "sampling": {}, "roots": {...}.
  std::string names() const;
};

}  // namespace plumbline::conformance
