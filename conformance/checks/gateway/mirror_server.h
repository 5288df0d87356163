// MirrorServer stands behind a gateway that is judged: an MCP server over Streamable HTTP that
// shows what reached it, unchanged, and does what the judge wants at the moment it wants it.
//
// What it lists and says is in mirror.json. Its tools: echo returns its arguments, count sends
// progress, log a log message, ask puts a question to the client, fail answers with an error, hold
// waits for the judge, and does what echo does then; so do those of rows at once; rich, refuse and
// stream answer with what is written down, stream as a stream of every form; so do bare and plain.
// ask asks nobody who has not declared that it may be asked: the result then says so; where there
// are no sessions it asks by its result. What the argument "how" of a call is:
//
//   ask     "numbered", for a question whose id is a number
//   echo    "streamed", for an answer on a stream, behind progress
//   fail    "status 503" (or any), with no JSON-RPC; "cut", in the middle of the answer
//   stream  "crlf", for lines that end so; "broken off", for a stream that has to be resumed

#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/gateway/mirror_http.h"
#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/net/http_server.h"
#include "core/net/network.h"

namespace plumbline::conformance {

// What comes with status 401, and with 403.
inline constexpr const char* kMirrorChallenge =
    "Bearer resource_metadata=\"https://mirror.example/.well-known/oauth-protected-resource\"";
inline constexpr const char* kMirrorScopeError = "error=\"insufficient_scope\"";
inline constexpr const char* kMirrorScope = "scope=\"mirror:write\"";
inline constexpr const char* kMirrorRetryAfter = "1";  // With 429: seconds.

// What a mirror keeps of what reached it. Behind either, it forgets the older half.
inline constexpr std::size_t kMirrorHeardMax = 10'000;  // Messages, and HTTP requests.
inline constexpr std::size_t kMirrorBytesMax = 64U << 20U;
inline constexpr std::size_t kMirrorHeldMax = 1'000;  // Calls that wait, of one kind.
inline constexpr std::size_t kMirrorSaidMax = 16;     // Responses.
inline constexpr int kMirrorMany = 120;               // Tools of one page: see set_many.
inline constexpr const char* kMirrorManyTool = "plumbline_many_";
inline constexpr const char* kMirrorRows = "rows";  // Tools whose names differ by their marks.

class MirrorServer final : private MirrorReader {
 public:
  // Heard is one message that reached the server.
  struct Heard {
    std::size_t session = 0;  // Counted from 1; a stateless request is one by itself.
    Json message;
    wire::HttpHeaders headers;  // Of the request that brought it.
    std::string revision;       // In which it was said; empty: none was agreed on.
    bool streamable = true;     // It came over Streamable HTTP, not over HTTP+SSE.
  };
  // Request is one that is to be answered.
  struct Request {
    std::size_t session = 0;
    Json id;
    Json params;
    bool stateless = false;
    std::string method = {};
    std::string revision = {};  // In which it was made.
  };
  // Said is one response, and what it answers.
  struct Said {
    Request request;
    Json response;
  };

  // listen begins to serve at `at` those that `access` lets in. kInvalidInput: the place is taken
  // or not ours. `loop` and `network` must outlive the server.
  static Result<std::unique_ptr<MirrorServer>> listen(Loop& loop, net::Network& network,
                                                      net::Authority at, net::HttpAccess access,
                                                      std::function<std::string()> new_session_id);

  MirrorServer(Loop& loop, net::HttpAccess access, std::function<std::string()> new_session_id);

  std::uint16_t port() const { return listener_->port(); }
  // heard and requests return what came last, in order.
  const std::vector<Heard>& heard() const { return heard_; }
  const std::vector<wire::HttpRequest>& requests() const { return requests_; }
  // strays returns what came in no session, of Streamable HTTP with sessions, and opened none: the
  // method of each, or "a response". None once initialize has been answered without an id.
  const std::vector<std::string>& strays() const { return strays_; }
  // streams_asked returns how often it was asked for a stream.
  std::ptrdiff_t streams_asked() const;

  // said returns the last of its responses, in order.
  const std::deque<Said>& said() const { return said_; }
  void forget_said() { said_.clear(); }

  // set_paged says whether lists come in two pages, as they do at first; set_odd_opening, whether
  // initialize is answered as a stream of every form; list_more, which tool there is besides, and
  // that plain is another since.
  void set_paged(bool paged) { paged_ = paged; }
  void set_odd_opening(bool odd) { odd_opening_ = odd; }
  void list_more(std::string tool) { more_ = std::move(tool); }

  // set_lists_apart says whether each client has a tool of its own: by its session, or by its token
  // where there are none.
  void set_lists_apart(bool apart) { lists_apart_ = apart; }

  // set_endless says whether each page of tools is followed by one more, under the same cursor.
  void set_endless(bool endless) { endless_ = endless; }

  // set_many says whether there are kMirrorMany tools more, on one page.
  void set_many(bool many) { many_ = many; }

  // set_packs says whether answers come in gzip where that is accepted; set_redirect, whether calls
  // of tools are sent to another path by 307, or to another origin. strayed returns what came
  // there.
  void set_packs(bool packs) { http_.set_packs(packs); }
  void set_redirect(Redirect redirect);

  // set_carriage says how answers are carried from now on.
  void set_carriage(Carriage carriage) { http_.set_carriage(carriage); }
  const std::vector<wire::HttpRequest>& strayed() const { return strayed_.requests; }

  // query is what stands behind the path in the address that a gateway was told; empty: it was told
  // another one.
  void tell_query(std::string query) { query_ = std::move(query); }
  const std::string& query() const { return query_; }

  // set_streams says what a GET comes to; speak_at_most, which revision the newest is of those that
  // are opened by initialize; refuse_era, that nothing of one era is understood.
  void set_streams(StreamManner manner) { http_.set_streams(manner); }
  void speak_at_most(std::string_view revision) { newest_ = revision; }
  enum class Era { kNone, kStateful, kStateless };
  void refuse_era(Era era) { refused_ = era; }

  // tell_listeners tells of a change on each stream of subscriptions/listen that asked for it;
  // listeners_for returns how many do.
  void tell_listeners(const MirrorNotice& notice);
  std::size_t listeners_for(const MirrorNotice& notice) const;

  // watch is told from now on of each message that comes or goes; an empty function: nobody is.
  using Watch = std::function<void(bool came, const Json& message)>;
  void watch(Watch watch) { watch_ = std::move(watch); }

  // Next is what the next request of a method comes to: it is held, as a call of hold is; it asks
  // for input, until that is given; it fails, by an error or by an HTTP status.
  struct Next {
    enum class What { kHold, kAsk, kFail };
    What what = What::kHold;
    std::string mark = {};
    int status = 0;  // 0: an error.
  };
  void do_next(std::string_view method, Next next) { next_[std::string(method)] = std::move(next); }

  // set_bare says that it has tools alone, which do not change: what is declared from now on.
  void set_bare(bool bare) { bare_ = bare; }

  // changes tells of what reaches the server, before it is dealt with in the same turn.
  Changes& changes() { return http_.changes(); }

  // held returns the call of hold with `mark` that still waits, nullptr when there is none.
  const Request* held(std::string_view mark) const;

  // progress tells its client how far it is, by a number.
  void progress(std::string_view mark, int how_far = 2);

  // put_question asks its client, as ask does, before it is answered.
  void put_question(std::string_view mark);

  // release answers it.
  void release(std::string_view mark);

  // tell sends a notification to one session alone. hears returns whether it would come at once.
  void tell(std::size_t session, const std::string& method, Json params = nullptr);
  bool hears(std::size_t session) const { return http_.hears(session); }

  // end forgets a session: from now on its id is not known. knows returns whether it is open.
  void end(std::size_t session) { http_.end(session); }
  bool knows(std::size_t session) const { return http_.knows(session); }
  std::size_t open_sessions() const { return http_.open_sessions(); }

  // declared returns the capabilities that initialize declared; nullptr: there was none.
  const Json* declared(std::size_t session) const;

  // log_message returns what log says to a client, question what ask asks it: in the mode "url" by
  // a page of its own, whose end is told by complete.
  static Json log_message(const std::string& mark);
  static Json question(const std::string& method, const std::string& mark,
                       std::string_view mode = "");
  // state_of returns the requestState with which ask asks by its result.
  static std::string state_of(const std::string& mark);

  // as_at_first undoes what was set: two pages again, a plain initialize, every revision.
  void as_at_first();

 private:
  // implements MirrorReader ---
  void on_http(const wire::HttpRequest& request) override;
  void on_message(std::size_t session, const Json& message) override;
  void on_stray(const Json& message) override;

  // Strayed is another origin, where nothing is to be asked.
  struct Strayed final : net::HttpHandler {
    void on_request(wire::HttpRequest request, net::HttpReply reply) override;
    std::vector<wire::HttpRequest> requests;
  };

  // Opened is what initialize has said of a session.
  struct Opened {
    std::string revision;
    Json capabilities;  // Of its client.
  };

  void keep(Heard heard);
  std::string revision_of(std::size_t session, const Json& message) const;
  void send(std::size_t session, const Json& about, const Json& message);
  void on_request(const Request& request);
  void on_list(const Request& request, const MirrorList& listing);
  void on_call(const Request& request);
  void on_listen(const Request& request);
  bool refuses(const Request& request);
  bool does_otherwise(const Request& request);
  void fail_somehow(const Request& request, const Json& arguments);
  void stream(const Request& request, Json result, std::string_view how);
  void ask_by_result(const Request& request, const std::string& mark);
  void log(const Request& request, const std::string& mark);
  void ask(const Request& request, const std::string& mark);
  bool may_ask(const Request& request, const std::string& method, std::string_view mode) const;
  void on_answer(const Json& response);
  void report_progress(const Request& request, int progress);
  static Json response_of(const Request& request, Json result);
  void answer(const Request& request, Json result, AnswerForm form = AnswerForm::kPlain);
  void respond(const Request& request, Json response, AnswerForm form);
  void fail(const Request& request, int code, std::string message, Json data = nullptr);

  bool paged_ = true;
  bool odd_opening_ = false;
  bool lists_apart_ = false;
  bool endless_ = false;
  bool bare_ = false;
  bool many_ = false;
  std::string query_;
  std::map<std::string, Next> next_;  // By method.
  std::string more_;                  // A tool; empty: none.
  std::string_view newest_;           // Empty: every revision is spoken.
  Era refused_ = Era::kNone;
  std::vector<Request> listeners_;
  std::deque<Said> said_;
  std::vector<Heard> heard_;
  std::vector<std::string> strays_;
  std::size_t heard_bytes_ = 0;
  std::vector<wire::HttpRequest> requests_;  // Without their bodies.
  std::map<std::string, Request, std::less<>>
      waiting_;                           // The calls of hold and ask, by mark and by question.
  std::map<std::size_t, Opened> opened_;  // By session.
  Watch watch_;
  std::size_t questions_ = 0;
  MirrorHttp http_;
  std::unique_ptr<net::Listener> listener_;
  Strayed strayed_;
  net::HttpServer elsewhere_;
  std::unique_ptr<net::Listener> other_listener_;  // Null: there is no other place.
};

}  // namespace plumbline::conformance
