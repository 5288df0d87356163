#include "core/mcp/protocol/revision.h"

#include <gtest/gtest.h>

#include "core/rpc/message.h"

namespace plumbline::mcp {
namespace {

TEST(RevisionTest, NamesAndRevisionsMapBothWays) {
  for (const Revision revision : all_revisions()) {
    EXPECT_EQ(parse_revision(name_of(revision)), revision);
  }
  EXPECT_EQ(all_revisions().back(), kLatest);
  for (const Revision revision : all_revisions()) {
    EXPECT_EQ(is_stateless(revision), revision > kLatestStateful) << name_of(revision);
  }
  for (const char* no : {"", "2025-11-26", "2025-11-25 ", "1.0"}) EXPECT_FALSE(parse_revision(no));
}

// One row a question: since which revision the answer is yes, and until which.
TEST(RevisionTest, EveryQuestionHasItsRevisions) {
  using enum Revision;
  struct Row {
    bool (*question)(Revision);
    Revision since;
    Revision until;
  };
  const Row rows[] = {
      {has_batching, k2025_03_26, k2025_03_26},
      {allows_error_without_id, k2025_11_25, kLatest},
      {has_version_header, k2025_06_18, kLatest},
      {has_stream_priming, k2025_11_25, kLatest},
      {has_streamable_http, k2025_03_26, kLatest},
      {capabilities_are_binding, k2025_06_18, kLatest},
      {has_usual_endpoints, k2025_03_26, k2025_03_26},
      {has_completion_capability, k2025_03_26, kLatest},
      {has_completion_context, k2025_06_18, kLatest},
      {has_elicitation, k2025_06_18, kLatest},
      {has_url_elicitation, k2025_11_25, kLatest},
      {has_titled_choices, k2025_11_25, kLatest},
      {has_sampling_tools, k2025_11_25, kLatest},
      {has_elicitation_ids, k2025_11_25, k2025_11_25},
      {has_tasks, k2025_11_25, k2025_11_25},
      {has_structured_content, k2025_06_18, kLatest},
      {has_any_structured_content, k2026_07_28, kLatest},
      {has_task_extension, k2026_07_28, kLatest},
      {is_stateless, k2026_07_28, kLatest},
      {has_tool_annotations, k2025_03_26, kLatest},
      {has_audio, k2025_03_26, kLatest},
      {has_resource_links, k2025_06_18, kLatest},
      {has_titles, k2025_06_18, kLatest},
      {has_icons, k2025_11_25, kLatest},
      {has_progress_message, k2025_03_26, kLatest},
      {argument_errors_are_results, k2025_11_25, kLatest},
  };
  for (const Row& row : rows) {
    for (const Revision revision : all_revisions()) {
      EXPECT_EQ(row.question(revision), row.since <= revision && revision <= row.until)
          << &row - rows << " in " << name_of(revision);
    }
  }
  EXPECT_EQ(resource_not_found_code(k2024_11_05), rpc::kResourceNotFound);
  EXPECT_EQ(resource_not_found_code(k2026_07_28), rpc::kInvalidParams);
}

TEST(RevisionTest, ARevisionThatWeDoNotKnowIsTakenForTheOneBeforeIt) {
  EXPECT_EQ(nearest_revision("2025-06-18"), Revision::k2025_06_18);
  EXPECT_EQ(nearest_revision("2025-09-01"), Revision::k2025_06_18);
  EXPECT_EQ(nearest_revision("2999-01-01"), kLatest);
  EXPECT_EQ(nearest_revision("2024-01-01"), std::nullopt);
  EXPECT_EQ(nearest_revision(""), std::nullopt);
}

}  // namespace
}  // namespace plumbline::mcp
