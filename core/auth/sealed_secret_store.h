// SealedSecretStore keeps secrets in one encrypted file, which only its owner may read.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/auth/crypto/seal.h"
#include "core/base/doors/file_store.h"
#include "core/base/doors/locks.h"
#include "core/base/doors/secret_store.h"
#include "core/base/loop.h"
#include "core/base/random_bytes.h"

namespace plumbline::auth {

struct SealedFile {
  std::string path;
  std::string passphrase;  // Or what a key file holds. Not empty.
};

class SealedSecretStore final : public SecretStore {
 public:
  // All must outlive the store. The file is read for every get: other processes write it too.
  SealedSecretStore(Loop& loop, FileStore& files, Locks& locks, RandomBytes random, SealedFile file)
      : loop_(loop),
        files_(files),
        locks_(locks),
        random_(std::move(random)),
        file_(std::move(file)) {}

  // implements SecretStore ---
  //
  // A change is written whole beside the file, and takes its place. Who changes it, or claims a
  // name, has a lock meanwhile, which ends with its process.
  Task<Result<std::optional<std::string>>> get(std::string name) override;
  Task<Status> set(std::string name, std::string secret) override;
  Task<Result<std::vector<std::string>>> names() override;
  Task<Status> remove(std::string name) override;
  Task<Result<bool>> claim(std::string name, Duration time) override;
  Task<Status> release(std::string name) override;

 private:
  using Secrets = std::map<std::string, std::string>;

  Result<Secrets> read();
  Status write(const Secrets& secrets);
  const Seal& seal_for(const std::string& salt);
  Task<Status> change(std::string name, std::optional<std::string> secret);

  Loop& loop_;
  FileStore& files_;
  Locks& locks_;
  RandomBytes random_;
  SealedFile file_;
  std::set<std::string> claimed_;
  std::string salt_;  // Of seal_.
  std::unique_ptr<Seal> seal_;
};

}  // namespace plumbline::auth
