#include "fakes/peers/repeats.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "fakes/peers/placeholders.h"

namespace plumbline::fakes {

namespace {

constexpr std::uint64_t kAllRepeatsMax = 32U << 20U;
constexpr std::array<std::string_view, 3> kRepeating = {"times", "repeat", "copies"};
constexpr std::string_view kMadeBytes = "out_bytes";  // Of a command.

std::uint64_t times_of(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return a != 0 && b > kMost / a ? kMost : a * b;
}

class Repeats {
 public:
  Repeats(Budget& budget, std::optional<Problem>& problem) : budget_(budget), problem_(problem) {}

  // walk returns the bytes that `value` stands for each time it is made.
  std::uint64_t walk(const Json& value, const std::string& pointer) {
    if (problem_) return 0;
    if (const auto* const text = value.get_ptr<const Json::string_t*>()) {
      const std::uint64_t filled = filled_bytes(*text);
      charge(pointer, filled, 1, "{{text:N}}");
      return text->size() + filled;
    }
    std::uint64_t bytes = sizeof(Json);
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        bytes += walk(value[i], pointer + '/' + std::to_string(i));
      }
    }
    const auto* const members = value.get_ptr<const Json::object_t*>();
    if (members == nullptr) return bytes;
    for (const auto& [name, member] : *members) {
      bytes += name.size() + walk(member, pointer + '/' + pointer_token(name));
    }
    if (const std::int64_t made = int_or(value, kMadeBytes, 0); made > 0) {
      charge(pointer + '/' + std::string(kMadeBytes), static_cast<std::uint64_t>(made), 1,
             '"' + std::string(kMadeBytes) + '"');
      bytes += static_cast<std::uint64_t>(made);
    }
    for (const std::string_view key : kRepeating) {
      const std::int64_t times = int_or(value, key, 1);
      if (times < 2) continue;
      const auto more = static_cast<std::uint64_t>(times - 1);
      charge(pointer + '/' + std::string(key), bytes, more, '"' + std::string(key) + '"');
      bytes = times_of(bytes, more + 1);
    }
    return bytes;
  }

 private:
  void charge(const std::string& pointer, std::uint64_t bytes, std::uint64_t times,
              const std::string& what) {
    const std::uint64_t all = times_of(bytes, times);
    if (problem_ || all == 0 || budget_.spend(Resource::kTextBytes, all)) return;
    problem_ = Problem{pointer, what + " makes " + std::to_string(all) +
                                    " bytes, and what a file repeats may come to " +
                                    std::to_string(kAllRepeatsMax) +
                                    " in all, expected less of it, or smaller ones"};
  }

  Budget& budget_;
  std::optional<Problem>& problem_;
};

}  // namespace

Amounts repeats_budget() { return Amounts().set(Resource::kTextBytes, kAllRepeatsMax); }

std::uint64_t charge_repeats(const Json& part, const std::string& pointer, Budget& budget,
                             std::optional<Problem>& problem) {
  return Repeats(budget, problem).walk(part, pointer);
}

}  // namespace plumbline::fakes
