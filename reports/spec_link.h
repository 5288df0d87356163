// Where in the MCP specification the clause of a result stands.

#pragma once

#include <string>

#include "core/events/report.h"

namespace plumbline::reports {

// spec_link returns the URL of the clause that `result` was judged by, in the revision of the
// result or else of the report; empty when it names none. `spec` is a page from there, one that
// begins with its own revision, "seps/..." or "../../..." from the root of the site, or a whole
// http or https URL. Whatever the fields hold, the result is a URL of printable ASCII.
std::string spec_link(const CheckResult& result, const Report& report);

}  // namespace plumbline::reports
