// Person sits before a browser of a simulated world: consents, denies, or goes away.

#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/auth/user_agent.h"
#include "core/base/loop.h"
#include "core/base/wait.h"

namespace plumbline::fakes {

class Person final : public auth::UserAgent {
 public:
  // Mind returns where the browser goes from `url`; empty: the person closes it.
  using Mind = std::function<std::string(const std::string& url)>;

  // `loop` must outlive the person.
  Person(Loop& loop, Mind mind) : loop_(loop), mind_(std::move(mind)) {}

  void minds(Mind mind) { mind_ = std::move(mind); }
  void takes(Duration time) { time_ = time; }
  std::size_t visits() const { return visits_; }

  // trusts says how the person answers every question.
  void trusts(bool trusts) { trusts_ = trusts; }
  const std::vector<std::string>& questions() const { return questions_; }

  // implements UserAgent ---
  Result<std::string> redirect_uri(std::string /*preferred*/) override {
    return std::string("http://127.0.0.1:7777/callback");
  }
  Task<Result<std::string>> visit(std::string url) override {
    ++visits_;
    co_await Sleep(loop_, after(loop_.now(), time_));
    std::string back = mind_(url);
    if (!back.empty()) co_return back;
    co_return Error{ErrorCode::kDeadlineExceeded, "nobody has come back from the browser"};
  }
  Task<bool> agrees(std::string question) override {
    questions_.push_back(std::move(question));
    co_return trusts_;
  }

 private:
  Loop& loop_;
  Mind mind_;
  Duration time_ = std::chrono::seconds(5);
  std::size_t visits_ = 0;
  bool trusts_ = false;
  std::vector<std::string> questions_;
};

}  // namespace plumbline::fakes
