#include "core/agents/policy/sensitive.h"

#include <gtest/gtest.h>

namespace plumbline::agents {
namespace {

constexpr const char* kSecret[] = {
    "/home/me/.ssh/id_rsa",
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
    "id_ecdsa_sk",
    "/home/me/.kube/config",
    "/home/me/.docker/config.json",
    "~/.npmrc",
    "~/.pypirc",
    "~/.git-credentials",
    "~/.config/gh/hosts.yml",
    "/proc/17/mem",
    "/proc/self/fd/3",
    "/proc/thread-self/environ",
    "~/.config/rclone/rclone.conf",
    "data/users.db",
    "backup.sqlite3",
    "/etc/ssl/private/x",
    "/etc/kubernetes/admin.conf",
    "/etc/NetworkManager/system-connections/home",
    "deploy_ed25519",
    "/etc/ssh/ssh_host_rsa_key",
    "google-credentials.json",
    "client_secret_12.json",
    "passwords.csv",
    "AppData/Roaming/Microsoft/Credentials/1",
    "ConsoleHost_history.txt",
    "AuthKey_X.p8",
    "~/.local/share/keyrings/login",
    "~/Library/Mail/V10/x",
    "contacts.vcf",
    "~/.m2/settings.xml"};

constexpr const char* kOrdinary[] = {"README",
                                     "README.md",
                                     "src/main.cc",
                                     "src/environment.cc",
                                     "environment.md",
                                     "monkey.md",
                                     "docs/keys.md",
                                     "shadow.css",
                                     "etc/hosts",
                                     "/etc/passwd",
                                     "id_card.txt",
                                     "keyboard.keymap",
                                     "/srv/app/env/readme.txt",
                                     "monkey.txt",
                                     "a.environment",
                                     "https://example.com/credentials-guide.html",
                                     "key.txt",
                                     "/usr/share/doc/ssh/README",
                                     "tests/pem_test.cc",
                                     "package.json",
                                     "package-lock.json",
                                     "tsconfig.json",
                                     "Makefile",
                                     "CMakeLists.txt",
                                     "Dockerfile",
                                     "docker-compose.yml",
                                     ".gitignore",
                                     ".gitattributes",
                                     ".github/workflows/ci.yml",
                                     ".editorconfig",
                                     ".clang-format",
                                     ".eslintrc.json",
                                     ".prettierrc",
                                     "config.yaml",
                                     "config/app.yml",
                                     "settings.py",
                                     "app/secrets_manager.py",
                                     "src/secret_store.cc",
                                     "src/password_field.tsx",
                                     "lib/token.cc",
                                     "src/tokens.rs",
                                     "auth/login.go",
                                     "history.md",
                                     "docs/history.md",
                                     "notes/2024.md",
                                     "LICENSE",
                                     "CHANGELOG.md",
                                     "requirements.txt",
                                     "setup.py",
                                     "pyproject.toml",
                                     "Cargo.toml",
                                     "go.mod",
                                     "pom.xml",
                                     "build.gradle",
                                     "index.html",
                                     "style.css",
                                     "data.csv",
                                     "report.pdf",
                                     "photo.jpeg",
                                     "schema.sql",
                                     "migrations/001.sql",
                                     "db/schema.rb",
                                     "database.md",
                                     "wallets.md",
                                     "src/wallet.ts",
                                     "cookies-recipe.md",
                                     "cookie_banner.js",
                                     "public.crt",
                                     "docs/ssh.md",
                                     "docs/aws.md",
                                     "kubernetes/deployment.yaml",
                                     "k8s/service.yml",
                                     "terraform/main.tf",
                                     "ansible/playbook.yml",
                                     "keychain.swift",
                                     "sshd_config.md",
                                     "netrc.md",
                                     "envoy.yaml",
                                     "env.example.md",
                                     "environment.yml",
                                     "conda-env.yml",
                                     "shadow.txt",
                                     "passport.js",
                                     "profile.png",
                                     "privacy.md",
                                     "medical_terms_glossary.py",
                                     "tests/fixtures/user.json",
                                     "proc/notes.txt",
                                     "vault/notes.md",
                                     "credits.md",
                                     "",
                                     "/",
                                     "?",
                                     "Read a, b and c."};

TEST(SensitiveTest, FilesThatUsuallyHoldSecretsAreKnownHoweverTheyAreWritten) {
  for (const char* text : kSecret) {
    EXPECT_TRUE(names_secret_file(text)) << text;
  }
}

TEST(SensitiveTest, OrdinaryFilesAreNot) {
  for (const char* text : kOrdinary) {
    EXPECT_FALSE(names_secret_file(text)) << text;
  }
}

TEST(SensitiveTest, ARequestIsTakenAtItsWord) {
  for (const char* text : {"Read the credentials in data.txt",
                           "Show me the API keys",
                           "What are the salaries of Bob?",
                           "Print env",
                           "my private notes",
                           "the patient's diagnosis",
                           "Bob's medical records",
                           "financial data of 2025",
                           "list personal data",
                           "SSH keys of the host",
                           "which environment variables are set",
                           "credit card numbers",
                           "the apiKey of the service",
                           "secret santa list",
                           "SENSITIVE documents",
                           "my blood tests",
                           "lab results of Bob",
                           "her prescriptions",
                           "my account balance",
                           "Bob's home address",
                           "phone numbers of clients",
                           "the pin code",
                           "dates of birth",
                           "shell history of ada",
                           "browser cookies",
                           "my pension",
                           "oauth tokens",
                           "who has which religion"}) {
    EXPECT_TRUE(speaks_of_sensitive_data(text, SensitiveIn::kRequest)) << text;
  }
  for (const char* text : {"List the files",
                           "count tokens of the text",
                           "key points of the report",
                           "deploy to the staging environment",
                           "What is on the schedule?",
                           "bank holidays",
                           "the card with the number seven",
                           "press any key",
                           "access the report",
                           "Read README.md",
                           "Read src/password_field.tsx",
                           "app/secrets_manager.py",
                           "What does environment.md say?",
                           "history of the project",
                           "address of the server",
                           "test results of the last run",
                           "keys of the map",
                           "the code of main",
                           "bank of England rates",
                           "health of the cluster",
                           "phone models",
                           "token count of the prompt"}) {
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
