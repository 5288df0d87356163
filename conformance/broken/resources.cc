#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations resources_deviations() { return {}; }

}  // namespace plumbline::conformance
