#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations mrtr_deviations() { return {}; }

}  // namespace plumbline::conformance
