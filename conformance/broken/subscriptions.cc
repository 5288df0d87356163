#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

Deviations subscriptions_deviations() { return {}; }

}  // namespace plumbline::conformance
