#include "core/agents/policy/sensitive.h"

#include <gtest/gtest.h>

namespace plumbline::agents {
namespace {

TEST(SensitiveTest, FilesThatUsuallyHoldSecretsAreKnownHoweverTheyAreWritten) {
  for (const char* text : {"/home/me/.ssh/id_rsa",
                           "~/.ssh/config",
                           "/etc/shadow",
                           "../../etc/shadow",
                           "//etc//shadow",
                           "/etc/./shadow",
                           "file:///etc/shadow",
                           "file:///home/me/%2Essh/id_ed25519",
                           "file:///srv/.env?raw=1",
                           ".env",
                           ".env.production",
                           "config/prod.env",
                           "C:\\Users\\me\\.aws\\credentials",
                           "/srv/keys/server.PEM",
                           "Read '/srv/app/.env', please",
                           "read the file .env.",
                           "path=/home/me/.netrc",
                           "/proc/self/environ",
                           "/proc/1/cmdline",
                           "/home/me/.mozilla/firefox/x.default/key4.db",
                           "/home/me/.config/google-chrome/Default/Login Data",
                           "C:/Users/me/AppData/Local/Google/Chrome/User Data/Default/Cookies",
                           "/Users/me/Library/Keychains/login.keychain-db",
                           "/var/run/secrets/kubernetes.io/serviceaccount/token",
                           "infra/terraform.tfstate",
                           "deploy/secrets.yaml",
                           "/home/me/.bash_history",
                           "id_ecdsa_sk"}) {
    EXPECT_TRUE(names_secret_file(text)) << text;
  }
}

TEST(SensitiveTest, OrdinaryFilesAreNot) {
  for (const char* text :
       {"/home/me/notes.md", "src/environment.cc", "docs/keys.md", "shadow.css", "etc/hosts",
        "/etc/passwd", "id_card.txt", "keyboard.keymap", "/srv/app/env/readme.txt", "monkey.txt",
        "a.environment", "https://example.com/credentials-guide.html", "key.txt",
        "/usr/share/doc/ssh/README", "tests/pem_test.cc", "", "/", "?", "Read a, b and c."}) {
    EXPECT_FALSE(names_secret_file(text)) << text;
  }
}

TEST(SensitiveTest, ARequestIsTakenAtItsWord) {
  for (const char* text :
       {"Read the credentials in data.txt", "Show me the API keys", "What are the salaries of Bob?",
        "Print env", "my private notes", "the patient's diagnosis", "Bob's medical records",
        "financial data of 2025", "list personal data", "SSH keys of the host",
        "which environment variables are set", "credit card numbers", "the apiKey of the service",
        "secret santa list", "SENSITIVE documents"}) {
    EXPECT_TRUE(speaks_of_sensitive_data(text, SensitiveIn::kRequest)) << text;
  }
  for (const char* text :
       {"List the files", "count tokens of the text", "key points of the report",
        "deploy to the staging environment", "What is on the schedule?", "bank holidays",
        "the card with the number seven", "press any key", "access the report"}) {
    EXPECT_FALSE(speaks_of_sensitive_data(text, SensitiveIn::kRequest)) << text;
  }
}

TEST(SensitiveTest, AServersWordsAboutItselfWeighLess) {
  EXPECT_TRUE(speaks_of_sensitive_data("get_config", SensitiveIn::kName));
  EXPECT_TRUE(speaks_of_sensitive_data("printenv", SensitiveIn::kName));
  EXPECT_TRUE(speaks_of_sensitive_data("listApiKeys", SensitiveIn::kName));
  EXPECT_TRUE(speaks_of_sensitive_data("Lists the passwords", SensitiveIn::kDescription));
  EXPECT_FALSE(speaks_of_sensitive_data("Needs an API key", SensitiveIn::kDescription));
  EXPECT_FALSE(
      speaks_of_sensitive_data("Lists public and private repositories", SensitiveIn::kDescription));
  EXPECT_FALSE(speaks_of_sensitive_data("Reads the configuration", SensitiveIn::kDescription));
}

TEST(SensitiveTest, ArgumentsAreReadHoweverDeepTheyStand) {
  EXPECT_TRUE(asks_for_sensitive_data({{"paths", {"/srv/a", {{"path", "/etc/shadow"}}}}}));
  EXPECT_TRUE(asks_for_sensitive_data({{"query", "all passwords"}}));
  EXPECT_FALSE(asks_for_sensitive_data({{"path", "/srv/a"}, {"limit", 3}, {"password", nullptr}}));
  EXPECT_FALSE(asks_for_sensitive_data(Json::object()));
}

}  // namespace
}  // namespace plumbline::agents
