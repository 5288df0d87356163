#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations completion_deviations() { return {}; }

}  // namespace plumbline::conformance
