#include "core/connector/registry/look_alikes.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::registry {
namespace {

// owned returns names each of which is its own owner: ids.
std::vector<OwnedName> owned(const std::vector<std::string>& names) {
  std::vector<OwnedName> out;
  for (const std::string& name : names) out.push_back({name, name});
  return out;
}

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
      {"wiki", "wi\u200bki"},  // Without width.
      {"wiki", "wi\u2060ki"},
      {"wiki", "wi\u00adki"},
      {"wiki", "\ufeffwiki"},
      {"wiki", "wiki\ufe0f"},
      {"wiki", "wiki\U000e0041"},
      {"my wiki", "my\u00a0wiki"},
      {"my wiki", "my\u3000wiki"},
      {"my-wiki", "my\u2212wiki"},
      {"my.wiki", "my\u2024wiki"},
  };
  for (const auto& [one, other] : alike) {
    const auto lines = look_alikes({one}, owned({other}));
    ASSERT_EQ(lines.size(), 1U) << one << " and " << other << ": " << skeleton_of(other);
    EXPECT_EQ(lines[0],
              "\"" + std::string(other) + "\" looks like \"" + one + "\", and is another");
  }
}

TEST(LookAlikesTest, OtherNamesAndTheSameNameAreNot) {
  EXPECT_TRUE(
      look_alikes({"email"}, owned({"email", "mail", "e2mail", "почта", "メール", ""})).empty());
}

TEST(LookAlikesTest, ANameOfTheListIsHeldAgainstThoseBeforeIt) {
  EXPECT_EQ(look_alikes({}, owned({"files", "fi1es", "fi1es", "notes"})).size(), 1U);
}

// Goal: an ordinary agent, whose name is its id as people write it, is nobody's look-alike, and who
// takes the name of another is.
TEST(LookAlikesTest, ANameIsHeldAgainstOtherAgentsAlone) {
  EXPECT_TRUE(look_alikes({}, {{"tickets", "tickets"}, {"tickets", "Tickets"}}).empty());
  EXPECT_TRUE(look_alikes({"my-wiki"}, {{"my-wiki", "my-wiki"}, {"my-wiki", "My Wiki"}}).empty());
  using Lines = std::vector<std::string>;
  EXPECT_EQ(look_alikes({}, {{"tickets", "Tickets"}, {"desk", "T1ckets"}}),
            Lines{"\"T1ckets\" looks like \"Tickets\", and is another"});
  EXPECT_EQ(look_alikes({"email"}, {{"post", "email"}}),
            Lines{"agent \"post\" calls itself \"email\" as \"email\" does, and is another"});
  EXPECT_EQ(look_alikes({}, {{"a", "Payments"}, {"b", "Payments"}, {"b", "Payments"}}).size(), 1U);
}

// Goal: no text of a stranger breaks it, and what it makes of a name stays.
RC_GTEST_PROP(LookAlikesPropTest, ASkeletonIsItsOwn, (const std::string& name)) {
  const std::string once = skeleton_of(name);
  RC_ASSERT(once.size() <= name.size());
  for (const char c : once) RC_ASSERT((c < 'A' || c > 'Z'));
}

}  // namespace
}  // namespace plumbline::registry
