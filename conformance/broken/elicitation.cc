#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations elicitation_deviations() { return {}; }

}  // namespace plumbline::conformance
