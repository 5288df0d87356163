// A server while its tests run: started once, opened once, and started anew when it is no longer
// healthy.

#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/peer/session.h"
#include "conformance/peer/subject.h"
#include "conformance/wire/wire_log.h"
#include "core/base/random_bytes.h"
#include "core/base/task.h"
#include "core/json/redactor.h"
#include "core/net/network.h"
#include "core/net/spawner.h"
#include "scenarios/suite/names.h"
#include "scenarios/suite/suite.h"

namespace plumbline::suite {

// Launch says how a server is started or met. Its words may hold names in braces.
struct Launch {
  std::string name;
  std::string shown;  // As words of a command line.
  conformance::SubjectSpec subject;
  std::set<std::string> named_env;  // Variables whose values hold names, too.
  std::string url;                  // With names in it; empty: that of `subject`.
  bool finds_out = false;           // Streamable HTTP, or the older HTTP+SSE.
  Duration wait{};                  // For it to listen. 0: it does.
};

// launch_of returns how to start a server of a file.
Launch launch_of(const SuiteServer& server);

// make_steady gives the processes of a server the seed and the clock of a suite, in the variables
// that docs/test.md names, unless they have their own.
void make_steady(const Suite& suite, Launch& launch);

// as_user returns how to meet a server that runs as one of the users of a suite.
Launch as_user(const Launch& launch, const SuiteUser& user, const Names& names);

// Doors are to the world that the servers live in. All of them outlive who is given them.
struct Doors {
  Loop& loop;
  net::Spawner& spawner;
  net::Network& network;
  RandomBytes random;
  const Redactor& redactor;
  Duration patience;  // Of one request.
};

class Server {
 public:
  Server(const Doors& doors, const Launch& launch, const Names& names, std::string revision);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // open starts it, shakes hands and asks which tools there are. Errors say why that failed.
  Task<Status> open(Answers answers);

  Task<void> close();

  // healthy returns whether the connection is still there.
  bool healthy() const;

  // why_gone says how it ended, with the last of its stderr.
  std::string why_gone() const;

  // answer_by takes what the client answers from now on: `answers` before the usual.
  void answer_by(const Answers& answers);

  conformance::Session& session() { return *session_; }
  const std::string& revision() const { return session_->revision(); }
  conformance::Transport transport() const { return subject_.spec().transport; }

  // budget is what making arguments for it takes from.
  Budget& budget() { return log_.budget(); }

  const std::vector<Json>& tools() const { return tools_; }
  // tool returns the listing of one, nullptr when there is none.
  const Json* tool(std::string_view name) const;

 private:
  Task<Status> shake_hands();
  Task<Status> discover();
  Task<void> list_tools();

  const Launch& launch_;
  std::string revision_;
  conformance::WireLog log_;
  conformance::Subject subject_;
  std::unique_ptr<conformance::Session> session_;
  std::vector<Json> tools_;
};

// only_reads returns whether a tool says so of itself.
bool only_reads(const Json& tool);

}  // namespace plumbline::suite
