// The vocabulary of secrets against what secrets stand in (tests/secrets/forms.tsv), and against
// what is none (tests/secrets/ordinary.txt).

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/planted_fixture.h"
#include "core/json/redactor.h"

namespace plumbline {
namespace {

TEST(PlantedSecretsTest, NoneIsLeftInText) {
  const Redactor redactor;
  ASSERT_GE(planted_forms().size(), 120U);
  for (const PlantedForm& form : planted_forms()) {
    if (!form.is_text) continue;
    const std::string shown = redactor.redact(form.whole());
    EXPECT_TRUE(is_hidden(form, shown)) << form.whole() << "\n" << shown;
    EXPECT_EQ(redactor.redact(shown), shown) << form.whole();
  }
}

TEST(PlantedSecretsTest, NoneIsLeftInJsonAndItStaysJson) {
  const Redactor redactor;
  for (const PlantedForm& form : planted_forms()) {
    Json value = Json::object({{"n", 1}});
    if (form.is_text) value["note"] = form.whole();
    const Result<Json> own = form.is_json ? parse_json(form.text) : Result<Json>(Error{});
    if (own.ok()) value["arguments"] = own.value();
    EXPECT_FALSE(redactor.is_clean(value)) << dump_json(value);
    redactor.redact(value);
    EXPECT_TRUE(is_hidden(form, dump_json(value))) << dump_json(value);
    EXPECT_TRUE(redactor.is_clean(value)) << dump_json(value);
    EXPECT_EQ(value["n"], 1);
    if (!own.ok()) continue;
    const std::string text = redactor.redact(form.text);
    EXPECT_TRUE(parse_json(text).ok()) << text;
  }
}

// quoted_as returns `text` within quotes, as it is met in what a program writes of what others say.
std::string quoted_as(const std::string& how, std::string text) {
  if (how == "json") return dump_json(Json("it said:\n" + text));
  if (how == "twice") return dump_json(Json("it said:\n" + dump_json(Json(text))));
  if (how == "thrice") return dump_json(Json(dump_json(Json({{"said", dump_json(Json(text))}}))));
  if (how == "shell") return "tool '" + replaced(text, "'", "'\\''") + "'";
  if (how == "shell in json") return dump_json(Json(quoted_as("shell", text)));
  text = replaced(replaced(replaced(text, "\\", "\\\\"), "'", "\\'"), "\n", "\\n");
  text = replaced(replaced(text, "  ", " \\x20"), "ー", "\\u{30fc}");
  for (const char* const byte : {"<", "&"}) text = replaced(text, byte, "\\x" + hex_of(byte));
  return how == "c" ? "$'" + text + "'" : dump_json(Json("it said: $'" + text + "'"));
}

TEST(PlantedSecretsTest, NoneIsLeftWithinQuotes) {
  const Redactor redactor;
  for (const PlantedForm& form : planted_forms()) {
    if (!form.is_text && !form.is_json) continue;
    for (const char* const how :
         {"json", "twice", "thrice", "shell", "shell in json", "c", "c in json"}) {
      const std::string text = quoted_as(how, form.whole());
      EXPECT_TRUE(is_hidden(form, redactor.redact(text))) << how << ": " << redactor.redact(text);
    }
  }
}

// What a recording holds is shown by a complaint, a report, another recording.
TEST(PlantedSecretsTest, WhatIsMaskedStaysAsItIs) {
  const Redactor redactor;
  for (const PlantedForm& form : planted_forms()) {
    if (!form.is_text) continue;
    const std::string once = redactor.redact(form.whole());
    for (const char* const mask : {"[redacted]", "[secret 1]", "[secret 12]"}) {
      const std::string text = replaced(once, "[redacted]", mask);
      EXPECT_EQ(redactor.redact(text), text);
    }
  }
}

TEST(PlantedSecretsTest, WhatIsKnownIsFoundInEveryEncoding) {
  Redactor redactor;
  redactor.add_forms("kn0wn/s e\"cret+1");
  for (const char* const encoding :
       {"", "base64", "base64url", "percent", "percent2", "unicode", "json"}) {
    PlantedForm form;
    form.secret = "kn0wn/s e\"cret+1";
    form.text = "an ordinary word, " + form.secret + " and more";
    form.encoding = encoding;
    EXPECT_TRUE(is_hidden(form, redactor.redact(form.whole()))) << redactor.redact(form.whole());
  }
  EXPECT_EQ(redactor.redact("<b>kn0wn/s e&quot;cret+1</b>"), "<b>[redacted]</b>");
  EXPECT_EQ(redactor.redact("6b6e30776e2f73206522637265742b31"), "[redacted]");
  EXPECT_EQ(redactor.redact("6B6E30776E2F73206522637265742B31"), "[redacted]");
}

TEST(PlantedSecretsTest, WhatIsOrdinaryStays) {
  const Redactor redactor;
  const std::vector<std::string> lines = lines_of("ordinary.txt");
  ASSERT_GE(lines.size(), 60U);
  for (const std::string& line : lines) {
    const std::string text = replaced(line, "\\n", "\n");
    EXPECT_EQ(redactor.redact(text), text);
    const Result<Json> value = parse_json(line);
    if (!value.ok()) continue;
    Json shown = value.value();
    redactor.redact(shown);
    EXPECT_EQ(dump_json(shown), dump_json(value.value()));
    EXPECT_TRUE(redactor.is_clean(value.value())) << line;
  }
}

// In a text the names alone are seen.
TEST(PlantedSecretsTest, WhatIsToldOfNamesStaysInValues) {
  const Redactor redactor;
  for (const char* const text :
       {R"({"errors":{"password":["must be 8 characters1"],"token":"is invalid1"}})",
        R"({"dependencies":{"cookie":"0.7.1","oauth":"~0.10.1","secrets":">=1.0.1"}})",
        R"({"scripts":{"auth":"node auth1.js","token":"node token1.js"}})",
        R"({"securitySchemes":{"apiKey":{"in":"header","name":"X-Key1","type":"apiKey"}}})"}) {
    const Json value = parse_json(text).value();
    EXPECT_TRUE(redactor.is_clean(value)) << text;
  }
  for (const char* const text :
       {R"({"errors":{"password":"hunter22x"}})", R"({"dependencies":{"cookie":"sid=a1b2"}})",
        R"({"scripts":{"token":"curl -u ada:hunter22x h"}})"}) {
    EXPECT_FALSE(redactor.is_clean(parse_json(text).value())) << text;
  }
}

TEST(PlantedSecretsTest, NumbersOfCodesAndTokensAreSecretsToo) {
  const Redactor redactor;
  for (const char* const text :
       {R"({"pin":4711987})", R"({"mfa_code":987653})", R"({"access_token":98765432109871})",
        R"({"recovery_codes":[471198,987653]})", R"({"name":"pin","value":4711987})"}) {
    Json value = parse_json(text).value();
    redactor.redact(value);
    EXPECT_EQ(dump_json(value).find("98"), std::string::npos) << dump_json(value);
    const std::string shown = redactor.redact(std::string(text));
    EXPECT_TRUE(parse_json(shown).ok()) << shown;
    if (std::string(text).find("name") == std::string::npos) {
      EXPECT_EQ(shown.find("98"), std::string::npos) << shown;
    }
  }
}

TEST(PlantedSecretsTest, WhatWasCutHasNoPartOfAToken) {
  Redactor redactor;
  redactor.add_forms("0123456789abcdefXYZ");
  EXPECT_EQ(redactor.redact("it is ghp_abc", {false, true}), "it is [redacted]");
  EXPECT_EQ(redactor.redact("it is 01234567", {false, true}), "it is [redacted]");
  EXPECT_EQ(redactor.redact("abcdefXYZ it is", {true, false}), "[redacted] it is");
  EXPECT_EQ(redactor.redact("{\"password\":\"hun", {false, true}), "{\"password\":\"[redacted]");
  EXPECT_EQ(redactor.redact("it is ghp_abc"), "it is ghp_abc");
}

// What texts are made of that would take minutes, were their bytes looked at by the square.
std::vector<std::string> parts_of_long_texts() {
  return {"password=",
          "\"password\":",
          "\"password\":\"",
          "\"password\":{\"type\":",
          "a://b:c/",
          "Authorization: ",
          "Authorization: none ",
          "token={{",
          "sk-",
          "sk-aa-",
          "-----BEGIN ",
          "-----BEGIN PRIVATE KEY",
          "-----END ",
          "a@tcp(",
          " -p",
          " -u",
          " --token ",
          "%70",
          "%25",
          "\\",
          "\\\"",
          "\\u0070",
          "YWFhYWFh/",
          "[",
          "{\"password\":[",
          "'",
          "x=",
          "&code=",
          "{\"name\":\"X-Key\",\"value\":",
          "password=[redacted] ",
          "eyJ",
          "<password>"};
}

std::vector<std::string> more_parts_of_long_texts() {
  return {"| token ",
          "tokens:\n- a1b2c3\n",
          "password: |\n  x\n",
          "password is ",
          "name=\"token\" value=",
          "Private-Lines: ",
          "thin:",
          "KEY ",
          "{\"",
          "{\\\"",
          "{\"a\":",
          "{\"a\":{}}",
          "\\n",
          "\\'",
          "'\\''",
          "token: ",
          "Cookie: a=1;\n ",
          " cookie = Token x",
          "password='''",
          "password=b'",
          "password=a'b",
          "token=f(",
          "token = \"a\" + ",
          "seed phrase: a",
          " -vp",
          "dapi",
          "1//0",
          "htpasswd -b ",
          "requirepass ",
          "ENV A ",
          "data:\n",
          "kind: Secret\n",
          "- name: token\n  value: a\n",
          "a,password\n",
          "| password |\n|---|---|\n",
          "<b>",
          "<input value=\"a\" name=\"token\"",
          "form-data; name=\"password\"\n",
          "\"token: \"},{\""};
}

TEST(PlantedSecretsTest, TakesTimeInProportionToWhateverTextThereIs) {
  const Redactor redactor;
  std::vector<std::string> parts = parts_of_long_texts();
  for (const std::string& part : more_parts_of_long_texts()) parts.push_back(part);
  for (const std::string& part : parts) {
    std::string text;
    while (text.size() < 400'000) text += part;
    EXPECT_LE(redactor.redact(text).size(), 4 * text.size());
  }
}

// Looked at twice in each level the secret would be met a thousand times.
TEST(PlantedSecretsTest, LooksAtAllABoundedNumberOfTimesHoweverDeepJsonStandsInJson) {
  Redactor redactor;
  int named = 0;
  redactor.name_by([&named](std::string_view) {
    ++named;
    return std::string("[secret]");
  });
  std::string text = R"({"password":"hunter22x"})";
  for (int level = 0; level < 10; ++level) text = dump_json(Json::object({{"a", text}}));
  ASSERT_LT(text.size(), 65'536U);
  redactor.redact(text);
  EXPECT_LE(named, 20);
}

}  // namespace
}  // namespace plumbline
