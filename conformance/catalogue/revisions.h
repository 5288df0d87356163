// The revisions of the specification, and in what they differ. Whoever has to know asks here; what
// is a table of its own (requirements, terms of methods) names a revision by what came with it.

#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace plumbline::conformance {

// kRevisions are the revisions of the specification, oldest first.
inline constexpr auto kRevisions = std::to_array<std::string_view>(
    {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"});

// The newest of either era.
inline constexpr std::string_view kNewestStateful = "2025-11-25";
inline constexpr std::string_view kNewestStateless = kRevisions.back();

// A date that is no revision.
inline constexpr std::string_view kNoRevision = "2026-01-01";

// What came with which revision.
namespace since {

inline constexpr std::string_view kBeginning = "2024-11-05";
inline constexpr std::string_view kStreamableHttp = "2025-03-26";
inline constexpr std::string_view kAudio = "2025-03-26";
inline constexpr std::string_view kCompletionsCapability = "2025-03-26";
inline constexpr std::string_view kElicitation = "2025-06-18";
inline constexpr std::string_view kTitles = "2025-06-18";
inline constexpr std::string_view kResourceLinks = "2025-06-18";
inline constexpr std::string_view kResourceMetadata = "2025-06-18";
inline constexpr std::string_view kScopeSelection = "2025-11-25";
inline constexpr std::string_view kUrlElicitation = "2025-11-25";
inline constexpr std::string_view kToolsInSampling = "2025-11-25";
inline constexpr std::string_view kTasks = "2025-11-25";
inline constexpr std::string_view kIcons = "2025-11-25";
inline constexpr std::string_view kPolling = "2025-11-25";
inline constexpr std::string_view kStateless = "2026-07-28";
inline constexpr std::string_view kSubscriptions = kStateless;

}  // namespace since

// is_stateless returns whether `revision` knows no session: every request says what it needs. What
// is no revision is not stateless.
constexpr bool is_stateless(std::string_view revision) {
  return revision >= since::kStateless &&
         std::ranges::find(kRevisions, revision) != kRevisions.end();
}

// allows_batches returns whether arrays of messages may be sent.
constexpr bool allows_batches(std::string_view revision) { return revision == "2025-03-26"; }

// knows_completions_capability returns whether servers declare that they complete arguments.
constexpr bool knows_completions_capability(std::string_view revision) {
  return revision != since::kBeginning;
}

// has_version_header returns whether HTTP requests name the revision.
constexpr bool has_version_header(std::string_view revision) { return revision >= "2025-06-18"; }

// dates_resources returns whether annotations may have a lastModified.
constexpr bool dates_resources(std::string_view revision) { return revision >= "2025-06-18"; }

// names_authorization_servers returns whether servers say in metadata of their own who gives out
// tokens for them; before, each was its own authorization server.
constexpr bool names_authorization_servers(std::string_view revision) {
  return revision >= since::kResourceMetadata;
}

constexpr bool knows_elicitation(std::string_view revision) {
  return revision >= since::kElicitation;
}

// knows_url_elicitation returns whether elicitation has modes: by form and by URL.
constexpr bool knows_url_elicitation(std::string_view revision) {
  return revision >= since::kUrlElicitation;
}

// knows_lists_in_forms returns whether a field of a form may be several choices.
constexpr bool knows_lists_in_forms(std::string_view revision) {
  return revision >= since::kUrlElicitation;
}

// knows_tools_in_sampling returns whether models may be given tools, and content come in lists.
constexpr bool knows_tools_in_sampling(std::string_view revision) {
  return revision >= since::kToolsInSampling;
}

// has_own_tasks returns whether tasks are of the revision itself; knows_tasks, whether there are
// any: later ones are an extension.
constexpr bool has_own_tasks(std::string_view revision) { return revision == since::kTasks; }
constexpr bool knows_tasks(std::string_view revision) { return revision >= since::kTasks; }

// reserves_second_label returns whether a prefix of _meta is reserved by its second label, whatever
// follows; before, by the last but one.
constexpr bool reserves_second_label(std::string_view revision) { return revision >= "2025-11-25"; }

}  // namespace plumbline::conformance
