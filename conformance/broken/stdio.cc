#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations stdio_deviations() { return {}; }

}  // namespace plumbline::conformance
