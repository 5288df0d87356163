#include "scenarios/format/format_weather.h"

#include <string>

#include <gtest/gtest.h>

#include "scenarios/format/fault_verbs.h"
#include "scenarios/format/format.h"

namespace plumbline::scenarios {

namespace {

std::string file_with(std::string_view faults, std::string_view world = "{}") {
  return R"({"plumbline": 1, "id": "s", "title": "T.", "request": {"input": "Hello"},
    "servers": {"a": {}}, "expect": {"status": "ok"}, "world": )" +
         std::string(world) + R"(, "faults": [)" + std::string(faults) + "]}";
}

Result<Scenario> load(std::string_view faults, std::string_view world = "{}") {
  return load_scenario(file_with(faults, world), "s.json");
}

// refusal returns what is wrong with one fault, without the place; "" when nothing is.
std::string refusal(std::string_view fault, std::string_view world = "{}") {
  const Result<Scenario> loaded = load(fault, world);
  if (loaded.ok()) return "";
  const std::string& message = loaded.error().message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  return message.substr(message.find(": ") + 2);
}

TEST(FormatFaultsTest, EveryVerbReadsBackAsItWasWritten) {
  for (const char* const text : {
           R"({"server":"a","do":"stall","at_ms":1,"for_ms":2})",
           R"({"server":"a","do":"reset","at_ms":1.5})",
           R"({"server":"a","do":"reset","after_bytes":7})",
           R"({"server":"a","do":"reset","after_bytes":7,"nth":2,"way":"to"})",
           R"({"server":"a","do":"half_close","at_ms":1})",
           R"({"server":"a","do":"half_close","at_ms":1,"way":"to"})",
           R"({"server":"a","do":"refuse","at_ms":1,"for_ms":2})",
           R"({"server":"a","do":"partition","at_ms":1,"for_ms":2})",
           R"({"server":"a","do":"partition","at_ms":1,"for_ms":2,"way":"from"})",
           R"({"server":"a","do":"partition","at_ms":1,"for_ms":2,"way":"to"})",
           R"({"server":"a","do":"clog","at_ms":1,"for_ms":2})",
           R"({"server":"a","do":"hold","at_ms":1,"for_ms":2})",
           R"({"server":"a","do":"delay","for_ms":2,"nth":3})",
           R"({"server":"a","do":"delay","for_ms":2,"nth":3,"way":"to"})",
           R"({"server":"a","do":"throttle","at_ms":1,"for_ms":2,"bytes_per_s":100})",
           R"({"server":"a","do":"fragment","at_ms":1})",
           R"({"server":"a","do":"fragment","at_ms":1,"for_ms":0})",
           R"({"server":"a","do":"kill","at_ms":1})",
           R"({"server":"a","do":"kill","at_ms":1,"for_ms":2})",
       }) {
    const Result<Scenario> loaded = load(text);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(to_json(loaded.value().faults.front()), parse_json(text).value()) << text;
  }
}

TEST(FormatFaultsTest, AWayIsThatOfTheVerbWhereNoneIsGiven) {
  const auto way_of = [](std::string_view text) { return load(text).value().faults.front().way; };
  EXPECT_EQ(way_of(R"({"server":"a","do":"partition","at_ms":1,"for_ms":2})"), Fault::Way::kBoth);
  EXPECT_EQ(way_of(R"({"server":"a","do":"half_close","at_ms":1})"), Fault::Way::kFrom);
}

TEST(FormatFaultsTest, SaysWhatAVerbTakes) {
  const std::pair<const char*, const char*> refusals[] = {
      {R"({"server":"a","do":"dance"})",
       "\"do\" is \"dance\", expected one of \"stall\", \"reset\", \"half_close\", \"refuse\", "
       "\"partition\", \"clog\", \"hold\", \"delay\", \"throttle\", \"fragment\", \"kill\""},
      {R"({"do":"kill","at_ms":1})", "a fault has no \"server\", expected the name of a server"},
      {R"({"server":"a"})", "a fault has no \"do\", expected what happens, as \"reset\""},
      {R"({"server":"a","do":"stall","at_ms":1})",
       "a fault has no \"for_ms\", expected how long it lasts"},
      {R"({"server":"a","do":"clog","for_ms":1})",
       "a fault has no \"at_ms\", expected when it happens"},
      {R"({"server":"a","do":"delay","for_ms":1})",
       "a fault has no \"nth\", expected which write, from 1"},
      {R"({"server":"a","do":"delay","for_ms":1,"nth":0})",
       "\"nth\" is 0, expected a whole number from 1 to 1000000"},
      {R"({"server":"a","do":"throttle","at_ms":1,"for_ms":1})",
       "a fault has no \"bytes_per_s\", expected the bandwidth"},
      {R"({"server":"a","do":"throttle","at_ms":1,"for_ms":1,"bytes_per_s":0})",
       "\"bytes_per_s\" is 0, expected a whole number from 1 to 1073741824"},
      {R"({"server":"a","do":"half_close","at_ms":1,"way":"both"})",
       "\"way\" is \"both\", expected one of \"from\", \"to\""},
      {R"({"server":"a","do":"reset","at_ms":1,"nth":1})",
       "unknown key \"nth\" in a fault, expected one of \"server\", \"do\", \"after_bytes\", "
       "\"at_ms\""},
      {R"({"server":"a","do":"stall","at_ms":1,"for_ms":1,"after_bytes":1})",
       "unknown key \"after_bytes\" in a fault, expected one of \"server\", \"do\", \"at_ms\", "
       "\"for_ms\""},
  };
  for (const auto& [fault, message] : refusals) EXPECT_EQ(refusal(fault), message);
}

TEST(FormatFaultsTest, WhatActsOnBytesNeedsThem) {
  constexpr std::string_view kCut = R"({"server":"a","do":"fragment","at_ms":1})";
  EXPECT_EQ(load(kCut).value().world.transport, Transport::kBytes);
  EXPECT_EQ(load(kCut, R"({"transport":"http"})").value().world.transport, Transport::kHttp);
  EXPECT_EQ(refusal(kCut, R"({"transport":"values"})"),
            "values have no bytes, expected \"transport\": \"bytes\"");
  EXPECT_EQ(refusal(R"({"server":"a","do":"reset","after_bytes":1})", R"({"transport":"values"})"),
            "values have no bytes, expected \"transport\": \"bytes\"");
}

TEST(FormatFaultsTest, AWorldReadsBackAsItWasWritten) {
  for (const char* const text : {
           R"({})",
           R"({"latency_ms":1.5})",
           R"({"latency_ms":[1,2],"order":"permuted"})",
           R"({"latency_ms":{"typical":5,"tail":400,"tail_percent":2},"transport":"sse"})",
           R"({"latency_ms":{"typical":[0,5],"tail":400,"tail_percent":2},"bytes_per_s":9})",
           R"({"fragments":"one_byte","transport":"bytes","connect_timeout_ms":5})",
           R"({"request_timeout_ms":0.25})",
       }) {
    const Result<Scenario> loaded = load("", text);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(to_json(loaded.value().world), parse_json(text).value()) << text;
  }
}

TEST(FormatFaultsTest, ALongTailIsWhole) {
  EXPECT_EQ(refusal("", R"({"latency_ms":{"tail":400,"tail_percent":2}})"),
            "the latency has no \"typical\", expected milliseconds or [least, most]");
  EXPECT_EQ(refusal("", R"({"latency_ms":{"typical":1,"tail":400,"tail_percent":200}})"),
            "\"tail_percent\" is 200, expected a whole number from 1 to 100");
  EXPECT_EQ(refusal("", R"({"latency_ms":{"typical":1,"tail":1,"tail_percent":2,"top":1}})"),
            "unknown key \"top\" in the latency, expected one of \"typical\", \"tail\", "
            "\"tail_percent\"");
}

}  // namespace
}  // namespace plumbline::scenarios
