#include "core/connector/result_parts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/base64.h"

namespace plumbline::connector {

namespace {

using Kind = ResultPart::Kind;

ResultPart malformed(std::string what) { return {Kind::kMalformed, std::move(what)}; }

// is_text_type returns whether a blob of this type is text that was only packed as one.
bool is_text_type(std::string_view type) {
  constexpr std::array<std::string_view, 5> kTypes = {"application/json", "application/xml",
                                                      "application/yaml", "application/toml",
                                                      "application/javascript"};
  type = type.substr(0, type.find(';'));
  return type.starts_with("text/") || type.ends_with("+json") || type.ends_with("+xml") ||
         std::ranges::find(kTypes, type) != kTypes.end();
}

// blob_part goes by the declared type: a table is text, and what says nothing of itself is bytes.
ResultPart blob_part(const Json& contents, const std::string& blob) {
  std::string type = string_or(contents, "mimeType", "");
  if (is_text_type(type)) {
    if (std::optional<std::string> text = decode_base64(blob)) {
      return {Kind::kText, *std::move(text)};
    }
  }
  if (type.empty()) type = "application/octet-stream";
  const std::string uri = string_or(contents, "uri", "");
  return {Kind::kBinary, "binary content of type " + type + (uri.empty() ? "" : " at " + uri)};
}

ResultPart link_part(const Json& link) {
  std::string text = string_or(link, "name", "resource") + ": " + string_or(link, "uri", "?");
  const std::string what = string_or(link, "description", "");
  if (!what.empty()) text += " (" + what + ")";
  return {Kind::kText, std::move(text)};
}

// stands_in returns whether `words` are in `text`, and no part of longer words.
bool stands_in(std::string_view text, std::string_view words) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(words); at != std::string_view::npos;
       at = text.find(words, at + 1)) {
    if (!in_word(at + words.size()) && (at == 0 || !in_word(at - 1))) return true;
  }
  return false;
}

// quoted_in returns whether every value is a text that stands in `texts`. A number, true or null
// says something by the name it has, which no text need repeat.
bool quoted_in(const std::vector<std::string>& texts, const Json& value) {
  if (const auto* const said = value.get_ptr<const std::string*>()) {
    return !said->empty() && std::ranges::any_of(texts, [said](const std::string& text) {
      return stands_in(text, *said);
    });
  }
  return value.is_structured() && !value.empty() &&
         std::ranges::all_of(value, [&](const Json& inner) { return quoted_in(texts, inner); });
}

bool is_same_json(const std::string& text, const Json& value) {
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  const Result<Json> parsed = parse_json(text);
  return parsed.ok() && parsed.value() == value;
}

// Base64Run is a run of base64 that may go over line breaks.
struct Base64Run {
  std::size_t bytes = 0;
  std::size_t line_bytes = 0;  // Since the last line break.
  bool upper = false;
  bool lower = false;
  bool digit = false;

  // mixed tells base64 from long words and from hex.
  std::size_t bytes_if_mixed() const { return upper && lower && digit ? bytes : 0; }
};

// longest_base64_run returns its bytes. A line break goes on with it only after a line as long as
// encoders make them: a list of names, one a line, is none.
std::size_t longest_base64_run(std::string_view text) {
  constexpr std::size_t kLineBytesMin = 60;
  std::size_t longest = 0;
  Base64Run run;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool breaks = c == '\n' || c == '\r';
    if (breaks && run.line_bytes >= kLineBytesMin) run.line_bytes = 0;
    if (breaks && run.line_bytes == 0) continue;
    if (std::isalnum(byte) == 0 && std::string_view("+/=-_").find(c) == std::string_view::npos) {
      run = Base64Run();
      continue;
    }
    ++run.bytes;
    ++run.line_bytes;
    run.upper = run.upper || std::isupper(byte) != 0;
    run.lower = run.lower || std::islower(byte) != 0;
    run.digit = run.digit || std::isdigit(byte) != 0;
    longest = std::max(longest, run.bytes_if_mixed());
  }
  return longest;
}

// without_binary takes the strings that are binary data out of structured content.
Json without_binary(Json value) {
  if (const auto* const text = value.get_ptr<const std::string*>()) {
    return is_opaque_text(*text) ? Json("[binary data]") : value;
  }
  if (value.is_structured()) {
    for (Json& member : value) member = without_binary(std::move(member));
  }
  return value;
}

}  // namespace

ResultPart part_of_block(const Json& block) {
  const std::string type = string_or(block, "type", "");
  if (type == "text") {
    std::optional<std::string> text = find_string(block, "text");
    if (!text) return malformed("a text content item has no text");
    return {Kind::kText, *std::move(text)};
  }
  if (type == "image" || type == "audio") {
    const std::string mime_type = string_or(block, "mimeType", "");
    return {Kind::kMedia, type + " of type " + (mime_type.empty() ? "unknown" : mime_type),
            mime_type, string_or(block, "data", "")};
  }
  if (type == "resource_link") return link_part(block);
  if (type == "resource") {
    const Json* const resource = find(block, "resource");
    return resource ? part_of_contents(*resource) : malformed("an embedded resource is missing");
  }
  return malformed("a content item has the type \"" + type + "\", which MCP does not know");
}

ResultPart part_of_contents(const Json& contents) {
  if (std::optional<std::string> text = find_string(contents, "text")) {
    return {Kind::kText, *std::move(text)};
  }
  if (const std::optional<std::string> blob = find_string(contents, "blob")) {
    return blob_part(contents, *blob);
  }
  return malformed("a resource has neither text nor blob");
}

std::vector<ResultPart> parts_of(const Json& result) {
  std::vector<ResultPart> parts;
  const Json* const content = find(result, "content");
  if (content == nullptr || !content->is_array()) return parts;
  for (const Json& block : *content) parts.push_back(part_of_block(block));
  return parts;
}

bool is_opaque_text(std::string_view text) {
  if (text.substr(0, 5) == "%PDF-") return true;
  std::size_t odd = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control = byte < 32 && byte != '\n' && byte != '\r' && byte != '\t' && byte != 27;
    if (control || (byte == 0xef && text.substr(i, 3) == "\xef\xbf\xbd")) ++odd;
  }
  if (odd * 50 > text.size()) return true;  // More than 2 in 100.
  constexpr std::size_t kBase64RunBytesMin = 256;
  if (text.size() < kBase64RunBytesMin) return false;
  const std::size_t run = longest_base64_run(text);
  return run >= kBase64RunBytesMin && run * 10 > text.size() * 9;
}

Json unsaid_structure(const Json& result) {
  const Json* const structured = find(result, "structuredContent");
  if (structured == nullptr || structured->is_null()) return nullptr;
  std::vector<std::string> texts;
  for (ResultPart& part : parts_of(result)) {
    if (part.kind == Kind::kText) texts.push_back(std::move(part.text));
  }
  const bool said = std::ranges::any_of(
      texts, [&](const std::string& text) { return is_same_json(text, *structured); });
  const bool empty = structured->empty() && !texts.empty();
  return said || empty || quoted_in(texts, *structured) ? Json() : without_binary(*structured);
}

}  // namespace plumbline::connector
