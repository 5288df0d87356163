// Subject is what is judged, and how a connection to it is made.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "conformance/peer/effort.h"
#include "conformance/peer/presence.h"
#include "conformance/peer/withheld.h"
#include "conformance/wire/pace.h"
#include "conformance/wire/stdio_wire.h"
#include "conformance/wire/wire.h"
#include "core/base/changes.h"
#include "core/base/random_bytes.h"
#include "core/base/task.h"
#include "core/base/turns.h"
#include "core/net/http_client.h"
#include "core/net/network.h"
#include "core/net/spawner.h"
#include "core/wire/url.h"

namespace plumbline::conformance {

class Upstream;

enum class Transport { kStdio, kHttp, kSse, kWebSocket };

// name_of returns the transport as reports spell it: "stdio", "http", "sse", "websocket".
std::string_view name_of(Transport transport);

struct SubjectSpec {
  Transport transport = Transport::kStdio;
  net::Command command;       // Of kStdio.
  net::Command start;         // Of the others: starts the server at the URL. Empty: nobody does.
  wire::Url url;              // Of the others.
  wire::HttpHeaders headers;  // Sent with every request.
  // What another user sends in their place, who has no right to what the first one makes. Empty:
  // nobody else is known. Of kHttp.
  wire::HttpHeaders second_headers;
  // What has to be refused: a token that is good, and for somebody else. Empty: none is known. Of
  // kHttp.
  wire::HttpHeaders foreign_headers;
  net::TlsClient tls;
  // What the server was set to use as its API and third party; null: nothing of ours.
  Upstream* behind = nullptr;
};

// Starts counts the processes that are starting: of those that take their time only a few at once,
// for they would wait for each other.
struct Starts {
  int now = 0;
  int all = 0;                // That were started.
  int max = 0;                // That may be; 0: as many as are needed.
  int refused = 0;            // For being more than that.
  Processes processes;        // Of them.
  Duration first_answer{};    // The longest that one took to answer; 0: none has.
  bool silent_again = false;  // One said nothing, was started again for that, and said nothing.
  Duration cost{};            // Of one, beyond what an answer takes.
  bool slow = false;

  bool may() const { return !slow || now < 3; }
};

// Silences are the waits for an answer that came to nothing, by the check that waited.
class Silences {
 public:
  void note(std::uint32_t check, Duration waited) {
    Duration& longest = longest_[check];
    longest = std::max(longest, waited);
  }
  void forget(std::uint32_t check) {
    longest_.erase(check);
    lost_.erase(check);
  }

  // note_lost notes that a process that `check` has started did not say a word to it.
  void note_lost(std::uint32_t check) { lost_.insert(check); }
  bool lost(std::uint32_t check) const { return lost_.contains(check); }

  // longest returns how long `check` has waited for nothing; 0: it was answered each time.
  Duration longest(std::uint32_t check) const {
    const auto found = longest_.find(check);
    return found == longest_.end() ? Duration{} : found->second;
  }

 private:
  std::map<std::uint32_t, Duration> longest_;
  std::set<std::uint32_t> lost_;
};

class Subject {
 public:
  // Everything given must outlive the subject, `spec` is copied. `answer_max` bounds every wait.
  Subject(Loop& loop, net::Spawner& spawner, net::Network& network, RandomBytes random,
          WireLog& log, SubjectSpec spec, Duration answer_max);

  // The same, with a log of its own. Both count their starts together, and are there or gone
  // together: `like` must outlive it.
  Subject(const Subject& like, WireLog& log);

  // open makes a new connection: a new process, a new stream, a new WebSocket. kInvalidInput: it
  // cannot be started at all; kDisconnected, kDeadlineExceeded: nobody answers; kUnsupported: an
  // endpoint of HTTP+SSE at another origin.
  // `second_user`: with SubjectSpec::second_headers, over kHttp. `apart`: over kHttp, on
  // connections that no other wire uses; what is asked there one after the other comes on the same
  // one.
  Task<Result<std::unique_ptr<Wire>>> open(bool second_user = false, bool apart = false);

  // open_raw returns a wire for HTTP requests of any kind to the subject's URL, with `always`
  // instead of what the user gave. Not for kStdio.
  std::unique_ptr<Wire> open_raw(wire::HttpHeaders always);

  // speak_over takes another transport for the one that was given.
  void speak_over(Transport transport) { spec_.transport = transport; }

  const SubjectSpec& spec() const { return spec_; }
  Loop& loop() { return loop_; }
  WireLog& log() { return log_; }
  Pace& pace() { return pace_; }
  const Pace& pace() const { return pace_; }
  Silences& silences() { return silences_; }
  // withheld is what a session that is opened from now on does not declare.
  Withheld& withheld() { return withheld_; }
  // first_refusal is which of the ways to ask without a token was refused first in a revision, for
  // those who ask again to begin with; 0: none is known. It is as long as the subject.
  std::size_t& first_refusal(const std::string& revision) { return first_refusals_[revision]; }
  // served_once is whether a session was opened, and closed, before anything was judged.
  bool& served_once() { return served_once_; }
  Starts& starts() const { return *starts_; }
  Effort& effort() const { return *effort_; }
  Presence& presence() const { return *presence_; }
  // changes tells of all that somebody who wants to go on may wait for but messages: sessions and
  // processes that are there or free again, answers that say how slow the subject is, exercises.
  Changes& changes() const { return *changes_; }
  // pages is taken by who opens pages of the server's: what one visitor does there is seen by all.
  Turns& pages() const { return *pages_; }

 private:
  Loop& loop_;
  net::Spawner& spawner_;
  net::Network& network_;
  RandomBytes random_;
  WireLog& log_;
  SubjectSpec spec_;
  Pace pace_;
  Silences silences_;
  Withheld withheld_;
  std::map<std::string, std::size_t> first_refusals_;  // By revision.
  bool served_once_ = false;
  Starts own_starts_;
  Starts* starts_ = &own_starts_;
  Changes own_changes_;
  Changes* changes_ = &own_changes_;
  Effort own_effort_;
  Effort* effort_ = &own_effort_;
  Presence own_presence_;
  Presence* presence_ = &own_presence_;
  Turns own_pages_;
  Turns* pages_ = &own_pages_;
  net::HttpClient http_;
};

}  // namespace plumbline::conformance
