// SimRemote is the other machines of a world: who answers under which name, with which key, what
// its programs do, and when its connections break.

#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/rng.h"
#include "core/events/trace_event.h"
#include "core/net/remote_host.h"
#include "fakes/shell/fake_shell.h"
#include "fakes/world/sim_spawner.h"

namespace plumbline::fakes {

enum class HostKey { kKnown, kUnknown, kChanged };

// HostBehaviour is how one machine is reached.
struct HostBehaviour {
  HostKey key = HostKey::kKnown;
  bool unreachable = false;
  Duration latency{};               // Of everything that is sent, one way.
  std::optional<Duration> drops{};  // Since a line was sent: the connection is lost.
};

class SimRemote final : public net::RemoteDialer {
 public:
  // Both must outlive it.
  SimRemote(Loop& loop, Rng rng, EventSink& events);
  SimRemote(const SimRemote&) = delete;
  SimRemote& operator=(const SimRemote&) = delete;
  ~SimRemote();

  // add makes a machine known and returns its shell, to which programs are added.
  FakeShell& add(const std::string& host, HostBehaviour behaviour);

  // alias has `name` stand for the machine `host` from now on.
  void alias(const std::string& name, std::string host) { aliases_[name] = std::move(host); }

  // switch_off ends everything that still runs on any of them.
  void switch_off();

  // implements RemoteDialer --- What runs when a connection is lost goes on there.
  Result<net::RemoteAccess> resolve(net::RemoteAccess access) override;
  Task<Result<std::unique_ptr<net::RemoteHost>>> connect(net::RemoteAccess access,
                                                         Instant deadline) override;

 private:
  struct Machine;
  class Connection;

  Loop& loop_;
  Rng rng_;
  EventSink& events_;
  std::map<std::string, std::unique_ptr<Machine>> machines_;
  std::map<std::string, std::string> aliases_;
};

}  // namespace plumbline::fakes
