#include "scenarios/judge/agent_events.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace plumbline::scenarios {
namespace {

// HeardBySome keeps "kind who" of each event.
class HeardBySome final : public EventSink {
 public:
  void on_event(const TraceEvent& event) override {
    events.push_back(std::string(name_of(event.kind)) + ' ' + std::string(event.who));
  }
  std::vector<std::string> events;
};

class AgentEventsTest : public testing::Test {
 protected:
  static void tell(EventSink& sink, EventKind kind, std::string_view who, const Json& detail) {
    sink.on_event(TraceEvent{Instant{}, kind, who, detail});
  }
  static Json call(std::int64_t id, const char* tool) {
    return {{"id", id}, {"method", "tools/call"}, {"params", {{"name", tool}}}};
  }
  void effect(const char* tool) {
    tell(events_.world(), EventKind::kEffect, "mail", {{"tool", tool}, {"key", "k"}});
  }

  HeardBySome all_;
  HeardBySome unknown_;
  HeardBySome ann_;
  HeardBySome bob_;
  HeardBySome situations_;
  AgentEvents events_{all_, unknown_};
  EventSink& of_ann_ = events_.add("ann", ann_, situations_);
  EventSink& of_bob_ = events_.add("bob", bob_, situations_);
};

TEST_F(AgentEventsTest, EachHearsTheirOwnAndTheWorldHearsWhose) {
  tell(of_ann_, EventKind::kNodeStarted, "start", Json::object());
  EXPECT_EQ(ann_.events, (std::vector<std::string>{"node_started start"}));
  EXPECT_TRUE(bob_.events.empty());
  EXPECT_EQ(all_.events, (std::vector<std::string>{"node_started ann/start"}));
}

TEST_F(AgentEventsTest, AnEffectIsOfWhoeverHasTheCallOpen) {
  tell(of_ann_, EventKind::kMessageSent, "mail", call(1, "send"));
  tell(of_ann_, EventKind::kRequestEnded, "mail", {{"id", 1}});
  tell(of_bob_, EventKind::kMessageSent, "mail", call(1, "send"));
  bob_.events.clear();
  effect("send");
  EXPECT_EQ(bob_.events, (std::vector<std::string>{"effect mail"}));
  EXPECT_TRUE(unknown_.events.empty());
}

TEST_F(AgentEventsTest, AnEffectThatComesLateIsOfTheOnlyOneWhoEverAsked) {
  tell(of_ann_, EventKind::kMessageSent, "mail", call(1, "send"));
  tell(of_ann_, EventKind::kRequestEnded, "mail", {{"id", 1}});
  ann_.events.clear();
  effect("send");
  EXPECT_EQ(ann_.events, (std::vector<std::string>{"effect mail"}));
}

TEST_F(AgentEventsTest, AnEffectThatCouldBeOfSeveralIsNobodys) {
  tell(of_ann_, EventKind::kMessageSent, "mail", call(1, "send"));
  tell(of_bob_, EventKind::kMessageSent, "mail", call(1, "send"));
  effect("send");
  effect("other");
  EXPECT_EQ(unknown_.events, (std::vector<std::string>{"effect mail", "effect mail"}));
}

}  // namespace
}  // namespace plumbline::scenarios
