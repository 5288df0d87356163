#include "cli/connect/tokens.h"

#include <utility>

#include "cli/options/state_folder.h"
#include "cli/threads.h"
#include "core/auth/steps/addresses.h"
#include "core/base/base64.h"
#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/optional/system_vault.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kMadeKeyBytes = 32;

Result<std::string> folder_of_tokens() {
  return state_folder(os::environment_variable("XDG_STATE_HOME"), os::environment_variable("HOME"));
}

bool is_set(const char* variable) {
  return !os::environment_variable(variable).value_or("").empty();
}

// wants_file returns whether the file at `path` is to be used, whatever keyring there is.
bool wants_file(const std::string& path, FileStore& files) {
  return is_set("PLUMBLINE_PASSPHRASE") || is_set("PLUMBLINE_KEY_FILE") ||
         files.list_files(path, "").ok();
}

// key_in_file returns that of the `file`, of which messages speak as of what is `at` it.
Result<std::string> key_in_file(const std::string& file, const std::string& at, FileStore& files) {
  Result<std::string> key = files.read_file(file);
  if (!key.ok()) return behind(at, key.error());
  const Result<unsigned> mode = files.mode_of(file);
  if (mode.ok() && (mode.value() & 077U) != 0) return the_error("auth.key-readable", at);
  if (key.value().size() < kMadeKeyBytes) return the_error("auth.key-short", at);
  return key;
}

// made_key returns the key that we have made for the file at `path`: that of the vault, where this
// system has one, or else of the file beside it, which stays in use where it is there.
Result<std::string> made_key(const std::string& path, Host& host) {
  FileStore& files = host.files();
  const std::string fresh = encode_base64(os::random_bytes(kMadeKeyBytes));
  if (!files.list_files(path + ".key", "").ok()) {
    const Result<std::string> kept = os::key_in_vault(fresh);
    if (kept.ok()) return kept;
    if (kept.error().code != ErrorCode::kUnsupported) {
      // Tokens that are there already were sealed by the key of the vault.
      if (files.list_files(path, "").ok()) return behind(path + ": ", kept.error());
      host.tell_line("note: the key of tokens is kept in " + path +
                     ".key, not in the vault of this system: " + kept.error().message);
    }
  }
  // Of several processes that make it at once, one does.
  const Result<bool> made = files.create_file(path + ".key", fresh + "\n");
  if (!made.ok()) return made.error();
  return key_in_file(path + ".key", path + ".key: ", files);
}

// key_of returns what the file at `path` is sealed with.
Result<std::string> key_of(const std::string& path, Host& host) {
  const auto passphrase = os::environment_variable("PLUMBLINE_PASSPHRASE");
  if (passphrase && !passphrase->empty()) return *passphrase;
  const auto given = os::environment_variable("PLUMBLINE_KEY_FILE");
  if (!given || given->empty()) return made_key(path, host);
  // The path may be hidden: the name of the variable says KEY.
  return key_in_file(*given, "PLUMBLINE_KEY_FILE: ", host.files());
}

}  // namespace

bool Tokens::exist(Host& host) {
  const Result<std::string> folder = folder_of_tokens();
  if (!folder.ok()) return false;
  const std::string path = folder.value() + "/secrets";
  if (wants_file(path, host.files())) return host.files().list_files(path, "").ok();
  Tokens tokens(host, {path, ""}, true, {});
  if (!tokens.keyring_.ok()) return false;
  const auto names = wait_for(host, tokens.keyring_.value()->names());
  return names && (!names->ok() || !names->value().empty());
}

Status Tokens::delete_file(Host& host) {
  const Result<std::string> folder = folder_of_tokens();
  if (!folder.ok()) return the_error("auth.no-place", folder.error().message);
  return host.files().remove_file(folder.value() + "/secrets");
}

Tokens::Tokens(Host& host, auth::SealedFile file, bool keyring, auth::TokenManagerOptions options)
    : host_(host),
      locks_(file.path.substr(0, file.path.rfind('/')) + "/locks"),
      sealed_(host.world().loop(), host.files(), locks_, os::random_bytes, std::move(file)),
      keyring_(keyring ? os::SecretServiceStore::open(sealed_)
                       : the_error_as(ErrorCode::kUnsupported, "config.file-wanted")),
      manager_(world(), std::move(options)) {}

Result<std::unique_ptr<Tokens>> Tokens::open(Host& host, const Settings& settings,
                                             OnSecret on_secret) {
  const Result<std::string> folder = folder_of_tokens();
  if (!folder.ok()) {
    return the_error("auth.no-place", folder.error().message);
  }
  const std::string path = folder.value() + "/secrets";
  auth::TokenManagerOptions options;
  options.refresh_buffer = settings.token_refresh_buffer;
  options.age_max = settings.token_age_max;
  options.on_secret = [&host, on_secret](const std::string& secret) {
    host.secrets().add(secret);
    if (on_secret) on_secret(secret);
  };
  if (!wants_file(path, host.files())) {
    auto tokens = std::make_unique<Tokens>(host, auth::SealedFile{path, ""}, true, options);
    if (tokens->keyring_.ok()) return tokens;
    if (is_set("DBUS_SESSION_BUS_ADDRESS")) {
      host.tell_line("note: tokens are kept in " + path +
                     ", not in a keyring: " + tokens->keyring_.error().message);
    }
  }
  Result<std::string> key = key_of(path, host);
  if (!key.ok()) return key.error();
  host.secrets().add(key.value());
  return std::make_unique<Tokens>(host, auth::SealedFile{path, std::move(key).value()}, false,
                                  std::move(options));
}

auth::AuthWorld Tokens::world() {
  SecretStore& sealed = sealed_;
  SecretStore& secrets = keyring_.ok() ? *keyring_.value() : sealed;
  return {host_.world().loop(), clock_, secrets, host_.world().network(), os::random_bytes, {}};
}

std::string login_hint(const wire::Url& url) {
  return "run plumbline login --url " + url.origin() + url.target;
}

SignedIn::SignedIn(Host& host, std::unique_ptr<Tokens> tokens)
    : host_(host),
      tokens_(std::move(tokens)),
      empty_({host.world().loop(), clock_, none_, host.world().network(), os::random_bytes, {}}) {}

std::map<std::string, transport::HttpEndpoint> SignedIn::endpoints(
    std::map<std::string, transport::HttpEndpoint> remotes) {
  auth::TokenManager& manager = tokens_ != nullptr ? tokens_->manager() : empty_;
  for (auto& [name, endpoint] : remotes) {
    if (endpoint.headers.count("Authorization") > 0) continue;
    manager.trust(auth::canonical_resource(auth::as_http(endpoint.url)), endpoint.tls);
    endpoint.authorizer = &authorizers_.emplace_back(host_.world().loop(), endpoint.url, manager,
                                                     nullptr, login_hint(endpoint.url));
  }
  return remotes;
}

std::pair<std::string, std::string> stored_token(const wire::Url& url, const net::TlsClient& tls,
                                                 Host& host) {
  if (!Tokens::exist(host)) return {};
  Result<std::unique_ptr<Tokens>> tokens = Tokens::open(host);
  const std::string server = auth::canonical_resource(auth::as_http(url));
  std::optional<Error> trouble;
  if (!tokens.ok()) {
    trouble = tokens.error();
  } else {
    tokens.value()->manager().trust(server, tls);
    const auto token = wait_for(host, tokens.value()->manager().get(server));
    if (!token) return {};
    if (token->ok() && token->value()) {
      const auth::Token& one = *token->value();
      return {one.header, one.prefix + one.access_token};
    }
    if (!token->ok()) trouble = token->error();
  }
  if (trouble) {
    host.tell_line("note: the token of " + server + ": " + trouble->message + "; " +
                   login_hint(url));
  }
  return {};
}

}  // namespace plumbline::cli
