#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations tasks_deviations() { return {}; }

}  // namespace plumbline::conformance
