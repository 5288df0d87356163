// The keys of _meta, and names that are spelt like them.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/oracles/rules.h"

namespace plumbline::conformance {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_alphanumeric(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

// What users say, not the protocol: a "_meta" within is none.
constexpr std::array<std::string_view, 8> kOpaque = {
    "arguments", "structuredContent", "inputSchema", "outputSchema", "requestedSchema",
    "data",      "experimental",      "input"};

constexpr std::array<std::string_view, 4> kUnprefixed = {"progressToken", "traceparent",
                                                         "tracestate", "baggage"};

// Every key that some revision defines: all of them stand in one list, as a server of several
// revisions may say more than one of them needs.
constexpr std::array<std::string_view, 8> kDefined = {
    kMetaRelatedTask, "io.modelcontextprotocol/model-immediate-response",
    kMetaVersion,     kMetaCapabilities,
    kMetaClientInfo,  kMetaServerInfo,
    kMetaLogLevel,    kMetaSubscription};

constexpr std::array<std::string_view, 24> kTopLevel = {
    "com", "org", "net", "io", "dev", "ai", "app", "co", "edu", "gov", "int",  "mil",
    "eu",  "de",  "uk",  "us", "fr",  "jp", "cn",  "in", "xyz", "me",  "info", "cloud"};

void walk(const Json& value, std::vector<std::pair<std::string, const Json*>>& keys) {
  if (value.is_array()) {
    for (const Json& item : value) walk(item, keys);
  }
  if (!value.is_object()) return;
  for (const auto& [name, member] : value.items()) {
    if (std::ranges::find(kOpaque, name) != kOpaque.end()) continue;
    if (name == "_meta" && member.is_object()) {
      for (const auto& [key, inner] : member.items()) keys.emplace_back(key, &inner);
    } else {
      walk(member, keys);
    }
  }
}

// each_key calls `look` with every key of every _meta that the judged side said.
template <class Look>
void each_key(const Transcript& transcript, const Look& look) {
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    std::vector<std::pair<std::string, const Json*>> keys;
    walk(*said.message, keys);
    for (const auto& [key, value] : keys) look(said, std::string_view(key), *value);
  });
}

// prefix_of returns what stands before the last slash of a key, nothing when there is none. A name
// cannot hold a slash.
std::optional<std::string_view> prefix_of(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  return key.substr(0, slash);
}

std::vector<std::string_view> labels_of(std::string_view prefix) {
  std::vector<std::string_view> labels;
  for (;;) {
    const std::size_t dot = prefix.find('.');
    labels.push_back(prefix.substr(0, dot));
    if (dot == std::string_view::npos) return labels;
    prefix.remove_prefix(dot + 1);
  }
}

bool has_slash(std::string_view label) { return label.find('/') != std::string_view::npos; }

bool is_label(std::string_view label) {
  return !label.empty() && is_letter(label.front()) && is_alphanumeric(label.back()) &&
         std::ranges::all_of(label, [](char c) { return is_alphanumeric(c) || c == '-'; });
}

bool is_name(std::string_view name) {
  if (name.empty()) return true;
  return is_alphanumeric(name.front()) && is_alphanumeric(name.back()) &&
         std::ranges::all_of(
             name, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_top_level(std::string_view label) {
  return std::ranges::find(kTopLevel, label) != kTopLevel.end();
}

// is_reserved returns whether MCP keeps `prefix` for itself in `revision`.
bool is_reserved(std::string_view prefix, std::string_view revision) {
  const std::vector<std::string_view> labels = labels_of(prefix);
  const auto ours = [](std::string_view label) {
    return label == "mcp" || label == "modelcontextprotocol";
  };
  if (labels.size() < 2) return false;
  return ours(reserves_second_label(revision) ? labels[1] : labels[labels.size() - 2]);
}

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

constexpr const char* kNoKeys = "it used no _meta";
constexpr const char* kNoPrefixes = "it used no key with a prefix in _meta";

bool is_hex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// is_traceparent: W3C Trace Context, version-format of version 00, longer ones allowed after it.
bool is_traceparent(std::string_view text) {
  if (text.size() < 55 || text[2] != '-' || text[35] != '-' || text[52] != '-') return false;
  const std::string_view trace = text.substr(3, 32);
  const std::string_view parent = text.substr(36, 16);
  if (!is_hex(text.substr(0, 2)) || !is_hex(trace) || !is_hex(parent)) return false;
  if (!is_hex(text.substr(53, 2)) || text.starts_with("ff")) return false;
  if (trace.find_first_not_of('0') == std::string_view::npos) return false;
  if (parent.find_first_not_of('0') == std::string_view::npos) return false;
  return text.size() == 55 || (!text.starts_with("00") && text[55] == '-');
}

// is_list returns whether `text` is made of members "key=value", with commas between.
bool is_list(std::string_view text) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view member = text.substr(0, comma);
    const bool blank = member.find_first_not_of(" \t") == std::string_view::npos;
    const std::size_t equals = member.find('=');
    if (!blank && (equals == 0 || equals == std::string_view::npos)) return false;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return true;
}

}  // namespace

Finding meta_prefixes_are_labels(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_key(transcript, [&](const ObservedMessage& said, std::string_view key, const Json&) {
    const auto prefix = prefix_of(key);
    if (!prefix) return;
    ruling.sees();
    const std::vector<std::string_view> labels = labels_of(*prefix);
    const bool formed = std::ranges::all_of(
        labels, [](std::string_view label) { return !label.empty() && !has_slash(label); });
    // The stateless revision has one rule for both; a label is spelt by a rule of its own before.
    const bool spelt = !transcript.stateless() || std::ranges::all_of(labels, is_label);
    if (formed && spelt) return;
    ruling.breaks(said, "the prefix of the _meta key " + in_quotes(key) +
                            " is no dot-separated series of labels");
  });
  return ruling.finding(kNoPrefixes);
}

Finding meta_labels_are_spelt(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_key(transcript, [&](const ObservedMessage& said, std::string_view key, const Json&) {
    const auto prefix = prefix_of(key);
    if (!prefix) return;
    ruling.sees();
    for (const std::string_view label : labels_of(*prefix)) {
      if (label.empty() || has_slash(label) || is_label(label)) continue;
      ruling.breaks(said, "the label " + in_quotes(label) + " of the _meta key " + in_quotes(key) +
                              " has to begin with a letter, end with a letter or digit, and hold "
                              "letters, digits and hyphens alone");
    }
  });
  return ruling.finding(kNoPrefixes);
}

Finding meta_prefixes_are_reversed(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_key(transcript, [&](const ObservedMessage& said, std::string_view key, const Json&) {
    const auto prefix = prefix_of(key);
    if (!prefix) return;
    ruling.sees();
    const std::vector<std::string_view> labels = labels_of(*prefix);
    if (labels.size() < 2 || is_top_level(labels.front()) || !is_top_level(labels.back())) return;
    ruling.breaks(said, "the prefix of the _meta key " + in_quotes(key) +
                            " looks like a domain written forwards, expected reverse order");
  });
  return ruling.finding(kNoPrefixes);
}

Finding meta_names_are_spelt(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_key(transcript, [&](const ObservedMessage& said, std::string_view key, const Json&) {
    ruling.sees();
    const std::size_t slash = key.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
    if (is_name(name)) return;
    ruling.breaks(said, "the name of the _meta key " + in_quotes(key) +
                            " has to begin and end with a letter or digit, with hyphens, "
                            "underscores and dots at most between");
  });
  return ruling.finding(kNoKeys);
}

Finding meta_reserved_is_left_alone(const Transcript& transcript) {
  Ruling ruling(transcript);
  const LogEntry* odd = nullptr;
  each_key(transcript, [&](const ObservedMessage& said, std::string_view key, const Json&) {
    const auto prefix = prefix_of(key);
    if (!prefix) return;
    ruling.sees();
    if (!is_reserved(*prefix, said.revision)) return;
    if (std::ranges::find(kDefined, key) != kDefined.end()) return;
    if (*prefix == "io.modelcontextprotocol") {
      odd = said.entry;  // An extension of MCP itself may define it.
    } else {
      ruling.breaks(said, "the _meta key " + in_quotes(key) + " has a prefix that MCP reserves");
    }
  });
  Finding finding = ruling.finding(kNoPrefixes);
  if (finding.verdict == Verdict::kPass && odd != nullptr) {
    finding = risky("a _meta key of io.modelcontextprotocol/ that no revision defines");
    finding.evidence.push_back(transcript.conversation().log.evidence(*odd));
    finding.evidence.back().judged = true;
  }
  return finding;
}

Finding trace_context_is_formed(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_key(transcript, [&](const ObservedMessage& said, std::string_view key, const Json& value) {
    if (std::ranges::find(kUnprefixed, key) == kUnprefixed.end() || key == "progressToken") return;
    ruling.sees();
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    const bool formed = key == "traceparent" ? is_traceparent(text) : is_list(text);
    if (formed && value.is_string()) return;
    ruling.breaks(said,
                  std::string(key) + " is " + dump_json(value) + ", expected the format of W3C");
  });
  return ruling.finding("it used no trace context");
}

Finding extensions_are_named(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    const Json* extensions = at_pointer(said.result(), "/capabilities/extensions");
    if (said.is_request()) {
      extensions = at_pointer(said.params(),
                              "/_meta/io.modelcontextprotocol~1clientCapabilities/extensions");
    }
    if (extensions == nullptr || !extensions->is_object()) return;
    for (const auto& [name, settings] : extensions->items()) {
      ruling.sees();
      const auto prefix = prefix_of(name);
      const bool spelt = prefix && std::ranges::all_of(labels_of(*prefix), is_label) &&
                         is_name(std::string_view(name).substr(prefix->size() + 1));
      if (!spelt) ruling.breaks(said, "the extension " + in_quotes(name) + " is not prefix/name");
      if (!settings.is_object()) {
        ruling.breaks(said, "the settings of the extension " + in_quotes(name) + " are no object");
      }
    }
  });
  return ruling.finding("it names no extension");
}

}  // namespace plumbline::conformance
