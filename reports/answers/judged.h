// Who was judged: what each subject calls itself, with what it is built, and how it was spoken to.

#pragma once

#include <string>
#include <vector>

#include "core/events/report.h"
#include "reports/beside.h"

namespace plumbline::reports {

struct Judged {
  std::string server;  // Of several, by its name in a configuration. Else empty.
  std::string name;    // That it gives itself. May be empty.
  std::string version;
  std::string sdk;  // That was recognised. May be empty.
  std::string transport;
  std::vector<std::string> revisions;  // In which it was judged.
};

// add_judged adds it to the target of a report.
void add_judged(Json& target, const Judged& judged);

// judged_in returns everybody who was.
std::vector<Judged> judged_in(const Report& report);

// naming_of names one in a line: "everything 2.0.0 on TypeScript SDK 1 over stdio"; empty: it says
// nothing of itself.
std::string naming_of(const Judged& judged);

}  // namespace plumbline::reports
