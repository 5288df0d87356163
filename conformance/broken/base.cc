#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations base_deviations() { return {}; }

}  // namespace plumbline::conformance
