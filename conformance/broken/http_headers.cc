#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations http_headers_deviations() { return {}; }

}  // namespace plumbline::conformance
