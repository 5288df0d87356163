#include "cli/commands/test/write_tests.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>
#include <utility>

#include "cli/commands/record/replay_options.h"
#include "cli/commands/test/test_servers.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/survey.h"
#include "conformance/wire/wire_log.h"
#include "core/base/errors/errors.h"
#include "core/base/task_group.h"
#include "core/os/interrupt.h"
#include "scenarios/suite/draft.h"
#include "scenarios/suite/first_file.h"
#include "scenarios/suite/suite_run.h"

namespace plumbline::cli {

namespace {

using suite::Draft;
using suite::Launch;
using suite::Play;
using suite::SuiteServer;

constexpr std::size_t kNamed = 5;  // Tests that a line names.
constexpr const char* kFreshPlace =
    "; a server that keeps what it was told answers otherwise when it is started again: where it "
    "takes the place from a variable, give each start a fresh one by --env NAME={folder}/data";

std::string upper(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    out += std::isalnum(letter) != 0 ? static_cast<char>(std::toupper(letter)) : '_';
  }
  return out;
}

// in_file returns `value` as a file may hold it: a secret as a variable.
std::string in_file(const std::string& name, const std::string& value, Host& host) {
  const bool secret = names_credential(name) || host.secrets().redactor().finds_secret(value);
  return secret ? "{env:" + upper(name) + "}" : value;
}

// server_of returns the server of the command line as a file names it.
SuiteServer server_of(const TestOptions& options, const Launch& launch, Host& host) {
  SuiteServer server;
  server.name = launch.name.empty() ? "server" : launch.name;
  const conformance::SubjectSpec& subject = launch.subject;
  if (subject.transport == conformance::Transport::kStdio) {
    server.command = subject.command.argv;
    if (options.target.config.empty()) {
      for (const std::string& word : options.target.environment.added) {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        server.env[name] = equals == std::string::npos
                               ? "{env:" + name + "}"
                               : in_file(name, word.substr(equals + 1), host);
      }
    } else {
      for (const auto& [name, value] : subject.command.env) {
        server.env[name] = in_file(name, value, host);
      }
      server.cwd = subject.command.cwd;
    }
    return server;
  }
  server.url =
      options.target.url.empty() ? subject.url.origin() + subject.url.target : options.target.url;
  server.start = options.target.start;
  for (const auto& [name, value] : subject.headers.fields()) {
    server.headers[name] = in_file(name, value, host);
  }
  return server;
}

// server_in returns the server that a recording names; nothing: it names none that can run.
std::vector<SuiteServer> server_in(const scenarios::Recording& recording) {
  const Json& head = recording.sessions.front().head;
  SuiteServer server;
  server.name = "server";
  const std::string command = string_or(head, "command", "");
  server.url = string_or(head, "url", "");
  constexpr std::string_view kPlainWords =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:@%+, ";
  if (command.find_first_not_of(kPlainWords) != std::string::npos) {
    server.command = {"sh", "-c", "exec " + command};
  } else {
    for (std::size_t at = 0; at < command.size();) {
      const std::size_t end = std::min(command.find(' ', at), command.size());
      if (end > at) server.command.push_back(command.substr(at, end - at));
      at = end + 1;
    }
  }
  if (server.command.empty() && server.url.empty()) return {};
  if (!server.command.empty()) server.url.clear();
  if (const Json* const names = find(head, "env"); names != nullptr && names->is_array()) {
    for (const Json& name : *names) {
      const auto* const text = name.get_ptr<const std::string*>();
      if (text != nullptr && !server.command.empty()) server.env[*text] = "{env:" + *text + "}";
    }
  }
  return {server};
}

// of_one_server refuses a recording of several: a test file would ask one for what another did.
Status of_one_server(const scenarios::Recording& recording, const std::string& path) {
  const auto server_of = [](const scenarios::RecordedSession& session) {
    const std::string command = string_or(session.head, "command", "");
    return command.empty() ? string_or(session.head, "url", "") : command;
  };
  const std::string first = server_of(recording.sessions.front());
  for (const scenarios::RecordedSession& session : recording.sessions) {
    const std::string other = server_of(session);
    if (other == first) continue;
    return the_error("test.two-servers", path, first, other);
  }
  return Done{};
}

std::string some_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) {
    out += (i == 0 ? "" : ", ") + names[i];
  }
  const std::size_t more = names.size() - std::min(names.size(), kNamed);
  return out + (more == 0 ? "" : " and " + std::to_string(more) + " more");
}

// Writing makes one file.
class Writing {
 public:
  Writing(const TestOptions& options, Host& host)
      : options_(options),
        host_(host),
        doors_(doors_of(host, options)),
        path_(options.out.empty() ? options.new_file : options.out) {}

  int run() {
    const Status prepared = prepare();
    if (!prepared.ok()) return host_.complain(prepared.error(), kExitUsage);
    if (!launches_.empty()) {
      const Status asked = ask();
      if (interrupted_) return kExitInterrupted;
      if (!asked.ok()) return host_.complain(asked.error(), kExitUnreachable);
    } else {
      Play recorded;
      for (const Draft& draft : drafts_) recorded.push_back(draft.response);
      plays_.push_back(std::move(recorded));
    }
    return write();
  }

 private:
  Status prepare() {
    Result<std::vector<Launch>> launches = target_launches(options_, host_);
    if (!launches.ok()) return std::move(launches).error();
    launches_ = std::move(launches).value();
    if (launches_.size() > 1) {
      return the_error("target.which-server", "--config: ", "", ", to say which of its servers");
    }
    if (!launches_.empty()) {
      head_.servers = {server_of(options_, launches_.front(), host_)};
      // It is asked as the file will have it: with the variables that the file names.
      std::erase_if(launches_.front().subject.command.env, [this](const auto& variable) {
        return options_.target.config.empty() &&
               !launches_.front().named_env.contains(variable.first);
      });
    }
    if (options_.from.empty()) return Done{};
    Result<scenarios::Recording> recording = read_recording_file(options_.from, host_);
    if (!recording.ok()) return std::move(recording).error();
    const Status one = of_one_server(recording.value(), options_.from);
    if (!one.ok()) return one;
    drafts_ = suite::drafts_of(recording.value());
    if (drafts_.empty()) {
      return the_error("test.nothing-to-test", options_.from);
    }
    if (launches_.empty()) head_.servers = server_in(recording.value());
    sets_variables_ = launches_.empty();
    // What was asked in one session may build on what was asked before.
    head_.in_order = std::ranges::any_of(drafts_, &Draft::writes);
    return Done{};
  }

  // ask finds out what the server lists, for --new, and asks every draft of it twice: at the same
  // time, unless something is changed, which two servers may keep in one place.
  Status ask() {
    os::RealLoop& loop = host_.world().loop();
    const os::Interrupt interrupt(loop, [this](int) { interrupted_ = true; });
    if (drafts_.empty()) {
      Status listed = Done{};
      Task<void> listing = list(listed);
      listing.start();
      loop.run_until([&] { return listing.done() || interrupted_; });
      if (!listed.ok() || interrupted_) return listed;
    }
    plays_.assign(2, Play());
    std::vector<Status> went(2, Status(Done{}));
    TaskGroup plays;
    const bool writes = options_.allow_writes && std::ranges::any_of(drafts_, &Draft::writes);
    if (writes) {
      plays.spawn(play_in_turn(went));
    } else {
      for (std::size_t i = 0; i < plays_.size(); ++i) plays.spawn(play(plays_[i], went[i]));
    }
    loop.run_until([&] { return plays.running() == 0 || interrupted_; });
    for (const Status& one : went) {
      if (!one.ok()) return one;
    }
    return Done{};
  }

  std::string revision() const {
    return options_.revision.empty() ? std::string(conformance::kNewestStateful)
                                     : options_.revision;
  }

  Task<void> list(Status& went) {
    TestPlace place;
    Result<suite::Names> names = place.make("", host_.world().network());
    if (!names.ok()) {
      went = names.error();
      co_return;
    }
    suite::Server server(doors_, launches_.front(), names.value(), revision());
    const suite::Answers answers;
    went = co_await server.open(answers);
    if (!went.ok()) co_return;
    conformance::Survey survey = co_await conformance::take_survey(server.session(), 0);
    suite::Listed listed{std::move(survey.tools.items), std::move(survey.resources.items),
                         std::move(survey.prompts.items)};
    for (const Json& tool : listed.tools) {
      ++tools_;
      if (!suite::only_reads(tool)) ++writers_;
    }
    drafts_ = suite::drafts_of(listed, options_.allow_writes, server.budget());
    co_await server.close();
  }

  Task<void> play_in_turn(std::vector<Status>& went) {
    for (std::size_t i = 0; i < plays_.size(); ++i) co_await play(plays_[i], went[i]);
  }

  // play asks every draft of a server of its own.
  Task<void> play(Play& play, Status& went) {
    TestPlace place;
    Result<suite::Names> names = place.make("", host_.world().network());
    if (!names.ok()) {
      went = names.error();
      co_return;
    }
    suite::Suite suite;
    suite.in_order = true;
    suite.writes = options_.allow_writes;
    for (const Draft& draft : drafts_) suite.tests.push_back(draft.test);
    suite::Snapshots snapshots;
    suite::RunOptions how;
    how.beside = 1;
    suite::SuiteRun run(suite, launches_.front(), revision(), doors_, snapshots, how,
                        std::move(names).value());
    co_await run.run();
    if (!run.unreachable().empty()) {
      went = Error{ErrorCode::kDisconnected, run.unreachable()};
      co_return;
    }
    for (std::size_t i = 0; i < run.tests().size(); ++i) {
      const suite::TestRun& test = run.tests()[i];
      const bool skipped = test.verdict == Verdict::kSkip;
      play.push_back(skipped                ? drafts_[i].response
                     : test.answers.empty() ? Json()
                                            : test.answers.front().response);
    }
  }

  int write() {
    const auto waiting = std::ranges::count_if(drafts_, &Draft::writes);
    head_.writes = options_.allow_writes;
    suite::FirstFile made = suite::first_file(head_, drafts_, plays_, path_);
    const std::string snapshots = made.snapshots.write();
    for (const std::string& text : {made.text, snapshots}) {
      if (!host_.secrets().redactor().finds_secret(text)) continue;
      return host_.complain(the_error("test.secret", path_, "an answer or an argument "),
                            kExitUsage);
    }
    const Status written = host_.files().write_file(path_, made.text);
    if (!written.ok()) return host_.complain(written.error(), kExitUsage);
    suite::Suite named;
    named.file = path_;
    if (!made.snapshots.empty()) {
      const Status kept = host_.files().write_file(named.snapshots_file(), snapshots);
      if (!kept.ok()) return host_.complain(kept.error(), kExitUsage);
    }
    tell(made, static_cast<std::size_t>(waiting));
    return kExitOk;
  }

  void tell(const suite::FirstFile& made, std::size_t waiting) {
    const auto count = [](std::size_t n, const std::string& one, const std::string& many) {
      return std::to_string(n) + " " + (n == 1 ? one : many);
    };
    host_.out("wrote " + path_ + ": " +
              count(made.answers + made.refusals + made.lists, "test", "tests") + " (" +
              count(made.answers, "answer", "answers") + ", " +
              count(made.refusals, "refusal", "refusals") + ", " +
              count(made.lists, "list", "lists") + "), " + count(made.masks, "mask", "masks") +
              " learned\n");
    if (options_.common.quiet) return;
    if (!made.unsteady.empty()) {
      host_.tell_line("two plays differ too much for more than an answer to be expected of: " +
                      some_of(made.unsteady));
    }
    if (!made.loose.empty()) {
      host_.tell_line("masks cover more than half of the answer of: " + some_of(made.loose) +
                      (options_.allow_writes ? kFreshPlace : ""));
    }
    if (!made.unanswered.empty()) host_.tell_line("not answered: " + some_of(made.unanswered));
    tell_variables();
    if (options_.allow_writes) return;
    if (waiting > 0) {
      host_.tell_line(count(waiting, "test calls a tool that does", "tests call tools that do") +
                      " not say they only read: skipped until \"writes\" is true in the file, or "
                      "with --allow-writes");
    }
    if (writers_ > 0) {
      host_.tell_line(std::to_string(writers_) + " of " + count(tools_, "tool", "tools") +
                      " do not say that they only read and have no test; --allow-writes calls "
                      "them, too");
    }
  }

  // tell_variables says what has to be set wherever the file of a recording is run.
  void tell_variables() {
    if (!sets_variables_ || head_.servers.empty()) return;
    std::vector<std::string> names;
    for (const auto& [name, value] : head_.servers.front().env) names.push_back(name);
    if (!names.empty()) host_.tell_line("the server gets variables: set " + some_of(names));
  }

  const TestOptions& options_;
  Host& host_;
  suite::Doors doors_;
  std::string path_;
  suite::SuiteHead head_;
  std::vector<Launch> launches_;  // One, or none.
  std::vector<Draft> drafts_;
  std::vector<Play> plays_;
  std::size_t tools_ = 0;
  std::size_t writers_ = 0;  // Of the tools, that may change something.
  bool interrupted_ = false;
  bool sets_variables_ = false;  // The server is the one of the recording.
};

}  // namespace

int write_tests(const TestOptions& options, Host& host) { return Writing(options, host).run(); }

}  // namespace plumbline::cli
