#include "core/mcp/protocol/elicitation.h"

#include <gtest/gtest.h>

#include "core/mcp/protocol/test_values.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {
namespace {

TEST(ElicitationTest, DefaultsFillWhatIsMissing) {
  const Json schema = json(R"({"type":"object","properties":{
      "name":{"type":"string","default":"x"},"age":{"type":"integer"},
      "ok":{"type":"boolean","default":false}}})");
  EXPECT_EQ(dump_json(with_defaults(schema, json(R"({"name":"y"})"))),
            R"({"name":"y","ok":false})");
  EXPECT_EQ(dump_json(with_defaults(schema, nullptr)), R"({"name":"x","ok":false})");
  EXPECT_EQ(dump_json(with_defaults(nullptr, json(R"({"a":1})"))), R"({"a":1})");
}

TEST(ElicitationTest, ARequiredVisitTravelsInTheError) {
  const Failure why = url_elicitation_required("log in first", {json(R"({"mode":"url"})")});
  EXPECT_EQ(why.code, rpc::kUrlElicitationRequired);
  EXPECT_EQ(url_elicitations(why).size(), 1U);
  EXPECT_TRUE(url_elicitations(Failure(rpc::kInternalError, "x", why.data)).empty());
}

}  // namespace
}  // namespace plumbline::mcp
