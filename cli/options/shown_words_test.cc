// What of a command line is a secret, and how it is shown.

#include "cli/options/shown_words.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/secrets/secret_names.h"

namespace plumbline::cli {
namespace {

using Words = std::vector<std::string>;

TEST(NamesSecretTest, KnowsThemHoweverTheyAreSpelt) {
  for (const char* const name :
       {"API_TOKEN", "api-key", "apiKey", "X-Api-Key", "key", "KEY1", "DB_PASSWORD", "clientSecret",
        "Authorization", "Proxy-Authorization", "AUTH", "OAUTH2", "Cookie", "PGPASSWORD", "DB_PASS",
        "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "npm_config_//registry/:_authToken", "SECRETS"}) {
    EXPECT_TRUE(names_secret(name, NamedAs::kVariable)) << name;
  }
  for (const char* const name :
       {"PATH", "HOME", "PWD", "OLDPWD", "author", "GIT_AUTHOR_NAME", "XAUTHORITY", "keyboard",
        "max-tokens", "TOKENIZERS_PARALLELISM", "Accept", "Mcp-Session-Id", "url", ""}) {
    EXPECT_FALSE(names_secret(name, NamedAs::kVariable)) << name;
  }
}

TEST(ShownWordsTest, ASecretIsShownAsItsVariable) {
  const std::vector<std::pair<Words, std::string>> shown = {
      {{"env", "API_TOKEN=abc", "node", "s.js"}, R"(env API_TOKEN="$API_TOKEN" node s.js)"},
      {{"s", "--api-key", "x", "y"}, R"(s --api-key "$API_KEY" y)"},
      {{"s", "--api-key", "--verbose"}, "s --api-key --verbose"},
      {{"s", "--no-auth", "s.js"}, "s --no-auth s.js"},
      {{"curl", "-u", "ada:x", "h"}, R"(curl -u "$URL_USER" h)"},
      {{"curl", "-uada:x", "--pass", "y"}, R"(curl -u"$URL_USER" --pass "$PASS")"},
      {{"docker", "-u", "1000:1000", "sort", "-u", "f"}, "docker -u 1000:1000 sort -u f"},
      {{"https://h/f?code=x&sig=y&a=1"}, R"('https://h/f?code='"$CODE"'&sig='"$SIG"'&a=1')"},
      {{"s", "--token=x y"}, R"(s --token="$TOKEN")"},
      {{"s", "--key", "-----BEGIN"}, R"(s --key "$KEY")"},
      {{"docker", "run", "-e", "DB_PASSWORD=p'w", "img"},
       R"(docker run -e DB_PASSWORD="$DB_PASSWORD" img)"},
      {{"--header", "X-Key: a", "--url", "http://h/mcp?a=1&api_key=b&c=2"},
       R"(--header 'X-Key: '"$X_KEY" --url 'http://h/mcp?a=1&api_key='"$API_KEY"'&c=2')"},
      {{"--header", "Accept: text/plain"}, "--header 'Accept: text/plain'"},
      {{"DATABASE_URL=postgres://me:pw@db:5432/x"},
       R"(DATABASE_URL=postgres://"$URL_USER"@db:5432/x)"},
      {{"sh", "-c", "API_TOKEN=abc node s.js --key 'k k' \"$HOME\""},
       R"(sh -c API_TOKEN="$API_TOKEN"' node s.js --key '\'''"$KEY"''\'' "$HOME"')"},
      {{"sh", "-c", "curl -H 'Authorization: Bearer abc' x"},
       R"(sh -c 'curl -H '\''Authorization: '"$AUTHORIZATION"''\'' x')"},
      {{"s", R"({"a":1,"apiKey": "k","b":2})"}, R"(s '{"a":1,"apiKey": "'"$API_KEY"'","b":2}')"},
      {{"s", "Authorization: ${AUTH}", "--token", "$T"}, "s 'Authorization: ${AUTH}' --token '$T'"},
      {{"-H", "Auth: a", "-H", "Auth: b", "-H", "Auth: a"},
       R"(-H 'Auth: '"$AUTH" -H 'Auth: '"$AUTH_2" -H 'Auth: '"$AUTH")"},
      {{"it's", "", "a b", "http://127.0.0.1:3000/mcp?a=1&b=<2>"},
       R"('it'\''s' '' 'a b' 'http://127.0.0.1:3000/mcp?a=1&b=<2>')"},
  };
  for (const auto& [words, text] : shown) EXPECT_EQ(shown_words(words), text);
}

// Goal: whatever a word is made of, its parts are the word.
RC_GTEST_PROP(ShownWordsTest, PartsAreTheWord, ()) {
  const Words pieces = {"API_KEY", "--token", "=", ":", " ", "'", "\"",  "http://", "@", "?",
                        "&",       "a",       "$", "{", "}", "-", "key", "\n",      ";", ":x"};
  Words words;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    std::string& word = words.emplace_back();
    for (const std::string& piece : *rc::gen::container<Words>(rc::gen::elementOf(pieces))) {
      word += piece;
    }
  }
  const std::vector<std::vector<Part>> parts = parts_of(words);
  RC_ASSERT(parts.size() == words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string joined;
    for (const Part& part : parts[i]) joined += part.text;
    RC_ASSERT(joined == words[i]);
  }
}

TEST(ShownWordsTest, ALongWordIsReadOnce) {
  std::string word;
  for (int i = 0; i < 100'000; ++i) word += "a=";
  EXPECT_EQ(shown_words({word}), word);
}

// Goal: what is shown of a command line names the same words, however they are written. Method: any
// words without a secret.
RC_GTEST_PROP(ShownWordsProp, ALineIsTakenApartAsItWasPutTogether, ()) {
  const auto words = *rc::gen::container<Words>(rc::gen::element<std::string>(
      "node", "my server.js", "it's", "", "a\\b", "\"x\"", "-- ", "dist/s.mjs", "\t"));
  RC_ASSERT(words_in(shown_words(words)) == words);
}

TEST(ShownWordsTest, ASecretIsReadAsItsVariable) {
  EXPECT_EQ(words_in(R"(env API_TOKEN="$API_TOKEN" node 'my server.js')"),
            (Words{"env", "API_TOKEN=$API_TOKEN", "node", "my server.js"}));
}

}  // namespace
}  // namespace plumbline::cli
