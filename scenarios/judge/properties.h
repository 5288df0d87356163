// Properties are what a scenario file itself demands of every run, whatever the weather: always,
// never, eventually, at most so often; and what a sweep must see sometimes.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "scenarios/judge/invariants.h"

namespace plumbline::scenarios {

// has_part returns whether `value` has all that `part` says: objects as subsets, all else equal, *
// in a string for any run of characters, null for anything.
bool has_part(const Json& value, const Json& part);

// EventPattern fits an event of this kind, of `who` where that is said, whose detail has every
// member of `detail`: objects as subsets, all else equal, * in a string for any run of characters.
struct EventPattern {
  EventKind kind{};
  std::optional<std::string> who;
  Json detail;  // Null: any.

  bool fits(const TraceEvent& event) const;
};

struct Property {
  enum class Kind {
    kAlways,      // Every final_output has the members of `output`.
    kNever,       // No event fits `what`.
    kEventually,  // Some event fits `what`; with `after`, one behind each that fits that.
    kAtMost,      // At most `times` events fit `what`.
    kSometimes,   // In a sweep, some event of some world fits `what`.
  };
  Kind kind = Kind::kNever;
  std::string name;  // "one-mail-only".
  EventPattern what;
  std::optional<EventPattern> after;
  std::int64_t times = 0;
  Json output;
  bool calm = false;  // Judged only where nothing is drawn that breaks or is late.
};

// name_of returns the kind as a file spells it: "always", "never", "eventually", "at_most",
// "sometimes".
std::string_view name_of(Property::Kind kind);

// PropertyWatch holds one run against properties.
class PropertyWatch final : public EventSink {
 public:
  // `properties` must outlive the watch. `calm`: the weather is, so that all of them are judged.
  explicit PropertyWatch(std::span<const Property> properties, bool calm = true);

  // implements EventSink ---
  void on_event(const TraceEvent& event) override;

  // check_output judges what one request came to.
  void check_output(const Json& final_output);

  // finish judges what should have come by the end of the run. Once.
  void finish();

  // failures returns "property.NAME" for each property that does not hold.
  const std::vector<RunFailure>& failures() const { return failures_; }

  // seen returns the names of the kSometimes that this run met, in their order.
  std::vector<std::string> seen() const;

 private:
  struct Watched {
    const Property* property = nullptr;
    std::int64_t count = 0;
    bool owed = false;  // Of kEventually with `after`: one fitted that, and none came since.
    bool failed = false;
  };

  void meet(Watched& one, const TraceEvent& event);
  void fail(Watched& one, std::string message);

  std::vector<Watched> watched_;
  std::vector<RunFailure> failures_;
};

}  // namespace plumbline::scenarios
