#include "core/agents/policy/sensitive.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/wildcard.h"

namespace plumbline::agents {

namespace {

constexpr unsigned kName = 1;
constexpr unsigned kDescription = 2;
constexpr unsigned kRequest = 4;
constexpr unsigned kAll = kName | kDescription | kRequest;

constexpr unsigned bit_of(SensitiveIn place) {
  switch (place) {
    case SensitiveIn::kName:
      return kName;
    case SensitiveIn::kDescription:
      return kDescription;
    case SensitiveIn::kRequest:
      return kRequest;
  }
  return kAll;
}

struct SensitiveWord {
  std::string_view word;
  unsigned where;
};

// In the singular, and in plurals that do not just end in s.
constexpr WordTable kWords({SensitiveWord{"biometric", kAll},
                            SensitiveWord{"classified", kRequest},
                            SensitiveWord{"confidential", kAll},
                            SensitiveWord{"config", kName},
                            SensitiveWord{"configuration", kName},
                            SensitiveWord{"credential", kAll},
                            SensitiveWord{"diagnoses", kAll},
                            SensitiveWord{"diagnosis", kAll},
                            SensitiveWord{"dotenv", kAll},
                            SensitiveWord{"env", kAll},
                            SensitiveWord{"environ", kAll},
                            SensitiveWord{"environment", kName},
                            SensitiveWord{"financial", kName | kRequest},
                            SensitiveWord{"iban", kAll},
                            SensitiveWord{"keychain", kAll},
                            SensitiveWord{"keyring", kAll},
                            SensitiveWord{"medical", kAll},
                            SensitiveWord{"passphrase", kAll},
                            SensitiveWord{"passport", kAll},
                            SensitiveWord{"passwd", kAll},
                            SensitiveWord{"password", kAll},
                            SensitiveWord{"patient", kAll},
                            SensitiveWord{"payroll", kAll},
                            SensitiveWord{"payslip", kAll},
                            SensitiveWord{"personal", kName | kRequest},
                            SensitiveWord{"printenv", kAll},
                            SensitiveWord{"private", kRequest},
                            SensitiveWord{"salaries", kAll},
                            SensitiveWord{"salary", kAll},
                            SensitiveWord{"secret", kAll},
                            SensitiveWord{"sensitive", kRequest},
                            SensitiveWord{"ssn", kAll},
                            SensitiveWord{"wallet", kAll}});

struct Pair {
  std::string_view first;
  std::string_view second;
};

// A description says "needs an API key" of what it wants, so these count in names and requests.
constexpr std::array kPairs = {
    Pair{"access", "key"},        Pair{"access", "token"},
    Pair{"account", "number"},    Pair{"api", "key"},
    Pair{"api", "token"},         Pair{"auth", "token"},
    Pair{"bank", "account"},      Pair{"bank", "statement"},
    Pair{"bearer", "token"},      Pair{"card", "number"},
    Pair{"connection", "string"}, Pair{"credit", "card"},
    Pair{"encryption", "key"},    Pair{"environment", "variable"},
    Pair{"health", "record"},     Pair{"private", "key"},
    Pair{"recovery", "code"},     Pair{"refresh", "token"},
    Pair{"secret", "key"},        Pair{"seed", "phrase"},
    Pair{"session", "cookie"},    Pair{"session", "token"},
    Pair{"signing", "key"},       Pair{"social", "security"},
    Pair{"ssh", "key"},           Pair{"tax", "return"},
};

// Files and folders that usually hold secrets, by the end of a path or by a folder on its way. In
// lower case; * stands for anything within a name.
constexpr std::string_view kSecretFolders[] = {
    ".aws",      ".azure",   ".docker",         ".gcloud",     ".gnupg",        ".kube",
    ".mozilla",  ".oci",     ".password-store", ".ssh",        ".thunderbird",  "gcloud",
    "keychains", "keyrings", "kwalletd",        "run/secrets", "google-chrome", "user data/default",
};
constexpr std::string_view kSecretFiles[] = {
    ".bash_history",
    ".dockercfg",
    ".env",
    ".env.*",
    ".envrc",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".psql_history",
    ".pypirc",
    ".vault-token",
    ".zsh_history",
    "*.env",
    "*.jks",
    "*.kdbx",
    "*.key",
    "*.keychain",
    "*.keychain-db",
    "*.keystore",
    "*.keytab",
    "*.ovpn",
    "*.p12",
    "*.pem",
    "*.pfx",
    "*.ppk",
    "*.tfstate",
    "*.tfstate.backup",
    "*.tfvars",
    "*_history",
    "_netrc",
    "application_default_credentials.json",
    "cookies.sqlite",
    "credentials",
    "credentials.*",
    "etc/gshadow",
    "etc/gshadow-",
    "etc/master.passwd",
    "etc/shadow",
    "etc/shadow-",
    "etc/sudoers",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "id_rsa*",
    "key3.db",
    "key4.db",
    "kubeconfig",
    "local.settings.json",
    "login data",
    "logins.json",
    "proc/*/environ",
    "proc/*/cmdline",
    "secrets.*",
    "service-account*.json",
    "wallet.dat",
    "wp-config.php",
};

std::string_view singular(std::string_view word) {
  return word.ends_with('s') ? word.substr(0, word.size() - 1) : word;
}

// path_text returns `text` in lower case, percent-decoded, with / for every separator.
std::string path_text(std::string_view text) {
  std::string out = lower_case(percent_decode(text));
  std::ranges::replace(out, '\\', '/');
  return out;
}

// ends_path returns whether `pattern`, of one or more names, is how the path `names` ends after
// its first `count` names.
bool ends_path(std::string_view pattern, const std::vector<std::string_view>& names,
               std::size_t count) {
  while (count > 0) {
    const std::size_t slash = pattern.rfind('/');
    if (slash == pattern.npos) return fits(pattern, names[count - 1]);
    if (!fits(pattern.substr(slash + 1), names[count - 1])) return false;
    pattern = pattern.substr(0, slash);
    --count;
  }
  return false;
}

// is_secret_path judges one path; a "?query" and a "#fragment" are no part of it.
bool is_secret_path(std::string_view path) {
  path = path.substr(0, path.find_first_of("?#"));
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, slash);
    if (!name.empty() && name != ".") names.push_back(name);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  for (std::size_t count = 1; count <= names.size(); ++count) {
    for (const std::string_view folder : kSecretFolders) {
      if (ends_path(folder, names, count)) return true;
    }
  }
  return std::ranges::any_of(
      kSecretFiles, [&](std::string_view file) { return ends_path(file, names, names.size()); });
}

}  // namespace

bool speaks_of_sensitive_data(std::string_view text, SensitiveIn place) {
  const unsigned where = bit_of(place);
  std::string before;
  for (WordReader reader(text); reader.next();) {
    const std::string_view word = reader.word();
    for (const std::string_view form : {word, singular(word)}) {
      const SensitiveWord* const row = kWords.find(form);
      if (row != nullptr && (row->where & where) != 0) return true;
    }
    if (place != SensitiveIn::kDescription) {
      for (const Pair& pair : kPairs) {
        if (pair.first == before && pair.second == singular(word)) return true;
      }
      before = word;
    }
  }
  return false;
}

bool names_secret_file(std::string_view text) {
  const std::string paths = path_text(text);
  if (is_secret_path(paths)) return true;  // With the blanks that it may have.
  std::string_view rest = paths;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" \t\r\n\"'`,;:()[]{}<>|="), rest.size());
    std::string_view path = rest.substr(0, end);
    while (path.ends_with('.') || path.ends_with('!') || path.ends_with('?')) path.remove_suffix(1);
    if (!path.empty() && is_secret_path(path)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool asks_for_sensitive_data(const Json& arguments) {
  if (const auto* const text = arguments.get_ptr<const std::string*>()) {
    return speaks_of_sensitive_data(*text, SensitiveIn::kRequest) || names_secret_file(*text);
  }
  if (!arguments.is_structured()) return false;
  return std::ranges::any_of(arguments, asks_for_sensitive_data);
}

}  // namespace plumbline::agents
