// Metrics are the numbers that a running program tells of itself: how often, how much at present,
// how long. Whoever counts keeps a reference to a series; prometheus_text and otlp_metrics write
// them all out.
//
// Names, units and attributes are as OpenTelemetry writes them: "mcp.client.operation.duration",
// "s", "mcp.method.name".

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace plumbline::metrics {

// Counter counts what has happened. It never goes back.
class Counter {
 public:
  void add(std::int64_t times = 1) { value_ += times; }
  std::int64_t value() const { return value_; }

 private:
  std::int64_t value_ = 0;
};

// Gauge is how much there is at present.
class Gauge {
 public:
  void set(double value) { value_ = value; }
  void add(double more) { value_ += more; }
  double value() const { return value_; }

 private:
  double value_ = 0;
};

// Histogram counts values by size: how many are at most each bound, and how many above all.
class Histogram {
 public:
  // `bounds` rise.
  explicit Histogram(std::span<const double> bounds)
      : bounds_(bounds.begin(), bounds.end()), counts_(bounds.size() + 1) {}

  void record(double value);

  const std::vector<double>& bounds() const { return bounds_; }
  const std::vector<std::int64_t>& counts() const { return counts_; }  // One more than bounds.
  std::int64_t count() const { return count_; }
  double sum() const { return sum_; }
  double min() const { return min_; }  // Meaningless while there are none; so is max().
  double max() const { return max_; }

 private:
  std::vector<double> bounds_;
  std::vector<std::int64_t> counts_;
  std::int64_t count_ = 0;
  double sum_ = 0;
  double min_ = 0;
  double max_ = 0;
};

// The bounds, in seconds, of how long an operation of MCP takes.
inline constexpr std::array kOperationSeconds = {0.01, 0.02, 0.05, 0.1,  0.2,  0.5,   1.0,
                                                 2.0,  5.0,  10.0, 30.0, 60.0, 120.0, 300.0};

// Attributes tell the series of one metric apart: name and value, in the order of the names.
using Attributes = std::map<std::string, std::string>;

// About says what a metric is. `unit` is of UCUM: "s", "By", "{call}".
struct About {
  std::string name;
  std::string what;
  std::string unit;
};

// Family is one metric with all of its series. One of the maps is used.
struct Family {
  enum class Kind { kCounter, kGauge, kHistogram };

  Kind kind = Kind::kCounter;
  About about;
  std::map<Attributes, Counter> counters;
  std::map<Attributes, Gauge> gauges;
  std::map<Attributes, Histogram> histograms;
};

// Series of one metric. What would be one more is counted together, in one with the attribute
// kOverflow: whoever chooses the values of attributes cannot fill the memory with them.
inline constexpr std::size_t kSeriesMax = 1'000;
inline constexpr const char* kOverflow = "otel.metric.overflow";

class Metrics {
 public:
  Metrics() = default;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // These return the series, and make it where there is none. What they return lives as long as
  // the Metrics. A name is of one kind: aborts when it was of another.
  Counter& counter(const About& about, const Attributes& attributes = {});
  Gauge& gauge(const About& about, const Attributes& attributes = {});
  Histogram& histogram(const About& about, const Attributes& attributes = {},
                       std::span<const double> bounds = kOperationSeconds);

  // before_writing has `update` called each time before the metrics are written: it sets gauges of
  // what is cheaper to ask for than to follow. What it refers to must outlive the last writing.
  void before_writing(std::function<void()> update) { updates_.push_back(std::move(update)); }

  // families returns all, updated, in the order of their names.
  const std::map<std::string, Family>& families();

 private:
  Family& family(const About& about, Family::Kind kind);

  std::map<std::string, Family> families_;
  std::vector<std::function<void()>> updates_;
};

}  // namespace plumbline::metrics
