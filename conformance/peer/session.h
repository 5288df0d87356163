// Session is one conversation with a server under judgement, in one revision: the judge's own
// client. It opens, numbers its requests, answers what the server asks, and holds nothing back from
// a check that wants to misbehave.
//
// Many checks may speak through one Session at a time, each through a Client of its own.

#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/peer/answers.h"
#include "conformance/peer/reply.h"
#include "conformance/peer/subject.h"
#include "conformance/wire/wire.h"
#include "core/base/task_group.h"

namespace plumbline::conformance {

struct SessionOptions {
  std::string revision;
  Json capabilities;         // Declared by us. See all_capabilities() and Subject::withheld().
  Json more;                 // Merged with the params of initialize; null: nothing.
  bool handshake = true;     // Stateful: initialize and notifications/initialized.
  bool initialized = true;   // Whether notifications/initialized follows.
  bool listen = true;        // Stateful HTTP: a GET for what the server says by itself.
  bool second_user = false;  // See SubjectSpec::second_headers.
  bool apart = false;        // HTTP: on connections that nothing else is said on.
};

// all_capabilities returns what a client of `revision` can declare.
Json all_capabilities(std::string_view revision);

class Session {
 public:
  Session(Subject& subject, std::unique_ptr<Wire> wire, SessionOptions options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // begin_answering answers from now on what the server asks.
  void begin_answering();

  // opened_by takes over what the answer to initialize says of the session.
  void opened_by(Reply opening);

  // note_initialized takes in that notifications/initialized was sent.
  void note_initialized() { options_.initialized = true; }

  // note_start takes in how long the first answer took; start_took returns it, 0: there was none.
  void note_start(Duration took) { start_took_ = start_took_ == Duration{} ? took : start_took_; }
  Duration start_took() const { return start_took_; }

  // opening is what became of initialize. Unanswered when there was none.
  const Reply& opening() const { return opening_; }

  // revision is what was agreed on; what was asked for until then, and where the server answered
  // with no revision at all. Always one of kRevisions, or what the options say.
  const std::string& revision() const { return revision_; }

  // disagreement says what the server answered that is no revision; empty: nothing of that kind.
  const std::string& disagreement() const { return disagreement_; }

  // session_id is that of stateful HTTP; empty: none was given that may be sent back (visible
  // ASCII).
  const std::string& session_id() const { return session_id_; }

  // usable returns whether requests may be made: not of a server that has begun anew since.
  bool usable() const;

  // answer_with names who answers the server's requests of one method from now on. Not on a session
  // that other checks share.
  void answer_with(std::string method, Answerer answerer) {
    answerers_[std::move(method)] = std::move(answerer);
  }

  // forget_answers goes back to the usual ones.
  void forget_answers();

  // mirror_parameters tells which tools there are: on stateless HTTP some of their arguments are
  // repeated in headers.
  void mirror_parameters(const std::vector<Json>& tools);

  // headers_for returns what a correct client sends with `message` over HTTP. Spec 2025-11-25,
  // basic/transports, Protocol Version Header; 2026-07-28, basic/transports/streamable-http,
  // Request Headers.
  wire::HttpHeaders headers_for(const Json& message) const;

  // await_late watches for an answer that did not come in time: how late it comes says how long to
  // wait for others. `id` is that of the request, or null where only the exchange will tell.
  void await_late(Json id, std::size_t exchange, Instant asked, bool crowded);

  // note_listening remembers the id of a subscriptions/listen; has_listened tells of one.
  void note_listening(Json id) { listened_.push_back(std::move(id)); }
  bool has_listened(const Json& id) const {
    return std::ranges::find(listened_, id) != listened_.end();
  }

  // close ends the session in order.
  Task<void> close();

  std::int64_t next_id() { return ++last_id_; }

  // has_asked returns whether `id` is one of those.
  bool has_asked(const Json& id) const {
    return id.is_number_integer() && id.get<std::int64_t>() >= 1 &&
           id.get<std::int64_t>() <= last_id_;
  }
  const SessionOptions& options() const { return options_; }
  Wire& wire() { return *wire_; }
  const Wire& wire() const { return *wire_; }
  Subject& subject() const { return subject_; }

 private:
  // Late is what was given up waiting for.
  struct Late {
    Json id;
    std::size_t exchange = 0;
    Instant asked;
    bool crowded = false;  // Then. See Pace.
  };

  Task<void> answer_requests();
  void note_late(const Frame& frame);
  void note_late_exchanges();
  void answer(const Json& request);

  Subject& subject_;
  std::unique_ptr<Wire> wire_;
  SessionOptions options_;
  std::string revision_;
  std::string disagreement_;
  std::string session_id_;
  int life_;  // Of the server. See Presence.
  Reply opening_;
  Duration start_took_{};
  std::int64_t last_id_ = 0;
  std::map<std::string, Answerer, std::less<>> answerers_;
  std::map<std::string, Json, std::less<>> schemas_;  // Of the input of each tool.
  std::vector<Late> late_;
  std::vector<Json> listened_;
  TaskGroup tasks_;
};

}  // namespace plumbline::conformance
