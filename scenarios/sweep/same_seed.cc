#include "scenarios/sweep/same_seed.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "core/json/json.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kLinesBefore = 3;  // Shown of what both have in common.
constexpr std::size_t kLineShownMax = 300;
constexpr std::size_t kOrderWindow = 64;  // How far an event may have moved to be found again.

// OtherMemory takes blocks of many sizes and gives every second one back, so what is allocated
// while it lives gets addresses in another order than it would have.
class OtherMemory {
 public:
  OtherMemory() {
    for (std::size_t i = 0; i < kBlocks; ++i) {
      blocks_[i] = std::make_unique<char[]>(16 + i * 37 % 700);
    }
    for (std::size_t i = 0; i < kBlocks; i += 2) blocks_[(i * 7) % kBlocks].reset();
  }

 private:
  static constexpr std::size_t kBlocks = 64;
  std::array<std::unique_ptr<char[]>, kBlocks> blocks_;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

// without_number returns an event's line from behind {"seq":N, on.
std::string_view without_number(std::string_view line) {
  const std::size_t comma = line.find(',');
  return comma == std::string_view::npos ? line : line.substr(comma);
}

bool comes_later(const std::vector<std::string_view>& lines, std::size_t at,
                 std::string_view event) {
  for (std::size_t i = at + 1; i < std::min(lines.size(), at + kOrderWindow); ++i) {
    if (without_number(lines[i]) == without_number(event)) return true;
  }
  return false;
}

// first_other_value returns the pointer to the first value that differs.
std::string first_other_value(const Json& one, const Json& other, const std::string& at) {
  if (one.type() != other.type() || one.size() != other.size()) return at;
  if (one.is_object()) {
    for (const auto& [key, value] : one.items()) {
      const Json* const beside = find(other, key);
      if (beside == nullptr) return at;
      if (*beside != value) return first_other_value(value, *beside, at + "/" + pointer_token(key));
    }
  }
  if (one.is_array()) {
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (one[i] != other[i]) {
        return first_other_value(one[i], other[i], at + "/" + std::to_string(i));
      }
    }
  }
  return at;
}

std::string in_what(std::string_view one, std::string_view other) {
  const Result<Json> a = parse_json(one);
  const Result<Json> b = parse_json(other);
  if (!a.ok() || !b.ok()) return "";
  if (string_or(a.value(), "kind", "") != string_or(b.value(), "kind", "") ||
      string_or(a.value(), "who", "") != string_or(b.value(), "who", "")) {
    return "another event: a decision before it was taken from what the seed does not give";
  }
  if (int_or(a.value(), "at_ns", 0) != int_or(b.value(), "at_ns", 0)) {
    return "another time: a timer was armed for another instant, or fired in another turn";
  }
  return "another value of " + first_other_value(a.value(), b.value(), "") +
         ": an order of a container, an address or a draw reached it";
}

std::string shown(std::string_view line) {
  if (line.size() <= kLineShownMax) return std::string(line);
  return std::string(line.substr(0, kLineShownMax)) + "...";
}

std::string other_draw(const std::vector<fakes::Choices::Choice>& once,
                       const std::vector<fakes::Choices::Choice>& again) {
  const auto text = [](const std::vector<fakes::Choices::Choice>& drawn, std::size_t at) {
    if (at >= drawn.size()) return std::string("none");
    return std::to_string(drawn[at].value) + " below " + std::to_string(drawn[at].bound);
  };
  const auto [one, other] = std::ranges::mismatch(once, again);
  if (one == once.end() && other == again.end()) return "";
  const auto at = static_cast<std::size_t>(one - once.begin());
  return "draw " + std::to_string(at + 1) + " of the weather: " + text(once, at) + ", then " +
         text(again, at) + "\n";
}

// explain runs the world twice more, for its traces.
std::string explain(const RunAgain& run, const std::string& draws) {
  const Want want = {.state = false, .trace_hash = true, .trace = true};
  const WorldRun once = run(want);
  const OtherMemory other;
  const WorldRun again = run(want);
  const std::string parted = part_ways(once.result.trace, again.result.trace);
  if (!parted.empty()) return draws + parted;
  return draws + "two more runs, for the traces, were alike: it does not happen every time";
}

}  // namespace

Twice run_twice(const RunAgain& run) {
  const Want want = {.state = false, .trace_hash = true, .trace = false};
  Twice out{run(want), ""};
  const WorldRun again = [&run, &want] {
    const OtherMemory other;
    return run(want);
  }();
  const std::string draws = other_draw(out.once.drawn, again.drawn);
  const bool same = draws.empty() && out.once.result.unseed == again.result.unseed &&
                    out.once.result.trace_hash == again.result.trace_hash &&
                    out.once.result.failures == again.result.failures;
  if (!same) out.difference = explain(run, draws);
  return out;
}

std::string part_ways(std::string_view once, std::string_view again) {
  const std::vector<std::string_view> a = lines_of(once);
  const std::vector<std::string_view> b = lines_of(again);
  const auto [one, other] = std::ranges::mismatch(a, b);
  if (one == a.end() && other == b.end()) return "";
  const auto at = static_cast<std::size_t>(one - a.begin());
  std::string out = "event " + std::to_string(at + 1) + " is the first that differs: ";
  if (one == a.end() || other == b.end()) {
    out += "one of the runs ends before it";
  } else if (comes_later(a, at, *other) && comes_later(b, at, *one)) {
    out += "another order of the same events: of timers due at once, or of a container";
  } else {
    out += in_what(*one, *other);
  }
  out += "\n  once:  " + (one == a.end() ? "nothing" : shown(*one));
  out += "\n  again: " + (other == b.end() ? "nothing" : shown(*other));
  if (at > 0) out += "\nbefore it, in both:";
  for (std::size_t i = at - std::min(at, kLinesBefore); i < at; ++i) out += "\n  " + shown(a[i]);
  return out;
}

}  // namespace plumbline::scenarios
