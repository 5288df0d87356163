#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations progress_deviations() { return {}; }

}  // namespace plumbline::conformance
