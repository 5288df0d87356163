// Sessions lends ordinary sessions with a server: with all that a client of the revision can
// declare. A process takes its time to start, so what one leaves in order serves the next.

#pragma once

#include <memory>

#include "conformance/peer/session.h"
#include "core/base/task.h"

namespace plumbline::conformance {

class Sessions {
 public:
  // lease_first returns a session that nobody else uses, an idle one or a new one, as soon as one
  // should be leased, before anybody else who waits for that. Null: none to be had.
  virtual Task<std::unique_ptr<Session>> lease_first() = 0;

  // take_ahead returns a session that nobody else uses, opened before anybody wanted it: the taker
  // may end it. Null: there is none.
  virtual Task<std::unique_ptr<Session>> take_ahead() = 0;

  // give_back takes what was leased.
  virtual void give_back(std::unique_ptr<Session> session) = 0;

  // may_lease returns whether one should be leased now: over stdio few processes do, until nothing
  // has come back for a while.
  virtual bool may_lease() const = 0;

  // may_lease_first returns the same for lease_first: who goes first waits for fewer.
  virtual bool may_lease_first() const = 0;

  // may_lease_at returns when that ends, if nothing else happens; kNever: it is no matter of time.
  virtual Instant may_lease_at() const = 0;

  // lent_elsewhere counts by how many sessions more there are than were leased, opened otherwise.
  virtual void lent_elsewhere(int more) = 0;

  // adopt takes a session that was opened otherwise: to be leased where it is a process and as
  // good as a new one, else to be closed.
  virtual Task<void> adopt(std::unique_ptr<Session> session) = 0;

 protected:
  ~Sessions() = default;
};

}  // namespace plumbline::conformance
