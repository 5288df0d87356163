// LinkOpener opens the connection to one agent on behalf of one principal: it finds out how the
// agent wants to be opened, and explains what went wrong.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/connector/limits/paced_connection.h"
#include "core/connector/links/pacing.h"
#include "core/connector/links/server_link.h"
#include "core/connector/states/connection_state.h"
#include "core/json/redactor.h"

namespace plumbline::connector {

// LinkPlace is where the link to an agent stands, and what is known of those before it.
struct LinkPlace {
  explicit LinkPlace(ConnectionLife::OnChange on_change) : life(std::move(on_change)) {}

  bool is_open() const { return link != nullptr && link->open(); }

  // leave makes room for a new link.
  void leave() {
    if (link != nullptr) left.push_back(std::move(link));
    std::erase_if(left, [](const auto& one) { return !one->in_use(); });
  }

  // in_use returns whether a request is under way over any of its links.
  bool in_use() const {
    for (const auto& one : left) {
      if (one->in_use()) return true;
    }
    return link != nullptr && link->in_use();
  }

  std::unique_ptr<ServerLink> link;
  std::vector<std::unique_ptr<ServerLink>> left;  // No longer used for anything new.
  Pace openings;
  std::optional<mcp::Failure> refusal;  // How the last opening was refused.
  ConnectionLife life;
};

// Opening is what an agent is opened with.
struct Opening {
  transport::Connector* door = nullptr;
  RequestPacer* pacer = nullptr;
  mcp::ClientOptions client;
  Duration connect_timeout{};
};

class LinkOpener {
 public:
  // All must outlive it; `events` may be null.
  LinkOpener(Loop& loop, const Redactor& redactor, EventSink* events)
      : loop_(loop), redactor_(redactor), events_(events) {}

  // open opens the conversation the way that worked before: `older` is whether that was initialize.
  // The link is in `place` while it opens. All arguments must outlive the Task.
  Task<mcp::Reply<ServerLink::Use>> open(std::string agent, LinkPlace& place, Opening opening,
                                         bool& older);

  // explained adds what is known of a dead or silent agent: how it ended, its last words, and what
  // it got wrong, with secrets taken out. One that is alive and answers nothing is given up: the
  // next opening, which is paced, starts it again.
  Task<mcp::Failure> explained(mcp::Failure failure, ServerLink::Use link, LinkPlace& place);

  void redact(mcp::Failure& failure) const;

 private:
  Task<mcp::Reply<ServerLink::Use>> connect(std::string agent, LinkPlace& place, Opening opening);
  Task<bool> retire_if_deaf(ServerLink::Use link, LinkPlace& place);

  Loop& loop_;
  const Redactor& redactor_;
  EventSink* events_;
};

}  // namespace plumbline::connector
