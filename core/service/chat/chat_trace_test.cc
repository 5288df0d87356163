// The spans of a turn.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/service/chat/chat_fixture.h"
#include "core/trace/tracer.h"

namespace plumbline::service {
namespace {

class TurnSpans final : public trace::SpanSink {
 public:
  void on_span(trace::Span span) override { spans.push_back(std::move(span)); }

  const trace::Span& named(std::string_view name) const {
    const auto found = std::ranges::find(spans, name, &trace::Span::name);
    check(found != spans.end(), "no such span");
    return *found;
  }

  std::vector<trace::Span> spans;
};

TEST(ChatTraceTest, ATurnIsOneTraceFromTheTurnToTheServer) {
  fakes::SimLoop still;
  TurnSpans kept;
  Redactor redactor;
  Rng rng(7);
  const auto random = [&rng](std::size_t count) {
    std::string out;
    while (out.size() < count) out += static_cast<char>(rng.below(256));
    return out;
  };
  trace::Tracer tracer(still, std::chrono::hours(1), random, redactor, kept);
  ChatApiOptions options = chat_options();
  options.turns.tracer = &tracer;
  ChatWorld world(R"({"turns": [
      {"role": "user", "calls": [{"name": "read_file", "arguments": {}}]},
      {"role": "tool", "text": "I got: {{last}}"}]})",
                  options);
  const Json body = ChatWorld::json(world.say("ann", {{"input", "read it"}}));
  EXPECT_EQ(body["response"]["content"], "I got: the content");

  const trace::Span& turn = kept.named("invoke_agent chat");
  EXPECT_EQ(turn.parent_id, "");
  EXPECT_EQ(std::get<std::string>(turn.attributes.at("gen_ai.conversation.id")),
            body["sessionId"].get<std::string>());
  std::map<std::string, const trace::Span*> ids;
  for (const trace::Span& span : kept.spans) ids[span.context.span_id] = &span;
  for (const trace::Span& span : kept.spans) {
    EXPECT_EQ(span.context.trace_id, turn.context.trace_id);
    EXPECT_TRUE(&span == &turn || ids.contains(span.parent_id)) << span.name;
  }
  const trace::Span& call = kept.named("tools/call read_file");
  EXPECT_EQ(ids.at(call.parent_id)->name, "node tool_execution");
  EXPECT_EQ(std::ranges::count_if(kept.spans,
                                  [](const auto& span) { return span.name.starts_with("chat "); }),
            2);
}

}  // namespace
}  // namespace plumbline::service
