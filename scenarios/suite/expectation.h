// What a step expects of its answer, held against what came.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/wire/wire_log.h"
#include "core/base/time.h"
#include "core/json/object_reader.h"
#include "core/match/matcher.h"
#include "scenarios/suite/suite.h"

namespace plumbline::suite {

// Answered is what came of a step.
struct Answered {
  Json request;
  Json response;                             // Null: none came.
  std::string why;                           // None did: "nothing within 10000 ms".
  bool lost = false;                         // The connection ended before it.
  std::vector<double> took_ms;               // Of each time that it was asked.
  std::vector<conformance::KeptJson> along;  // What the server said until then.

  const Json* result() const { return find(response, "result"); }
  const Json* error() const { return find(response, "error"); }

  // median_ms returns how long it took, of several times the one in the middle.
  double median_ms() const;
};

// Snapshots are whole answers that are kept beside the file, by the name of their test.
class Snapshots {
 public:
  // of returns the one called `name`, nullptr where there is none; it is then in use.
  const Json* of(const std::string& name);

  // put takes a new value. Others are not touched.
  void put(const std::string& name, Json value);

  // read takes what write has written. kInvalidInput: it is something else.
  Status read(std::string_view text);
  std::string write() const;

  bool changed() const { return changed_; }
  bool empty() const { return values_.empty(); }
  // drop_unused forgets those that nobody has asked for.
  void drop_unused();

 private:
  std::map<std::string, Json> values_;
  std::map<std::string, bool> used_;
  bool changed_ = false;
};

// Held is what an answer is held against, beside what the step says.
struct Held {
  const match::Masks& masks;
  Snapshots& snapshots;
  std::string snapshot;                 // The name of that of this step.
  const Json* output_schema = nullptr;  // That the tool promises.
  bool updates = false;                 // A snapshot that differs is written, and then fits.
  bool writes_missing = false;          // One that there is none of likewise.
};

// check_expect makes what is wrong with the "expect" of a step a Problem.
void check_expect(const Json& expect, Verb verb, const std::string& pointer,
                  std::optional<Problem>& problem);

// hold returns how `answered` differs from `expect`, whose names have their values; null: it has to
// succeed.
std::vector<match::Mismatch> hold(const Json& expect, const Answered& answered, const Held& held);

// needs_quiet returns whether what is expected would be another thing with other requests under way
// at the same time: how long it takes, and what the server says meanwhile.
bool needs_quiet(const Json& expect);

// text_of returns the text of a result: of its contents or messages, joined by line ends.
std::string text_of(const Json& result);

// value_at returns what `pointer` finds in `result`; below a text that is JSON it goes on in that.
std::optional<Json> value_at(const Json& result, std::string_view pointer);

}  // namespace plumbline::suite
