// Presence is whether a server at a URL is still there. It may die in the middle of a run: then it
// is told gone, with what it was sent last, and nobody blames it for what came after; or it is
// started again where somebody has said how.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "conformance/wire/wire_log.h"
#include "core/base/changes.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/net/network.h"
#include "core/net/spawner.h"

namespace plumbline::conformance {

class Presence {
 public:
  // `at` is where it listens, its port 0 for a subject that listens nowhere: that one is always
  // there. `start` starts it again; an empty one: nobody can. `changes` hears of what others wait
  // for.
  Presence(Loop& loop, net::Network& network, net::Spawner& spawner, net::Authority at,
           net::Command start, Changes& changes);
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

  // meet starts the server unless somebody listens already, and waits until it does. kDisconnected:
  // it does not within `patience`; kInvalidInput: it cannot be started.
  Task<Status> meet(Duration patience);

  // look finds out whether the server is still there when `log` has seen a connection fail. One
  // that is gone is started again, if that is possible.
  Task<void> look(WireLog& log);

  // gone says since when, and what it was sent last; empty: it is there.
  const std::string& gone() const { return gone_; }

  // lives returns how many times the server has begun anew. Its sessions are those of one life.
  int lives() const { return lives_; }

  // A Turn is held by who puts something to the test. alone() waits until nobody else does: who was
  // at it when the server ended tries again one after the other, so that it shows whose doing it
  // was. Where the others take too long, it returns all the same.
  class Turn {
   public:
    explicit Turn(Presence& presence) : presence_(presence) { ++presence_.turns_; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn();
    Task<void> alone();

   private:
    Presence& presence_;
    bool waits_ = false;
    bool alone_ = false;
  };

  // troubled returns whether somebody tries again: nobody else is to begin then.
  bool troubled() const { return waiting_ > 0 || alone_; }

 private:
  // Drain reads what a server prints, so that it never waits for a reader.
  struct Drain final : net::PipeReader {
    void on_bytes(std::string_view) override {}
    void on_end(const Error*) override {}
  };

  Task<bool> is_there();
  Task<bool> is_up_within(Duration patience);
  Status start();
  void tell_gone(WireLog& log);

  Loop& loop_;
  net::Network& network_;
  net::Spawner& spawner_;
  net::Authority at_;
  net::Command start_;
  Changes& changes_;
  Drain drain_;
  std::unique_ptr<net::Child> child_;  // Once it was started by us.
  std::string gone_;
  int lives_ = 0;
  bool looking_ = false;
  int turns_ = 0;
  int waiting_ = 0;
  bool alone_ = false;
};

}  // namespace plumbline::conformance
