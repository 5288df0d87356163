#include "core/json/parse.h"

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json/quick_reader.h"

namespace plumbline {

namespace {

// DomBuilder makes a Json of the events of nlohmann's parser. It differs from the library's own
// builder in that it refuses depth while it parses: a 100,000-deep value would parse, and then
// overflow the stack in dump().
class DomBuilder final : public nlohmann::json_sax<Json> {
 public:
  DomBuilder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  bool null() override { return add(Json(nullptr)); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
  bool number_float(number_float_t value, const string_t&) override { return add(Json(value)); }
  bool string(string_t& value) override {
    if (value.size() > kLongJsonBytes) value.shrink_to_fit();
    return add(Json(std::move(value)));
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::value_t::object); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::value_t::array); }
  bool end_array() override {
    auto& items = *open_.back()->get_ptr<Json::array_t*>();
    if (items.size() * sizeof(Json) > kLongJsonBytes) items.shrink_to_fit();
    return close();
  }

  bool key(string_t& name) override {
    auto& members = *open_.back()->get_ptr<Json::object_t*>();
    const auto [place, added] = members.try_emplace(std::move(name));
    if (!added && !limits_.duplicate_keys) {
      return fail(ErrorCode::kInvalidInput, "key \"" + place->first + "\" stands there twice");
    }
    member_ = &place->second;
    return true;
  }

  bool parse_error(std::size_t offset, const std::string&,
                   const nlohmann::detail::exception& why) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: WHAT"
    std::string what = why.what();
    const std::size_t colon = what.find(": ");
    if (colon != std::string::npos) what = what.substr(colon + 2);
    failed_at_ = position_of(text_, offset == 0 ? 0 : offset - 1);
    error_ = Error{ErrorCode::kInvalidInput, std::move(what)};
    return false;
  }

  // failed_at returns where the text is no JSON; nothing for any other failure.
  const std::optional<Position>& failed_at() const { return failed_at_; }

  Result<Json> finish(bool parsed) {
    if (parsed) return std::move(root_);
    return std::move(error_);
  }

 private:
  bool fail(ErrorCode code, std::string why) {
    error_ = Error{code, std::move(why)};
    return false;
  }

  Json* put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* const items = open_.back()->get_ptr<Json::array_t*>()) {
      items->push_back(std::move(value));
      return &items->back();
    }
    *member_ = std::move(value);
    return member_;
  }

  bool add(Json value) {
    put(std::move(value));
    return true;
  }

  bool open(Json::value_t type) {
    if (open_.size() == limits_.depth_max) {
      return fail(ErrorCode::kLimitReached,
                  "JSON is more than " + std::to_string(limits_.depth_max) + " levels deep");
    }
    open_.push_back(put(Json(type)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  const JsonLimits& limits_;
  Json root_;
  std::vector<Json*> open_;  // An array grows only while its last item is closed.
  Json* member_ = nullptr;
  Error error_;
  std::optional<Position> failed_at_;
};

// CountingIterator tells how far a parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char*& furthest) : at_(at), furthest_(&furthest) {}

  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *furthest_ = at_++;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(CountingIterator a, CountingIterator b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

Error too_long(std::size_t bytes, const JsonLimits& limits) {
  return Error{ErrorCode::kLimitReached, "JSON of " + std::to_string(bytes) + " bytes, at most " +
                                             std::to_string(limits.bytes_max) + " are read"};
}

// The parser takes a byte of zero for the end of its text, whatever stands behind it.
bool has_zero(std::string_view text) { return text.find('\0') != text.npos; }

Error zero_in_it() { return Error{ErrorCode::kInvalidInput, "syntax error: a byte of zero"}; }

}  // namespace

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes_max) return too_long(text.size(), limits);
  if (std::optional<Json> quick = QuickReader(text, limits).read()) return *std::move(quick);
  if (has_zero(text)) return zero_in_it();
  DomBuilder builder(text, limits);
  const bool parsed =
      Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json,
                      /*strict=*/true, /*ignore_comments=*/limits.comments);
  Result<Json> result = builder.finish(parsed);
  if (parsed || !builder.failed_at()) return result;
  const Error& error = result.error();
  return Error{error.code, error.message + " at " + describe(*builder.failed_at())};
}

Result<Json> parse_json(std::string_view text, const JsonLimits& limits, Position& failed_at) {
  failed_at = Position{};
  if (text.size() > limits.bytes_max) return too_long(text.size(), limits);
  if (has_zero(text)) {
    failed_at = position_of(text, text.find('\0'));
    return zero_in_it();
  }
  DomBuilder builder(text, limits);
  const char* read = text.data();
  const bool parsed = Json::sax_parse(CountingIterator(text.data(), read),
                                      CountingIterator(text.data() + text.size(), read), &builder,
                                      Json::input_format_t::json, /*strict=*/true,
                                      /*ignore_comments=*/limits.comments);
  const auto offset = static_cast<std::size_t>(read - text.data());
  failed_at = builder.failed_at().value_or(position_of(text, offset));
  return builder.finish(parsed);
}

}  // namespace plumbline
