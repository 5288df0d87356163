// ChatTurns works on the turns of chats: begins them, goes on with one that waited for a person or
// whose process died, and tells those who listen. A turn belongs to nobody's connection: whoever
// goes away finds its outcome later.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/chat/chat_turn.h"
#include "core/base/budget/guests.h"
#include "core/base/task_group.h"
#include "core/base/wait.h"
#include "core/model/offer_shelf.h"
#include "core/service/chat/chat_book.h"
#include "core/service/chat/user_servers.h"
#include "core/service/event_feed.h"
#include "core/store/thread_store.h"
#include "core/trace/tracer.h"

namespace plumbline::service {

struct ChatTurnsOptions {
  std::string instructions = agents::chat::kChatInstructions;
  model::Settings settings;
  agents::chat::ChatLimits limits;
  std::optional<std::int64_t> window_tokens;  // Of the model: longer conversations are trimmed.
  bool summarizes = false;                    // What is trimmed is told in one message.
  Duration turn_max = std::chrono::minutes(10);
  Duration approval_max = std::chrono::hours(24);  // Later than that a question is refused.
  Duration hold = std::chrono::seconds(15);        // A dead process keeps a session so long.
  std::size_t running_max = 10'000;                // Turns at one time.
  std::size_t history_messages_max = 400;          // That the model is given.
  EventFeedOptions feed{.replay_bytes_max = std::size_t{256} << 10U};
  Duration feed_kept = std::chrono::minutes(1);  // After the turn, for who comes back.
  std::size_t feeds_max = 20'000;
  trace::Tracer* tracer = nullptr;  // Of turns; null: nobody. Outlives them.
  // Hears why a turn failed, once for each that did. May be empty.
  std::function<void(const std::string& why)> on_failure{};
};

// TurnEnd is how a turn stands when nothing goes on by itself any more.
struct TurnEnd {
  ChatSession session;
  bool failed = false;          // The model could not be asked.
  std::optional<Error> lost{};  // The store failed, or another process goes on with the turn.
};

class ChatTurns {
 public:
  // OnEnd hears how it ended or what it waits for, once.
  using OnEnd = std::function<void(const TurnEnd& end)>;

  // All must outlive it.
  ChatTurns(Loop& loop, ChatBook& book, store::ThreadStore& threads, UserServers& servers,
            model::Model& model, const agents::Policy& policy, RandomBytes random,
            ChatTurnsOptions options);
  ChatTurns(const ChatTurns&) = delete;
  ChatTurns& operator=(const ChatTurns&) = delete;
  ~ChatTurns();

  // begin takes the next turn of `session`, which a message of its user begins. kConflict: one is
  // under way, or waits for a person; kLimitReached: too many are. Errors of the store as they are.
  // `charges` are what was taken for it, and held until it ends.
  Task<Status> begin(ChatSession& session, model::Message said, std::vector<Held> charges,
                     OnEnd on_end);

  // decide goes on with a turn that waits, with what a person says. kInvalidInput: it does not wait
  // for an answer to `approval_id`; kConflict: somebody else has answered. An approval that comes
  // later than approval_max is a refusal.
  Task<Status> decide(ChatSession& session, std::string approval_id, Json answer, OnEnd on_end);

  // take_up goes on with the turns of dead processes. keep_up does so from time to time, and says
  // of the turns here that this process is alive.
  Task<Status> take_up();
  void keep_up();

  // feed returns what tells of the last turn of a session here: message.delta {"delta"},
  // tool.started and tool.ended {"id", "name", ...}, approval.needed (the review), message (as it
  // is shown), error {"error", "message"} and, last, done {"state"}. nullptr: nothing is known of
  // it here.
  EventFeed* feed(const std::string& session_id);

  std::size_t running() const { return running_.size(); }

  // drain waits for what runs, at most so long, and takes up nothing more.
  Task<void> drain(Duration at_most);

 private:
  struct Running;
  class Teller;

  Task<Status> start(ChatSession& session, std::vector<ChatMessage> added,
                     std::optional<Json> answer, OnEnd on_end);
  Task<void> work(Running& turn);
  Task<Result<agents::chat::ChatState>> initial(ChatSession session);
  Task<TurnEnd> finish(Running& turn, agents::chat::ChatTurn& chat);
  Task<bool> all_ended();
  Task<void> renew();
  Task<void> keep_up_once();
  void tell_end(Running& turn, const TurnEnd& end, const std::vector<ChatMessage>& added);
  EventFeed& open_feed(const std::string& session_id);
  void forget_old_feeds();

  struct Fed {
    std::unique_ptr<EventFeed> feed;
    std::optional<Instant> ended;
  };

  Loop& loop_;
  ChatBook& book_;
  store::ThreadStore& threads_;
  UserServers& servers_;
  model::Model& model_;
  const agents::Policy& policy_;
  RandomBytes random_;
  ChatTurnsOptions options_;
  std::string holder_;
  model::OfferShelf shelf_;
  std::map<std::string, Fed> feeds_;
  std::map<std::string, std::unique_ptr<Running>> running_;  // By session.
  std::vector<std::unique_ptr<Running>> over_;  // Until the next upkeep, which may wait for them.
  std::optional<Alarm> again_;
  TaskGroup upkeep_;
  TaskGroup work_;  // Last: dropped first.
};

}  // namespace plumbline::service
