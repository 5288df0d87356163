// Policy decides what the assistant may do without asking a person: reading, and what a file
// allows by name. Everything that could change the world outside waits for approval.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/agents/policy/risk.h"
#include "core/base/result.h"
#include "core/connector/capability.h"
#include "core/json/json.h"
#include "core/json/object_reader.h"

namespace plumbline {
template <typename T>
class Fields;
}

namespace plumbline::agents {

// Assessment is what the policy says of one capability.
struct Assessment {
  std::vector<Risk> risks;  // Empty: it may run.
  bool allowed_by_name = false;
  bool believed = false;  // A trusted server says that it only reads.

  bool allowed() const { return risks.empty(); }
  bool denied() const;

  // changes_the_world returns whether running it twice could do something twice.
  bool changes_the_world = false;
};

// reason_of says why something so assessed does not run at once: "changing files requires
// approval".
std::string reason_of(const Assessment& assessment);

// verb_risks returns what a text asks to be done to the world, judged by its words: "email the
// report" sends messages, "list the files" is nothing. Shared by capabilities and requests.
std::vector<Risk> verb_risks(std::string_view text);

// reads returns whether `text` asks for something to be read and for nothing else.
bool reads(std::string_view text);

class Policy {
 public:
  // The default: read-only. Nothing is allowed by name, no server's annotations are believed.
  Policy() = default;

  // parse reads a policy file's value:
  //   {"plumbline_policy": 1,
  //    "allow":  ["greeter/*"],        may run, whatever it does
  //    "review": ["tickets/export_*"], needs a person even though it reads
  //    "deny":   ["shell/*"],          never runs
  //    "trust_annotations": ["files"], servers whose readOnlyHint is believed
  //    "defaults": {"files": {"path": "."}, "files/search": {"limit": 10}}}
  // Patterns are "server/name" with * for any run of characters. deny wins over review, review
  // over allow. A Problem says what is wrong where in `file`.
  static Result<Policy, Problem> parse(const Json& file);

  // shape is the JSON Schema of that file.
  static Json shape();

  // assess judges one capability. Names and descriptions decide, and annotations only where they
  // make it stricter or the server is trusted: a false hint must not open a door.
  Assessment assess(const connector::Capability& capability) const;

  // defaults_for returns configured argument values, those of "server/name" over those of
  // "server".
  Json defaults_for(const connector::Capability& capability) const;

 private:
  static const Fields<Policy>& fields();

  std::vector<std::string> allow_;
  std::vector<std::string> review_;
  std::vector<std::string> deny_;
  std::vector<std::string> trusted_;
  Json defaults_ = Json::object();
};

}  // namespace plumbline::agents
