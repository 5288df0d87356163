// What `listmodels` and `version` answer. Neither asks a model, a file or a network.

#pragma once

#include <string>

#include "core/agents/supervisor/supervisor_services.h"

namespace plumbline::agents::supervisor {

// words_of_server returns the answer of `tool`, "listmodels" or "version", as Markdown.
std::string words_of_server(const std::string& tool, const SupervisorServices& services);

// facts_of_server returns the same as data. Of listmodels: {"models": [{"name", "provider",
// "available", "why_not"?, "window_tokens", ...}], "default", "patterns"}.
Json facts_of_server(const std::string& tool, const SupervisorServices& services);

}  // namespace plumbline::agents::supervisor
