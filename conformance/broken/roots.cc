#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations roots_deviations() { return {}; }

}  // namespace plumbline::conformance
