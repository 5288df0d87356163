// Waits tells who waits for whom in a world that does not end: requests without an answer in both
// directions, and what went round when it never stood still.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/events/trace_event.h"

namespace plumbline::scenarios {

class Waits final : public EventSink {
 public:
  // implements EventSink ---
  void on_event(const TraceEvent& event) override;

  // describe returns one line: "the assistant, in invoke_mcp_capability, waits for tools/call of
  // mail since 12 ms; mail waits for our answer to sampling/createMessage since 15 ms". Where
  // nobody waits for anybody it says so.
  std::string describe() const;

  // busiest returns what was sent or received most often: "sent tools/list to mail, 812 times".
  std::string busiest() const;

 private:
  struct Open {
    std::string who;
    std::string id;  // As JSON: a server may use strings.
    std::string method;
    std::int64_t since_ms = 0;
  };

  static void close(std::vector<Open>& open, const TraceEvent& event);

  std::string node_;
  std::vector<Open> ours_;    // Requests of ours.
  std::vector<Open> theirs_;  // Requests of servers, to be answered by us.
  std::map<std::string, std::int64_t> counts_;
};

}  // namespace plumbline::scenarios
