#include "scenarios/format/fault_verbs.h"

#include <array>

#include "core/base/check.h"

namespace plumbline::scenarios {

namespace {

using Verb = Fault::Verb;
using Way = Fault::Way;

constexpr std::array<Way, 2> kOneWay = {Way::kFrom, Way::kTo};
constexpr std::array<Way, 3> kAnyWay = {Way::kBoth, Way::kFrom, Way::kTo};
constexpr std::array<std::string_view, 3> kWayNames = {"from", "to", "both"};

constexpr VerbInfo with_time(Verb verb, std::string_view name, std::string_view what, Takes lasts) {
  VerbInfo info{verb, name, what};
  info.lasts = lasts;
  return info;
}

constexpr std::array<VerbInfo, kVerbCount> make_verbs() {
  VerbInfo reset{Verb::kReset, "reset", "Its streams break in both directions."};
  reset.what_after_bytes =
      "A stream breaks once it has carried this many bytes: the n-th stream to the server, or "
      "each. "
      "Counted `from` it (the default) or `to` it.";
  reset.after_bytes = Takes::kMay;
  reset.nth = Takes::kMay;
  reset.ways = kOneWay;
  VerbInfo half_close{
      Verb::kHalfClose, "half_close",
      "One direction of its open streams is closed cleanly: `from` it (the default), or `to` it."};
  half_close.ways = kOneWay;
  VerbInfo partition = with_time(Verb::kPartition, "partition",
                                 "It is cut off: streams and dials hang, and nothing is lost. By "
                                 "default in `both` ways; `from` it or `to` it.",
                                 Takes::kMust);
  partition.ways = kAnyWay;
  VerbInfo delay{Verb::kDelay, "delay",
                 "The n-th write `from` it (the default) or `to` it takes this much longer; "
                 "everything after it waits."};
  delay.at = Takes::kNo;
  delay.lasts = Takes::kMust;
  delay.nth = Takes::kMust;
  delay.ways = kOneWay;
  VerbInfo throttle = with_time(Verb::kThrottle, "throttle",
                                "Its streams have this bandwidth in each direction.", Takes::kMust);
  throttle.bytes_per_s = Takes::kMust;
  VerbInfo fragment = with_time(
      Verb::kFragment, "fragment",
      "Its streams are cut and joined at drawn bytes, for a while or from then on.", Takes::kMay);
  fragment.needs_bytes = true;
  return {with_time(Verb::kStall, "stall",
                    "Its open streams are silent for a while: we receive everything later.",
                    Takes::kMust),
          reset,
          half_close,
          with_time(Verb::kRefuse, "refuse", "It cannot be started or dialled for a while.",
                    Takes::kMust),
          partition,
          with_time(Verb::kClog, "clog",
                    "Its streams slow to 64 bytes a second. Several clogs that overlap, and end in "
                    "another order, are a swizzle.",
                    Takes::kMust),
          with_time(Verb::kHold, "hold",
                    "What it says is kept back, and then comes together, in order.", Takes::kMust),
          delay,
          throttle,
          fragment,
          with_time(Verb::kKill, "kill", "It crashes. It can be started again, after `for_ms`.",
                    Takes::kMay)};
}

constexpr std::array<VerbInfo, kVerbCount> kVerbs = make_verbs();

}  // namespace

std::span<const VerbInfo> all_verbs() { return kVerbs; }

const VerbInfo& info_of(Fault::Verb verb) {
  const VerbInfo& info = kVerbs.at(static_cast<std::size_t>(verb));
  check(info.verb == verb, "the table of verbs is out of order");
  return info;
}

std::span<const std::string_view> names_of_ways() { return kWayNames; }

bool needs_bytes(const Fault& fault) {
  return fault.after_bytes.has_value() || info_of(fault.verb).needs_bytes;
}

Duration usual_length(Fault::Verb verb) {
  return verb == Fault::Verb::kFragment ? kForever : Duration{};
}

bool takes_way(const Fault& fault) {
  const VerbInfo& info = info_of(fault.verb);
  return !info.ways.empty() && (info.after_bytes == Takes::kNo || fault.after_bytes.has_value());
}

}  // namespace plumbline::scenarios
