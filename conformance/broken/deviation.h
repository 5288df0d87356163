// Deviation is one way of being wrong: the reference server with an interceptor between it and the
// judge. A test proves that the check of its id catches it, and
// that no unrelated check does.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/peer/subject.h"
#include "core/json/json.h"
#include "core/wire/http.h"
#include "core/wire/sse.h"

namespace plumbline::conformance {

// Interceptor is what a deviation works with: one connection of the judge, on HTTP one session.
class Interceptor {
 public:
  // say gives the judge a message, say_text anything, as one frame. On HTTP it goes out on the
  // exchange that is being worked on; say_nothing_more ends that without an answer.
  virtual void say_text(std::string text) = 0;
  void say(const Json& message) { say_text(dump_json(message)); }

  // say_on_stream gives the judge a message on the GET stream that it opened last. HTTP alone; does
  // nothing while there is none.
  virtual void say_on_stream(const Json&) {}

  // streams returns how many GET streams of the session are open. HTTP alone.
  virtual int streams() const { return 0; }

  // say_later says a message after `delay`. stdio alone; does nothing otherwise.
  virtual void say_later(Duration, Json) {}

  // pass hands a message, or any text, on to the reference server.
  virtual void pass_text(std::string text) = 0;
  void pass(const Json& message) { pass_text(dump_json(message)); }

  // stop ends the connection, as a server that crashes.
  virtual void stop() = 0;

  // die ends the server for everybody. HTTP alone.
  virtual void die() {}

  // note_request remembers a request of the judge's.
  void note_request(const Json& message);

  // asked returns the judge's request that `response` answers; null when there is none.
  virtual Json asked(const Json& response) const;

  // method_asked returns its method, empty when there is none.
  std::string method_asked(const Json& response) const {
    return string_or(asked(response), "method", "");
  }

  int count = 0;  // For the deviation's own use, kept as long as the connection.
  Json memory;    // Likewise.

 protected:
  ~Interceptor() = default;

 private:
  std::map<std::string, Json> requests_;  // Of the judge, by the text of their ids.
};

// Behind is what a keeper has besides the request: what it may ask, and whom it may tell.
struct Behind {
  std::string upstream;  // The URL of what stands behind the server; empty without any.
  std::function<void(wire::HttpRequest)> ask;  // That, of which it needs no answer.
  // tell says a message on the GET stream of a session; on all of them where it is empty.
  std::function<void(std::string session, Json message)> tell;
};

// Keeper stands before the server, remembers, and answers what it has an answer for.
class Keeper {
 public:
  virtual ~Keeper() = default;
  // answer returns its answer; nothing: the request goes on, as it may have changed it.
  virtual std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) = 0;
  // answered is given the head of the server's answer to what went on.
  virtual void answered(const wire::HttpRequest&, const wire::HttpHeaders&) {}
  // streams is told that a stream of events has begun in answer to that.
  virtual void streams(const wire::HttpRequest&) {}
};

struct Deviation {
  std::string_view id;        // Of the check that catches it.
  std::string_view revision;  // In which it is judged.
  Transport transport = Transport::kStdio;
  std::string_view what;  // "repeats every id as a string".

  // from_server is given each message of the reference server, and says what the judge gets. Null:
  // the same.
  void (*from_server)(Interceptor& interceptor, Json message) = nullptr;
  // from_client is given each frame of the judge. Null: it is passed on.
  void (*from_client)(Interceptor& interceptor, std::string text) = nullptr;
  // request may change an HTTP request before it is passed on, or answer it by itself.
  std::optional<wire::HttpResponse> (*request)(wire::HttpRequest& request) = nullptr;
  // response may change the head of the answer to `request`.
  void (*response)(const wire::HttpRequest& request, int& status,
                   wire::HttpHeaders& headers) = nullptr;

  // credentials are what the judge's user gave; the reference server does not look at them.
  wire::HttpHeaders credentials = {};

  std::vector<std::string_view> also = {};  // Ids of checks that this breaks as well, of itself.

  // event may change an event of the answer to `request`, or keep it back: false.
  bool (*event)(const wire::HttpRequest& request, wire::SseEvent& event) = nullptr;
  // unended says of which events of the answer to `request` the empty line is left out.
  bool (*unended)(const wire::HttpRequest& request, const wire::SseEvent& event) = nullptr;
  bool follows_redirects = false;  // To wherever, with all headers. HTTP alone.
  bool streams_never_end = false;  // Streams of events stay open when the server ends them.
  bool holds_pieces = false;       // Of a stream, from what does not end an event to its end.
  bool works_on = false;           // HTTP: that a client went away does not reach the server.
  bool counts_sessions = false;    // Session ids are numbers in order.

  // from_client_message is from_client for what is JSON.
  void (*from_client_message)(Interceptor& interceptor, Json message) = nullptr;
  bool deaf = false;                           // stdio: whether it goes on when its input ends.
  bool reads_lf_alone = false;                 // stdio: a line that ends in CR LF ends it.
  wire::HttpHeaders second_credentials = {};   // Of another user.
  wire::HttpHeaders foreign_credentials = {};  // That are good elsewhere.
  const char* hints = nullptr;                 // What its vendor says of it: a hint file.
  bool holds_gets = false;                     // HTTP: no GET of a session is ever answered.
  bool joins_gets = false;                     // HTTP: a further GET of a session gets a stream.
  bool starts_again = false;  // Who dies can be started again: SubjectSpec::start says how.
  Duration work{};            // HTTP: of one of two processors that a POST takes.
  // last_word is what a client is told on a stream that the server breaks off. HTTP alone.
  const char* last_word = nullptr;
  // unreadable is given what of the reference server is no JSON. stdio alone.
  void (*unreadable)(Interceptor& interceptor, std::string text) = nullptr;
  // keeper makes what is asked before anybody else over HTTP.
  std::unique_ptr<Keeper> (*keeper)(Behind behind) = nullptr;
};

using Deviations = std::span<const Deviation>;

// users_kept_apart is no deviation: a server that is right and knows two users.
const Deviation& users_kept_apart();

// right_proxy is no deviation either: a server that is an OAuth proxy and right.
const Deviation& right_proxy();

// right_pages is none: a server that sends its user to pages, of its own and of a third party.
const Deviation& right_pages();

// tasks_that_fail_inside is none: a server whose tasks cannot be cancelled, and that says why.
const Deviation& tasks_that_fail_inside();

// all_deviations returns every one.
const std::vector<Deviation>& all_deviations();

}  // namespace plumbline::conformance
