// UserAgent is the way to a person with a browser.

#pragma once

#include <string>

#include "core/base/result.h"
#include "core/base/task.h"

namespace plumbline::auth {

class UserAgent {
 public:
  // redirect_uri returns where the browser is to come back: `preferred`, which may be empty, where
  // that can be. kInvalidInput: there is no such place.
  virtual Result<std::string> redirect_uri(std::string preferred) = 0;

  // visit sends the person to `url` and returns the URL at which they come back, with its query.
  // kDeadlineExceeded: nobody does; kUnsupported: there is nobody to send.
  virtual Task<Result<std::string>> visit(std::string url) = 0;

  // agrees asks the person a question that yes or no answers, of several lines. False: no, or they
  // cannot be asked.
  virtual Task<bool> agrees(std::string question) = 0;

 protected:
  ~UserAgent() = default;
};

}  // namespace plumbline::auth
