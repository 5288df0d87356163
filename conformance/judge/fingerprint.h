// Fingerprint finds out what a server is built with, by what it says. It never guesses: without a
// sign, or with those of two SDKs of which neither is built on the other, nothing is found.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/sdks.h"
#include "conformance/wire/wire_log.h"

namespace plumbline::conformance {

// Identity is what a server calls itself. Either may be empty: it does not say.
struct Identity {
  std::string name;
  std::string version;
};

class Fingerprint {
 public:
  // read looks for signs in all that `log` has of the subject.
  void read(const WireLog& log);

  // sdk returns what was recognised; null: nothing was.
  const Sdk* sdk() const;

  // signs returns by what it was, in words.
  std::vector<std::string> signs() const;

  // identity returns what the server has called itself last.
  const Identity& identity() const { return identity_; }

 private:
  void look(const LogEntry& entry);
  void look_at_opening(const Json& result);
  void look_at_info(const Json& info);
  void compare(std::string_view trait);
  bool shown(const SdkSign& sign) const;
  bool known(const Sdk& sdk, bool weak) const;
  bool carries_another(const Sdk& sdk) const;

  std::string method_of(const LogEntry& answer) const;

  std::map<std::pair<std::uint32_t, std::string>, std::string> asked_;  // Methods, by their ids.
  std::set<std::string_view> seen_;                                     // Traits of the table.
  std::set<std::string> declared_;                                      // Capabilities.
  Identity identity_;
};

}  // namespace plumbline::conformance
