#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/rng.h"
#include "core/json/json.h"
#include "core/trace/otlp_traces.h"
#include "core/trace/tracer.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::trace {
namespace {

class SpanList final : public SpanSink {
 public:
  void on_span(Span span) override { spans.push_back(std::move(span)); }

  std::vector<Span> spans;
};

struct TracerWorld {
  explicit TracerWorld(std::uint64_t seed) : rng(seed) { redactor.add("s3cr3t-token"); }

  std::string random(std::size_t count) {
    std::string out;
    while (out.size() < count) out += static_cast<char>(rng.below(256));
    return out;
  }
  void pass(Duration span) {
    Alarm over([] {});
    loop.arm(over, after(loop.now(), span));
    check(loop.run_until_idle(10).ok(), "the loop goes on");
  }

  Rng rng;
  fakes::SimLoop loop;
  Redactor redactor;
  SpanList list;
  Tracer tracer{loop, std::chrono::hours(24), [this](std::size_t count) { return random(count); },
                redactor, list};
};

// grow opens and ends spans as `steps` say, each below one that is open, and ends them all.
std::vector<Span> grow(std::uint64_t seed, const std::vector<int>& steps) {
  TracerWorld world(seed);
  std::vector<OpenSpan> open;
  open.emplace_back(&world.tracer, "root", SpanKind::kServer, "");
  for (const int step : steps) {
    world.pass(std::chrono::milliseconds(step % 7));
    const std::size_t at = static_cast<std::size_t>(step) % open.size();
    if (step % 3 != 0 || open.size() == 1) {
      const std::string parent = open[at].traceparent();
      open.emplace_back(&world.tracer, "n" + std::to_string(step), SpanKind::kInternal, parent);
      open.back().set("text", std::string("with s3cr3t-token"));
    } else {
      open.pop_back();
    }
  }
  while (!open.empty()) open.pop_back();
  return world.list.spans;
}

RC_GTEST_PROP(TracerPropTest, EveryParentExistsAndEverySpanEndsAfterItsStart, ()) {
  const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1'000));
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::vector<Span> spans = grow(seed, steps);
  std::map<std::string, const Span*> by_id;
  for (const Span& span : spans) RC_ASSERT(by_id.emplace(span.context.span_id, &span).second);
  std::size_t roots = 0;
  for (const Span& span : spans) {
    RC_ASSERT(span.context.trace_id == spans.front().context.trace_id);
    RC_ASSERT(span.end >= span.start);
    RC_ASSERT(read_traceparent(traceparent(span.context)) == span.context);
    if (span.parent_id.empty()) {
      ++roots;
      continue;
    }
    const auto parent = by_id.find(span.parent_id);
    RC_ASSERT(parent != by_id.end());
    RC_ASSERT(parent->second->start <= span.start);
  }
  RC_ASSERT(roots == 1U);
  const std::string written = dump_json(otlp_traces(spans, {}));
  RC_ASSERT(written.find("s3cr3t") == std::string::npos);
  RC_ASSERT(written == dump_json(otlp_traces(grow(seed, steps), {})));
}

RC_GTEST_PROP(TracerPropTest, NoTextButATraceparentIsTakenForOne, ()) {
  std::string text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] = *rc::gen::element('g', 'A', '-', ' ', '\0', '5');
  const auto read = read_traceparent(text);
  if (read) {
    RC_ASSERT(traceparent(*read).substr(3, 49) == text.substr(3, 49));
  }
}

TEST(TracerTest, WhatIsNoTraceparentBeginsATrace) {
  const std::string ids = "-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-";
  EXPECT_TRUE(read_traceparent("00" + ids + "01")->sampled);
  EXPECT_FALSE(read_traceparent("00" + ids + "00")->sampled);
  EXPECT_TRUE(read_traceparent("cc" + ids + "01-what-else-there-is"));
  for (const std::string& text :
       {std::string(), std::string("00"), "ff" + ids + "01", "00" + ids + "01-more",
        "cc" + ids + "01more", "00" + ids + "0g",
        std::string("00-00000000000000000000000000000000-b7ad6b7169203331-01"),
        std::string("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"),
        std::string("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01")}) {
    EXPECT_FALSE(read_traceparent(text)) << text;
  }
  TracerWorld world(1);
  { const OpenSpan span(&world.tracer, "x", SpanKind::kServer, "nonsense"); }
  ASSERT_EQ(world.list.spans.size(), 1U);
  EXPECT_EQ(world.list.spans[0].parent_id, "");
}

TEST(TracerTest, ASpanGoesOnWithTheTraceOfItsCallerUnlessThatIsNotSampled) {
  TracerWorld world(1);
  const std::string caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0";
  {
    const OpenSpan heard(&world.tracer, "x", SpanKind::kServer, caller + "1");
    OpenSpan unheard(&world.tracer, "x", SpanKind::kServer, caller + "0");
    EXPECT_TRUE(unheard.traceparent().ends_with("-00"));
    const OpenSpan inner(&world.tracer, "y", SpanKind::kInternal, unheard.traceparent());
    const OpenSpan nobodys(nullptr, "z", SpanKind::kInternal, caller + "1");
    EXPECT_EQ(nobodys.traceparent(), caller + "1");
  }
  ASSERT_EQ(world.list.spans.size(), 1U);
  EXPECT_EQ(world.list.spans[0].context.trace_id, "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(world.list.spans[0].parent_id, "b7ad6b7169203331");
}

TEST(TracerTest, SpansAreWrittenAsOtlpHasThem) {
  TracerWorld world(1);
  {
    OpenSpan span(&world.tracer, "chat gpt", SpanKind::kClient, "");
    world.pass(std::chrono::nanoseconds(5));
    span.set("gen_ai.usage.input_tokens", std::int64_t{7});
    span.set("gen_ai.response.finish_reasons", std::vector<std::string>{"stop"});
    span.set("plain", true);
    span.set("warm", 0.5);
    span.set("long", std::string(10'000, 'a'));
    span.fail("timeout", "no answer with s3cr3t-token");
  }
  const Json out = otlp_traces(world.list.spans, {"svc", "1.2"});
  const Json& span = out["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
  EXPECT_EQ(span["kind"], 3);
  EXPECT_EQ(span["startTimeUnixNano"], "86400000000000");
  EXPECT_EQ(span["endTimeUnixNano"], "86400000000005");
  EXPECT_EQ(span["status"]["message"], "no answer with [redacted]");
  EXPECT_EQ(span["status"]["code"], 2);
  std::map<std::string, Json> attributes;
  for (const Json& each : span["attributes"]) {
    attributes[each["key"].get<std::string>()] = each["value"];
  }
  EXPECT_EQ(attributes["error.type"], parse_json(R"({"stringValue": "timeout"})").value());
  EXPECT_EQ(attributes["gen_ai.usage.input_tokens"], parse_json(R"({"intValue": "7"})").value());
  EXPECT_EQ(attributes["gen_ai.response.finish_reasons"],
            parse_json(R"({"arrayValue": {"values": [{"stringValue": "stop"}]}})").value());
  EXPECT_LT(attributes["long"]["stringValue"].get<std::string>().size(), 5'000U);
  EXPECT_EQ(out["resourceSpans"][0]["resource"]["attributes"][0]["value"]["stringValue"], "svc");
}

}  // namespace
}  // namespace plumbline::trace
