// GuessLimit keeps what is reached by a short code from being found by trying codes: who names
// wrong ones too often is refused for a while, for longer each time. Codes that he has named
// rightly before go on working for him, so that one guesser does not lock out his neighbours.
//
// Many who guess a little are stopped, too: beyond the first few, the wrong codes of all count
// together. Those few let somebody new in, who names a right one, whatever others do.

#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>

#include "core/base/time.h"

namespace plumbline::service {

struct GuessLimitOptions {
  double wrong_max = 10;                        // In a row.
  Duration one_more = std::chrono::seconds(6);  // So long until one more is allowed, and twice as
  int doublings_max = 7;                        // long after each, so often at most.
  double first_few = 3;                         // Of each peer, whatever all have named.
  double wrong_of_all_max = 200;                // Of all together, beyond those few.
  Duration one_more_of_all = std::chrono::seconds(1);
  std::size_t peers_max = 10'000;          // Remembered; beyond, the oldest is forgotten.
  std::size_t codes_max = 1'000;           // Of one peer,
  std::size_t codes_of_all_max = 100'000;  // and of all.
};

class GuessLimit {
 public:
  explicit GuessLimit(GuessLimitOptions options = {})
      : options_(options), all_{options.wrong_of_all_max} {}

  // allows returns whether `peer` may name `code` now. Ask it before looking the code up.
  bool allows(const std::string& peer, const std::string& code, Instant now);

  // right and wrong tell what came of it.
  void right(const std::string& peer, const std::string& code, Instant now);
  void wrong(const std::string& peer, Instant now);

 private:
  // Tries is how many wrong codes may still be named.
  struct Tries {
    double left = 0;
    Instant at{};
    void earn(double most, Duration one_more, Instant now);
  };
  struct Peer {
    Tries tries;
    int refusals = 0;  // Since all tries were there.
    std::set<std::string> codes;
  };

  Peer& peer_of(const std::string& peer, Instant now);
  bool is_new(const Peer& peer) const;

  GuessLimitOptions options_;
  Tries all_;
  std::size_t codes_ = 0;  // Of all peers.
  std::map<std::string, Peer> peers_;
  std::deque<std::string> order_;  // Of peers_, the oldest first.
};

}  // namespace plumbline::service
