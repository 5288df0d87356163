#include "core/metrics/metrics.h"

#include <algorithm>

#include "core/base/check.h"

namespace plumbline::metrics {

namespace {

// series_of returns the series with these attributes, or the one for all that are too many.
template <typename Series, typename... Made>
Series& series_of(std::map<Attributes, Series>& all, const Attributes& attributes,
                  const Made&... made) {
  const auto found = all.find(attributes);
  if (found != all.end()) return found->second;
  if (all.size() < kSeriesMax) return all.try_emplace(attributes, made...).first->second;
  return all.try_emplace(Attributes{{kOverflow, "true"}}, made...).first->second;
}

}  // namespace

void Histogram::record(double value) {
  const auto bound = std::ranges::lower_bound(bounds_, value);
  ++counts_[static_cast<std::size_t>(bound - bounds_.begin())];
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  ++count_;
  sum_ += value;
}

Family& Metrics::family(const About& about, Family::Kind kind) {
  const auto [found, added] = families_.try_emplace(about.name);
  Family& family = found->second;
  if (added) {
    family.kind = kind;
    family.about = about;
  }
  check(family.kind == kind, "one metric of two kinds");
  return family;
}

Counter& Metrics::counter(const About& about, const Attributes& attributes) {
  return series_of(family(about, Family::Kind::kCounter).counters, attributes);
}

Gauge& Metrics::gauge(const About& about, const Attributes& attributes) {
  return series_of(family(about, Family::Kind::kGauge).gauges, attributes);
}

Histogram& Metrics::histogram(const About& about, const Attributes& attributes,
                              std::span<const double> bounds) {
  return series_of(family(about, Family::Kind::kHistogram).histograms, attributes, bounds);
}

const std::map<std::string, Family>& Metrics::families() {
  for (const std::function<void()>& update : updates_) update();
  return families_;
}

}  // namespace plumbline::metrics
