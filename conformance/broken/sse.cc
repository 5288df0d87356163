#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations sse_deviations() { return {}; }

}  // namespace plumbline::conformance
