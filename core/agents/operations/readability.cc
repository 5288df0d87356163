#include "core/agents/operations/readability.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/agents/policy/words.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "core/connector/result_parts.h"
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
  if (connector::is_opaque_text(text)) {
    add_opaque(reading, "text that is binary data");
  } else {
    add_text(reading, text);
  }
}

// read_part takes one part; one that is malformed is why the result cannot be used.
std::optional<Unreadable> read_part(Reading& reading, connector::ResultPart part) {
  switch (part.kind) {
    case connector::ResultPart::Kind::kText:
      read_text(reading, part.text);
      return std::nullopt;
    case connector::ResultPart::Kind::kMedia:
    case connector::ResultPart::Kind::kBinary:
      add_opaque(reading, std::move(part.text));
      return std::nullopt;
    case connector::ResultPart::Kind::kMalformed:
      return malformed(std::move(part.text));
  }
  check(false, "unknown ResultPart");
  return std::nullopt;
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

// add_structure adds the structured content that the texts do not say.
void add_structure(Reading& reading, const Json& result) {
  const Json structure = connector::unsaid_structure(result);
  if (!structure.is_null()) add_text(reading, dump_json(structure));
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
  for (connector::ResultPart& part : connector::parts_of(result)) {
    std::optional<Unreadable> wrong = read_part(reading, std::move(part));
    if (wrong) return std::move(*wrong);
  }
  if (std::optional<Unreadable> wrong = check_structured(tool, result)) return std::move(*wrong);
  const std::int64_t lines = count_lines(reading.text);
  if (const Json* const structured = find(result, "structuredContent")) {
    const std::int64_t items =
        count_records(*structured).value_or(std::max<std::int64_t>(1, lines));
    add_structure(reading, result);
    return finish(std::move(reading), "records", items, bytes_max);
  }
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
    std::optional<Unreadable> wrong = read_part(reading, connector::part_of_contents(item));
    if (wrong) return std::move(*wrong);
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
    std::optional<Unreadable> wrong = read_part(reading, connector::part_of_block(*content));
    if (wrong) return std::move(*wrong);
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
  for (connector::ResultPart& part : connector::parts_of(result)) {
    const std::optional<Unreadable> wrong = read_part(reading, std::move(part));
    if (wrong) add_text(reading, "[" + wrong->message + "]");
  }
  add_structure(reading, result);
  if (!reading.opaque.empty()) add_text(reading, "[left out: " + reading.unread() + "]");
  if (reading.text.empty()) return "no explanation";
  return std::string(beginning(reading.text, kErrorBytesMax));
}

bool extracts(const connector::Capability& tool) {
  if (tool.type != connector::CapabilityType::kTool) return false;
  constexpr std::array<std::string_view, 4> kVerbs = {"extract", "ocr", "transcribe", "convert"};
  constexpr std::array<std::string_view, 5> kThings = {"pdf", "text", "document", "image", "audio"};
  const std::vector<std::string> words = content_words(tool.name + " " + tool.description);
  const auto among = [&](std::string_view word) { return contains(words, word); };
  return std::ranges::any_of(kVerbs, among) && std::ranges::any_of(kThings, among);
}

}  // namespace plumbline::agents
