#include "cli/known/known.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace plumbline::cli {
namespace {

TEST(KnownTest, SettingsOfFilesAndVariablesAreKnown) {
  std::set<std::string> names;
  for (const KnownSetting& setting : known_settings()) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    EXPECT_FALSE(setting.what.empty()) << setting.name;
  }
  for (const char* const name : {"mcp.connectionTimeout", "PLUMBLINE_MCP_CONNECTION_TIMEOUT",
                                 "OPENAI_API_KEY", "CLI_EXECUTION_TIMEOUT"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

}  // namespace
}  // namespace plumbline::cli
