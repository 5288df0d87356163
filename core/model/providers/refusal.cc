#include "core/model/providers/refusal.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <utility>

#include "core/base/text.h"
#include "core/model/failure.h"
#include "core/wire/retry_after.h"

namespace plumbline::model {

namespace {

// What the words of an error mean where no status stands beside them.
struct ErrorWord {
  std::string_view word;
  int status;
};
constexpr std::array kErrorWords = {
    ErrorWord{"invalid_api_key", 401},
    ErrorWord{"authentication_error", 401},
    ErrorWord{"permission_error", 403},
    ErrorWord{"not_found_error", 404},
    ErrorWord{"request_too_large", 413},
    ErrorWord{"context_length_exceeded", 400},
    ErrorWord{"invalid_request_error", 400},
    ErrorWord{"invalid_prompt", 400},
    ErrorWord{"rate_limit_exceeded", 429},
    ErrorWord{"rate_limit_error", 429},
    ErrorWord{"insufficient_quota", 429},
    ErrorWord{"server_error", 500},
    ErrorWord{"api_error", 500},
    ErrorWord{"overloaded_error", 529},
    ErrorWord{"timeout_error", 504},
};

int status_of_word(std::string_view word) {
  for (const ErrorWord& known : kErrorWords) {
    if (known.word == word) return known.status;
  }
  return 0;
}

// says_too_long knows the sentence of a provider that has no word of its own for it.
bool says_too_long(std::string_view message) {
  return lower_case(message).find("prompt is too long") != std::string::npos;
}

// wait_of returns how long the answer asks to wait.
std::optional<Duration> wait_of(const wire::HttpHeaders& headers) {
  const std::string_view text = headers.get("Retry-After-Ms").value_or("");
  std::int64_t wait_ms = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wait_ms);
  constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1'000;
  const bool whole = error == std::errc() && (end == text.data() + text.size() || *end == '.');
  if (whole && wait_ms >= 0 && wait_ms <= kDayMs) return std::chrono::milliseconds(wait_ms);
  return wire::retry_after(headers);
}

// read_error puts the words of `error` into a Failure.
void read_error(const Json& error, Failure& failure) {
  if (error.is_string()) failure.message = one_line(error.get_ref<const std::string&>());
  failure.message = one_line(string_or(error, "message", failure.message));
  failure.code = one_line(string_or(error, "code", string_or(error, "type", "")));
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : beginning(text, kQuotedBytesMax)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20U && byte != 0x7fU;
    if (plain || (!line.empty() && line.back() != ' ')) line += plain ? c : ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

Failure failure_of_answer(int status, const wire::HttpHeaders& headers, std::string_view body) {
  Failure failure;
  failure.status = status;
  failure.retry_after = wait_of(headers);
  const Result<Json> json = parse_json(body);
  if (json.ok()) {
    const Json* const error = find(json.value(), "error");
    read_error(error != nullptr ? *error : json.value(), failure);
  }
  failure.kind = kind_of_status(status, failure.code);
  if (failure.kind == FailureKind::kInvalidRequest && says_too_long(failure.message)) {
    failure.kind = FailureKind::kTooLong;
  }
  const std::string answered =
      "HTTP " + std::to_string(status) + " " + std::string(wire::reason_of(status));
  failure.message = failure.message.empty() ? answered : answered + ": " + failure.message;
  return failure;
}

Failure failure_of_error(const Json& error) {
  Failure failure;
  read_error(error, failure);
  int status = status_of_word(failure.code);
  if (status == 0) status = status_of_word(string_or(error, "type", ""));
  failure.kind = status == 0 ? FailureKind::kUnavailable : kind_of_status(status, failure.code);
  if (says_too_long(failure.message)) failure.kind = FailureKind::kTooLong;
  if (failure.message.empty()) failure.message = "the provider says no more than " + failure.code;
  return failure;
}

}  // namespace plumbline::model
