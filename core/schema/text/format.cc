#include "core/schema/text/format.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/base/limits.h"
#include "core/base/percent.h"
#include "core/schema/text/ascii.h"
#include "core/schema/text/pattern.h"
#include "core/schema/text/uri.h"

namespace plumbline::schema {

namespace {

bool is_hex(char c) { return hex_digit(c) >= 0; }
bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// number_in reads exactly the digits of `text`; -1 when there is something else.
int number_in(std::string_view text) {
  if (!all_digits(text) || text.size() > 4) return -1;
  int number = 0;
  for (const char c : text) number = number * 10 + (c - '0');
  return number;
}

// RFC 3339, full-date.
bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int year = number_in(text.substr(0, 4));
  const int month = number_in(text.substr(5, 2));
  const int day = number_in(text.substr(8, 2));
  if (year < 0 || month < 1 || month > 12 || day < 1) return false;
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

// RFC 3339, full-time. A leap second is only at 23:59:60 UTC.
bool is_time(std::string_view text) {
  if (text.size() < 9 || text[2] != ':' || text[5] != ':') return false;
  const int hour = number_in(text.substr(0, 2));
  const int minute = number_in(text.substr(3, 2));
  const int second = number_in(text.substr(6, 2));
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  text.remove_prefix(8);
  if (text.front() == '.') {
    const auto end = std::find_if_not(text.begin() + 1, text.end(), is_digit);
    if (end == text.begin() + 1) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  }
  int offset = 0;
  if (text != "Z" && text != "z") {
    if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return false;
    const int hours = number_in(text.substr(1, 2));
    const int minutes = number_in(text.substr(4, 2));
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
    offset = (hours * 60 + minutes) * (text[0] == '-' ? -1 : 1);
  }
  constexpr int kDay = 24 * 60;
  return second < 60 || (hour * 60 + minute - offset + kDay) % kDay == kDay - 1;
}

bool is_date_time(std::string_view text) {
  return text.size() > 11 && (text[10] == 'T' || text[10] == 't') && is_date(text.substr(0, 10)) &&
         is_time(text.substr(11));
}

// RFC 2673, section 3.2: no leading zeros, which some read as octal.
bool is_ipv4(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    const std::size_t end = std::min(text.find('.'), text.size());
    const std::string_view digits = text.substr(0, end);
    const int number = number_in(digits);
    if (number < 0 || number > 255 || (digits.size() > 1 && digits.front() == '0')) return false;
    if ((end == text.size()) != (part == 3)) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

// RFC 4291, section 2.2.
bool is_ipv6(std::string_view text) {
  int groups = 0;
  bool gap = false;
  if (text.substr(0, 2) == "::") {
    gap = true;
    text.remove_prefix(2);
  }
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view group = text.substr(0, end);
    if (end == text.size() && group.find('.') != std::string_view::npos) {
      if (!is_ipv4(group)) return false;
      groups += 2;
      break;
    }
    if (group.empty() || group.size() > 4) return false;
    if (!std::all_of(group.begin(), group.end(), is_hex)) return false;
    ++groups;
    text.remove_prefix(end);
    if (text.empty()) break;
    if (text.substr(0, 2) == "::") {
      if (gap) return false;
      gap = true;
      text.remove_prefix(2);
    } else {
      text.remove_prefix(1);
      if (text.empty()) return false;
    }
  }
  return gap ? groups <= 7 : groups == 8;
}

// RFC 1123, section 2.1.
bool is_hostname(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  for (bool last = false; !last;) {
    const std::size_t end = std::min(text.find('.'), text.size());
    const std::string_view label = text.substr(0, end);
    last = end == text.size();
    text.remove_prefix(last ? end : end + 1);
    if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') {
      return false;
    }
    const bool plain = std::all_of(label.begin(), label.end(),
                                   [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
    // "--" in third place is reserved for A-labels (RFC 5891).
    const bool reserved = label.size() > 3 && label.substr(2, 2) == "--";
    const bool a_label = label.substr(0, 4) == "xn--" || label.substr(0, 4) == "XN--";
    if (!plain || (reserved && !a_label)) return false;
  }
  return true;
}

bool is_address_literal(std::string_view domain) {
  if (domain.size() < 2 || domain.front() != '[' || domain.back() != ']') return false;
  const std::string_view inner = domain.substr(1, domain.size() - 2);
  return inner.substr(0, 5) == "IPv6:" ? is_ipv6(inner.substr(5)) : is_ipv4(inner);
}

bool is_quoted_local(std::string_view local) {
  if (local.size() < 2 || local.front() != '"' || local.back() != '"') return false;
  for (std::size_t i = 1; i + 1 < local.size(); ++i) {
    if (local[i] < ' ' || local[i] == 127 || local[i] == '"') return false;
    if (local[i] == '\\' && ++i + 1 >= local.size()) return false;
  }
  return true;
}

// RFC 5321, section 4.1.2.
bool is_email(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::string_view local = text.substr(0, at);
  const std::string_view domain = text.substr(at + 1);
  if (!is_hostname(domain) && !is_address_literal(domain)) return false;
  if (is_quoted_local(local)) return true;
  if (local.empty() || local.front() == '.' || local.back() == '.') return false;
  if (local.find("..") != std::string_view::npos) return false;
  return std::all_of(local.begin(), local.end(), [](char c) {
    return is_letter(c) || is_digit(c) || is_one_of(c, ".!#$%&'*+-/=?^_`{|}~");
  });
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

// RFC 6901, section 3.
bool is_json_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '~' && (i + 1 == text.size() || !is_one_of(text[i + 1], "01"))) return false;
  }
  return true;
}

// A lookahead is a regular expression, though not one that a "pattern" here may use.
bool is_regex(std::string_view text) {
  const Result<Pattern> pattern = Pattern::compile(text, limits::kSchemaPatternBytesMax);
  return pattern.ok() || pattern.error().code != ErrorCode::kInvalidInput;
}

constexpr std::string_view kSubDelimiters = "!$&'()*+,;=";

// all_of_uri checks unreserved characters, escapes and those of `more`.
bool all_of_uri(std::string_view text, std::string_view more) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
      i += 2;
    } else if (!is_letter(c) && !is_digit(c) && !is_one_of(c, "-._~") && !is_one_of(c, more) &&
               !is_one_of(c, kSubDelimiters)) {
      return false;
    }
  }
  return true;
}

bool is_authority(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    if (!all_of_uri(text.substr(0, at), ":")) return false;
    text.remove_prefix(at + 1);
  }
  std::string_view port;
  if (!text.empty() && text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return false;
    const std::string_view inner = text.substr(1, close - 1);
    const bool future = !inner.empty() && (inner.front() == 'v' || inner.front() == 'V');
    if (future ? !all_of_uri(inner, ":") : !is_ipv6(inner)) return false;
    port = text.substr(close + 1);
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    if (!all_of_uri(text.substr(0, colon), "")) return false;
    port = text.substr(colon);
  }
  if (port.empty()) return true;
  return port.front() == ':' && std::all_of(port.begin() + 1, port.end(), is_digit);
}

// RFC 3986, section 4.1.
bool is_uri_reference(std::string_view text) {
  const std::size_t hash = std::min(text.find('#'), text.size());
  if (hash < text.size() && !all_of_uri(text.substr(hash + 1), ":@/?")) return false;
  text = text.substr(0, hash);
  const std::size_t query = std::min(text.find('?'), text.size());
  if (query < text.size() && !all_of_uri(text.substr(query + 1), ":@/?")) return false;
  text = text.substr(0, query);
  const std::size_t scheme = scheme_bytes(text);
  text.remove_prefix(scheme);
  if (text.substr(0, 2) == "//") {
    const std::size_t end = std::min(text.find('/', 2), text.size());
    if (!is_authority(text.substr(2, end - 2))) return false;
    text.remove_prefix(end);
  } else if (scheme == 0 && text.substr(0, text.find('/')).find(':') != std::string_view::npos) {
    return false;
  }
  return all_of_uri(text, ":@/");
}

bool is_uri(std::string_view text) { return scheme_bytes(text) > 0 && is_uri_reference(text); }

constexpr Format kFormats[] = {
    {"date", is_date},
    {"date-time", is_date_time},
    {"email", is_email},
    {"hostname", is_hostname},
    {"ipv4", is_ipv4},
    {"ipv6", is_ipv6},
    {"json-pointer", is_json_pointer},
    {"regex", is_regex},
    {"time", is_time},
    {"uri", is_uri},
    {"uri-reference", is_uri_reference},
    {"uuid", is_uuid},
};

}  // namespace

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace plumbline::schema
