#include "conformance/checks/client/rule_kit.h"
#include "core/base/text.h"

#include <utility>

namespace plumbline::conformance {

namespace {

constexpr std::size_t kShownBytesMax = 200;

}  // namespace

Finding each_of(const Record& record, const std::vector<const Heard*>& messages,
                const Complaint& complaint, std::string none) {
  for (const Heard* const message : messages) {
    std::string wrong = complaint(*message);
    if (!wrong.empty()) return at(record, *message, broken(std::move(wrong)));
  }
  return messages.empty() ? not_for_it(std::move(none)) : passes();
}

Finding each_http(const Record& record, std::string_view method, const HttpComplaint& complaint,
                  std::string none) {
  bool seen = false;
  for (std::size_t i = 1; i < record.http.size(); ++i) {
    const HttpHeard& heard = record.http[i];
    if (!method.empty() && heard.request.method != method) continue;
    seen = true;
    std::string wrong = complaint(heard);
    if (!wrong.empty()) return at(record, heard, broken(std::move(wrong)));
  }
  return seen ? passes() : not_for_it(std::move(none));
}

void each_meta_key(const Json& value, const std::function<void(const std::string& key)>& told) {
  if (!value.is_structured()) return;
  for (auto item = value.begin(); item != value.end(); ++item) {
    each_meta_key(*item, told);
    if (!value.is_object() || item.key() != "_meta" || !item->is_object()) continue;
    for (auto entry = item->begin(); entry != item->end(); ++entry) told(entry.key());
  }
}

std::string shown(const Json* value) {
  if (value == nullptr) return "nothing";
  std::string text = dump_json(*value);
  if (text.size() <= kShownBytesMax) return text;
  return std::string(beginning(text, kShownBytesMax)) + "...";
}

std::optional<std::string> whole_header(const wire::HttpHeaders& headers, std::string_view name) {
  std::optional<std::string> whole;
  for (const wire::HttpHeaders::Field& field : headers.fields()) {
    if (!wire::equals_ignoring_case(field.first, name)) continue;
    whole = whole ? *whole + ", " + field.second : field.second;
  }
  return whole;
}

std::string header_or_none(const wire::HttpHeaders& headers, std::string_view name) {
  const std::optional<std::string> value = whole_header(headers, name);
  return value ? "\"" + *value + "\"" : "none";
}

}  // namespace plumbline::conformance
