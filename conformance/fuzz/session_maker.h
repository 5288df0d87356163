// SessionMaker makes sessions for a server out of what it says of itself: requests that are as they
// should be, in an order that makes sense, and then things put wrong.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/survey.h"
#include "conformance/fuzz/fuzz_case.h"
#include "core/base/rng.h"

namespace plumbline::conformance {

// AskedOf is one request that can be made of the server, as it should be.
struct AskedOf {
  std::string method;
  Json params = Json::object();
};

class SessionMaker {
 public:
  // Tools that may not be called stand in no session: see may_call_tool().
  SessionMaker(const Survey& survey, const ProbeOptions& options, bool http, Budget& budget);

  // asked returns every request that it starts from.
  const std::vector<AskedOf>& asked() const { return asked_; }

  // note_slow has request `index` of asked() be made more seldom: others would wait for it.
  void note_slow(std::size_t index) { std::erase(quick_, index); }

  // make returns session `number`: the same for the same numbers and `known`, which are sessions
  // that were worth keeping.
  FuzzCase make(std::uint64_t seed, std::uint64_t number, const std::vector<FuzzCase>& known) const;

  // message_of returns a request with an id.
  Json message_of(const AskedOf& asked, Json id) const;

 private:
  void add_tools(const Survey& survey, const ProbeOptions& options, Budget& budget);
  void add_rest(const Survey& survey);
  const AskedOf& some_request(Rng& rng) const;
  AskedOf varied(AskedOf asked, Rng& rng) const;
  FuzzStep right_step(Rng& rng, std::uint64_t number, std::size_t place) const;
  FuzzStep odd_step(Rng& rng, std::uint64_t number, const FuzzCase& so_far) const;
  FuzzCase grown(const FuzzCase& known, Rng& rng, std::uint64_t number) const;
  void disturb(FuzzCase& session, Rng& rng) const;

  std::string revision_;
  bool stateless_;
  bool http_;
  Json meta_;  // Of every request of a stateless revision; else null.
  std::vector<AskedOf> asked_;
  std::vector<std::size_t> quick_;  // Places in asked_.
  std::vector<AskedOf> told_;       // Notifications.
};

}  // namespace plumbline::conformance
