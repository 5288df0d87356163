// GuessLimit keeps what is reached by a short code from being found by trying codes: who names
// wrong ones too often, by the address he comes from, is refused for a while. Codes that he has
// named rightly before go on working for him, so that one guesser does not lock out his neighbours.

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
  Duration one_more = std::chrono::seconds(6);  // So long until one more is allowed.
  std::size_t peers_max = 10'000;               // Remembered; beyond, the oldest is forgotten.
  std::size_t codes_max = 1'000;                // Of one peer.
};

class GuessLimit {
 public:
  explicit GuessLimit(GuessLimitOptions options = {}) : options_(options) {}

  // allows returns whether `peer` may name `code` now. Ask it before looking the code up.
  bool allows(const std::string& peer, const std::string& code, Instant now);

  // right and wrong tell what came of it.
  void right(const std::string& peer, const std::string& code, Instant now);
  void wrong(const std::string& peer, Instant now);

 private:
  struct Peer {
    double left = 0;
    Instant at;
    std::set<std::string> codes;
  };

  Peer& peer_of(const std::string& peer, Instant now);

  GuessLimitOptions options_;
  std::map<std::string, Peer> peers_;
  std::deque<std::string> order_;  // Of peers_, the oldest first.
};

}  // namespace plumbline::service
