#include "scenarios/shrink/shrink_faults.h"

#include <algorithm>
#include <utility>

namespace plumbline::scenarios {

namespace {

constexpr std::int64_t kAtMsMax = 15 * 60 * 1'000;  // A request has to be answered before.
constexpr std::int64_t kAfterBytesMax = 1 << 24;

// Edges looks for where one number of a fault stops to make the check fail.
class Edges {
 public:
  Edges(HeldCheck& held, const Json& document, std::uint64_t seed, std::size_t fault,
        std::string unit)
      : held_(held), document_(document), seed_(seed), fault_(fault), unit_(std::move(unit)) {}

  void find(FaultFound& found) {
    const std::int64_t here = int_or(document_["faults"][fault_], unit_, 0);
    found.unit = unit_;
    found.first = fails_at(0) ? 0 : bisect(here, 0);
    const std::int64_t most = unit_ == "at_ms" ? kAtMsMax : kAfterBytesMax;
    std::int64_t fails = here;
    for (std::int64_t step = 1; fails < most; step *= 2) {
      const std::int64_t next = std::min(most, here + step);
      if (!fails_at(next)) {
        found.last = bisect(fails, next);
        return;
      }
      fails = next;
    }
  }

 private:
  // bisect returns the last number that fails on the way from `fails` to `passes`.
  std::int64_t bisect(std::int64_t fails, std::int64_t passes) {
    while (fails - passes > 1 || passes - fails > 1) {
      const std::int64_t middle = fails + (passes - fails) / 2;
      (fails_at(middle) ? fails : passes) = middle;
    }
    return fails;
  }

  bool fails_at(std::int64_t number) {
    Json document = document_;
    document["faults"][fault_][unit_] = number;
    return held_.fails(document, seed_).has_value();
  }

  HeldCheck& held_;
  Json document_;
  std::uint64_t seed_;
  std::size_t fault_;
  std::string unit_;
};

}  // namespace

std::vector<FaultFound> judge_faults(HeldCheck& held, const Json& document, std::uint64_t seed) {
  std::vector<FaultFound> found;
  const Json* const faults = find(document, "faults");
  for (std::size_t i = 0; faults != nullptr && i < faults->size(); ++i) {
    const Json& fault = (*faults)[i];
    FaultFound one;
    one.what = describe_fault(fault);
    Json without = document;
    without["faults"].erase(i);
    one.needed = !held.fails(without, seed);
    for (const char* const unit : {"at_ms", "after_bytes"}) {
      if (find_int(fault, unit)) Edges(held, document, seed, i, unit).find(one);
    }
    found.push_back(std::move(one));
  }
  return found;
}

std::string describe_fault(const Json& fault) {
  std::string text = string_or(fault, "server", "") + ": " + string_or(fault, "do", "");
  const auto append = [&](const char* key, const std::string& before, const std::string& behind) {
    const Json* const value = find(fault, key);
    if (value != nullptr) text += before + dump_json(*value) + behind;
  };
  append("at_ms", " at ", " ms");
  append("after_bytes", " after ", " bytes");
  append("for_ms", " for ", " ms");
  for (const auto& [key, value] : fault.items()) {
    if (key == "server" || key == "do" || key == "at_ms" || key == "after_bytes" ||
        key == "for_ms") {
      continue;
    }
    text += ", " + key + ' ' +
            (value.is_string() ? value.get_ref<const std::string&>() : dump_json(value));
  }
  return text;
}

}  // namespace plumbline::scenarios
