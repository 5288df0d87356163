#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations cancellation_deviations() { return {}; }

}  // namespace plumbline::conformance
