// Client is how one check speaks through a Session. What it sends, and what is answered to it, is
// the check's evidence.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/peer/session.h"

namespace plumbline::conformance {

// Reaction is what a server did after something that need not be a message.
struct Reaction {
  std::vector<Json> messages;            // That came, the answer to the fence left out.
  std::vector<std::string> garbage;      // What came and is no JSON.
  bool alive = false;                    // Whether it still answers.
  Duration unanswered{};                 // HTTP: how long no answer came; 0: one did.
  int status = 0;                        // HTTP: of the POST; 0 for none.
  wire::HttpHeaders headers;             // Likewise.
  std::string body;                      // Likewise.
  std::vector<std::size_t> places = {};  // In the log: of what was sent, and of what came.

  // response returns the first response among the messages, error the first that is an error;
  // nullptr for none.
  const Json* response() const;
  const Json* error() const;

  // describe says in a few words what came.
  std::string describe() const;

  // outcome returns the same in one word, for who decides by it: outcomes.h.
  std::string outcome() const;
};

// about returns `finding` as one about `reaction`, whatever its check has waited for since. What
// came is its reason, unless it has one.
inline Finding about(Finding finding, const Reaction& reaction) {
  finding.about = reaction.places;
  if (finding.reason.empty()) finding.reason = reaction.outcome();
  return finding;
}

class Client;

// about_exchange returns it as one about an HTTP request of `client` and the answer to it.
Finding about_exchange(Finding finding, Client& client, std::size_t exchange);

class Client {
 public:
  // `session` must outlive the client.
  Client(Session& session, std::uint32_t check) : session_(&session), check_(check) {}

  // request sends a well-formed request with a new id and waits for what comes of it. In a
  // stateless revision `params` get the _meta that every request needs, unless they have one.
  Task<Reply> request(std::string method, Json params = Json::object());

  // call does so and, while a stateless server asks for input, grants it and asks again, at most
  // five times. Elsewhere the same as request().
  Task<Reply> call(std::string method, Json params = Json::object());

  // exchange sends `message` as it is, with the headers of a correct client changed by `headers`
  // (an empty value removes one), and waits for the response to its id.
  Task<Reply> exchange(Json message, wire::HttpHeaders headers = {});

  // begin only sends; finish waits for what comes of it. For requests that overlap.
  struct Begun {
    Json id;
    std::size_t exchange = 0;
    std::size_t frames_before = 0;  // Those of the inbox that are no answer.
    Instant at;
    bool works = false;    // It is a tools/call: how long that takes says nothing of the way.
    bool starts = false;   // What answers has to start first.
    bool crowded = false;  // Processes were starting then. See Pace.
    std::vector<std::size_t> places = {};  // In the log: of what was sent.
  };
  Begun begin(Json message, wire::HttpHeaders headers = {});
  Task<Reply> finish(Begun begun, Duration patience);
  Task<Reply> finish(Begun begun);

  // notify sends a notification. On HTTP it waits until the POST is answered.
  Task<Reaction> notify(std::string method, Json params = Json::object());

  // provoke sends any text as one frame and waits until the server has dealt with it: over HTTP
  // until its answer has ended, elsewhere until it has answered a request sent behind it (the
  // fence) and a quiet moment has passed. A newline in `text` splits it on stdio.
  Task<Reaction> provoke(std::string text, wire::HttpHeaders headers = {});

  // http makes an HTTP request of its own and waits for its end, or for its first event. Only over
  // Streamable HTTP.
  Task<Reply> http(wire::HttpRequest request);

  // alive asks something harmless and returns whether it is answered.
  Task<bool> alive();

  // listen lets `how_long` pass, in which messages may come.
  Task<void> listen(Duration how_long);

  // hush lets a quiet moment pass, as long as Pace says. It ends sooner where that was long only
  // because processes were starting, and they have been there for a quiet moment now.
  Task<void> hush();

  bool answers_an_earlier_one(const Json& message, const Result<Json>& sent,
                              std::size_t frames_before) const;

  // can_hear returns whether the server could say something by itself. Streamable HTTP needs a
  // stream for that: the answer to the GET of the session is waited for.
  Task<bool> can_hear();

  // request_of returns what request() would send.
  Json request_of(std::string method, Json params);

  // request_declaring returns that of a client with these capabilities, where each request says so
  // (2026-07-28).
  Json request_declaring(std::string method, Json params, Json capabilities);

  // answer_to_fence returns the method that a correct server of this revision answers at once.
  std::string_view harmless_method() const;

  Session& session() { return *session_; }
  const Session& session() const { return *session_; }
  Loop& loop() { return session_->subject().loop(); }
  Pace& pace() { return session_->subject().pace(); }
  std::uint32_t check() const { return check_; }

 private:
  bool is_first_of_process() const;
  bool find_answer(Begun& begun, Reply& reply);
  void fill_http(const Begun& begun, Reply& reply) const;
  void spend(const Begun& begun, const Reply& reply);
  std::vector<std::size_t> sent_since(std::size_t place) const;
  void judges(const std::vector<std::size_t>& places);

  Session* session_;
  std::uint32_t check_;
};

}  // namespace plumbline::conformance
