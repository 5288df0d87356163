// What a call changes: resources that read otherwise afterwards, and the tools that may do so.

#pragma once

#include <string>
#include <vector>

#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// contents_of returns what reading a resource gives; null: nothing.
Task<Json> contents_of(Client& client, std::string uri);

// changes_by_itself returns whether a resource reads otherwise the second time, or not at all.
Task<bool> changes_by_itself(Client& client, std::string uri);

// changed_by calls `tool`, and returns whether the resource reads otherwise than `before` then.
Task<bool> changed_by(Probe& probe, Client& client, Json tool, std::string uri, Json before);

// tells_of_any_change: who listens for a resource (subscriptions/listen) hears of it when a tool
// that was called has changed it. Skips where no call changes one.
Task<Finding> tells_of_any_change(Probe& probe);

}  // namespace plumbline::conformance
