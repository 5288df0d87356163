#include "cli/approvals.h"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <utility>

#include "cli/options/state_folder.h"
#include "core/base/errors/errors.h"
#include "core/base/sha256.h"

namespace plumbline::cli {

namespace {

constexpr std::string_view kPrefix = "call-";
constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::size_t kDigestDigits = 16;
constexpr std::size_t kTimeDigits = 8;  // Of a nonce: seconds since 1970.
constexpr Duration kApprovalMax = std::chrono::hours(24);

// time_digits returns the seconds of `now`, in hex digits, as a nonce begins.
std::string time_digits(Duration now) {
  std::string out(kTimeDigits, '0');
  auto left =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
  for (std::size_t i = kTimeDigits; i > 0; --i, left >>= 4U) out[i - 1] = kHex[left & 0xFU];
  return out;
}

// nonce_of returns what stands between the prefix and the digest of an id; empty when that is no
// nonce, for the id becomes the name of a file.
std::string_view nonce_of(std::string_view id) {
  if (!id.starts_with(kPrefix)) return {};
  id.remove_prefix(kPrefix.size());
  id = id.substr(0, id.find('-'));
  return id.find_first_not_of("0123456789abcdef") == std::string_view::npos ? id : "";
}

}  // namespace

std::string approval_id(std::string_view nonce, std::string_view request, const Json& review) {
  Json named = Json::array({nonce, request});
  for (const char* const part : {"server", "type", "name", "arguments", "digest"}) {
    const Json* const value = find(review, part);
    named.push_back(value == nullptr ? Json() : *value);
  }
  Sha256 hash;
  hash.update(dump_json(named));
  return std::string(kPrefix) + std::string(nonce) + '-' +
         hash.finish_hex().substr(0, kDigestDigits);
}

Result<std::string> approvals_folder(std::optional<std::string> state_home,
                                     std::optional<std::string> home) {
  Result<std::string> folder = state_folder(std::move(state_home), std::move(home));
  if (folder.ok()) return folder.value() + "/approvals";
  return the_error("agent.approval-unkept", folder.error().message);
}

Approver::Approver(std::vector<std::string> given, std::string request, Result<std::string> folder,
                   FileStore& files, Duration now, NewNonce new_nonce)
    : given_(std::move(given)),
      request_(std::move(request)),
      folder_(std::move(folder)),
      files_(files),
      now_(now),
      new_nonce_(std::move(new_nonce)) {}

bool Approver::decide(const Json& review) {
  for (const std::string& id : given_) {
    if (id == "all" || use(id, review)) return true;
    if (failure_) return false;
  }
  offered_ = approval_id(time_digits(now_) + new_nonce_(), request_, review);
  question_ = review;
  return false;
}

bool Approver::expired(std::string_view id) const {
  const std::string_view time = nonce_of(id).substr(0, kTimeDigits);
  std::int64_t seconds = 0;
  std::from_chars(time.data(), time.data() + time.size(), seconds, 16);
  return now_ - std::chrono::seconds(seconds) > kApprovalMax;
}

bool Approver::use(const std::string& id, const Json& review) {
  if (id != approval_id(nonce_of(id), request_, review)) {
    refused_.push_back("Approval " + id + " is not for this request and this call.");
    return false;
  }
  if (expired(id)) {
    refused_.push_back("Approval " + id + " has expired; one holds for a day.");
    return false;
  }
  if (!folder_.ok()) {
    failure_ = folder_.error();
    return false;
  }
  const std::string what = string_or(review, "server", "") + '/' + string_or(review, "name", "");
  const Result<bool> created = files_.create_file(folder_.value() + '/' + id, what + '\n');
  if (!created.ok()) {
    failure_ = the_error("agent.approval-unkept", created.error().message);
    return false;
  }
  if (!created.value()) {
    refused_.push_back("Approval " + id + " was used before; it lets the call run once.");
  }
  return created.value();
}

void Approver::tell(Json& final_output) const {
  if (offered_.empty() || !final_output.contains("approval_id")) return;
  final_output["approval_id"] = offered_;
  final_output["question"] = question_;
  std::string response;
  for (const std::string& refusal : refused_) {
    response += refusal + ' ';
    final_output["errors"].push_back(refusal);
  }
  final_output["response"] = response + string_or(final_output, "response", "");
}

}  // namespace plumbline::cli
