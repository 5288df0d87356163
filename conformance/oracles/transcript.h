// Transcript is a Conversation as rules look at it: message by message, each with its side, its
// request or its responses, and the revision that it was said in. Batches are taken apart.
//
// The revision is not that of the run: checks open sessions in others too. With an initialize that
// succeeds it is what the server answered; for a request that names its version in _meta, and for
// what answers that request, it is that version.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/wire/measured.h"
#include "conformance/wire/wire_log.h"

namespace plumbline::conformance {

// Conversation is what was said in one revision, and whose part of it is judged.
struct Conversation {
  const WireLog& log;
  std::span<const LogEntry> entries;
  std::string revision;
  Sender judged = Sender::kSubject;
  bool http = false;  // Over Streamable HTTP: entries have exchanges.
};

enum class Side { kClient, kServer };

inline constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);

// ObservedMessage is one message.
struct ObservedMessage {
  const LogEntry* entry = nullptr;
  const Json* message = nullptr;  // What was said; of a batch, one member of it.
  Side by = Side::kClient;
  std::string method;    // Of a request or notification. Empty: a response, or nothing of both.
  std::string revision;  // Empty: none that we know.
  std::size_t request = kNoPlace;      // Of a response: its request in the same dialogue.
  std::vector<std::size_t> responses;  // Of a request.
  std::size_t cancels = kNoPlace;      // Of a cancellation: the request of its side that it names.
  std::size_t cancelled = kNoPlace;    // Of a request: the first cancellation that names it.
  bool batched = false;                // A member of an array.
  bool repeats_id = false;             // A request with an id that its sender had used before.
  bool id_repeated = false;            // A request whose id its sender has used again later.

  bool is_request() const { return !method.empty() && message->contains("id"); }
  bool is_notification() const { return !method.empty() && !message->contains("id"); }
  bool is_response() const {
    return message->is_object() && !message->contains("method") &&
           (message->contains("result") || message->contains("error"));
  }

  // params, result and error return the member, an empty object when there is none.
  const Json& params() const { return member("params"); }
  const Json& result() const { return member("result"); }
  const Json& error() const { return member("error"); }
  const Json& member(const char* name) const;
};

// HttpExchange is what is known of one HTTP request and its answer.
struct HttpExchange {
  std::string line;  // "POST /mcp".
  int status = 0;
  bool events = false;
  std::size_t answered = kNoPlace;  // What was said since has this place at least.
  std::vector<std::size_t> sent;    // What the client said in it.
  bool asked_without_id = false;    // Whether that has an id that is none, such as 1.5.
};

// JsonLess orders values by what they are.
struct JsonLess {
  bool operator()(const Json* a, const Json* b) const { return *a < *b; }
};

// Dialogue is what was said on one connection.
struct Dialogue {
  std::uint32_t connection = 0;
  std::string revision;  // That was agreed on, or that of the conversation.
  // Objects in the log: of initialize, and of its result, or of server/discover anywhere.
  const Json* client_capabilities = nullptr;
  const Json* server_capabilities = nullptr;
  bool tells_capabilities = false;     // Whether the server has.
  std::size_t initialize = kNoPlace;   // The request that was answered with a result.
  std::size_t initialized = kNoPlace;  // The notification.
  std::vector<ObservedMessage> said;
  Instant end;  // When the last thing happened to it.
  std::map<std::uint32_t, HttpExchange> exchanges;
  std::string post_line;                 // Of the first POST; empty: there was none.
  std::vector<const LogEntry*> garbage;  // What is no JSON, of the judged side.

  // Where to look: the last request of each side with each id, and in which exchanges of HTTP each
  // message was said first and last.
  std::map<const Json*, std::size_t, JsonLess> asked[2];
  std::map<const Json*, std::pair<std::uint32_t, std::uint32_t>, JsonLess> told;

  bool stateless() const { return initialize == kNoPlace; }

  // opening returns the request whose HTTP exchange `about` came in: nullptr for none.
  const ObservedMessage* opening(const ObservedMessage& about) const;
};

class Transcript {
 public:
  // The log must outlive the transcript.
  Transcript(Conversation conversation, Side judged);
  Transcript(const Transcript&) = delete;
  Transcript& operator=(const Transcript&) = delete;

  const Conversation& conversation() const { return conversation_; }
  Side judged() const { return judged_; }
  const std::vector<Dialogue>& dialogues() const { return dialogues_; }
  bool stateless() const;

 private:
  void sort_entries();
  void note(Dialogue& dialogue, const LogEntry& entry);
  void hear(Dialogue& dialogue, const LogEntry& entry, const Json& message, bool batched);
  void learn_versions();
  bool is_of_any_era(const Dialogue& dialogue, const ObservedMessage& request) const;

  Conversation conversation_;
  Side judged_;
  std::vector<Dialogue> dialogues_;
};

// Ruling collects what one rule found out.
class Ruling {
 public:
  explicit Ruling(const Transcript& transcript)
      : transcript_(transcript), measured_(transcript.conversation().log.budget()) {}

  // measured judges by schemas; where not all could be judged, nothing is decided.
  Measured& measured() { return measured_; }

  // sees: something that the rule is about was said.
  void sees() { ++seen_; }

  // breaks: `entry` is against the rule. The first is told, all are counted. Of a response its
  // request is shown, and what has answered that before. The reasons are the outcomes that are
  // named, or the methods that the messages belong to: of all, so that what is a habit of an SDK
  // never hides what is not.
  void breaks(const LogEntry& entry, const std::string& what);
  void breaks(const ObservedMessage& said, const std::string& what, std::string_view reason = {});
  // Where mistakes differ, the first of each `kind` is told: who mends one wants to know the next.
  // `member` is the one that is wrong.
  void breaks_as(std::string kind, std::string member, const ObservedMessage& said,
                 const std::string& what);

  // finding returns what came out; `nothing` says what was not seen.
  Finding finding(std::string nothing) const;

 private:
  // Kind is a kind of mistake: what was said of the first one, and how many there are.
  struct Kind {
    std::string name;
    std::string first;
    std::int64_t count = 0;
  };

  void tell(std::string kind, const ObservedMessage& said, const std::string& what,
            std::string_view reason);
  void count(std::string kind, const LogEntry& entry, const std::string& what);
  void show_exchange(const ObservedMessage& response);
  const Dialogue& dialogue_of(const ObservedMessage& said) const;
  const ObservedMessage& request_of(const ObservedMessage& response) const;

  const Transcript& transcript_;
  Measured measured_;
  std::vector<Evidence> shown_;  // What goes before the first that breaks the rule.
  std::int64_t seen_ = 0;
  std::int64_t broken_ = 0;
  std::vector<Kind> kinds_;
  Finding first_;
};

// PerDialogue holds one T of each dialogue that it is asked for, made from it.
template <class T>
class PerDialogue {
 public:
  T& of(const Dialogue& dialogue) { return all_.try_emplace(&dialogue, dialogue).first->second; }

 private:
  std::map<const Dialogue*, T> all_;
};

// each calls `look` with every message of the judged side and its dialogue.
template <class Look>
void each(const Transcript& transcript, const Look& look) {
  for (const Dialogue& dialogue : transcript.dialogues()) {
    for (const ObservedMessage& said : dialogue.said) {
      if (said.by == transcript.judged()) look(dialogue, said);
    }
  }
}

}  // namespace plumbline::conformance
