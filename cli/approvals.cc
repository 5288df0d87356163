#include "cli/approvals.h"

#include <utility>

#include "cli/options/state_folder.h"
#include "core/base/sha256.h"

namespace plumbline::cli {

namespace {

constexpr std::string_view kPrefix = "call-";
constexpr std::size_t kDigestDigits = 16;

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
  for (const char* const part : {"server", "type", "name", "arguments"}) {
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
  return Error{ErrorCode::kInvalidInput,
               "the use of an approval cannot be kept: " + folder.error().message};
}

Approver::Approver(std::vector<std::string> given, std::string request, Result<std::string> folder,
                   FileStore& files, NewNonce new_nonce)
    : given_(std::move(given)),
      request_(std::move(request)),
      folder_(std::move(folder)),
      files_(files),
      new_nonce_(std::move(new_nonce)) {}

bool Approver::decide(const Json& review) {
  for (const std::string& id : given_) {
    if (id == "all" || use(id, review)) return true;
    if (failure_) return false;
  }
  offered_ = approval_id(new_nonce_(), request_, review);
  return false;
}

bool Approver::use(const std::string& id, const Json& review) {
  if (id != approval_id(nonce_of(id), request_, review)) {
    refused_.push_back("Approval " + id + " is not for this request and this call.");
    return false;
  }
  if (!folder_.ok()) {
    failure_ = folder_.error();
    return false;
  }
  const std::string what = string_or(review, "server", "") + '/' + string_or(review, "name", "");
  const Result<bool> created = files_.create_file(folder_.value() + '/' + id, what + '\n');
  if (!created.ok()) {
    failure_ = created.error();
    failure_->message = "the use of an approval cannot be kept: " + failure_->message;
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
  std::string response;
  for (const std::string& refusal : refused_) {
    response += refusal + ' ';
    final_output["errors"].push_back(refusal);
  }
  final_output["response"] = response + string_or(final_output, "response", "");
}

}  // namespace plumbline::cli
