#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations ping_deviations() { return {}; }

}  // namespace plumbline::conformance
