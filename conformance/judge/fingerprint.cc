#include "conformance/judge/fingerprint.h"

#include <algorithm>

#include "conformance/catalogue/meta_keys.h"
#include "core/base/text.h"
#include "core/base/wildcard.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kTraitBytesMax = 4U << 10U;  // Signs stand at the beginning.

// is_trait returns whether what must stand beside a sign is no list of capabilities.
bool is_trait(std::string_view beside) { return beside.starts_with("error "); }

}  // namespace

void Fingerprint::compare(std::string_view trait) {
  trait = beginning(trait, kTraitBytesMax);
  for (const Sdk& sdk : sdks()) {
    for (const SdkSign& sign : sdk.signs) {
      if (fits(sign.trait, trait)) seen_.insert(sign.trait);
      if (is_trait(sign.beside) && fits(sign.beside, trait)) seen_.insert(sign.beside);
    }
  }
}

void Fingerprint::look_at_opening(const Json& result) {
  for (const auto& [name, value] : result.items()) compare("result " + name);
  if (const Json* const capabilities = find(result, "capabilities")) {
    for (const auto& [name, value] : capabilities->items()) declared_.insert(name);
  }
  const Json* const info = find(result, "serverInfo");
  if (info == nullptr) return;
  compare("server " + string_or(*info, "name", ""));
  compare("description " + string_or(*info, "description", ""));
  look_at_info(*info);
}

void Fingerprint::look_at_info(const Json& info) {
  const std::string name = string_or(info, "name", "");
  if (!name.empty()) identity_ = {name, string_or(info, "version", "")};
}

void Fingerprint::look(const LogEntry& entry) {
  const Json& message = *entry.message;
  if (entry.sender == Sender::kNobody && find(message, "status") != nullptr) {
    const Json* const headers = find(message, "headers");
    if (headers == nullptr || !headers->is_object()) return;
    for (const auto& [name, value] : headers->items()) {
      if (value.is_string()) compare("header " + lower_case(name) + " " + value.get<std::string>());
    }
  }
  if (entry.sender == Sender::kHarness && find_string(message, "method")) {
    if (const Json* const id = find(message, "id")) {
      asked_[{entry.connection, dump_json(*id)}] = string_or(message, "method", "");
    }
  }
  if (entry.sender != Sender::kSubject) return;
  if (entry.garbage) return compare("garbage " + string_or(message, "garbage", ""));
  if (const Json* const error = find(message, "error")) {
    compare("error " + method_of(entry) + " " + std::to_string(int_or(*error, "code", 0)) + " " +
            string_or(*error, "message", ""));
  }
  const Json* const result = find(message, "result");
  if (result == nullptr) return;
  if (find(*result, "protocolVersion") != nullptr) look_at_opening(*result);
  const Json* const meta = find(*result, "_meta");
  const Json* const info = meta == nullptr ? nullptr : find(*meta, kMetaServerInfo);
  if (info != nullptr) look_at_info(*info);
}

// method_of returns what `answer` answers; "?": nobody knows.
std::string Fingerprint::method_of(const LogEntry& answer) const {
  const Json* const id = find(*answer.message, "id");
  if (id == nullptr) return "?";
  const auto found = asked_.find({answer.connection, dump_json(*id)});
  return found == asked_.end() ? "?" : found->second;
}

void Fingerprint::read(const WireLog& log) {
  asked_.clear();
  for (const LogEntry& entry : log.entries()) look(entry);
}

// shown returns whether a sign was seen, with what must stand beside it.
bool Fingerprint::shown(const SdkSign& sign) const {
  if (!seen_.contains(sign.trait)) return false;
  if (is_trait(sign.beside)) return seen_.contains(sign.beside);
  for (std::string_view left = sign.beside; !left.empty();) {
    const std::size_t end = std::min(left.find(", "), left.size());
    if (!declared_.contains(std::string(left.substr(0, end)))) return false;
    left.remove_prefix(std::min(end + 2, left.size()));
  }
  return true;
}

bool Fingerprint::known(const Sdk& sdk, bool weak) const {
  return std::ranges::any_of(sdk.signs,
                             [&](const SdkSign& sign) { return sign.weak == weak && shown(sign); });
}

// carries_another returns whether something that was recognised is built on `sdk`.
bool Fingerprint::carries_another(const Sdk& sdk) const {
  return std::ranges::any_of(
      sdks(), [&](const Sdk& other) { return other.on == sdk.name && known(other, false); });
}

const Sdk* Fingerprint::sdk() const {
  for (const bool weak : {false, true}) {
    const Sdk* found = nullptr;
    for (const Sdk& sdk : sdks()) {
      if (!known(sdk, weak) || carries_another(sdk)) continue;
      if (found != nullptr) return nullptr;
      found = &sdk;
    }
    if (found != nullptr) return found;
  }
  return nullptr;
}

std::vector<std::string> Fingerprint::signs() const {
  std::vector<std::string> words;
  const Sdk* const found = sdk();
  if (found == nullptr) return words;
  for (const SdkSign& sign : found->signs) {
    if (shown(sign)) words.emplace_back(sign.words);
  }
  return words;
}

}  // namespace plumbline::conformance
