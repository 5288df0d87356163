// Revision names a dated MCP specification. Every question of the form "does this revision have
// X" is answered in this module and nowhere else.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace plumbline::mcp {

// Later revisions compare greater.
enum class Revision {
  k2024_11_05,
  k2025_03_26,
  k2025_06_18,
  k2025_11_25,
  k2026_07_28,
};

// name_of returns the protocolVersion string: "2025-11-25".
std::string_view name_of(Revision revision);

// parse_revision returns nothing for a string that names none of ours.
std::optional<Revision> parse_revision(std::string_view name);

// nearest_revision returns the newest of ours that is not younger than the revision called `name`,
// which may be one that we do not know; nothing when all of ours are.
std::optional<Revision> nearest_revision(std::string_view name);

// all_revisions returns every revision that the engines speak, oldest first.
std::span<const Revision> all_revisions();

// kLatestStateful is the newest revision that opens with initialize.
inline constexpr Revision kLatestStateful = Revision::k2025_11_25;

// kLatest is the newest revision of all.
inline constexpr Revision kLatest = Revision::k2026_07_28;

// is_stateless returns whether each request carries what the server must know of the client, and
// nothing is remembered between two: no initialize, no ping, no session, no requests by the server.
bool is_stateless(Revision revision);

// Messages and lifecycle.
bool has_batching(Revision revision);
bool allows_error_without_id(Revision revision);   // The id member of an error may be left out.
bool has_version_header(Revision revision);        // MCP-Protocol-Version on HTTP requests.
bool has_stream_priming(Revision revision);        // A stream begins with an id to resume from.
bool has_streamable_http(Revision revision);       // Otherwise HTTP with a separate SSE stream.
bool capabilities_are_binding(Revision revision);  // MUST instead of SHOULD keep to them.

// Authorization. Where no metadata is, /authorize, /token and /register stand beside the server.
bool has_usual_endpoints(Revision revision);

// Capabilities.
bool has_completion_capability(Revision revision);  // Otherwise completion needs none.
bool has_completion_context(Revision revision);
bool has_elicitation(Revision revision);
bool has_url_elicitation(Revision revision);
bool has_titled_choices(Revision revision);  // And multiple ones, in elicitation forms.
bool has_sampling_tools(Revision revision);
bool has_elicitation_ids(Revision revision);  // elicitationId, its notification, error -32042.
bool has_tasks(Revision revision);            // The experimental ones of the core.
bool has_task_extension(Revision revision);   // io.modelcontextprotocol/tasks.

// Shapes.
bool has_structured_content(Revision revision);      // With outputSchema.
bool has_any_structured_content(Revision revision);  // It may be any JSON, not only an object.
bool has_tool_annotations(Revision revision);
bool has_audio(Revision revision);
bool has_resource_links(Revision revision);
bool has_titles(Revision revision);  // title beside name, and lastModified in annotations.
bool has_icons(Revision revision);   // With description and websiteUrl of an implementation.
bool has_progress_message(Revision revision);

// Errors. Bad tool arguments are an isError result where true, a kInvalidParams error otherwise.
bool argument_errors_are_results(Revision revision);
std::int64_t resource_not_found_code(Revision revision);

}  // namespace plumbline::mcp
