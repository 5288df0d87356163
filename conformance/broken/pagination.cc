#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations pagination_deviations() { return {}; }

}  // namespace plumbline::conformance
