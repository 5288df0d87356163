#include "core/connector/registry/look_alikes.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::registry {
namespace {

TEST(LookAlikesTest, WhatAPersonTakesForAnotherNameIsTold) {
  const std::pair<const char*, const char*> alike[] = {
      {"email-agent", "ernail-agent"},  // rn.
      {"email-agent", "еmail-agent"},   // A Cyrillic e.
      {"email-agent", "Email_Agent"},   // Case and separator.
      {"email-agent", "emai1-agent"},   // A digit.
      {"email-agent", "émail-agent"},   // An accent.
      {"email-agent", "ｅmail-agent"},  // Full width.
      {"email-agent", "email\u0301-agent"},
      {"paypal", "paypaI"},
      {"google", "g00gle"},
      {"wiki", "vviki"},
  };
  for (const auto& [one, other] : alike) {
    const auto lines = look_alikes({one}, {other});
    ASSERT_EQ(lines.size(), 1U) << one << " and " << other << ": " << skeleton_of(other);
    EXPECT_EQ(lines[0],
              "\"" + std::string(other) + "\" looks like \"" + one + "\", and is another");
  }
}

TEST(LookAlikesTest, OtherNamesAndTheSameNameAreNot) {
  EXPECT_TRUE(look_alikes({"email"}, {"email", "mail", "e2mail", "почта", "メール", ""}).empty());
}

TEST(LookAlikesTest, ANameOfTheListIsHeldAgainstThoseBeforeIt) {
  EXPECT_EQ(look_alikes({}, {"files", "fi1es", "fi1es", "notes"}).size(), 1U);
}

// Goal: no text of a stranger breaks it, and what it makes of a name stays.
RC_GTEST_PROP(LookAlikesPropTest, ASkeletonIsItsOwn, (const std::string& name)) {
  const std::string once = skeleton_of(name);
  RC_ASSERT(once.size() <= name.size());
  for (const char c : once) RC_ASSERT(c < 'A' || c > 'Z');
}

}  // namespace
}  // namespace plumbline::registry
