// Packer and Unpacker carry values from a worker to who gave it its task: the same program at both
// ends, so there is no version and nothing is judged.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "scenarios/judge/invariants.h"

namespace plumbline::scenarios {

class Packer {
 public:
  // number takes seven bits a byte, lowest first.
  Packer& number(std::uint64_t value) {
    for (; value >= kMore; value >>= kBits) text_ += static_cast<char>(value | kMore);
    text_ += static_cast<char>(value);
    return *this;
  }
  Packer& text(std::string_view value) {
    number(value.size());
    text_ += value;
    return *this;
  }
  Packer& texts(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values) text(value);
    return *this;
  }
  Packer& failures(const std::vector<RunFailure>& values) {
    number(values.size());
    for (const RunFailure& value : values) text(value.check).text(value.message).text(value.about);
    return *this;
  }
  std::string take() { return std::move(text_); }

  static constexpr unsigned kBits = 7;
  static constexpr std::uint64_t kMore = 0x80;

 private:
  std::string text_;
};

class Unpacker {
 public:
  // `text` must outlive the object. What is read must be what was packed, in that order.
  explicit Unpacker(std::string_view text) : text_(text) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += Packer::kBits) {
      check(at_ < text_.size() && shift < 64, "packed by somebody else");
      const auto byte = static_cast<unsigned char>(text_[at_++]);
      value |= (byte & (Packer::kMore - 1)) << shift;
      if (byte < Packer::kMore) return value;
    }
  }
  std::string text() {
    const std::uint64_t size = number();
    check(size <= text_.size() - at_, "packed by somebody else");
    at_ += size;
    return std::string(text_.substr(at_ - size, size));
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values(number());
    for (std::string& value : values) value = text();
    return values;
  }
  std::vector<RunFailure> failures() {
    std::vector<RunFailure> values(number());
    for (RunFailure& value : values) {
      value.check = text();
      value.message = text();
      value.about = text();
    }
    return values;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace plumbline::scenarios
