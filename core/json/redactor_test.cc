#include "core/json/redactor.h"

#include <string>

#include <gtest/gtest.h>

#include "core/base/base64.h"
#include "core/json/json.h"
#include "core/json/shown/secret_places.h"

namespace plumbline {
namespace {

TEST(RedactorTest, TakesOutConfiguredSecretsWhereverTheyStand) {
  Redactor redactor;
  redactor.add("hunter2-long");
  redactor.add("hunter2");
  EXPECT_EQ(redactor.redact("a hunter2-long b hunter2 c"), "a [redacted] b [redacted] c");
  EXPECT_TRUE(redactor.finds_secret("xhunter2x"));
  EXPECT_FALSE(redactor.finds_secret("[redacted]"));
}

TEST(RedactorTest, APlaceBelowASecretNameIsOneToo) {
  EXPECT_TRUE(is_below_credential("result/structuredContent/password"));
  EXPECT_TRUE(is_below_credential("/credentials/0/value"));
  EXPECT_FALSE(is_below_credential("/result/tools/0/inputSchema/properties/password/type"));
  EXPECT_FALSE(is_below_credential("/result/content/0/text"));
  EXPECT_FALSE(is_below_credential(""));
}

TEST(RedactorTest, TakesOutWellKnownTokenShapes) {
  const Redactor redactor;
  EXPECT_EQ(redactor.redact("Authorization: Bearer abcdefgh12345"), "Authorization: [redacted]");
  EXPECT_EQ(redactor.redact("key sk-ABCDEFGHIJKLMNOP0123 end"), "key [redacted] end");
  EXPECT_EQ(redactor.redact("risk-adjusted task-list Bearer x"),
            "risk-adjusted task-list Bearer x");
}

TEST(RedactorTest, TakesOutMembersWhoseKeysNameCredentials) {
  Json value = Json::parse(R"({"dbPassword":"x1","list":[{"api_key":"y"}],"progressToken":"p1",
                              "maxTokens":5,"note":"plain","password":{"old":["x2"]}})");
  Redactor().redact(value);
  EXPECT_EQ(value, Json::parse(R"({"dbPassword":"[redacted]","list":[{"api_key":"[redacted]"}],
      "progressToken":"p1","maxTokens":5,"note":"plain","password":{"old":["[redacted]"]}})"));
}

TEST(RedactorTest, EnvironmentNamesDecide) {
  Redactor redactor;
  redactor.add_named("GITHUB_TOKEN", "abcd1234");
  redactor.add_named("HOME", "/root");
  EXPECT_EQ(redactor.redact("abcd1234 /root"), "[redacted] /root");
}

TEST(RedactorTest, ContainsWhatItWasGivenAndNothingElse) {
  Redactor redactor;
  redactor.add("hunter2-long");
  Json value = Json::parse(R"({"of hunter2-long":["hunter2-long"],"password":"x1"})");
  redactor.contain(value);
  EXPECT_EQ(value, Json::parse(R"({"of [redacted]":["[redacted]"],"password":"x1"})"));
}

TEST(RedactorTest, TinySecretsAreIgnored) {
  Redactor redactor;
  redactor.add("abc");
  EXPECT_EQ(redactor.redact("abc"), "abc");
}

// in_quotes_of_a_shell returns `word` as it is written within the command line of another shell.
std::string in_quotes_of_a_shell(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

TEST(RedactorTest, ReadsQuotesWithinQuotesHoweverDeep) {
  const Redactor redactor;
  for (const std::string inner :
       {"x --password 'pL4nted-Zq' -v", "curl -H 'Cookie: sid=pL4nted-Zq' h",
        "tool --token 'pL4nted-Zq'", "echo '{\"api_key\": \"pL4nted-Zq\"}'"}) {
    std::string text = inner;
    for (int depth = 0; depth < 3; ++depth) {
      for (const std::string& shown : {text, dump_json(Json(text))}) {
        const std::string told = redactor.redact(shown);
        EXPECT_EQ(told.find("pL4nted"), std::string::npos) << shown << "\n" << told;
        EXPECT_NE(told.find("[redacted]"), std::string::npos) << told;
      }
      text = "sh -c " + in_quotes_of_a_shell(text);
    }
  }
}

TEST(RedactorTest, KnowsWhoAUrlNamesWhereverItWasCut) {
  const Redactor redactor;
  const std::string url = "https://u:pL4ntedZq77@host/x";
  const std::string digits = encode_base64(url);
  for (std::size_t cut = 20; cut <= digits.size(); ++cut) {
    for (const char* const mark : {"", "...", "…", " and so on"}) {
      const std::string told = redactor.redact("see " + digits.substr(0, cut) + mark);
      EXPECT_EQ(told.find(digits.substr(14, 6)), std::string::npos) << cut << mark << " " << told;
    }
  }
  for (std::size_t cut = url.find("pL4n") + 3; cut < url.find('@'); ++cut) {
    for (const char* const mark : {"...", "…"}) {
      const std::string told = redactor.redact("see " + url.substr(0, cut) + mark);
      EXPECT_EQ(told.find("pL4"), std::string::npos) << told;
    }
    const std::string told = redactor.redact("see " + url.substr(0, cut), CutEnds{.after = true});
    EXPECT_EQ(told.find("pL4"), std::string::npos) << told;
  }
  for (const char* const fine : {"see http://localhost:8080", "see http://127.0.0.1:80...",
                                 "use http://host:port or ws://host:port/path"}) {
    EXPECT_EQ(redactor.redact(fine), fine);
  }
}

TEST(RedactorTest, LeavesNoPartOfSecretsThatOverlap) {
  Redactor redactor;
  redactor.add("abcdef");
  redactor.add("defghi");
  redactor.add("zzzz");
  EXPECT_EQ(redactor.redact("-abcdefghi- zzzzzz"), "-[redacted]- [redacted]");
  EXPECT_EQ(redactor.redact("abcdefabcdef"), "[redacted][redacted]");
}

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += text;
  return out;
}

// By the square of the text each of these would take minutes.
TEST(RedactorTest, TakesTimeInProportionToTheText) {
  constexpr std::size_t kBytes = 1'000'000;
  Redactor redactor;
  redactor.add("hunter2-long");
  redactor.add(std::string(100, 'q'));
  for (int i = 0; i < 100; ++i) redactor.add("secret-" + std::to_string(i));
  for (const char* const part :
       {"xsk-", "hunter2-long ", "sk-0123456789abcdef ", "Bearer abcdefgh ", "q", "secret-"}) {
    EXPECT_FALSE(redactor.redact(repeated(part, kBytes)).empty());
  }
}

}  // namespace
}  // namespace plumbline
