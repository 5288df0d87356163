#include "scenarios/real/effect_line.h"

#include <gtest/gtest.h>

namespace plumbline::scenarios {
namespace {

TEST(EffectLineTest, WhatIsWrittenIsRead) {
  const std::string line = write_effect_line({"mail", "send_email", "to a/b, c", true});
  EXPECT_EQ(line, "effect mail/send_email to a/b, c (idempotent)\n");
  const std::optional<EffectLine> read = read_effect_line(line.substr(0, line.size() - 1));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->server, "mail");
  EXPECT_EQ(read->tool, "send_email");
  EXPECT_EQ(read->key, "to a/b, c");
  EXPECT_TRUE(read->idempotent);
  EXPECT_FALSE(read_effect_line("effect mail/send_email x")->idempotent);
}

TEST(EffectLineTest, AKeyStaysOnItsLine) {
  EXPECT_EQ(write_effect_line({"a", "b", "x\ny", false}), "effect a/b x y\n");
}

TEST(EffectLineTest, TrapsAndSessionsAreRead) {
  EXPECT_EQ(write_trap_line({"the mail", 2}), "never rule 2 the mail\n");
  const std::optional<TrapLine> trap = read_trap_line("never rule 2 the mail");
  ASSERT_TRUE(trap.has_value());
  EXPECT_EQ(trap->server, "the mail");
  EXPECT_EQ(trap->rule, 2U);
  EXPECT_EQ(read_session_line("session mail"), "mail");
  for (const char* const line : {"", "never rule", "never rule x a", "never rule 2", "sessions"}) {
    EXPECT_FALSE(read_trap_line(line).has_value() || read_session_line(line).has_value()) << line;
  }
}

TEST(EffectLineTest, OtherLinesTellOfNoEffect) {
  for (const char* const line : {"", "effect", "effect a", "effect a/b", "effect a b/c", "x"}) {
    EXPECT_FALSE(read_effect_line(line).has_value()) << line;
  }
}

}  // namespace
}  // namespace plumbline::scenarios
