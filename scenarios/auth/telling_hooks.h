// What a proxy of a scenario tells, in simulation and for real.

#pragma once

#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/events/trace_event.h"
#include "fakes/proxy/http_proxy.h"

namespace plumbline::scenarios {

// exchange_detail returns what an event of an exchange tells: its method, path and headers, without
// what the client proves itself by.
Json exchange_detail(const wire::HttpRequest& request);

// telling_hooks returns what tells `events` of each exchange of the proxy before the server `name`,
// and of each rule that changes one, which it also notes in `rules_used`. All must outlive the
// proxy.
fakes::HttpProxyHooks telling_hooks(const Loop& loop, EventSink& events, const std::string& name,
                                    std::vector<bool>& rules_used);

}  // namespace plumbline::scenarios
