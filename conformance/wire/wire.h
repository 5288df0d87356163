// Wire is one connection to the subject, as bytes and as what arrives: the judge's own reader of
// every transport. It follows no rule of MCP by itself beyond framing, so that a check can break
// any of them.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "conformance/wire/inbox.h"
#include "conformance/wire/wire_log.h"
#include "core/base/task.h"
#include "core/wire/http.h"

namespace plumbline::conformance {

// What one connection may bring, beside the bounds of its log.
inline constexpr std::size_t kJudgedMessageBytesMax = 6U << 20U;  // Of one message, as it is sent.
inline constexpr std::size_t kConnectionGarbageMax = 1'000;       // Of frames that are no JSON.

class Wire {
 public:
  Wire(Loop& loop, WireLog& log) : inbox_(loop), log_(log), number_(log.new_connection()) {}
  virtual ~Wire() = default;

  // send writes one frame: `text` as a line, a body, a text. It need be no JSON, but must hold no
  // newline on stdio. `headers` go with it on HTTP alone. Returns the exchange it begins, 0 where
  // there are none. `check` is whose doing it is.
  virtual std::size_t send(std::string text, wire::HttpHeaders headers, std::uint32_t check) = 0;

  // request makes an HTTP request of any kind to the subject's URL and returns its exchange. Only
  // where http() is true. A `target` that is empty is the URL's own.
  virtual std::size_t request(wire::HttpRequest request, std::uint32_t check);

  // drop ends one exchange from our side, as a client that went away.
  virtual void drop(std::size_t exchange);

  // end_input tells the subject that nothing more comes: end of file on its stdin.
  virtual void end_input() {}

  // close ends the connection in order and in bounded time.
  virtual Task<void> close() = 0;

  // diagnosis says how the subject ended, with the last of its stderr; empty while it lives.
  virtual std::string diagnosis() const { return {}; }

  // how_it_ended says only how: "exit status 1"; empty while it lives. last_words are the last
  // lines of its stderr, as they are.
  virtual std::string how_it_ended() const { return {}; }
  virtual std::string last_words() const { return {}; }

  // has_exited returns whether a subject that we started has ended, in whatever way.
  virtual bool has_exited() const { return false; }

  // exit_code returns the status of a subject that we started and that has ended by itself.
  virtual std::optional<int> exit_code() const { return std::nullopt; }

  // memory_bytes returns how much memory a subject holds that we started; 0: unknown.
  virtual std::size_t memory_bytes() const { return 0; }

  // http returns whether this is Streamable HTTP: exchanges, statuses and headers to look at.
  virtual bool http() const { return false; }

  Inbox& inbox() { return inbox_; }
  const Inbox& inbox() const { return inbox_; }
  WireLog& log() { return log_; }
  std::uint32_t number() const { return number_; }

 protected:
  // sent notes what we wrote; arrived keeps and notes one frame of the subject's, note what else is
  // worth telling. When the subject has sent more than anybody wants to keep, they end the
  // connection instead: nothing is kept after the end.
  void sent(const std::string& text, std::size_t exchange, std::uint32_t check);
  void arrived(std::string_view text, Frame frame, std::uint32_t check);
  void note(Json what, std::size_t exchange, std::uint32_t check,
            std::optional<std::string> event_id = std::nullopt);
  void ended(std::string why);

  // takes returns whether `bytes` more of the subject are kept.
  bool takes(std::size_t bytes, bool unasked = false);

  // too_long ends the connection because of a message that is longer than any that is read.
  void too_long();

  // flooded returns whether the connection was ended because the subject said too much.
  bool flooded() const { return flooded_; }

 private:
  bool is_answer(const Json& message);
  void remember(const Json& message);
  void flood(std::string what);
  LogEntry entry_of(KeptJson message, std::size_t exchange, std::uint32_t check) const;

  Inbox inbox_;
  WireLog& log_;
  std::size_t bytes_kept_ = 0;
  std::size_t unasked_kept_ = 0;
  std::size_t garbage_kept_ = 0;
  bool flooded_ = false;
  std::set<Json> asked_;  // The ids of our requests that were not answered.
  std::uint32_t number_;
};

}  // namespace plumbline::conformance
