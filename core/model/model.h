// Model is a language model as everybody else sees it: a conversation and tools in, pieces of text
// and tool calls out, then how it ended.
//
// A script implements it, in worlds and over HTTP: fakes/model.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/task.h"
#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::model {

enum class Role { kSystem, kUser, kAssistant, kTool };

// Media is an image or audio within a message.
struct Media {
  std::string mime_type;    // "image/png", "audio/wav".
  std::string data_base64;  // Its bytes.
};

// ToolCall is one that the model asks for.
struct ToolCall {
  std::string id;         // Names the call within its conversation; the answer carries it.
  std::string name;       // As in ToolOffer, if the model keeps to what it was offered.
  std::string arguments;  // As the model wrote them: JSON, if it wrote well.
};

struct Message {
  Role role = Role::kUser;
  std::string text{};
  std::vector<Media> media{};
  std::vector<ToolCall> tool_calls{};  // Of kAssistant alone.
  std::string tool_call_id{};          // Of kTool alone: which call it answers.
  bool is_error = false;               // Of kTool alone: the call failed.
};

struct ToolOffer {
  std::string name;  // 1 to 64 of [a-zA-Z0-9_-], as providers take it.
  std::string description{};
  Json input_schema = Json::object();

  bool operator==(const ToolOffer&) const = default;
};

// ToolOffers are the tools of a prompt. Copies share them: of each conversation that waits for its
// model, every step on the way there holds the prompt.
class ToolOffers {
 public:
  using Held = std::shared_ptr<const std::vector<ToolOffer>>;
  using Weak = Held::weak_type;

  ToolOffers() = default;
  explicit ToolOffers(Held offers) : offers_(std::move(offers)) {}
  explicit ToolOffers(std::vector<ToolOffer> offers)
      : offers_(std::make_shared<const std::vector<ToolOffer>>(std::move(offers))) {}
  ToolOffers(std::initializer_list<ToolOffer> offers) : ToolOffers(std::vector(offers)) {}

  std::size_t size() const { return offers_ ? offers_->size() : 0; }
  bool empty() const { return size() == 0; }
  const ToolOffer& operator[](std::size_t i) const { return (*offers_)[i]; }
  const ToolOffer* begin() const { return offers_ ? offers_->data() : nullptr; }
  const ToolOffer* end() const { return begin() + size(); }
  Weak weak() const { return offers_; }

 private:
  Held offers_;
};

struct Settings {
  std::optional<double> temperature{};
  std::optional<std::int64_t> output_tokens_max{};
  std::optional<Json> response_schema{};  // The answer is to be JSON that it allows.
  bool parallel_tool_calls = true;
  bool thinks = false;  // It takes its time, where the provider lets one ask for that.
};

struct Prompt {
  std::vector<Message> messages{};
  ToolOffers tools{};
  Settings settings{};
  std::string traceparent{};  // Of the work that it is asked for; empty: nobody traces that.
};

// Usage is what a provider said it counted; `estimated` when it said nothing and we guessed.
struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  bool estimated = false;
};

enum class FinishReason { kStop, kToolCalls, kLength, kRefusal };

// FailureKind says what a caller can do about a failed completion.
enum class FailureKind {
  kAuthentication,  // The key is missing or refused.
  kRateLimit,       // Later: after `retry_after` where the provider said so.
  kTooLong,         // The conversation does not fit: trim it.
  kInvalidRequest,  // The provider refuses what was sent: never as it is again.
  kUnavailable,     // Network, 5xx, or an answer that was cut: it may be asked again.
  kUnreadable,      // What came is not what the provider's interface says.
};

struct Failure {
  FailureKind kind = FailureKind::kUnavailable;
  std::string message{};  // One line; no key in it.
  std::optional<Duration> retry_after{};
  int status = 0;      // Of HTTP; 0: there was none.
  std::string code{};  // The provider's own word for it: "context_length_exceeded".
};

// Completion is a whole answer.
struct Completion {
  Message message{};  // kAssistant.
  FinishReason finish = FinishReason::kStop;
  Usage usage{};
};

using Completed = std::variant<Completion, Failure>;

// DeltaReader hears an answer while it comes. Calls come whole, when their arguments have ended. It
// must not destroy the task that it hears.
class DeltaReader {
 public:
  virtual void on_text(std::string_view piece) = 0;
  virtual void on_tool_call(const ToolCall& call) = 0;

 protected:
  ~DeltaReader() = default;
};

class Model {
 public:
  virtual std::string_view name() const = 0;  // As the provider names it.

  // complete asks for one answer and waits for its end, at most until `deadline`. `reader` hears it
  // while it comes, and may be null; both it and the model must outlive the task. Never asks twice.
  // To destroy the task is to stop the answer.
  virtual Task<Completed> complete(Prompt prompt, DeltaReader* reader, Instant deadline) = 0;

 protected:
  ~Model() = default;
};

}  // namespace plumbline::model
