// ChatBook keeps chats in a RecordStore, so that several processes can serve them: who wants to
// change a session says which version he has read, and of two who do one is told so.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/doors/record_store.h"
#include "core/base/doors/wall_clock.h"
#include "core/base/random_bytes.h"
#include "core/service/chat/chat_record.h"

namespace plumbline::service {

class ChatBook {
 public:
  // All must outlive the book.
  ChatBook(RecordStore& records, const WallClock& clock, RandomBytes random)
      : records_(records), clock_(clock), random_(std::move(random)) {}

  // open begins a session of `user`.
  ChatSession open(std::string user) const;

  // find returns a session, nothing when there is none of that id.
  Task<Result<std::optional<ChatSession>>> find(std::string id);

  // sessions returns those of `user`, at most `count`.
  Task<Result<std::vector<ChatSession>>> sessions(std::string user, std::size_t count);

  // count returns how many `user` has, `most` at most.
  Task<Result<std::size_t>> count(std::string user, std::size_t most);

  // put keeps `session` and, behind those that it has, `added`; both or nothing. false: somebody
  // else has changed it since it was read. Else the arguments are as they are kept.
  Task<Result<bool>> put(ChatSession& session, std::vector<ChatMessage> added);

  // messages returns the newest `count` messages of a session, oldest first.
  Task<Result<std::vector<ChatMessage>>> messages(ChatSession session, std::size_t count);

  // unfinished returns the ids of sessions with a turn that runs, or ran when its process died.
  Task<Result<std::vector<std::string>>> unfinished();

  // remove forgets a session with all that is kept of it here. false: it has changed since.
  Task<Result<bool>> remove(ChatSession session);

  // message makes one out of what was said, with an id of its own.
  ChatMessage message(model::Message said) const;

  Duration now() const { return clock_.since_1970(); }

 private:
  Task<void> tidy(ChatSession session);

  RecordStore& records_;
  const WallClock& clock_;
  RandomBytes random_;
};

// user_key returns a user's name as part of a key: of a fixed length, and without a "/".
std::string user_key(const std::string& user);

}  // namespace plumbline::service
