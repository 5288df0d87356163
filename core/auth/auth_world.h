// AuthWorld is what an authorization needs of the world.

#pragma once

#include "core/base/doors/secret_store.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/loop.h"
#include "core/base/random_bytes.h"
#include "core/net/network.h"

namespace plumbline::auth {

// All must outlive whoever is given it.
struct AuthWorld {
  Loop& loop;
  const WallClock& clock;
  SecretStore& secrets;
  net::Network& network;
  RandomBytes random;
  net::TlsClient tls = {};
};

}  // namespace plumbline::auth
