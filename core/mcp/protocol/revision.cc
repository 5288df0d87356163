#include "core/mcp/protocol/revision.h"

#include <array>

#include "core/base/check.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

namespace {

using enum Revision;

constexpr std::array kAll = {k2024_11_05, k2025_03_26, k2025_06_18, k2025_11_25, k2026_07_28};

}  // namespace

std::string_view name_of(Revision revision) {
  switch (revision) {
    case k2024_11_05:
      return "2024-11-05";
    case k2025_03_26:
      return "2025-03-26";
    case k2025_06_18:
      return "2025-06-18";
    case k2025_11_25:
      return "2025-11-25";
    case k2026_07_28:
      return "2026-07-28";
  }
  check(false, "unknown Revision");
  return {};
}

std::optional<Revision> parse_revision(std::string_view name) {
  for (const Revision revision : kAll) {
    if (name_of(revision) == name) return revision;
  }
  return std::nullopt;
}

std::optional<Revision> nearest_revision(std::string_view name) {
  std::optional<Revision> nearest;
  for (const Revision revision : kAll) {
    if (name_of(revision) <= name) nearest = revision;
  }
  return nearest;
}

std::span<const Revision> all_revisions() { return kAll; }

bool is_stateless(Revision revision) { return revision >= k2026_07_28; }

bool has_batching(Revision revision) { return revision == k2025_03_26; }
bool allows_error_without_id(Revision revision) { return revision >= k2025_11_25; }
bool has_version_header(Revision revision) { return revision >= k2025_06_18; }
bool has_stream_priming(Revision revision) { return revision >= k2025_11_25; }
bool has_streamable_http(Revision revision) { return revision >= k2025_03_26; }
bool capabilities_are_binding(Revision revision) { return revision >= k2025_06_18; }

bool has_usual_endpoints(Revision revision) { return revision == k2025_03_26; }

bool has_completion_capability(Revision revision) { return revision >= k2025_03_26; }
bool has_completion_context(Revision revision) { return revision >= k2025_06_18; }
bool has_elicitation(Revision revision) { return revision >= k2025_06_18; }
bool has_url_elicitation(Revision revision) { return revision >= k2025_11_25; }
bool has_titled_choices(Revision revision) { return revision >= k2025_11_25; }
bool has_sampling_tools(Revision revision) { return revision >= k2025_11_25; }
bool has_elicitation_ids(Revision revision) { return revision == k2025_11_25; }
bool has_tasks(Revision revision) { return revision == k2025_11_25; }
bool has_task_extension(Revision revision) { return revision >= k2026_07_28; }

bool has_structured_content(Revision revision) { return revision >= k2025_06_18; }
bool has_any_structured_content(Revision revision) { return revision >= k2026_07_28; }
bool has_tool_annotations(Revision revision) { return revision >= k2025_03_26; }
bool has_audio(Revision revision) { return revision >= k2025_03_26; }
bool has_resource_links(Revision revision) { return revision >= k2025_06_18; }
bool has_titles(Revision revision) { return revision >= k2025_06_18; }
bool has_icons(Revision revision) { return revision >= k2025_11_25; }
bool has_progress_message(Revision revision) { return revision >= k2025_03_26; }

bool argument_errors_are_results(Revision revision) { return revision >= k2025_11_25; }
std::int64_t resource_not_found_code(Revision revision) {
  return is_stateless(revision) ? rpc::kInvalidParams : rpc::kResourceNotFound;
}

}  // namespace plumbline::mcp
