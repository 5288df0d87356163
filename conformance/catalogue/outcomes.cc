#include "conformance/catalogue/outcomes.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace plumbline::conformance::outcome {

namespace {

// In reports of older versions: a null result has the reason of its method now.
constexpr std::string_view kNullResult = "null-result";

constexpr std::array<std::string_view, 13> kAll = {
    kResult,       kFailedResult,    kEmptyResult, kNoResponse,   kEnded,
    kArray,        kUnaskedResponse, kNoMessage,   kMessageFirst, kNullResult,
    kSeveralLines, kUndatedVersion,  kDraft7};

constexpr std::string_view kError = "error";
constexpr std::string_view kStatus = "status-";
constexpr std::string_view kBetween = ", ";
// Whatever comes after so many is one more that no SDK is known for: the list has grown past that.
constexpr std::size_t kReasonsBytesMax = 500;

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 20 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// is_method returns whether `text` has the form of a method of MCP: "tools/list".
bool is_method(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == 0 || slash == std::string_view::npos || text.ends_with('/')) return false;
  return std::ranges::all_of(
      text, [](unsigned char c) { return std::isalpha(c) != 0 || c == '/' || c == '_'; });
}

}  // namespace

bool lists(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(kBetween), list.size());
    if (list.substr(0, end) == item) return true;
    list.remove_prefix(std::min(end + kBetween.size(), list.size()));
  }
  return false;
}

std::string with_reason(std::string reasons, std::string_view reason) {
  if (reasons.size() > kReasonsBytesMax || lists(reasons, reason)) return reasons;
  return reasons + std::string(reasons.empty() ? "" : kBetween) + std::string(reason);
}

std::string of_error(const Json& error) {
  const std::optional<std::int64_t> code = find_int(error, "code");
  if (!code) return std::string(kError);
  return std::string(kError) + (*code < 0 ? "" : "+") + std::to_string(*code);
}

std::string_view of_result(const Json& result) {
  return bool_or(result, "isError", false) ? kFailedResult : kResult;
}

std::string of_status(int status) { return std::string(kStatus) + std::to_string(status); }

bool is_outcome(std::string_view text) {
  if (std::ranges::find(kAll, text) != kAll.end() || text == kError) return true;
  if (text.starts_with(kStatus)) return is_number(text.substr(kStatus.size()));
  if (text.starts_with(kError)) {
    const std::string_view code = text.substr(kError.size());
    return (code.starts_with('-') || code.starts_with('+')) && is_number(code.substr(1));
  }
  return is_method(text);
}

}  // namespace plumbline::conformance::outcome
