// Probe is everything that one check of a server may use.

#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/exercises.h"
#include "conformance/checks/server/survey.h"
#include "conformance/peer/client.h"
#include "conformance/peer/openings.h"
#include "conformance/peer/sessions.h"
#include "conformance/wire/measured.h"

namespace plumbline::conformance {

// ToolUse is a call of a tool that shows what a rule needs.
struct ToolUse {
  std::string name;
  Json params;           // Of tools/call.
  std::string resource;  // URI of what it updates (Shows::kResourceUpdate).
  bool sure =
      false;  // A hint says so. Else it was seen once: what does not come again is no proof.
};

class Probe {
 public:
  // Everything given must outlive the probe; `session` is null for SessionUse::kOpens.
  Probe(Subject& subject, const Survey& survey, const ProbeOptions& options, Exercises& exercises,
        Openings& openings, Sessions& sessions, Session* session, std::uint32_t check)
      : subject_(subject),
        survey_(survey),
        options_(options),
        exercises_(exercises),
        openings_(openings),
        sessions_(sessions),
        session_(session),
        check_(check),
        measured_(subject.log().budget()) {}
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  const Survey& survey() const { return survey_; }
  const std::string& revision() const { return survey_.revision; }
  bool stateless() const;
  Transport transport() const { return subject_.spec().transport; }
  bool over_http() const { return transport() == Transport::kHttp; }
  bool over_sse() const { return transport() == Transport::kSse; }
  bool over_stdio() const { return transport() == Transport::kStdio; }

  // start_cost is what a process more takes to start, over stdio.
  Duration start_cost() const { return subject_.starts().cost; }

  // client speaks through the session of the check. Not for kOpens.
  Client client();

  // open makes one more connection and gives it up at the end of the check. The client is not
  // usable() when it could not be made: say so with undecided().
  Task<Client> open(SessionOptions options);

  // open_in_turn opens one as open() does. Over stdio, where each costs a process, checks that call
  // it by the same `name` get the same session, one after the other: it is as they left it. So does
  // one check that calls it again.
  Task<Client> open_in_turn(std::string name, SessionOptions options);

  // spare returns a client in an ordinary session of any revision, which it may end: one that
  // nobody needs, or a new one.
  Task<Client> spare();

  // A Then asks something in a session that was opened; it is not asked where initialize failed.
  using Then = Task<Reply> (*)(Probe& probe, Client& client);

  // open_once opens a session with `options`, asks `then` in it, and returns what came of both.
  // Over stdio, where each costs a process, it is done once for all who call it by the same `name`:
  // a version, or another oddity. What could not be asked (--starts) is left to the next.
  Task<Opening> open_once(std::string name, SessionOptions options, Then then = nullptr);

  // knows_opening returns whether open_once() has an answer already.
  bool knows_opening(std::string_view name) const { return openings_.knows(name); }

  // open_raw is for HTTP requests of any kind: a client without a session, whose requests carry
  // `always` in place of the user's headers. Not over stdio.
  Client open_raw(wire::HttpHeaders always);

  // server_url is where the server is. Not over stdio.
  const wire::Url& server_url() const { return subject_.spec().url; }

  // may_write returns whether the user allowed what leaves something behind.
  bool may_write() const { return options_.allow_writes; }

  // behind returns what stands behind the server, where that is the judge's own; nullptr: it is
  // not.
  Upstream* behind() const { return subject_.spec().behind; }

  // user_headers are those that every request carries: where a token is.
  const wire::HttpHeaders& user_headers() const { return subject_.spec().headers; }

  // second_headers are those of another user; empty: nobody else is known.
  const wire::HttpHeaders& second_headers() const { return subject_.spec().second_headers; }

  // foreign_headers are those of a token that is for somebody else; empty: none is known.
  const wire::HttpHeaders& foreign_headers() const { return subject_.spec().foreign_headers; }

  // usual returns the options of an ordinary session in this revision.
  SessionOptions usual() const;

  // may_call returns whether calling `tool` with good arguments can do no harm: may_call_tool().
  bool may_call(const Json& tool) const;

  // call_params returns the params of tools/call for `tool`, with arguments that should work.
  Json call_params(const Json& tool) const;

  // measured judges by schemas of the server's; what the check finds where not all could be judged
  // is undecided.
  Measured& measured() { return measured_; }

  // unsure says why not all could be judged, by the check or in the exercise that it looked at;
  // empty: it was.
  std::string unsure() const;

  // hinted returns a tool that may be called and of which a hint says that it shows `all` of these;
  // nothing: there is none.
  std::optional<ToolUse> hinted(std::initializer_list<Shows> all) const;

  // tool_that returns a tool that may be called and shows `what`: as a hint says, or as was seen
  // when the tools were called. That one takes a while only a hint can say: how long it took once
  // is the doing of the machine as well. Nothing: none is known, see needs().
  Task<std::optional<ToolUse>> tool_that(Shows what);

  // tool_at_work returns one that has told of its progress, whether or not its call was answered in
  // the time that the tools were called for.
  Task<std::optional<ToolUse>> tool_at_work();

  // tool_that_answers returns the first of the list that has given a result to a call.
  Task<std::optional<ToolUse>> tool_that_answers();

  // writers returns the first tools that may be called and do not say that they only read.
  std::vector<Json> writers() const;

  // disturbs returns whether a hint says that the tool `name` changes what is listed, or ends a
  // stream: it is called on purpose alone.
  bool disturbs(std::string_view name) const { return options_.hints.disturbs(name); }

  // surely_shows returns whether a hint says that the tool `name` shows `what`.
  bool surely_shows(std::string_view name, Shows what) const;

  // private_completions returns what a hint says that only the first user may see.
  const std::vector<PrivateCompletion>& private_completions() const {
    return options_.hints.completions();
  }

  // fixture returns the tool `name` of the official suite, nullptr when the subject has none.
  const Json* fixture(std::string_view name) const { return survey_.tool(name); }

  // exercise returns what the server shows when it is used. See Exercises::of.
  Task<const Exercise*> exercise(Declared declared = Declared::kAll);

  // callable returns a tool that may be called, nullptr when there is none: one that needs no
  // arguments before one that does.
  const Json* callable() const;

  Pace& pace() { return subject_.pace(); }

  // as_many returns `most`, or of a subject that answers slowly 1: how often to try the same.
  std::size_t as_many(std::size_t most) const;

  Loop& loop() { return subject_.loop(); }
  Subject& subject() { return subject_; }
  std::uint32_t check() const { return check_; }

  // close gives up what open() made, for others to use where it is in order.
  Task<void> close();

 private:
  Task<std::optional<ToolUse>> first_tool(std::function<bool(const Call&)> did);

  Subject& subject_;
  const Survey& survey_;
  const ProbeOptions& options_;
  Exercises& exercises_;
  Openings& openings_;
  Sessions& sessions_;
  Session* session_;
  std::uint32_t check_;
  mutable Measured measured_;  // Of all that is made and judged, by const members as well.
  bool uses_exercise_ = false;
  std::vector<std::unique_ptr<Session>> opened_;
  std::map<std::string, std::unique_ptr<Session>> borrowed_;  // By name.
};

}  // namespace plumbline::conformance
