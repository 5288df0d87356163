#include "cli/options/store_uri.h"

#include <gtest/gtest.h>

namespace plumbline::cli {
namespace {

// found returns "KIND WHERE" of what the option or the variables name, or why they name none.
std::string found(const std::string& option, const StoreVariables& variables = {}) {
  const Result<std::optional<StoreUri>> store = find_store(option, variables);
  if (!store.ok()) return store.error().message;
  if (!store.value()) return "none";
  constexpr const char* kKinds[] = {"memory", "sqlite", "postgres"};
  return std::string(kKinds[static_cast<int>(store.value()->kind)]) + ' ' + store.value()->where;
}

TEST(StoreUriTest, TheOptionNamesABackend) {
  EXPECT_EQ(found("memory:"), "memory ");
  EXPECT_EQ(found("sqlite:a/b.db"), "sqlite a/b.db");
  EXPECT_EQ(found("sqlite:/a b"), "sqlite /a b");
  EXPECT_EQ(found("postgres://u@h/d?sslmode=require"), "postgres postgres://u@h/d?sslmode=require");
  EXPECT_EQ(found("postgresql://h"), "postgres postgresql://h");
  EXPECT_EQ(found("postgres:host=h dbname=d"), "postgres host=h dbname=d");
  EXPECT_EQ(found("postgres:"), "postgres ");
  for (const char* const wrong : {"sqlite:", "sqlite", "memory", "memory:x", "mysql://h", "t.db"}) {
    EXPECT_EQ(found(wrong), "--store " + std::string(wrong) +
                                ": expected memory:, sqlite:PATH or postgres://...");
  }
}

TEST(StoreUriTest, VariablesNameItWhereTheOptionDoesNot) {
  EXPECT_EQ(found(""), "none");
  EXPECT_EQ(found("", {std::nullopt, "x.db"}), "none");
  EXPECT_EQ(found("", {"", "x.db"}), "none");
  EXPECT_EQ(found("", {"sqlite", "x.db"}), "sqlite x.db");
  EXPECT_EQ(found("", {"sqlite", std::nullopt}), "sqlite ./data/checkpoints");
  EXPECT_EQ(found("", {"memory", "x.db"}), "memory ");
  EXPECT_EQ(found("", {"postgres", "postgres://h/d"}), "postgres postgres://h/d");
  EXPECT_EQ(found("", {"postgres", "host=h"}), "postgres host=h");
  EXPECT_EQ(found("sqlite:y.db", {"memory", std::nullopt}), "sqlite y.db");
  EXPECT_EQ(found("", {"redis", std::nullopt}),
            "LANGGRAPH_CHECKPOINT_BACKEND is \"redis\", expected memory, sqlite or postgres");
}

}  // namespace
}  // namespace plumbline::cli
