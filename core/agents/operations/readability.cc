#include "core/agents/operations/readability.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/base64.h"
#include "core/base/check.h"
#include "core/schema/schema.h"

namespace plumbline::agents {

namespace {

using Kind = Unreadable::Kind;

// Reading is what was found in the items of a result.
struct Reading {
  std::string text;
  std::int64_t readable = 0;        // Items with text.
  std::vector<std::string> opaque;  // What the items without text are.

  // unread returns them as one part of a sentence.
  std::string unread() const {
    constexpr std::size_t kNamedMax = 8;
    std::string out;
    for (std::size_t i = 0; i < std::min(opaque.size(), kNamedMax); ++i) {
      out += (i == 0 ? "" : ", ") + opaque[i];
    }
    if (opaque.size() <= kNamedMax) return out;
    return out + " and " + std::to_string(opaque.size() - kNamedMax) + " more";
  }
};

Unreadable malformed(std::string what) { return Unreadable{Kind::kMalformed, std::move(what)}; }

void add_text(Reading& reading, std::string_view text) {
  if (!reading.text.empty()) reading.text += '\n';
  reading.text += text;
  ++reading.readable;
}

// add_opaque keeps the name short: the server has chosen it.
void add_opaque(Reading& reading, std::string what) {
  constexpr std::size_t kNameBytesMax = 200;
  if (what.size() > kNameBytesMax) {
    std::size_t end = kNameBytesMax;
    while (end > 0 && (static_cast<unsigned char>(what[end]) & 0xC0U) == 0x80) --end;
    what.resize(end);
    what += "...";
  }
  reading.opaque.push_back(std::move(what));
}

// read_text takes text that may be binary in disguise.
void read_text(Reading& reading, const std::string& text) {
  if (is_opaque_text(text)) {
    add_opaque(reading, "text that is binary data");
  } else {
    add_text(reading, text);
  }
}

// is_text_type returns whether a blob of this type is text that was only packed as one.
bool is_text_type(std::string_view type) {
  constexpr std::array<std::string_view, 5> kTypes = {"application/json", "application/xml",
                                                      "application/yaml", "application/toml",
                                                      "application/javascript"};
  type = type.substr(0, type.find(';'));
  return type.starts_with("text/") || type.ends_with("+json") || type.ends_with("+xml") ||
         std::ranges::find(kTypes, type) != kTypes.end();
}

// read_blob goes by the declared type: a table is text, and what says nothing of itself is bytes.
void read_blob(Reading& reading, const Json& contents, const std::string& blob) {
  std::string type = string_or(contents, "mimeType", "");
  if (is_text_type(type)) {
    if (const std::optional<std::string> text = decode_base64(blob)) {
      return read_text(reading, *text);
    }
  }
  if (type.empty()) type = "application/octet-stream";
  const std::string uri = string_or(contents, "uri", "");
  add_opaque(reading, "binary content of type " + type + (uri.empty() ? "" : " at " + uri));
}

// read_contents reads resource contents: of resources/read, or embedded in a tool's result.
std::optional<Unreadable> read_contents(Reading& reading, const Json& contents) {
  if (const std::optional<std::string> text = find_string(contents, "text")) {
    read_text(reading, *text);
    return std::nullopt;
  }
  if (const std::optional<std::string> blob = find_string(contents, "blob")) {
    read_blob(reading, contents, *blob);
    return std::nullopt;
  }
  return malformed("a resource has neither text nor blob");
}

std::optional<Unreadable> read_item(Reading& reading, const Json& item) {
  const std::string type = string_or(item, "type", "");
  if (type == "text") {
    const std::optional<std::string> text = find_string(item, "text");
    if (!text) return malformed("a text content item has no text");
    read_text(reading, *text);
  } else if (type == "image" || type == "audio") {
    add_opaque(reading, type + " of type " + string_or(item, "mimeType", "unknown"));
  } else if (type == "resource_link") {
    add_text(reading, string_or(item, "name", "resource") + ": " + string_or(item, "uri", "?"));
  } else if (type == "resource") {
    const Json* const resource = find(item, "resource");
    if (resource == nullptr) return malformed("an embedded resource is missing");
    return read_contents(reading, *resource);
  } else {
    return malformed("a content item has the type \"" + type + "\", which MCP does not know");
  }
  return std::nullopt;
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

// count_lines counts the lines that hold something: the items of a listing.
std::int64_t count_lines(std::string_view text) {
  std::int64_t lines = 0;
  bool blank = true;
  for (const char c : text) {
    if (c == '\n') {
      lines += blank ? 0 : 1;
      blank = true;
    } else if (c != ' ' && c != '\r' && c != '\t') {
      blank = false;
    }
  }
  return lines + (blank ? 0 : 1);
}

// count_records returns the length of a list, or of the first list in an object; nothing when there
// is no list.
std::optional<std::int64_t> count_records(const Json& value) {
  if (value.is_array()) return static_cast<std::int64_t>(value.size());
  if (const auto* const members = value.get_ptr<const Json::object_t*>()) {
    for (const auto& [key, member] : *members) {
      if (member.is_array()) return static_cast<std::int64_t>(member.size());
    }
  }
  return std::nullopt;
}

// contradicts returns whether a text that is JSON of the same kind says something else than the
// structured content. A text that the structured content quotes agrees with it.
bool contradicts(const Json& structured, const Json& content) {
  for (const Json& item : content) {
    const std::string text = string_or(item, "text", "");
    if (text.empty() || (text.front() != '{' && text.front() != '[')) continue;
    const Result<Json> parsed = parse_json(text);
    if (!parsed.ok() || parsed.value().type() != structured.type()) continue;
    const auto quotes = [&](const Json& member) { return member.is_string() && member == text; };
    const bool quoted =
        structured.is_object() && std::any_of(structured.begin(), structured.end(), quotes);
    if (!quoted && parsed.value() != structured) return true;
  }
  return false;
}

std::optional<Unreadable> check_structured(const connector::Capability& tool, const Json& result) {
  const Json* const structured = find(result, "structuredContent");
  if (tool.output_schema.is_object()) {
    if (structured == nullptr) {
      return malformed("the tool declares an output schema and returned no structuredContent");
    }
    const Result<schema::Schema> compiled = schema::Schema::compile(tool.output_schema);
    if (!compiled.ok()) {
      return malformed("the output schema cannot be used: " + compiled.error().message);
    }
    if (const std::optional<schema::Violation> wrong = compiled.value().validate(*structured)) {
      return malformed("the result does not match its output schema: " + wrong->message);
    }
  }
  if (structured != nullptr && contradicts(*structured, *find(result, "content"))) {
    return Unreadable{Kind::kContradictory,
                      "the text of the result and its structuredContent say different things"};
  }
  return std::nullopt;
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

Result<ContextUpdate, Unreadable> finish(Reading reading, std::string kind, std::int64_t items,
                                         std::int64_t bytes_max) {
  if (reading.readable == 0 && !reading.opaque.empty()) {
    return Unreadable{Kind::kOpaque, "the result is " + reading.unread() + ", which has no text"};
  }
  if (static_cast<std::int64_t>(reading.text.size()) > bytes_max) {
    return Unreadable{Kind::kOversized, "the result is " + std::to_string(reading.text.size()) +
                                            " bytes, at most " + std::to_string(bytes_max) +
                                            " fit into the context"};
  }
  if (!reading.opaque.empty()) reading.text += "\n[left out: " + reading.unread() + "]";
  return ContextUpdate{std::move(kind), std::move(reading.text), items};
}

Result<ContextUpdate, Unreadable> read_tool(const connector::Capability& tool, const Json& result,
                                            std::int64_t bytes_max) {
  const Json* const content = find(result, "content");
  if (content == nullptr || !content->is_array()) {
    return malformed("the result has no content array");
  }
  Reading reading;
  for (const Json& item : *content) {
    if (std::optional<Unreadable> wrong = read_item(reading, item)) return std::move(*wrong);
  }
  if (std::optional<Unreadable> wrong = check_structured(tool, result)) return std::move(*wrong);
  if (const Json* const structured = find(result, "structuredContent")) {
    if (reading.readable == 0) add_text(reading, dump_json(without_binary(*structured)));
    const std::int64_t items = count_records(*structured).value_or(count_lines(reading.text));
    return finish(std::move(reading), "records", items, bytes_max);
  }
  const std::int64_t lines = count_lines(reading.text);
  const bool silent = reading.readable == 0 && reading.opaque.empty();
  return finish(std::move(reading), silent ? "confirmation" : "text", lines, bytes_max);
}

Result<ContextUpdate, Unreadable> read_resource(const Json& result, std::int64_t bytes_max) {
  const Json* const contents = find(result, "contents");
  if (contents == nullptr || !contents->is_array()) {
    return malformed("the result has no contents array");
  }
  if (contents->empty()) return malformed("the resource has no contents");
  Reading reading;
  for (const Json& item : *contents) {
    if (std::optional<Unreadable> wrong = read_contents(reading, item)) return std::move(*wrong);
  }
  const auto items = static_cast<std::int64_t>(contents->size());
  return finish(std::move(reading), "text", items, bytes_max);
}

Result<ContextUpdate, Unreadable> read_prompt(const Json& result, std::int64_t bytes_max) {
  const Json* const messages = find(result, "messages");
  if (messages == nullptr || !messages->is_array()) {
    return malformed("the result has no messages array");
  }
  Reading reading;
  for (const Json& message : *messages) {
    const std::string role = string_or(message, "role", "");
    if (role != "user" && role != "assistant") {
      return malformed("a prompt message has the role \"" + role + "\"");
    }
    const Json* const content = find(message, "content");
    if (content == nullptr) return malformed("a prompt message has no content");
    if (std::optional<Unreadable> wrong = read_item(reading, *content)) return std::move(*wrong);
  }
  const auto items = static_cast<std::int64_t>(messages->size());
  return finish(std::move(reading), "prompt", items, bytes_max);
}

}  // namespace

std::string_view name_of(Unreadable::Kind kind) {
  switch (kind) {
    case Kind::kOpaque:
      return "opaque";
    case Kind::kOversized:
      return "oversized";
    case Kind::kMalformed:
      return "malformed";
    case Kind::kContradictory:
      return "contradictory";
  }
  check(false, "unknown Unreadable");
  return {};
}

bool is_opaque_type(std::string_view mime_type) {
  constexpr std::array<std::string_view, 5> kFamilies = {"image/", "audio/", "video/", "font/",
                                                         "application/vnd."};
  constexpr std::array<std::string_view, 9> kTypes = {
      "application/pdf",  "application/octet-stream", "application/zip",
      "application/gzip", "application/x-tar",        "application/msword",
      "application/wasm", "application/x-executable", "application/x-sqlite3"};
  mime_type = mime_type.substr(0, mime_type.find(';'));
  if (mime_type == "image/svg+xml" || mime_type.ends_with("+json") || mime_type.ends_with("+xml")) {
    return false;
  }
  return std::ranges::find(kTypes, mime_type) != kTypes.end() ||
         std::ranges::any_of(kFamilies, [&](auto family) { return mime_type.starts_with(family); });
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

Result<ContextUpdate, Unreadable> read_result(const connector::Capability& capability,
                                              const Json& result, std::int64_t context_bytes_max) {
  switch (capability.type) {
    case connector::CapabilityType::kTool:
      return read_tool(capability, result, context_bytes_max);
    case connector::CapabilityType::kResource:
      return read_resource(result, context_bytes_max);
    case connector::CapabilityType::kPrompt:
      return read_prompt(result, context_bytes_max);
  }
  check(false, "unknown CapabilityType");
  return malformed("");
}

std::string error_text(const Json& result) {
  constexpr std::size_t kErrorBytesMax = 500;
  Reading reading;
  if (const Json* const content = find(result, "content"); content && content->is_array()) {
    for (const Json& item : *content) {
      if (read_item(reading, item)) break;
    }
  }
  if (reading.text.empty()) return "no explanation";
  if (reading.text.size() > kErrorBytesMax) reading.text.resize(kErrorBytesMax);
  return reading.text;
}

}  // namespace plumbline::agents
