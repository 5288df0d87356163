// Replayer is a server made of a recorded session: it answers what was asked then with what was
// answered then.
//
// What the server said of its own accord follows the message of the client that it followed in the
// recording. Ids, progress tokens and secrets are those of the client that asks now.

#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/json/json.h"
#include "scenarios/record/recording.h"

namespace plumbline::scenarios {

// Match says when a message of the client is one of the recording.
enum class Match {
  kStrict,   // It is the next one of the recording, and says the same.
  kContent,  // It says the same: method and parameters, without tokens. Of `initialize` the
             // version.
  kMethod,   // It has the same method.
};

// ReplayedOutput is what the server does, so long after the message that it follows.
struct ReplayedOutput {
  Duration after{};
  std::optional<std::string> line{};  // Goes to the client, without its end.
  std::optional<std::string> exit{};  // "exit code 3": it ends by itself.
};

struct ReplayCounts {
  std::size_t recorded = 0;           // Messages of the client.
  std::size_t played = 0;             // Of them, those that came again.
  std::vector<std::string> missed{};  // What came and was not recorded, in a few words each.
};

class Replayer {
 public:
  // Plays one of `sessions`, of which there is at least one: the last that begins with what the
  // client begins with now, or else the last.
  Replayer(std::vector<RecordedSession> sessions, Match match);

  // begin returns what the server of the last session said before it was asked anything.
  std::vector<ReplayedOutput> begin() const;

  // take returns what follows a message of the client, in order. A request that was not recorded is
  // answered with the error kNotRecorded, which names it. A line that is no JSON is its text, as a
  // string.
  std::vector<ReplayedOutput> take(const Json& message);

  const ReplayCounts& counts() const { return counts_; }

  // unplayed returns the requests of the client that did not come again, in order.
  std::vector<Json> unplayed() const;

  static constexpr int kNotRecorded = -32'603;  // JSON-RPC's internal error.

 private:
  // Step is a message of the client, and what followed it.
  struct Step {
    Json message;
    struct Output {
      Duration after{};
      Json message{};  // Unless one of the others.
      std::optional<std::string> text{};
      std::optional<std::string> exit{};
    };
    std::vector<Output> outputs{};
    bool played = false;
  };

  // Likes are the steps whose messages are told apart by nothing, in order.
  struct Likes {
    std::vector<std::size_t> steps;
    std::size_t next = 0;  // The first that was not played.
  };

  void read(const RecordedSession& session);
  void choose(const Json& first);
  Step& step_of(const Json& to_client);
  Step* find_step(const Json& message);
  Step* find_masked(const Json& message);
  void learn(const Json& then, const Json& now);
  Json for_now(Json out) const;
  bool fits(const Step& step, const Json& message) const;
  std::string key_of(const Json& message) const;

  Match match_;
  std::vector<RecordedSession> sessions_;
  std::vector<Step> steps_;  // The first is for what came before any message.
  std::size_t next_ = 1;     // Of kStrict.
  std::map<std::string, Likes> by_key_;
  std::map<Json, std::size_t> asked_;    // The last step of each request, by its id.
  std::size_t answered_ = 0;             // The last step in which the client answered; 0: none.
  std::list<std::size_t> masked_;        // Steps with a placeholder, which fit more than one text.
  std::set<std::size_t> masked_played_;  // Those of them that have come.
  std::map<std::string, Json> ids_;      // Of then, and what is meant by them now.
  std::map<std::string, Json> tokens_;   // Likewise, of progress.
  ReplayCounts counts_;
};

}  // namespace plumbline::scenarios
