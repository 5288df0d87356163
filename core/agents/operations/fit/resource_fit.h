// Resources, and values that say which one is meant.

#pragma once

#include <string_view>

#include "core/agents/operations/fit/offered.h"
#include "core/agents/operations/fit/wish.h"
#include "core/connector/capability.h"

namespace plumbline::agents {

// is_attribute returns whether a record has this whatever it is of, so that whoever gives the
// record gives it too: "status", "title".
bool is_attribute(std::string_view word);

// is_value_of returns whether a capability is given a value of the wish, or is the one it means.
bool is_value_of(const Wish::Value& value, const connector::Capability& capability,
                 const Offered& offered);

// resource_fits returns whether to read the resource is all that is wanted.
bool resource_fits(const Wish& wish, const connector::Capability& capability,
                   const Offered& offered);

}  // namespace plumbline::agents
