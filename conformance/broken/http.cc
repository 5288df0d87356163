#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations http_deviations() { return {}; }

}  // namespace plumbline::conformance
