// ServerCheck is one check of a server: the id of a Requirement and the script that puts it to the
// test. What the rule says, where it says it and how strong it is stand in the catalogue alone.

#pragma once

#include <span>
#include <string_view>

#include "conformance/catalogue/finding.h"
#include "conformance/catalogue/selection.h"
#include "core/base/task.h"

namespace plumbline::conformance {

class Probe;

// Place is where a check speaks.
enum class Place {
  kShared,  // On the session that all polite checks share. It must leave no trace.
  kAlone,   // On a session that nobody else uses meanwhile; it may misbehave and even end it.
  kOpens,   // It opens what it needs, or needs nothing: it reads the survey.
};

struct ServerCheck {
  std::string_view id;
  Eras eras = Eras::kBoth;
  Place place = Place::kShared;
  Task<Finding> (*run)(Probe& probe);
};

using ServerChecks = std::span<const ServerCheck>;

// The checks of each page of the specification, a function a file of this folder.
ServerChecks lifecycle_checks();
ServerChecks statelessness_checks();
ServerChecks versioning_checks();
ServerChecks discover_checks();
ServerChecks base_checks();
ServerChecks schema_checks();
ServerChecks jsonrpc_checks();
ServerChecks ping_checks();
ServerChecks cancellation_checks();
ServerChecks progress_checks();
ServerChecks pagination_checks();
ServerChecks tools_checks();
ServerChecks tools_calls_checks();
ServerChecks resources_checks();
ServerChecks resources_watched_checks();
ServerChecks prompts_checks();
ServerChecks completion_checks();
ServerChecks logging_checks();
ServerChecks caching_checks();
ServerChecks mrtr_checks();
ServerChecks elicitation_checks();
ServerChecks elicitation_answers_checks();
ServerChecks sampling_checks();
ServerChecks roots_checks();
ServerChecks subscriptions_checks();
ServerChecks tasks_checks();
ServerChecks tasks_life_checks();
ServerChecks tasks_extension_checks();
ServerChecks tasks_extension_making_checks();
ServerChecks tasks_extension_life_checks();
ServerChecks tasks_extension_listening_checks();
ServerChecks stdio_checks();
ServerChecks http_checks();
ServerChecks http_sessions_checks();
ServerChecks http_streams_checks();
ServerChecks http_headers_checks();
ServerChecks header_annotations_checks();
ServerChecks sse_checks();
ServerChecks security_checks();
ServerChecks two_users_checks();

// all_server_checks returns every check, in the order in which reports show them.
std::span<const ServerCheck> all_server_checks();

}  // namespace plumbline::conformance
