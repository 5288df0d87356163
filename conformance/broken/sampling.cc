#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations sampling_deviations() { return {}; }

}  // namespace plumbline::conformance
