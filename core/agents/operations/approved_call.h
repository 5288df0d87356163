// What a person approves of the operations assistant: one call of one capability, and what its
// server says that it is.

#pragma once

#include "core/agents/approvals/approval.h"
#include "core/agents/operations/operations_state.h"

namespace plumbline::agents {

// shown_label is the label of a capability as answers hold it: shown, for servers name themselves.
std::string shown_label(const connector::Capability& capability);

// request_of returns the request that a call of `capability` is.
connector::McpRequest request_of(const connector::Capability& capability, const Json& arguments);

// action_of returns it as a person approves it: what `request` sends, and what `manifest` says now
// of the capability.
approvals::Action action_of(const connector::Capability& capability,
                            const connector::McpRequest& request,
                            const connector::Manifest& manifest);

// review_of returns what a person is asked about the selected capability with this `validation`.
Json review_of(const OperationsState& state, const Validation& validation);

// action_to_approve returns what that is about.
approvals::Action action_to_approve(const OperationsState& state, const Validation& validation);

}  // namespace plumbline::agents
