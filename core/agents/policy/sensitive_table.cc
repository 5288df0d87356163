#include "core/agents/policy/sensitive_table.h"

#include <algorithm>

#include "core/agents/policy/word_table.h"

namespace plumbline::agents {

namespace {

constexpr unsigned kName = kInName;
constexpr unsigned kRequest = kInRequest;
constexpr unsigned kAll = kInName | kInDescription | kInRequest;

struct SensitiveWord {
  std::string_view word;
  unsigned where;
};

constexpr WordTable kWords({SensitiveWord{"allergies", kRequest},
                            SensitiveWord{"apikey", kName | kRequest},
                            SensitiveWord{"biometric", kAll},
                            SensitiveWord{"birthdate", kAll},
                            SensitiveWord{"classified", kRequest},
                            SensitiveWord{"clipboard", kName},
                            SensitiveWord{"confidential", kAll},
                            SensitiveWord{"config", kName},
                            SensitiveWord{"configuration", kName},
                            SensitiveWord{"credential", kAll},
                            SensitiveWord{"cvc", kRequest},
                            SensitiveWord{"cvv", kRequest},
                            SensitiveWord{"diagnoses", kAll},
                            SensitiveWord{"diagnosis", kAll},
                            SensitiveWord{"disability", kRequest},
                            SensitiveWord{"dossier", kRequest},
                            SensitiveWord{"dotenv", kAll},
                            SensitiveWord{"env", kAll},
                            SensitiveWord{"environ", kAll},
                            SensitiveWord{"environment", kName},
                            SensitiveWord{"ethnicity", kRequest},
                            SensitiveWord{"financial", kName | kRequest},
                            SensitiveWord{"genome", kRequest},
                            SensitiveWord{"getenv", kAll},
                            SensitiveWord{"gshadow", kAll},
                            SensitiveWord{"htpasswd", kAll},
                            SensitiveWord{"iban", kAll},
                            SensitiveWord{"illness", kRequest},
                            SensitiveWord{"income", kRequest},
                            SensitiveWord{"intimate", kRequest},
                            SensitiveWord{"keychain", kAll},
                            SensitiveWord{"keylogger", kAll},
                            SensitiveWord{"keyring", kAll},
                            SensitiveWord{"keystore", kAll},
                            SensitiveWord{"keystroke", kAll},
                            SensitiveWord{"kubeconfig", kAll},
                            SensitiveWord{"medical", kAll},
                            SensitiveWord{"mortgage", kRequest},
                            SensitiveWord{"netrc", kAll},
                            SensitiveWord{"npmrc", kAll},
                            SensitiveWord{"passcode", kAll},
                            SensitiveWord{"passkey", kAll},
                            SensitiveWord{"passphrase", kAll},
                            SensitiveWord{"passport", kAll},
                            SensitiveWord{"passwd", kAll},
                            SensitiveWord{"password", kAll},
                            SensitiveWord{"patient", kAll},
                            SensitiveWord{"paycheck", kAll},
                            SensitiveWord{"payroll", kAll},
                            SensitiveWord{"payslip", kAll},
                            SensitiveWord{"pension", kRequest},
                            SensitiveWord{"personal", kName | kRequest},
                            SensitiveWord{"pgpass", kAll},
                            SensitiveWord{"pregnancy", kRequest},
                            SensitiveWord{"prescription", kRequest},
                            SensitiveWord{"printenv", kAll},
                            SensitiveWord{"private", kRequest},
                            SensitiveWord{"psychiatric", kAll},
                            SensitiveWord{"pypirc", kAll},
                            SensitiveWord{"religion", kRequest},
                            SensitiveWord{"salaries", kAll},
                            SensitiveWord{"salary", kAll},
                            SensitiveWord{"secret", kAll},
                            SensitiveWord{"sensitive", kRequest},
                            SensitiveWord{"ssn", kAll},
                            SensitiveWord{"symptom", kRequest},
                            SensitiveWord{"sysenv", kName},
                            SensitiveWord{"tfstate", kAll},
                            SensitiveWord{"therapies", kRequest},
                            SensitiveWord{"therapy", kRequest},
                            SensitiveWord{"totp", kRequest},
                            SensitiveWord{"vaccination", kRequest},
                            SensitiveWord{"wage", kRequest},
                            SensitiveWord{"wallet", kAll},
                            SensitiveWord{"whistleblower", kRequest}});

struct Pair {
  std::string_view first;
  std::string_view second;
};

constexpr Pair kPairs[] = {Pair{"access", "key"},
                           Pair{"access", "token"},
                           Pair{"account", "balance"},
                           Pair{"account", "number"},
                           Pair{"api", "key"},
                           Pair{"api", "token"},
                           Pair{"auth", "token"},
                           Pair{"bank", "account"},
                           Pair{"bank", "detail"},
                           Pair{"bank", "statement"},
                           Pair{"bank", "transfer"},
                           Pair{"bash", "history"},
                           Pair{"bearer", "token"},
                           Pair{"blood", "test"},
                           Pair{"browser", "cookie"},
                           Pair{"browser", "history"},
                           Pair{"card", "number"},
                           Pair{"chat", "history"},
                           Pair{"client", "secret"},
                           Pair{"command", "history"},
                           Pair{"connection", "string"},
                           Pair{"credit", "card"},
                           Pair{"credit", "score"},
                           Pair{"criminal", "record"},
                           Pair{"deploy", "key"},
                           Pair{"deploy", "token"},
                           Pair{"docker", "config"},
                           Pair{"driver", "license"},
                           Pair{"driving", "licence"},
                           Pair{"encryption", "key"},
                           Pair{"environment", "variable"},
                           Pair{"genetic", "data"},
                           Pair{"git", "credential"},
                           Pair{"gpg", "key"},
                           Pair{"health", "data"},
                           Pair{"health", "insurance"},
                           Pair{"health", "record"},
                           Pair{"home", "address"},
                           Pair{"host", "key"},
                           Pair{"id", "token"},
                           Pair{"identity", "card"},
                           Pair{"insurance", "number"},
                           Pair{"jwt", "secret"},
                           Pair{"kube", "config"},
                           Pair{"lab", "result"},
                           Pair{"login", "data"},
                           Pair{"master", "key"},
                           Pair{"net", "worth"},
                           Pair{"npm", "token"},
                           Pair{"oauth", "token"},
                           Pair{"of", "birth"},
                           Pair{"passport", "number"},
                           Pair{"pgp", "key"},
                           Pair{"phone", "number"},
                           Pair{"pin", "code"},
                           Pair{"private", "data"},
                           Pair{"private", "key"},
                           Pair{"process", "environment"},
                           Pair{"recovery", "code"},
                           Pair{"refresh", "token"},
                           Pair{"routing", "number"},
                           Pair{"saved", "login"},
                           Pair{"secret", "key"},
                           Pair{"seed", "phrase"},
                           Pair{"service", "account"},
                           Pair{"session", "cookie"},
                           Pair{"session", "token"},
                           Pair{"sexual", "orientation"},
                           Pair{"shadow", "file"},
                           Pair{"shell", "history"},
                           Pair{"signing", "key"},
                           Pair{"social", "security"},
                           Pair{"sort", "code"},
                           Pair{"ssh", "key"},
                           Pair{"tax", "id"},
                           Pair{"tax", "return"},
                           Pair{"union", "membership"},
                           Pair{"wifi", "key"},
                           Pair{"wireguard", "key"}};

}  // namespace

unsigned sensitive_word(std::string_view word) {
  const SensitiveWord* const row = kWords.find(word);
  return row == nullptr ? 0 : row->where;
}

bool is_sensitive_pair(std::string_view first, std::string_view second) {
  return std::ranges::any_of(
      kPairs, [&](const Pair& pair) { return pair.first == first && pair.second == second; });
}

}  // namespace plumbline::agents
