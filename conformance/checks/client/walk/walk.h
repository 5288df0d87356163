// Walk plays a server whose tools have one form each (walk_forms.h), in one run. Where the client
// stops, that form is played alone, twice before anybody is blamed, and the walk goes on behind it.
// Whoever calls one tool and no more is not judged by it: two plain tools come first. What HTTP
// carries are pages of the list: who cannot read one does not ask for the next.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/checks/client/script_kit.h"
#include "conformance/checks/client/walk/walk_forms.h"

namespace plumbline::conformance {

enum class WalkMode {
  kOn,     // From a form to the last.
  kSome,   // kWalkSome forms from one on: where a whole list was lost.
  kAlone,  // One form.
  kAgain,  // The same, before somebody is blamed.
};

inline constexpr std::size_t kWalkSome = 6;

class Walk : public Script {
 public:
  Walk(std::size_t group, std::size_t first, WalkMode mode);

  void prepare(ScriptedPeer& peer) override;
  bool on_request(ScriptedPeer& peer, const Asked& asked) override;
  void judge(const Record& record, Verdicts& verdicts) override;
  std::vector<const ClientScenario*> left() const override { return left_; }
  Json context() const override;

 private:
  Json tool_of(const WalkForm& form) const;
  const WalkForm* form_of(std::string_view tool) const;
  void tell(ScriptedPeer& peer, const Asked& asked, const WalkForm& form) const;
  bool list_page(ScriptedPeer& peer, const Asked& asked) const;
  Finding finding(const Record& record);
  Finding unlisted(const Record& record);
  Finding lost(const Record& record);
  Finding left_off(const Record& record) const;
  Finding stopped(const Record& record);
  Finding blame(std::size_t form, Finding finding);
  bool alone() const { return mode_ == WalkMode::kAlone || mode_ == WalkMode::kAgain; }

  const WalkGroup& group_;
  std::size_t number_;
  std::size_t first_;
  WalkMode mode_;
  std::vector<std::size_t> offered_;
  std::vector<const ClientScenario*> left_;
};

// walk_stop returns the scenario of a group that begins with the form of that number.
const ClientScenario* walk_stop(std::size_t group, std::size_t form, WalkMode mode);

// carry answers as the form of WalkKind::kCarried with that number says, by `response`.
void carry(ScriptedPeer& peer, const Asked& asked, std::string_view form, const Json& response);

}  // namespace plumbline::conformance
