// What a fault can do, verb by verb: how a scenario file spells it, what it means and what it
// takes. The reader, the writer, the plan, the catalogue and the weather all go by this table.

#pragma once

#include <span>
#include <string_view>

#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

// Takes says whether a verb has a parameter.
enum class Takes { kNo, kMay, kMust };

struct VerbInfo {
  Fault::Verb verb;
  std::string_view name;
  std::string_view what;  // Of its server, in a sentence or two.
  std::string_view what_after_bytes = {};
  Takes at = Takes::kMust;
  Takes lasts = Takes::kNo;
  Takes nth = Takes::kNo;
  Takes after_bytes = Takes::kNo;  // kMay: instead of `at`, and then with `nth` and `way`.
  Takes bytes_per_s = Takes::kNo;
  std::span<const Fault::Way> ways = {};  // The first is the default; empty: it has none.
  bool needs_bytes = false;               // It does nothing to values.
};

// all_verbs returns every verb in the order of Fault::Verb.
std::span<const VerbInfo> all_verbs();

const VerbInfo& info_of(Fault::Verb verb);

// names_of_ways returns how a file spells Fault::Way, in its order.
std::span<const std::string_view> names_of_ways();

// needs_bytes returns whether `fault` does nothing in a world that passes values.
bool needs_bytes(const Fault& fault);

// usual_length returns how long a fault lasts that may say so and does not.
Duration usual_length(Fault::Verb verb);

// takes_way returns whether `fault` has a direction.
bool takes_way(const Fault& fault);

}  // namespace plumbline::scenarios
