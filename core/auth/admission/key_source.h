// KeySource has the public keys of an issuer: those of a file, or those at an address, which are
// asked for again as they grow old.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/auth/crypto/verifying_key.h"
#include "core/auth/document_client.h"
#include "core/base/flight.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/task_group.h"
#include "core/net/network.h"

namespace plumbline::auth {

class KeySource {
 public:
  KeySource(Loop& loop, std::vector<VerifyingKey> keys);

  // The keys at `address`. Both references must outlive it.
  KeySource(Loop& loop, net::Network& network, wire::Url address);

  // refresh sees to it that keys() are no older than ten minutes; with `anew`, than half a minute,
  // so that nobody makes us ask for every token that they invent. Old keys serve while there are no
  // new ones. kDisconnected: there are none at all.
  Task<Status> refresh(bool anew);

  const std::vector<VerifyingKey>& keys() const { return keys_; }

 private:
  static Task<void> fetch(KeySource& self);

  Loop& loop_;
  std::optional<wire::Url> address_;
  std::unique_ptr<DocumentClient> http_;
  std::vector<VerifyingKey> keys_;
  std::optional<Instant> asked_;
  std::string trouble_;
  Flight fetching_;
  TaskGroup work_;
};

}  // namespace plumbline::auth
