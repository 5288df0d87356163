// Tokens are those of this user: what `login` has got, and what commands that meet servers show.
//
// They lie in the keyring of the desktop, where there is one and neither a file of them nor a key
// for it; else in one encrypted file, "secrets" in the state_folder. Its key is the variable
// PLUMBLINE_PASSPHRASE, or else a key file: the one that PLUMBLINE_KEY_FILE names, which has to be
// there; or else the one key that the vault of macOS or Windows keeps for us; or "secrets.key"
// beside it, which is made. Processes take turns by "locks" beside it.

#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "cli/host.h"
#include "cli/options/settings.h"
#include "core/auth/memory_secret_store.h"
#include "core/auth/oauth_authorizer.h"
#include "core/auth/sealed_secret_store.h"
#include "core/auth/token_manager.h"
#include "core/mcp/transport/http_connector.h"
#include "core/os/files/file_locks.h"
#include "core/os/optional/secret_service.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

class Tokens {
 public:
  using OnSecret = std::function<void(const std::string& secret)>;

  // For open(): in the keyring if that is wanted and there, or else in `file`.
  Tokens(Host& host, auth::SealedFile file, bool keyring, auth::TokenManagerOptions options);

  // open opens the keyring or the file, or one that is to be made by the first token. `settings`
  // say when a token is renewed. Every secret that is met is hidden by `host`, which must outlive
  // it, and told to `on_secret` where there is one. kInvalidInput: there is no place for it, or no
  // key.
  static Result<std::unique_ptr<Tokens>> open(Host& host, const Settings& settings = {},
                                              OnSecret on_secret = nullptr);

  // exist returns whether any are kept, so that it is worth to open them.
  static bool exist(Host& host);

  // delete_file deletes the file of tokens, whoever can open it, and leaves its key.
  static Status delete_file(Host& host);

  auth::AuthWorld world();
  auth::TokenManager& manager() { return manager_; }

 private:
  Host& host_;
  os::RealWallClock clock_;
  os::FileLocks locks_;
  auth::SealedSecretStore sealed_;  // The claims of a keyring, too.
  Result<std::unique_ptr<os::SecretServiceStore>> keyring_;
  auth::TokenManager manager_;
};

// SignedIn puts the tokens of this user behind servers that are reached by a URL.
class SignedIn {
 public:
  // `tokens` may be null: then a server that wants one is told of. `host` must outlive it.
  SignedIn(Host& host, std::unique_ptr<Tokens> tokens);

  // endpoints returns `remotes` with an authorizer each, which lives as long as this; not those
  // that are configured with an Authorization of their own.
  std::map<std::string, transport::HttpEndpoint> endpoints(
      std::map<std::string, transport::HttpEndpoint> remotes);

 private:
  Host& host_;
  std::unique_ptr<Tokens> tokens_;
  os::RealWallClock clock_;
  auth::MemorySecretStore none_;
  auth::TokenManager empty_;
  std::list<auth::OAuthAuthorizer> authorizers_;
};

// login_hint is what a person does who is to sign in to `url`.
std::string login_hint(const wire::Url& url);

// stored_token returns the header that shows the token of the server at `url`, renewed where it has
// to be; no name when there is none. Where it cannot be had, a line says so. `tls` is for who gives
// it out.
std::pair<std::string, std::string> stored_token(const wire::Url& url, const net::TlsClient& tls,
                                                 Host& host);

}  // namespace plumbline::cli
