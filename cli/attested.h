// What an attestation says beyond the report: by which program and rules was judged, and what was.

#pragma once

#include "core/base/doors/paths.h"
#include "core/events/report.h"

namespace plumbline::cli {

// attested returns it, as reports::kAttested holds it: {"by", "rules", "subjects"}. A subject has
// the digest of the file that the command line names, and the package that the file lies in; one
// that names none, and a URL, has that of what it says of itself.
Json attested(Paths& paths, const Report& report);

}  // namespace plumbline::cli
