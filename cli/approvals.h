// Approvals of `ask`: an id names one request and the one call that it wants to make, and lets that
// call run once.
//
// An id holds for a day. It is made when a call waits for a person: a nonce, and a digest of the
// nonce, the request, the call and what its tool is by then (agents::approvals). So it needs no
// record until it is used. Then a file of its name is made before the call is sent, and no process
// of this user can use the id again. It is a name and no secret: whoever may run `ask` may approve.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/doors/file_store.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::cli {

// approval_id returns the id that `nonce` makes for the call of `review` (agents::Reviewer), asked
// for by `request`: "call-NONCE-DIGEST".
std::string approval_id(std::string_view nonce, std::string_view request, const Json& review);

// approvals_folder returns where used ids are kept: approvals in the state_folder. kInvalidInput:
// there is none.
Result<std::string> approvals_folder(std::optional<std::string> state_home,
                                     std::optional<std::string> home);

// Approver decides on the calls of one request by the ids that the person has given.
class Approver {
 public:
  using NewNonce = std::function<std::string()>;

  // `given` are ids, or "all". `folder` may be missing on the disk. `now` is the time since 1970.
  // `files` must outlive it.
  Approver(std::vector<std::string> given, std::string request, Result<std::string> folder,
           FileStore& files, Duration now, NewNonce new_nonce);

  // decide returns whether the call of `review` may run now, and uses the id up. Otherwise
  // offered() is the id that would let it run.
  bool decide(const Json& review);

  // tell puts what has become of the ids into the final output of the request.
  void tell(Json& final_output) const;

  // failure returns why the use of an id could not be kept: then nothing was approved.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  bool use(const std::string& id, const Json& review);
  bool expired(std::string_view id) const;

  std::vector<std::string> given_;
  std::string request_;
  Result<std::string> folder_;
  FileStore& files_;
  Duration now_;
  NewNonce new_nonce_;
  std::string offered_;
  Json question_;                     // That offered_ answers.
  std::vector<std::string> refused_;  // Why an id did not count; sentences.
  std::optional<Error> failure_;
};

}  // namespace plumbline::cli
