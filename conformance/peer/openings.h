// Openings are the answers to initialize that a server gave, by what was odd about it: over stdio
// each costs a process, so that nobody asks twice.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/peer/reply.h"
#include "conformance/peer/session.h"
#include "core/base/changes.h"
#include "core/base/loop.h"
#include "core/base/task.h"

namespace plumbline::conformance {

struct Opening {
  Reply reply;                     // To initialize.
  Reply then{};                    // To what was asked next, where something was.
  std::vector<Evidence> evidence;  // What was said.
};

class Openings {
 public:
  // `loop` must outlive it.
  explicit Openings(Loop& loop) : changes_(loop) {}

  // The name of that in which nobody has initialized: `then` is the answer to tools/list.
  static constexpr std::string_view kUninitialized = "no initialize";

  // claim returns the opening called `name`: a version, or another oddity. Null: nobody has asked,
  // and whoever claims it now asks, and must note() or abandon() it. Waits for one who is asking,
  // without a deadline: a check waits, and is dropped at its own.
  Task<const Opening*> claim(std::string name);

  // note keeps what came of it, and returns it.
  const Opening& note(const std::string& name, Opening opening);

  // abandon leaves it to another to ask, unless it is known by now.
  void abandon(const std::string& name);

  bool knows(std::string_view version) const;

  // borrow waits, likewise, until nobody has the session called `name` and returns it; null: there
  // is none in order, and the borrower brings a new one. bring gives it back; null: none could be
  // had.
  Task<std::unique_ptr<Session>> borrow(std::string name);
  void bring(const std::string& name, std::unique_ptr<Session> session);

  // spare takes a session in order that nobody needs any more; take_spare returns one, null: none.
  void spare(std::unique_ptr<Session> session) { spare_.push_back(std::move(session)); }
  std::unique_ptr<Session> take_spare();

  // drop lets go of every session, without a word to the subject.
  void drop();

  // close closes those that nobody took, and those that were brought.
  Task<void> close();

 private:
  Changes changes_;
  struct Entry {
    bool known = false;
    Opening opening;
  };

  std::map<std::string, Entry, std::less<>> entries_;
  struct Shelf {
    bool lent = false;
    std::unique_ptr<Session> session;
  };
  std::map<std::string, Shelf, std::less<>> shelves_;
  std::vector<std::unique_ptr<Session>> spare_;
};

}  // namespace plumbline::conformance
