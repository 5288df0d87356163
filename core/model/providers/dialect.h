// Dialect is what one provider's interface has for itself: how a prompt is asked, and what the
// answer is made of. All the rest is HttpModel's.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/model/model.h"
#include "core/model/providers/answer_builder.h"
#include "core/wire/http.h"
#include "core/wire/url.h"

namespace plumbline::model {

// Account is who asks, and where.
struct Account {
  wire::Url base{};                // "https://api.openai.com/v1"; a query in it is kept.
  std::string key{};               // Empty: none is sent.
  std::string organization{};      // Of OpenAI; empty: none.
  std::string project{};           // Of OpenAI; empty: none.
  std::int64_t window_tokens = 0;  // Of the model, for servers that have to be told; 0: not told.
};

// Asking is a request that nobody has sent yet.
struct Asking {
  std::string path;  // Behind the base: "/chat/completions".
  wire::HttpHeaders headers{};
  Json body{};
};

// AnswerReader puts one answer of a provider into an AnswerBuilder. What it cannot read is a
// Failure there, of kUnreadable; an error that the provider tells in the middle of an answer, too.
class AnswerReader {
 public:
  virtual ~AnswerReader() = default;

  // on_event reads one piece of a stream: an event's data, or a line. Returns whether the answer is
  // over with it.
  virtual bool on_event(std::string_view data) = 0;

  // on_whole reads an answer in one piece, from servers that do not stream.
  virtual void on_whole(const Json& body) = 0;
};

class Dialect {
 public:
  enum class Framing { kEvents, kLines };

  virtual std::string_view name() const = 0;  // "OpenAI Chat Completions", for people.
  virtual Framing framing() const { return Framing::kEvents; }

  // takes returns whether a message may hold such media ("image/png").
  virtual bool takes(std::string_view mime_type) const = 0;

  // ask makes a request for a streamed answer of `model`. The prompt is one that fault_of lets
  // pass, with media that the dialect takes.
  virtual Asking ask(const Prompt& prompt, std::string_view model,
                     const Account& account) const = 0;

  // read makes a reader of the answer. `answer` must outlive it.
  virtual std::unique_ptr<AnswerReader> read(AnswerBuilder& answer) const = 0;

 protected:
  ~Dialect() = default;
};

// unreadable makes the Failure of an answer that is not what `dialect` says.
inline Failure unreadable(std::string what) {
  return {.kind = FailureKind::kUnreadable, .message = std::move(what)};
}

}  // namespace plumbline::model
