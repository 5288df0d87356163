#include "core/wire/http.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/check.h"

namespace plumbline::wire {

namespace {

bool is_one_line(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

bool is_token(std::string_view text) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    const char lower = lower_case(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

void append_number(std::string& out, std::size_t number, int base) {
  std::array<char, 24> digits{};
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
  out.append(digits.data(), end);
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

// append_fields leaves out the two that the writers decide on.
void append_fields(std::string& out, const HttpHeaders& headers) {
  for (const auto& [name, value] : headers.fields()) {
    check(is_token(name), "a header name is a token");
    check(is_one_line(value), "a header value is one line");
    if (equals_ignoring_case(name, "Content-Length")) continue;
    if (equals_ignoring_case(name, "Transfer-Encoding")) continue;
    append_field(out, name, value);
  }
}

void append_length(std::string& out, std::size_t body_bytes) {
  out.append("Content-Length: ");
  append_number(out, body_bytes, 10);
  out.append("\r\n");
}

void append_status_line(std::string& out, int status) {
  check(status >= 100 && status <= 999, "a status has three digits");
  out.append("HTTP/1.1 ");
  append_number(out, static_cast<std::size_t>(status), 10);
  out.append(" ").append(reason_of(status)).append("\r\n");
}

}  // namespace

bool is_header_value(std::string_view text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return std::ranges::none_of(text, is_control) && !text.starts_with(' ') && !text.ends_with(' ');
}

std::optional<std::string_view> HttpHeaders::get(std::string_view name) const {
  for (const Field& field : fields_) {
    if (!equals_ignoring_case(field.first, name)) continue;
    return trimmed(field.second);
  }
  return std::nullopt;
}

std::size_t HttpHeaders::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      fields_, [&](const Field& field) { return equals_ignoring_case(field.first, name); }));
}

void HttpHeaders::set(std::string_view name, std::string value) {
  const std::string kept(name);  // `name` may be part of a field that goes.
  erase(kept);
  add(kept, std::move(value));
}

void HttpHeaders::add(std::string name, std::string value) {
  fields_.emplace_back(std::move(name), std::move(value));
}

void HttpHeaders::erase(std::string_view name) {
  const std::string kept(name);
  std::erase_if(fields_, [&](const Field& f) { return equals_ignoring_case(f.first, kept); });
}

void append_request(std::string& out, const HttpRequest& request) {
  check(is_token(request.method), "a method is a token");
  check(!request.target.empty() && is_one_line(request.target) &&
            request.target.find_first_of(" \t") == std::string::npos,
        "a target is one word");
  check(request.headers.count("Host") == 1, "a request names its host");
  out.append(request.method).append(" ").append(request.target).append(" HTTP/1.1\r\n");
  append_fields(out, request.headers);
  if (request.headers.get("Transfer-Encoding") == "chunked") {
    append_field(out, "Transfer-Encoding", "chunked");
    out.append("\r\n");
    append_chunk(out, request.body);
    return append_last_chunk(out);
  }
  const bool wants_length =
      request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  if (wants_length || !request.body.empty()) append_length(out, request.body.size());
  out.append("\r\n").append(request.body);
}

void append_response(std::string& out, const HttpResponse& response) {
  const bool bodiless = response.status < 200 || response.status == 204 || response.status == 304;
  check(!bodiless || response.body.empty(), "a response of this status has no body");
  append_status_line(out, response.status);
  append_fields(out, response.headers);
  if (!bodiless) append_length(out, response.body.size());
  out.append("\r\n").append(response.body);
}

void append_stream_head(std::string& out, int status, const HttpHeaders& headers) {
  append_status_line(out, status);
  append_fields(out, headers);
  append_field(out, "Transfer-Encoding", "chunked");
  out.append("\r\n");
}

void append_chunk(std::string& out, std::string_view bytes) {
  if (bytes.empty()) return;
  append_number(out, bytes.size(), 16);
  out.append("\r\n").append(bytes).append("\r\n");
}

void append_last_chunk(std::string& out) { out.append("0\r\n\r\n"); }

}  // namespace plumbline::wire
