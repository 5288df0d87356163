// Player plays sessions of the fuzzer to a server, one after the other, and tells what it saw. It
// keeps a connection as long as that is good, and a process as long as it lives.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/fuzz/session_maker.h"
#include "conformance/peer/session.h"
#include "conformance/peer/subject.h"

namespace plumbline::conformance {

// Honest is a request that the server has answered well before anything went wrong.
struct Honest {
  AskedOf asked;
  std::size_t items = 0;  // Of a list.
};

// Heard is how one request was answered.
struct FuzzAnswer {
  enum class How { kNone, kResult, kToolError, kError };
  How how = How::kNone;
  std::int64_t code = 0;  // Of an error.
  int status = 0;         // Of HTTP.
  std::string shape;      // The names of the members of the result, or the type.
  std::size_t items = 0;  // Of the list in it.
  // prompt: it answers this session, and came before the answer to what is asked behind it. What is
  // kept and changed further goes by these alone: in which order a server answers is its own doing,
  // how fast the machine's.
  bool prompt = false;
  std::size_t frame = kNoFrame;  // Of the connection, that brought it.

  static constexpr std::size_t kNoFrame = static_cast<std::size_t>(-1);
};

// Played is what came of one session.
struct Played {
  std::vector<FuzzAnswer> answers;   // One a step.
  FuzzAnswer honest;                 // To the request that stands behind every session.
  std::vector<FuzzAnswer> met;       // Every answer that came, whatever it answers.
  std::vector<std::string> garbage;  // Frames that are no JSON.
  std::vector<Json> errors;          // Answers that are errors, whole.
  std::string died;                  // How the process ended; empty: it lives.
  bool crashed = false;              // It ended by a signal.
  std::string gone;                  // Why a server at a URL cannot be met any more.
  bool hangs = false;                // Nothing is answered any more.
  std::size_t memory_bytes = 0;
  std::size_t log_begin = 0;  // Where it begins in the log.
};

class Player {
 public:
  // All must outlive the player. `patience` is how long a server may take to answer anything.
  Player(Subject& like, std::string revision, const SessionMaker& maker, Duration patience);
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // open makes a fresh connection, over stdio a fresh process. Errors as of open_session.
  Task<Status> open();

  // play plays one session, and asks `honest` behind it; null: only whether it lives.
  Task<Played> play(FuzzCase session, const Honest* honest);

  // ask asks one thing on the connection that is open, and waits for at most `patience`.
  Task<FuzzAnswer> ask(AskedOf asked, Duration patience);

  // worn returns whether the connection should be opened anew: it has ended, or has carried much.
  bool worn() const;

  // close ends what is open, in order.
  Task<void> close();

  const WireLog& log() const { return *log_; }
  std::size_t memory_bytes() const { return session_ ? session_->wire().memory_bytes() : 0; }

 private:
  Task<std::unique_ptr<Session>> fresh_session();
  std::size_t send(Session& session, const FuzzStep& step);
  Task<void> say_lines(FuzzCase session);
  Task<void> say_posts(FuzzCase session, std::vector<std::size_t>& exchanges);
  Task<bool> await_answer(Json id, std::size_t frames_before, std::size_t exchange,
                          Duration patience);
  Task<void> wait_for_stragglers(FuzzCase session, std::size_t frames_before);
  bool answered(const Json& id, std::size_t frames_before) const;
  FuzzAnswer answer_to(const Json& id, std::size_t frames_before) const;
  void look_at_frames(Played& played, const FuzzCase& session, const std::set<std::size_t>& cut,
                      std::size_t frames_before);
  Task<void> look_after(Played& played);

  Subject& like_;
  std::string revision_;
  const SessionMaker& maker_;
  Duration patience_;
  std::unique_ptr<WireLog> log_;
  std::unique_ptr<Subject> subject_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Session> other_;  // HTTP: the second one.
  std::int64_t asked_ = 0;
  std::size_t garbage_ = 0;     // Of this connection.
  std::size_t sent_bytes_ = 0;  // Likewise.
  std::size_t steps_ = 0;       // Likewise, that were said.
};

}  // namespace plumbline::conformance
