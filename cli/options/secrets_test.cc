// Secrets: what is hidden, in which forms, and what is not.

#include "cli/options/secrets.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/base64.h"

namespace plumbline::cli {
namespace {

constexpr const char* kSecret = "pl\"ant/ed +1";

TEST(SecretsTest, EveryWayToWriteItIsHidden) {
  Secrets secrets;
  secrets.add(kSecret);
  for (const std::string form :
       {kSecret, R"(pl\"ant/ed +1)", "pl%22ant%2Fed%20%2B1", "pl%22ant%2fed+%2b1"}) {
    EXPECT_EQ(secrets.redact("a " + form + " b"), "a [redacted] b");
  }
  for (const std::string before : {"", "a", "me", "user:"}) {
    const std::string text = encode_base64(before + kSecret + "!");
    const std::string shown = secrets.redact("x " + text + " y");
    EXPECT_NE(shown.find("[redacted]"), std::string::npos) << shown;
    EXPECT_LT(shown.size(), std::string("x [redacted] y").size() + 12) << shown;
  }
}

TEST(SecretsTest, ItsPartsAreSecretsToo) {
  Secrets secrets;
  const std::string basic = encode_base64("alice:pass-word-1");
  secrets.add_words({"Authorization: Bearer tok-en-1", "Proxy-Authorization: Basic " + basic,
                     "Cookie: theme=dark-mode-x; sid=session-42",
                     "http://bob:pass%2Fword-2@host/"});
  for (const std::string hidden : {"tok-en-1", "alice:pass-word-1", "pass-word-1", "session-42",
                                   "pass/word-2", "pass%2Fword-2"}) {
    EXPECT_EQ(secrets.redact("<" + hidden + ">"), "<[redacted]>");
  }
  EXPECT_EQ(secrets.redact(basic), "[redacted]");
}

TEST(SecretsTest, ObjectKeysAreHidden) {
  Secrets secrets;
  secrets.add("planted-1");
  Json value = {{"planted-1", {{"a planted-1", Json::array({"planted-1", 1})}}}};
  secrets.redact(value);
  EXPECT_EQ(dump_json(value), R"({"[redacted]":{"a [redacted]":["[redacted]",1]}})");
}

TEST(SecretsTest, OrdinaryWordsAreNotLookedFor) {
  Secrets secrets;
  secrets.add_variables({{"A_TOKEN", "abc"},
                         {"AUTH", "true"},
                         {"B_KEY", "1234567"},
                         {"C_SECRET", "Bearer"},
                         {"NAME", "planted"},
                         {"TOKEN", ""}});
  const std::string text = "abc true 1234567 bearer Bearer planted";
  EXPECT_EQ(secrets.redact(text), text);
}

TEST(SecretsTest, AReportHasNoneInWhatASubjectOrAUserSaid) {
  Secrets secrets;
  secrets.add("planted-1");
  Report report;
  report.target = {{"servers", {{{"target", "x planted-1"}}}}};
  CheckResult& row = report.results.emplace_back();
  row.server = row.message = row.reproduce = "planted-1";
  row.evidence = {{1, "<-", Json({{"planted-1", "planted-1"}})}};
  secrets.redact(report);
  EXPECT_EQ(row.server + row.message + row.reproduce, "[redacted][redacted][redacted]");
  EXPECT_EQ((dump_json(report.target) + dump_json(row.evidence[0].message)).find("planted"),
            std::string::npos);
}

// Goal: of a text that was cut anywhere, and says so, no six bytes of the secret are left.
RC_GTEST_PROP(SecretsTest, ACutTextHasNoFragment, ()) {
  const std::string secret = "0123456789abcdefXYZ";
  Secrets secrets;
  secrets.add(secret);
  const std::string whole = "some words " + secret + " more words";
  const auto begin = *rc::gen::inRange<std::size_t>(0, whole.size());
  const auto size = *rc::gen::inRange<std::size_t>(0, whole.size());
  const std::string mark = *rc::gen::element<std::string>("...", "…");
  const std::string shown = secrets.redact(mark + whole.substr(begin, size) + mark);
  for (std::size_t at = 0; at + 6 <= secret.size(); ++at) {
    RC_ASSERT(shown.find(secret.substr(at, 6)) == std::string::npos);
  }
}

TEST(SecretsTest, ALongTextMayBeCutWithoutAMark) {
  Secrets secrets;
  secrets.add("planted-1");
  EXPECT_EQ(secrets.redact(std::string(100, 'x') + " planted"),
            std::string(100, 'x') + " [redacted]");
}

TEST(SecretsTest, WhatHasNoSecretStaysAsItIs) {
  Secrets secrets;
  secrets.add("planted-1");
  for (const std::string text :
       {"", "...", "a...b…c", "plante", "…", "....", "nted-1x", "...plant"}) {
    EXPECT_EQ(secrets.redact(text), text);
  }
}

}  // namespace
}  // namespace plumbline::cli
