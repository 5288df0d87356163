#include "core/auth/sealed_secret_store.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "core/base/base64.h"
#include "core/base/wait.h"
#include "core/json/json.h"

namespace plumbline::auth {

namespace {

constexpr unsigned kOwnerOnly = 0600;
constexpr Duration kChangeMax = std::chrono::seconds(10);
constexpr Duration kPause = std::chrono::milliseconds(20);
constexpr const char* kChanging = "secrets";
constexpr std::string_view kClaim = "secrets claim ";
constexpr const char* kLabel = "plumbline secrets 1: scrypt 2^15 8 1, AES-256-GCM";

std::string named(const std::string& path, const std::string& what) {
  return "the secrets in " + path + ": " + what;
}

}  // namespace

const Seal& SealedSecretStore::seal_for(const std::string& salt) {
  if (seal_ == nullptr || salt != salt_) {
    seal_ = std::make_unique<Seal>(file_.passphrase, salt);
    salt_ = salt;
  }
  return *seal_;
}

Result<SealedSecretStore::Secrets> SealedSecretStore::read() {
  const auto wrong = [this](const std::string& what) {
    return Error{ErrorCode::kInvalidInput, named(file_.path, what)};
  };
  const Result<std::vector<std::string>> there = files_.list_files(file_.path, "");
  if (!there.ok()) return Secrets();  // There is none yet.
  const Result<std::string> text = files_.read_file(file_.path);
  if (!text.ok()) return text.error();
  const Result<unsigned> mode = files_.mode_of(file_.path);
  if (mode.ok() && (mode.value() & 077U) != 0) {
    return wrong("others may read the file; expected mode 0600");
  }
  const Result<Json> json = parse_json(text.value());
  if (!json.ok() || string_or(json.value(), "sealed_by", "") != kLabel) {
    return wrong("the file is of another kind or version");
  }
  const std::string salt = decode_base64(string_or(json.value(), "salt", "")).value_or("");
  const std::string nonce = decode_base64(string_or(json.value(), "nonce", "")).value_or("");
  const auto closed = decode_base64(string_or(json.value(), "sealed", ""));
  if (salt.size() != Seal::kSaltBytes || !closed) return wrong("the file is damaged");
  const std::optional<std::string> plain = seal_for(salt).open(*closed, nonce, kLabel);
  if (!plain) return wrong("another passphrase or key than it was written with, or it is damaged");
  const Result<Json> kept = parse_json(*plain);
  if (!kept.ok() || !kept.value().is_object()) return wrong("the file is damaged");
  Secrets secrets;
  for (const auto& [name, secret] : kept.value().items()) {
    if (secret.is_string()) secrets[name] = secret.get<std::string>();
  }
  return secrets;
}

Status SealedSecretStore::write(const Secrets& secrets) {
  Json plain = Json::object();
  for (const auto& [name, secret] : secrets) plain[name] = secret;
  if (salt_.empty()) seal_for(random_(Seal::kSaltBytes));
  const std::string nonce = random_(Seal::kNonceBytes);
  const Json json = {{"sealed_by", kLabel},
                     {"salt", encode_base64(salt_)},
                     {"nonce", encode_base64(nonce)},
                     {"sealed", encode_base64(seal_->close(dump_json(plain), nonce, kLabel))}};
  const std::string beside = file_.path + "." + encode_base64url(random_(6)) + ".new";
  const Result<bool> created = files_.create_file(beside, dump_json(json) + "\n");
  if (!created.ok()) return created.error();
  Status done = files_.set_mode(beside, kOwnerOnly);
  if (done.ok()) done = files_.rename_file(beside, file_.path);
  if (done.ok()) return done;
  const Status removed = files_.remove_file(beside);
  return removed.ok() ? done : removed;
}

Task<Status> SealedSecretStore::change(std::string name, std::optional<std::string> secret) {
  const Instant deadline = after(loop_.now(), kChangeMax);
  Result<bool> ours = locks_.take(kChanging);
  while (ours.ok() && !ours.value() && loop_.now() < deadline) {
    co_await Sleep(loop_, after(loop_.now(), kPause));
    ours = locks_.take(kChanging);
  }
  if (!ours.ok()) co_return ours.error();
  if (!ours.value()) {
    co_return Error{ErrorCode::kDeadlineExceeded,
                    named(file_.path, "another process holds them for too long")};
  }
  Result<Secrets> secrets = read();
  Status done = Done();
  if (!secrets.ok()) {
    done = secrets.error();
  } else {
    secrets.value().erase(name);
    if (secret) secrets.value()[name] = *secret;
    done = write(secrets.value());
  }
  locks_.give_back(kChanging);
  co_return done;
}

Task<Result<std::optional<std::string>>> SealedSecretStore::get(std::string name) {
  const Result<Secrets> secrets = read();
  if (!secrets.ok()) co_return secrets.error();
  const auto found = secrets.value().find(name);
  if (found == secrets.value().end()) co_return std::optional<std::string>();
  co_return std::optional<std::string>(found->second);
}

Task<Result<std::vector<std::string>>> SealedSecretStore::names() {
  const Result<Secrets> secrets = read();
  if (!secrets.ok()) co_return secrets.error();
  std::vector<std::string> names;
  for (const auto& [name, unused] : secrets.value()) names.push_back(name);
  co_return names;
}

Task<Status> SealedSecretStore::set(std::string name, std::string secret) {
  return change(std::move(name), std::move(secret));
}

Task<Status> SealedSecretStore::remove(std::string name) {
  return change(std::move(name), std::nullopt);
}

Task<Result<bool>> SealedSecretStore::claim(std::string name, Duration /*time*/) {
  if (claimed_.contains(name)) co_return false;  // By another task of ours.
  const Result<bool> ours = locks_.take(std::string(kClaim) + name);
  if (ours.ok() && ours.value()) claimed_.insert(name);
  co_return ours;
}

Task<Status> SealedSecretStore::release(std::string name) {
  claimed_.erase(name);
  locks_.give_back(std::string(kClaim) + name);
  co_return Done();
}

}  // namespace plumbline::auth
