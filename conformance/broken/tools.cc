#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations tools_deviations() { return {}; }

}  // namespace plumbline::conformance
