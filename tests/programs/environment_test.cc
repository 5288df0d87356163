// What a COMMAND gets of the environment, and that no secret that it was given is shown again.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/programs/program_fixture.h"

namespace plumbline::cli {
namespace {

const std::vector<std::string> kFormats = {"json",     "junit", "sarif",  "tap",    "html",
                                           "markdown", "badge", "github", "prompt", "attestation"};

class EnvironmentTest : public ProgramTest {
 protected:
  // check runs `check WHAT` with a report of every format and the words given.
  Outcome check(const std::string& what, const std::vector<std::string>& words,
                const std::map<std::string, std::string>& env) {
    std::vector<std::string> all = {"check", what, "--verbose", "--timeout", "2s"};
    for (const std::string& format : kFormats) {
      all.insert(all.end(), {"--report", format + "=report." + format});
    }
    all.insert(all.end(), words.begin(), words.end());
    return run(all, env);
  }

  // expect_hidden looks for whatever begins with "planted", plainly or in base64.
  void expect_hidden(const Outcome& judged) {
    std::vector<std::string> texts = {judged.out, judged.err};
    for (const std::string& format : kFormats) texts.push_back(read("report." + format));
    for (const std::string& text : texts) {
      for (const std::string secret : {"planted", "cGxhbnRlZ", "BsYW50ZW"}) {
        const std::size_t at = text.find(secret);
        EXPECT_EQ(at, std::string::npos) << text.substr(at < 200 ? 0 : at - 200, 400) << "\n[...]";
      }
    }
    EXPECT_NE(read("report.json").find("[redacted]"), std::string::npos);
  }

  // variables runs the probe that says what a COMMAND has of the variables A_VALUE, B_VALUE, LANG.
  std::string variables(const std::vector<std::string>& words) {
    write("say.sh", "echo \"a=$A_VALUE b=$B_VALUE l=$LANG\" > said; exit 1\n");
    std::vector<std::string> all = {"check", "server"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--stdio", "--", "sh", "say.sh"});
    run(all, {{"A_VALUE", "1"}, {"LANG", "C"}});
    return read("said");
  }
};

TEST_F(EnvironmentTest, ACommandGetsAllOfItOrWhatIsAskedFor) {
  EXPECT_EQ(variables({}), "a=1 b= l=C\n");
  EXPECT_EQ(variables({"--env", "B_VALUE=x y"}), "a=1 b=x y l=C\n");
  EXPECT_EQ(variables({"--clean-env"}), "a= b= l=C\n");
  EXPECT_EQ(variables({"--clean-env", "--env", "A_VALUE", "--env", "B_VALUE=2"}), "a=1 b=2 l=C\n");
}

TEST_F(EnvironmentTest, AServerOfAConfigurationGetsWhatDesktopClientsGive) {
  write("say.sh", "echo \"a=$A_VALUE b=$B_VALUE\" > said; exit 1\n");
  write("mcp.json",
        R"({"mcpServers":{"s":{"command":"sh","args":["say.sh"],"env":{"B_VALUE":"2"}}}})");
  run({"check", "server", "--config", "mcp.json"}, {{"A_VALUE", "1"}});
  EXPECT_EQ(read("said"), "a= b=2\n");
}

TEST_F(EnvironmentTest, WhatCannotBeGivenIsOneLine) {
  const Outcome missing = run({"check", "client", "--env", "NOT_SET_HERE", "--", "true"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.err,
            "plumbline: --env NOT_SET_HERE: no such variable here, expected --env "
            "NOT_SET_HERE=VALUE [target.environment-missing]\n");
  EXPECT_EQ(run({"check", "server", "--url", "http://x/", "--clean-env"}).code, 2);
}

TEST_F(EnvironmentTest, NoSecretOfACommandIsShown) {
  const Outcome judged = check(
      "server",
      {"--env", "B_SECRET=planted-added-5", "--stdio", "--", "env", "DB_PASSWORD=planted-word-7",
       PLUMBLINE_ECHOING_SERVER, "--api-key", "planted-argument-4", "--token=planted-option-8",
       "--header", "Authorization: Bearer planted-bearer-6", "http://planted-user-9@host/"},
      {{"API_TOKEN", "planted-inherited-1"}});
  EXPECT_EQ(judged.code, 1) << judged.err;
  expect_hidden(judged);
  EXPECT_NE(judged.out.find("--env B_SECRET=\"$B_SECRET\" --stdio -- env "
                            "DB_PASSWORD=\"$DB_PASSWORD\" "),
            std::string::npos)
      << judged.out;
  EXPECT_NE(judged.out.find(" --api-key \"$API_KEY\" --token=\"$TOKEN\" --header "
                            "'Authorization: '\"$AUTHORIZATION\" http://\"$URL_USER\"@host/\n"),
            std::string::npos)
      << judged.out;
}

TEST_F(EnvironmentTest, NoSecretOfAUrlOrAHeaderIsShown) {
  net::Command command({PLUMBLINE_ECHOING_SERVER, "--http-server"});
  const RunningServer server(std::move(command));
  const Outcome judged = check(
      "server",
      {"--header", "X-Key: planted-header-2", "--header", "Authorization: Bearer planted-bearer-6",
       "--url", server.url() + "?page=1&api_key=planted-query-3", "--revision", "2025-11-25"},
      {{"API_TOKEN", "planted-inherited-1"}});
  EXPECT_EQ(judged.code, 1) << judged.err;
  expect_hidden(judged);
  EXPECT_NE(judged.out.find("--header 'X-Key: '\"$X_KEY\" --header 'Authorization: '"
                            "\"$AUTHORIZATION\" --url '" +
                            server.url() + "?page=1&api_key='\"$API_KEY\"\n"),
            std::string::npos)
      << judged.out;
}

TEST_F(EnvironmentTest, NoSecretOfAConfigurationIsShown) {
  Json server = {{"command", PLUMBLINE_ECHOING_SERVER},
                 {"args", {"--api-key", "planted-argument-4"}},
                 {"env", {{"DB_PASSWORD", "planted-word-7"}}}};
  write("mcp.json", dump_json(Json({{"mcpServers", {{"s", server}}}})));
  const Outcome judged = check("server", {"--config", "mcp.json"}, {});
  EXPECT_EQ(judged.code, 1) << judged.err;
  expect_hidden(judged);
}

TEST_F(EnvironmentTest, NoSecretOfAClientIsShown) {
  const Outcome judged =
      check("client",
            {"--only", "lifecycle.client-sends-initialize", "--revision", "2025-11-25", "--", "sh",
             "-c", "echo \"$API_TOKEN $0\" >&2; exit 3", "--token=planted-option-8"},
            {{"API_TOKEN", "planted-inherited-1"}});
  EXPECT_NE(judged.code, 0);
  EXPECT_NE(judged.err.find("[redacted]"), std::string::npos) << judged.err;
  EXPECT_EQ((judged.out + judged.err + read("report.json")).find("planted"), std::string::npos)
      << judged.err;
}

TEST_F(EnvironmentTest, AShortSecretIsNotShownInHeadAndCommands) {
  const Outcome judged = run({"check", "server", "--verbose", "--stdio", "--", "env",
                              "API_TOKEN=abc", PLUMBLINE_ECHOING_SERVER});
  EXPECT_EQ(judged.out.find("abc"), std::string::npos) << judged.out;
  EXPECT_NE(judged.out.find("env API_TOKEN=\"$API_TOKEN\" "), std::string::npos) << judged.out;
}

TEST_F(EnvironmentTest, NoSecretIsShownOfACommandLineThatIsWrong) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"check", "server", "--url", "http://me:planted-1@x/"},
           {"check", "server", "--url", "ftp://x/?token=planted-1"},
           {"check", "server", "--api-key=planted-1", "--url", "http://x/"},
           {"check", "server", "--url", "http://127.0.0.1:9/?key=planted-1"}}) {
    const Outcome refused = run(words);
    EXPECT_NE(refused.code, 0);
    EXPECT_EQ((refused.out + refused.err).find("planted"), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace plumbline::cli
