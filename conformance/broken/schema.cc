#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations schema_deviations() { return {}; }

}  // namespace plumbline::conformance
