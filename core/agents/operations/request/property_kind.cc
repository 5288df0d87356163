#include "core/agents/operations/request/property_kind.h"

#include <vector>

#include "core/agents/operations/request/identified.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/words.h"
#include "core/base/check.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

struct KindWords {
  PropertyKind kind;
  std::vector<std::string_view> words;
};

// A property is of the first kind that one of its name's words belongs to.
const std::vector<KindWords>& kind_table() {
  static const std::vector<KindWords> table = {
      {PropertyKind::kUri, {"uri", "url", "link", "href"}},
      {PropertyKind::kRecipient,
       {"to", "recipient", "recipients", "email", "channel", "assignee", "address"}},
      {PropertyKind::kDestination, {"destination", "target", "dest"}},
      {PropertyKind::kOrigin, {"origin", "departure"}},
      {PropertyKind::kPath, {"path", "file", "filename", "folder", "filepath", "source"}},
      {PropertyKind::kPhrase, {"search", "q", "term", "keyword", "pattern", "topic", "question"}},
      {PropertyKind::kText, {"text", "body", "content", "message", "comment", "note"}},
      {PropertyKind::kIdentifier, {"id", "number", "key", "issue", "ticket", "order"}},
      {PropertyKind::kPerson, {"name", "person", "who", "user", "customer"}},
      {PropertyKind::kPlace, {"city", "location", "place", "country", "room"}},
      {PropertyKind::kSubject, {"subject", "title", "document", "attachment", "report", "item"}},
  };
  return table;
}

}  // namespace

PropertyKind kind_of(std::string_view property) {
  std::vector<std::string> words;
  for (const std::string& word : words_of(property)) words.push_back(fold(word));
  for (const KindWords& row : kind_table()) {
    for (const std::string_view word : row.words) {
      if (!contains(words, word)) continue;
      // "messageId" is no message.
      const bool id = row.kind == PropertyKind::kText && is_id_word(words.back());
      return id ? PropertyKind::kIdentifier : row.kind;
    }
  }
  return PropertyKind::kOther;
}

bool wants_bytes(const std::string& name, const Json& schema) {
  if (string_or(schema, "contentEncoding", "") == "base64") return true;
  const std::string format = string_or(schema, "format", "");
  return format == "byte" || format == "base64" || contains(words_of(name), "base64");
}

bool tells_of_a_place(const Json& schema) {
  const std::vector<std::string> told = content_words(string_or(schema, "description", ""));
  return contains(told, "city") || contains(told, "location") || contains(told, "place");
}

bool tells_of_a_path(const Json& schema) {
  const std::string told = lower_case(string_or(schema, "description", ""));
  return told.find("file path") != std::string::npos ||
         told.find("path to a file") != std::string::npos ||
         told.find("path of a file") != std::string::npos;
}

bool shows_a_comma(const Json& schema) {
  const std::string told = string_or(schema, "description", "");
  for (std::size_t at = told.find(", "); at != std::string::npos; at = told.find(", ", at + 1)) {
    const std::size_t open = told.find_last_of("'\"", at);
    const std::size_t close = told.find_first_of("'\"", at);
    if (open == std::string::npos || close == std::string::npos) continue;
    if (open + 1 < at && is_upper(told[open + 1]) && is_upper(told[at + 2])) return true;
  }
  return false;
}

bool takes_addresses(const Json& schema) {
  return contains(content_words(string_or(schema, "description", "")), "url");
}

std::optional<std::string> by_kind(PropertyKind kind, RequestText& request) {
  switch (kind) {
    case PropertyKind::kPath: {
      std::optional<std::string> path = request.path();
      return path ? path : request.folder();
    }
    case PropertyKind::kOrigin:
      return request.value_after({"from"});
    case PropertyKind::kDestination: {
      std::optional<std::string> path = request.path_after({"to", "into", "as"});
      if (!path) path = request.value_after({"to", "into", "as"});
      return path ? path : request.named_into();
    }
    case PropertyKind::kUri:
      return request.uri();
    case PropertyKind::kRecipient:
      return request.recipient();
    case PropertyKind::kPerson:
      return request.person();
    case PropertyKind::kPhrase:
      if (std::optional<std::string> pattern = request.pattern()) return pattern;
      return request.phrase_after({"for", "about", "matching", "containing", "named", "on"});
    case PropertyKind::kText:
      return request.phrase_after({"saying", "says", "text", "reading"});
    case PropertyKind::kIdentifier:
      return request.identifier();
    case PropertyKind::kSubject:
      return request.direct_object();
    case PropertyKind::kPlace:
      return request.place();
    case PropertyKind::kOther:
      return std::nullopt;
  }
  check(false, "unknown Kind");
  return std::nullopt;
}

}  // namespace plumbline::agents
