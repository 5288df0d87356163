#include "conformance/catalogue/records.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "conformance/catalogue/tables.h"
#include "core/base/check.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kRulesFolder = "conformance/rules/";

}  // namespace

const Records& records() {
  static const Records kRecords = [] {
    std::vector<EmbeddedFile> files;
    std::ranges::copy_if(
        table_files(), std::back_inserter(files),
        [](std::string_view path) { return path.starts_with(kRulesFolder); }, &EmbeddedFile::path);
    Result<Records> read = read_records(files);
    check(read.ok(), read.ok() ? "" : read.error().message.c_str());
    return std::move(read).value();
  }();
  return kRecords;
}

// requirement.h declares these two, for all that asks nothing else of the records.
std::span<const Requirement> requirements() { return records().requirements; }
std::span<const Unjudged> unjudged() { return records().unjudged; }

std::span<const Requirement> gateway_rules() { return records().of_gateways; }

const RuleRecord* find_record(std::string_view id) {
  const std::vector<RuleRecord>& all = records().all;
  const auto found = std::ranges::lower_bound(all, id, {}, &RuleRecord::id);
  return found == all.end() || found->id != id ? nullptr : &*found;
}

std::string_view why_it_matters(std::string_view id) {
  const RuleRecord* const record = find_record(id);
  return record == nullptr ? std::string_view() : record->why;
}

std::string_view mend_of(std::string_view id, std::string_view message) {
  const RuleRecord* const record = find_record(id);
  if (record == nullptr) return {};
  for (const WhenSaid& mend : record->mends) {
    if (message.find(mend.words) != std::string_view::npos) return mend.text;
  }
  return record->mend;
}

}  // namespace plumbline::conformance
