#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations prompts_deviations() { return {}; }

}  // namespace plumbline::conformance
