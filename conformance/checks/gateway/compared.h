// How a rule reads an exchange through a gateway.

#pragma once

#include "conformance/checks/gateway/check.h"
#include "core/base/task.h"

namespace plumbline::conformance {

// keeps: what the server said of the rule's members is what the client got.
Task<Finding> keeps(GatewayProbe& probe);

// keeps_there: what the client said of them is what the server got.
Task<Finding> keeps_there(GatewayProbe& probe);

// keeps_empty_there does so, and looks at arguments of a prompt that are {}.
Task<Finding> keeps_empty_there(GatewayProbe& probe);

// keeps_each: as keeps, but of the members themselves alone, not of what stands in them.
Task<Finding> keeps_each(GatewayProbe& probe);

// adds_nothing: the client gets none of the rule's members that the server has not said.
Task<Finding> adds_nothing(GatewayProbe& probe);

// goes_through: the request reaches the server, and its answer comes back.
Task<Finding> goes_through(GatewayProbe& probe);

}  // namespace plumbline::conformance
