#include "core/service/sessions/codap_tools.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace plumbline::service {
namespace {

TEST(CodapToolsTest, ADatasetOfTheCallersOwnHasEveryColumnOfEveryRecord) {
  const Json made = make_dataset({{"datasetName", "d"},
                                  {"dataType", "custom"},
                                  {"recordCount", 3},
                                  {"records",
                                   {{{"name", "Ada"}},
                                    {{"name", "Ben"}, {"age", 7}},
                                    {{"age", nullptr}, {"note", "late"}, {"name", 3}}}}});
  EXPECT_EQ(made["attributes"], (Json{{{"name", "name"}, {"type", "categorical"}},
                                      {{"name", "age"}, {"type", "numeric"}},
                                      {{"name", "note"}, {"type", "categorical"}}}));
  EXPECT_EQ(made["records"].size(), 3U);
}

TEST(CodapToolsTest, RandomNumbersHaveTwoDigitsBehindThePoint) {
  const Json made =
      make_dataset({{"datasetName", "d"}, {"dataType", "random_numbers"}, {"recordCount", 200}});
  for (const Json& record : made["records"]) {
    for (const char* name : {"x", "y"}) {
      const double hundred = record[name].get<double>() * 100;
      EXPECT_NEAR(hundred, std::round(hundred), 1e-6) << dump_json(record);
    }
  }
}

}  // namespace
}  // namespace plumbline::service
