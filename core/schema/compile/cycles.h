// find_cycles refuses schemas that judge a value by judging the same value first.

#pragma once

#include <deque>

#include "core/base/result.h"
#include "core/schema/program.h"

namespace plumbline::schema {

// find_cycles returns kInvalidInput when references and applicators lead from a node back to it
// without a step into the value: {"$ref": "#"}. What only some values reach ("then", "else",
// "dependentSchemas", "$dynamicRef") is left to SchemaLimits::evaluation_depth_max.
Status find_cycles(const std::deque<Node>& nodes);

}  // namespace plumbline::schema
