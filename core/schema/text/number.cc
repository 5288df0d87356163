#include "core/schema/text/number.h"

#include <array>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <string_view>

namespace plumbline::schema {

namespace {

// Every 64-bit integer and every double is a long double, so one comparison serves all.
static_assert(LDBL_MANT_DIG >= 64);

__extension__ using Wide = unsigned __int128;

long double widened(const Json& number) {
  if (const auto* const whole = number.get_ptr<const Json::number_unsigned_t*>()) {
    return static_cast<long double>(*whole);
  }
  if (const auto* const whole = number.get_ptr<const Json::number_integer_t*>()) {
    return static_cast<long double>(*whole);
  }
  const auto* const real = number.get_ptr<const Json::number_float_t*>();
  return real == nullptr ? 0.0L : static_cast<long double>(*real);
}

// Decimal is digits * 10^exponent; the sign does not matter for divisibility.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

Decimal decimal_of(const Json& number) {
  if (const auto* const whole = number.get_ptr<const Json::number_unsigned_t*>()) {
    return {*whole, 0};
  }
  if (const auto* const whole = number.get_ptr<const Json::number_integer_t*>()) {
    const auto bits = static_cast<std::uint64_t>(*whole);
    return {*whole < 0 ? 0 - bits : bits, 0};
  }
  // The shortest digits that read back as the same double: what was written, as a rule.
  std::array<char, 64> text{};
  const double real = std::fabs(static_cast<double>(widened(number)));
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), real, std::chars_format::scientific);
  Decimal decimal;
  bool fraction = false;
  const char* at = text.data();
  for (; at != written.ptr && *at != 'e'; ++at) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(*at - '0');
    if (fraction) --decimal.exponent;
  }
  int exponent = 0;
  if (at != written.ptr) ++at;
  if (at != written.ptr && *at == '+') ++at;
  std::from_chars(at, written.ptr, exponent);
  decimal.exponent += exponent;
  return decimal;
}

std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % modulus);
}

// scaled returns digits * 10^power modulo `modulus`.
std::uint64_t scaled(std::uint64_t digits, int power, std::uint64_t modulus) {
  std::uint64_t result = digits % modulus;
  std::uint64_t base = 10 % modulus;
  for (; power > 0; power /= 2) {
    if (power % 2 == 1) result = multiply(result, base, modulus);
    base = multiply(base, base, modulus);
  }
  return result;
}

int sign_of(long double a, long double b) { return a < b ? -1 : a > b ? 1 : 0; }

int rank(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return 0;
    case Json::value_t::boolean:
      return 1;
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      return 2;
    case Json::value_t::string:
      return 3;
    case Json::value_t::array:
      return 4;
    case Json::value_t::object:
      return 5;
    default:
      return 6;
  }
}

int direction(int compared) { return compared < 0 ? -1 : compared > 0 ? 1 : 0; }

}  // namespace

bool is_whole(const Json& number) {
  const auto* const real = number.get_ptr<const Json::number_float_t*>();
  return real == nullptr || (std::isfinite(*real) && std::trunc(*real) == *real);
}

int compare_numbers(const Json& a, const Json& b) { return sign_of(widened(a), widened(b)); }

bool is_multiple_of(const Json& number, const Json& divisor) {
  if (!std::isfinite(widened(number)) || !std::isfinite(widened(divisor))) return false;
  const Decimal value = decimal_of(number);
  const Decimal unit = decimal_of(divisor);
  if (unit.digits == 0) return false;
  if (value.digits == 0) return true;
  const int power = value.exponent - unit.exponent;
  if (power >= 0) return scaled(value.digits, power, unit.digits) == 0;
  Wide step = unit.digits;
  for (int i = power; i < 0; ++i) {
    step *= 10;
    if (step > value.digits) return false;
  }
  return value.digits % step == 0;
}

int JsonOrder::compare(const Json& a, const Json& b, std::size_t depth_left) {
  ++visited_;
  const int kind = rank(a);
  if (kind != rank(b)) return kind < rank(b) ? -1 : 1;
  switch (kind) {
    case 1:
      return sign_of(*a.get_ptr<const bool*>(), *b.get_ptr<const bool*>());
    case 2:
      return compare_numbers(a, b);
    case 3:
      return direction(
          a.get_ptr<const Json::string_t*>()->compare(*b.get_ptr<const Json::string_t*>()));
    case 4:
      return compare_arrays(a, b, depth_left);
    case 5:
      return compare_objects(a, b, depth_left);
    default:
      return 0;
  }
}

int JsonOrder::compare_arrays(const Json& a, const Json& b, std::size_t depth_left) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  if (depth_left == 0) {
    truncated_ = truncated_ || !a.empty();
    return 0;
  }
  const auto& left = *a.get_ptr<const Json::array_t*>();
  const auto& right = *b.get_ptr<const Json::array_t*>();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (const int order = compare(left[i], right[i], depth_left - 1); order != 0) return order;
  }
  return 0;
}

int JsonOrder::compare_objects(const Json& a, const Json& b, std::size_t depth_left) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  if (depth_left == 0) {
    truncated_ = truncated_ || !a.empty();
    return 0;
  }
  const auto& left = *a.get_ptr<const Json::object_t*>();
  const auto& right = *b.get_ptr<const Json::object_t*>();
  auto other = right.begin();
  for (const auto& [name, member] : left) {
    if (const int order = direction(name.compare(other->first)); order != 0) return order;
    if (const int order = compare(member, other->second, depth_left - 1); order != 0) return order;
    ++other;
  }
  return 0;
}

}  // namespace plumbline::schema
