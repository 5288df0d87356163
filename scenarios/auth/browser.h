// Browser is that of the users of a world, and who sits before it: it is sent to addresses, and
// comes back as the scenario says.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/base/task_group.h"
#include "core/events/trace_event.h"
#include "core/net/http_client.h"
#include "core/net/network.h"
#include "scenarios/format/authorization.h"

namespace plumbline::scenarios {

class Browser final {
 public:
  // All must outlive it.
  Browser(Loop& loop, net::Network& network, const SignInSpec& spec, EventSink& events);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // show opens `url`. It is told as a note of "browser".
  void show(const std::string& url);

  // obey has the person consent from now on, at once; stop drops what is under way.
  void obey() { obeys_ = true; }
  void stop() { work_.cancel(); }

 private:
  static Task<void> visit(Browser& self, std::string url, PersonAct act, Duration takes);
  static Task<void> get(Browser& self, std::string url, std::string person, std::string& location);

  Loop& loop_;
  const SignInSpec& spec_;
  EventSink& events_;
  net::HttpClient client_;
  std::size_t visits_ = 0;
  bool obeys_ = false;
  TaskGroup work_;
};

}  // namespace plumbline::scenarios
