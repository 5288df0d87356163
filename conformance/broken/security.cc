#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations security_deviations() { return {}; }

}  // namespace plumbline::conformance
