// Exercise is what a server shows when it is used: every tool that may be called, every prompt and
// every resource once, what came of it, and what the server asked of its client on the way. Each
// call asks for progress, all that is logged is asked for, and changes are listened for. Made once
// a round and read by many checks.

#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/survey.h"
#include "conformance/peer/client.h"

namespace plumbline::conformance {

// Declared is what the client says that it can do.
enum class Declared {
  kAll,      // Everything that the revision knows.
  kBare,     // roots, sampling and elicitation, each an empty object.
  kUrlOnly,  // Elicitation by URL, nothing else.
  kNothing,
};

// capabilities_of returns the object that `declared` stands for.
Json capabilities_of(Declared declared, const std::string& revision);

// Call is one request of an exercise. Where a stateless server asks for input there is one for each
// round.
struct Call {
  std::string method;
  Json params;  // Without _meta.
  Reply reply;
  std::vector<Evidence> evidence;
  // What the server asked before it answered, or instead: "elicitation/create" ...
  std::vector<std::string> wants;
  std::set<Shows> shows;      // What was seen of it, as far as it can be.
  std::string updated;        // URI of a watched resource that was updated meanwhile; empty: none.
  bool first = true;          // No retry.
  bool repeats_keys = false;  // A member of an object in the reply comes twice.

  // complete returns the result unless it asks for input or stands for a task; else nullptr.
  const Json* complete() const;
};

// ServerAsked is one thing that the server wanted from its client.
struct ServerAsked {
  Json request;             // With "method" and "params".
  std::size_t session = 0;  // On which of those that the exercise opened.
  bool own = false;         // As a request of its own, with an id; else inside a result.
  std::string key;          // Inside a result: its name there.
  std::vector<Evidence> evidence;

  std::string method() const { return string_or(request, "method", ""); }
  // params returns them, an empty object for none.
  Json params() const;
};

struct Exercise {
  std::vector<Call> calls;
  std::vector<ServerAsked> asked;
  std::vector<ServerAsked> told;  // Notifications.
  // A process of its own opened to a client that declares nothing, and answered it. Where there was
  // none, or something else shows that already: false.
  bool greeted = false;
  Json offered;  // The capabilities of the server that the first session was told; null: none was.

  // asked_by returns what was asked by `method`, in order.
  std::vector<const ServerAsked*> asked_by(std::string_view method) const;

  // asking returns the first rounds in which `method` was asked for, in order; any method if empty.
  // Not those without an answer: what was asked meanwhile may be another's.
  std::vector<const Call*> asking(std::string_view method = {}) const;

  // completed returns the calls of `method` that have a complete result.
  std::vector<const Call*> completed(std::string_view method) const;
};

// ExercisePlan is what is to be called, and what has come of it so far.
struct ExercisePlan {
  std::vector<Call> calls;
  bool known = true;     // Whether these are all.
  std::size_t next = 0;  // Of them.
  bool watches = true;   // Whether changes of resources are to be seen.
  std::size_t runs = 0;  // That have called so far: each asks for progress by tokens of its own.
  bool known_tools = false;  // These were called before, with other arguments: takes less time.
  Exercise exercise;
};

// hint_file returns what is known of every tool, as a vendor's hint file has it: whether it is
// called, with what, and what that showed. Past the end of `budget` it is called with nothing.
Json hint_file(const Survey& survey, const Exercise& exercise, const ProbeOptions& options,
               Budget& budget);

// Tally makes one Finding of many looks at the same kind of thing.
class Tally {
 public:
  // saw counts one thing that was put to the test.
  void saw() { ++seen_; }

  // wrong says what is wrong with one; the first is told in full, with what is wrong: the last line
  // of `evidence`, or `reply`. Of the others that begin alike, the names in quotes are told.
  void wrong(std::string what, std::vector<Evidence> evidence);
  void wrong(std::string what, const Reply& reply);

  bool clean() const { return wrong_ == 0; }

  // finding passes when all was well, and skips with `none` when nothing was seen.
  Finding finding(std::string none) const;

 private:
  // another counts one more that is wrong, and keeps its name.
  void another(std::string_view what);

  std::int64_t seen_ = 0;
  std::int64_t wrong_ = 0;
  Finding first_;
  std::string told_;                 // What is wrong with the first.
  std::vector<std::string> others_;  // Names, each once.
};

}  // namespace plumbline::conformance
