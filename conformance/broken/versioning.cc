#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations versioning_deviations() { return {}; }

}  // namespace plumbline::conformance
