#include "core/base/secrets/secret_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/secret_finder.h"
#include "core/base/text.h"

namespace plumbline {

namespace {

// Anywhere in a name, each says that it is one of a secret.
constexpr auto kTelling = std::to_array<std::string_view>(
    {"password",         "passwd",          "passphrase",      "passcode",      "secret",
     "credential",       "apikey",          "accesskey",       "privatekey",    "privkey",
     "accesstoken",      "refreshtoken",    "authtoken",       "idtoken",       "sessiontoken",
     "bearertoken",      "securitytoken",   "apitoken",        "csrftoken",     "xsrftoken",
     "signingkey",       "encryptionkey",   "masterkey",       "storagekey",    "accountkey",
     "sharedkey",        "subscriptionkey", "authorization",   "authorisation", "cookie",
     "connectionstring", "connstr",         "clientassertion", "codeverifier",  "devicecode",
     "authcode",         "samlresponse",    "sharedaccess",    "seedphrase",    "recoveryphrase",
     "backupphrase",     "mnemonic",        "recoverycode",    "backupcode",    "mfacode",
     "passwort",         "contrasena",      "wachtwoord",      "passord",       "motdepasse",
     "oauthverifier",    "securitycode",    "totpcode"});

// Behind them, each says that the name is one of something else: token_endpoint, password_policy.
constexpr auto kDescribing = std::to_array<std::string_view>(
    {"endpoint", "endpoints", "url",        "urls",        "uri",         "uris",       "type",
     "types",    "supported", "method",     "methods",     "server",      "servers",    "count",
     "counts",   "limit",     "limits",     "length",      "size",        "name",       "names",
     "expires",  "expiry",    "expiration", "at",          "in",          "ttl",        "policy",
     "policies", "required",  "hint",       "title",       "description", "format",     "label",
     "version",  "enabled",   "disabled",   "alg",         "algorithm",   "algorithms", "usage",
     "max",      "min",       "field",      "fields",      "param",       "parameter",  "scope",
     "scopes",   "file",      "path",       "dir",         "folder",      "location",   "status",
     "state",    "index",     "challenge",  "budget",      "rate",        "cost",       "price",
     "position", "offset",    "level",      "mode",        "env",         "var",        "kind",
     "schema",   "prefix",    "suffix",     "placeholder", "pattern",     "rotation",   "id",
     "ids",      "provider",  "details"});

// Behind them, each says nothing: old_password, api_key_value.
constexpr auto kSayingNothing = std::to_array<std::string_view>(
    {"value", "val",       "string", "str",  "raw",     "plain",     "text",         "base64",
     "b64",   "encrypted", "new",    "old",  "current", "previous",  "backup",       "default",
     "prod",  "dev",       "test",   "live", "primary", "secondary", "confirmation", "confirm"});

// Before "token", each makes it one that is no secret.
constexpr auto kOrdinaryTokens = std::to_array<std::string_view>(
    {"progress",   "page",       "next",       "prev",      "previous", "continuation",
     "continue",   "cursor",     "sync",       "max",       "min",      "num",
     "stop",       "eos",        "bos",        "pad",       "padding",  "unk",
     "sep",        "mask",       "cls",        "special",   "per",      "prompt",
     "completion", "input",      "output",     "first",     "last",     "start",
     "end",        "begin",      "syntax",     "lexer",     "design",   "cancel",
     "resume",     "resumption", "pagination", "skip",      "delta",    "image",
     "audio",      "reasoning",  "thinking",   "cached",    "budget",   "total",
     "expected",   "word",       "single",     "delimiter", "marker",   "cancellation",
     "unexpected"});

// Before "key", each makes it one that is no secret.
constexpr auto kOrdinaryKeys = std::to_array<std::string_view>(
    {"public", "primary",   "foreign", "sort",       "partition", "cache",   "idempotency",
     "object", "hot",       "mon",     "tur",        "don",       "hoc",     "joc",
     "whis",   "surrogate", "socket",  "group",      "row",       "column",  "map",
     "dict",   "lookup",    "metric",  "short",      "answer",    "natural", "composite",
     "unique", "arrow",     "any",     "translation"});

// Before "key", each makes it a secret wherever it stands.
constexpr auto kSecretKeys = std::to_array<std::string_view>(
    {"secret", "admin",  "service", "license",   "ssh",     "hmac",        "auth",
     "client", "deploy", "host",    "functions", "webhook", "openai",      "anthropic",
     "gemini", "azure",  "aws",     "stripe",    "google",  "unseal",      "recovery",
     "tls",    "ssl",    "rsa",     "wallet",    "app",     "application", "integration"});

// Before "pass", each makes it a walk.
constexpr auto kOrdinaryPasses = std::to_array<std::string_view>(
    {"by",  "first", "second", "third", "multi", "one", "render", "low", "high", "band", "all",
     "com", "over",  "under",  "sur",   "tres",  "may", "test",   "can", "did",  "must", "should"});

// What a parameter of a URL or of a form is called that lets somebody in.
constexpr auto kParameters = std::to_array<std::string_view>(
    {"code", "sig", "signature",  "sas",          "key",       "assertion", "ticket",
     "otp",  "jwt", "hmac",       "sign",         "magic",     "pin",       "pass",
     "pwd",  "pw",  "passw",      "bearer",       "auth",      "tokens",    "invite",
     "hash", "sid", "jsessionid", "aspsessionid", "phpsessid", "session"});

// What a password is called elsewhere.
constexpr auto kForeign = std::to_array<std::string_view>(
    {"contraseña", "Contraseña", "пароль", "Пароль", "密码", "密碼", "パスワード", "비밀번호",
     "lösenord", "Lösenord", "hasło", "Hasło", "şifre", "Şifre", "κωδικός", "סיסמה", "كلمة_السر",
     "口令"});

template <typename List>
bool ends_in_one(std::string_view text, const List& list) {
  return std::ranges::any_of(list, [text](std::string_view one) { return text.ends_with(one); });
}

bool tells(std::string_view name) {
  static const SecretFinder finder({kTelling.begin(), kTelling.end()});
  return !finder.find(name).empty();
}

// begins_telling returns whether three letters begin a word that tells.
constexpr bool begins_telling(char first, char second, char third) {
  switch (first) {
    case 'a':
      return (second == 'u' && third == 't') || (second == 's' && third == 's');
    case 'b':
      return second == 'e' && third == 'a';
    case 'c':
      return (second == 'r' && third == 'e') || (second == 'o' && third != 'm' && third != 'u') ||
             (second == 'v' && (third == 'v' || third == 'c'));
    case 'd':
      return (second == 'e' && third == 'v') || (second == 's' && third == 'n');
    case 'h':
      return second == 'm' && third == 'a';
    case 'j':
      return second == 'w' && third == 't';
    case 'k':
      return second == 'e' && third == 'y';
    case 'm':
      return (second == 'f' && third == 'a') || (second == 'n' && third == 'e');
    case 'o':
      return second == 't' && third == 'p';
    case 'p':
      return second == 'w' || (second == 'a' && third == 's');
    case 's':
      return (second == 'e' && third == 'c') || (second == 'a' && third == 'm') ||
             (second == 'h' && third == 'a');
    case 't':
      return second == 'o' && (third == 'k' || third == 't');
    case 'w':
      return second == 'a' && third == 'c';
    default:
      return false;
  }
}

bool begins_alike(std::string_view text, std::string_view small) {
  if (text.size() < small.size()) return false;
  for (std::size_t i = 0; i < small.size(); ++i) {
    if (lower_case(text[i]) != small[i]) return false;
  }
  return true;
}

// begins_longer is begins_telling for words that many others begin like: "recovery" and
// "recursive", "pin" and "pinned".
bool begins_longer(std::string_view rest) {
  const auto ends = [rest] { return std::ranges::all_of(rest.substr(3), ascii_digit); };
  switch (lower_case(rest[0])) {
    case 'b':
      return begins_alike(rest, "back");
    case 'p':
      return ((begins_alike(rest, "pin") || begins_alike(rest, "pat")) && ends()) ||
             begins_alike(rest, "pepper");
    case 'r':
      return begins_alike(rest, "recov");
    case 's':
      return begins_alike(rest, "seed") || begins_alike(rest, "signi") ||
             (begins_alike(rest, "salt") && rest.size() == 4);
    default:
      return false;
  }
}

// kSeconds has of each letter a bit for each other one that is second in a word that tells.
constexpr auto kSeconds = [] {
  constexpr std::string_view kBeginnings =
      "au as be ba cr co cv de ds hm jw ke mf mn ot pw pa pi pe re se sa sh si to wa";
  std::array<std::uint32_t, 256> seconds{};
  for (std::size_t i = 0; i < kBeginnings.size(); i += 3) {
    const std::uint32_t bit = 1U << static_cast<unsigned>(kBeginnings[i + 1] - 'a');
    seconds[static_cast<unsigned char>(kBeginnings[i])] |= bit;
    seconds[static_cast<unsigned char>(kBeginnings[i] - 'a' + 'A')] |= bit;
  }
  for (std::size_t c = 0x80; c < seconds.size(); ++c) seconds[c] = ~0U;
  return seconds;
}();

// may_tell looks for the beginnings of the words that tell: most names have none, and are not taken
// apart. A sign may stand within one: "pass-word" is not looked for, "api-key" has "key".
bool may_tell(std::string_view name) {
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    const char second = lower_case(name[i + 1]);
    const std::uint32_t seconds = kSeconds[static_cast<unsigned char>(name[i])];
    if (seconds == 0 || (second >= 'a' && second <= 'z' && (seconds >> (second - 'a') & 1U) == 0)) {
      continue;
    }
    if (beyond_ascii(name[i])) return true;
    const char third = i + 2 < name.size() ? lower_case(name[i + 2]) : ' ';
    if (begins_telling(lower_case(name[i]), second, third)) return true;
    if (begins_longer(name.substr(i))) return true;
  }
  return beyond_ascii(name.back());
}

// Name is a name taken apart: its letters and digits in small, and where its words begin.
class Name {
 public:
  explicit Name(std::string_view name) {
    bool lower = false;
    bool fresh = true;
    for (std::size_t i = 0; i < name.size(); ++i) {
      const char c = name[i];
      if (!ascii_letter(c) && !ascii_digit(c)) {
        fresh = true;
        lower = false;
        continue;
      }
      const bool next_lower = i + 1 < name.size() && name[i + 1] >= 'a' && name[i + 1] <= 'z';
      const bool hump =
          ascii_upper(c) && (lower || (next_lower && i > 0 && ascii_upper(name[i - 1])));
      if (fresh || hump) last_ = plain_.size();
      if (ascii_letter(c)) capitals_ = capitals_ && ascii_upper(c);
      fresh = false;
      lower = !ascii_upper(c);
      plain_ += lower_case(c);
    }
    while (!plain_.empty() && ascii_digit(plain_.back())) plain_.pop_back();
    last_ = std::min(last_, plain_.size());
    capitals_ = capitals_ && plain_.size() > 1;
  }

  std::string_view plain() const { return plain_; }
  std::string_view last() const { return plain().substr(last_); }
  bool in_capitals() const { return capitals_; }

  // strip takes the words off the end that say nothing.
  std::string_view told() const {
    std::string_view told = plain();
    if (last_ > 0 && is_one_of(last(), kSayingNothing)) told = told.substr(0, last_);
    return told;
  }

 private:
  std::string plain_;
  std::size_t last_ = 0;  // Where its last word begins.
  bool capitals_ = true;
};

bool describes(const Name& name) {
  if (!is_one_of(name.last(), kDescribing)) return false;
  const bool an_id = name.last() == "id" || name.last() == "ids";
  return !an_id || (name.plain().find("secret") == std::string_view::npos &&
                    name.plain().find("accesskey") == std::string_view::npos &&
                    name.plain().find("credential") == std::string_view::npos);
}

bool names_token(std::string_view told, bool widely) {
  if (widely && told.ends_with("tokens")) told.remove_suffix(1);
  if (!told.ends_with("token"))
    return widely && told.find("token") != std::string_view::npos &&
           told.find("tokeniz") == std::string_view::npos &&
           told.find("tokens") == std::string_view::npos;
  told.remove_suffix(5);
  return !ends_in_one(told, kOrdinaryTokens);
}

bool names_key(std::string_view told, bool widely) {
  if (told.ends_with("keys")) told.remove_suffix(1);
  if (!told.ends_with("key")) return false;
  told.remove_suffix(3);
  if (ends_in_one(told, kSecretKeys)) return true;
  return widely && !ends_in_one(told, kOrdinaryKeys);
}

bool names_pass(const Name& name, bool widely) {
  constexpr auto kPasses =
      std::to_array<std::string_view>({"pw", "pwd", "passw", "bearer", "jwt", "otp", "totp", "cred",
                                       "creds", "pgpass", "pin", "passe", "cvv", "cvc", "dsn"});
  // Behind another word: GITHUB_PAT.
  constexpr auto kOfVariables =
      std::to_array<std::string_view>({"pat", "signing", "salt", "pepper", "hmac"});
  std::string_view told = name.told();
  if (is_one_of(name.last(), kPasses) || is_one_of(told, kPasses)) return true;
  if (name.in_capitals() && name.last() != told && is_one_of(name.last(), kOfVariables))
    return true;
  const bool within = (widely || name.in_capitals()) && told.ends_with("pass");  // -keypass
  if (name.last() != "pass" && !within) return false;
  told.remove_suffix(std::min<std::size_t>(4, told.size()));
  return !ends_in_one(told, kOrdinaryPasses);
}

// names_auth: "auth" and "_auth" are secrets, "author" and "authority" are none.
bool names_auth(const Name& name, bool widely) {
  const std::string_view plain = name.plain();
  if (!widely) return name.last() == "auth";
  for (std::size_t at = plain.find("auth"); at != plain.npos; at = plain.find("auth", at + 1)) {
    const std::string_view rest = plain.substr(at + 4);
    if (!rest.starts_with("or") && !rest.starts_with("enticat")) return true;
  }
  return false;
}

bool is_no_secret(const Name& name, std::string_view as_it_stands) {
  const std::string_view plain = name.plain();
  return plain.starts_with("accesscontrol") || plain.find("secretar") != plain.npos ||
         plain.find("passwordless") != plain.npos || plain.ends_with("authenticate") ||
         as_it_stands == "PWD" || as_it_stands == "OLDPWD";
}

}  // namespace

bool names_secret(std::string_view as_it_stands, NamedAs where) {
  if (as_it_stands.size() < 2) return false;
  if (where != NamedAs::kParameter && !may_tell(as_it_stands)) return false;
  if (std::ranges::any_of(as_it_stands, beyond_ascii) && is_one_of(as_it_stands, kForeign)) {
    return true;
  }
  const Name name(as_it_stands);
  if (where == NamedAs::kMember && name.in_capitals()) where = NamedAs::kVariable;
  const bool widely = where == NamedAs::kVariable || where == NamedAs::kHeader;
  if (describes(name) || is_no_secret(name, as_it_stands)) return false;
  const std::string_view told = name.told();
  if (tells(name.plain())) return true;
  if (where == NamedAs::kParameter &&
      (is_one_of(told, kParameters) || told.ends_with("signature"))) {
    return true;
  }
  return names_token(told, widely) || names_key(told, widely) || names_pass(name, widely) ||
         names_auth(name, widely);
}

std::size_t number_digits_min(std::string_view name) {
  constexpr auto kStrong = std::to_array<std::string_view>(
      {"password", "passwd", "passcode", "passphrase", "secret", "pwd", "otp", "cvv", "cvc",
       "passwort", "contrasena", "wachtwoord"});
  constexpr auto kCodes = std::to_array<std::string_view>(
      {"pin", "mfacode", "totpcode", "securitycode", "authcode", "devicecode", "recoverycode",
       "recoverycodes", "backupcode", "backupcodes"});
  const Name whole(name);
  if (ends_in_one(whole.told(), kStrong)) return 1;
  return ends_in_one(whole.told(), kCodes) ? 4 : 9;
}

bool hides_numbers(std::string_view name) { return number_digits_min(name) == 1; }

bool takes_line(std::string_view name) {
  constexpr auto kLines = std::to_array<std::string_view>(
      {"phrase", "mnemonic", "recoverycode", "backupcode", "recoverycodes", "backupcodes"});
  return ends_in_one(Name(name).told(), kLines);
}

bool suggests_value(std::string_view name) {
  constexpr auto kSuggestions =
      std::to_array<std::string_view>({"default", "const", "enum", "examples", "example"});
  return is_one_of(name, kSuggestions);
}

}  // namespace plumbline
