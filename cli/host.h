// Host is what a command may touch of the machine, and the exit statuses of the program.

#pragma once

#include <string>
#include <string_view>

#include "cli/options/common_options.h"
#include "cli/options/secrets.h"
#include "cli/real_world.h"
#include "core/base/doors/file_store.h"
#include "core/base/result.h"

namespace plumbline::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;       // A verdict failed.
inline constexpr int kExitUsage = 2;        // Bad usage or a bad input file.
inline constexpr int kExitUnreachable = 3;  // No verdict was possible; also a fault of ours.
inline constexpr int kExitStuck = 4;        // Of a sweep: all that failed is that it never ended.
inline constexpr int kExitNeedsPerson = 4;  // Of `ask` and `thread resume`: a person has to decide.
inline constexpr int kExitNothingFits = 5;  // Of these: no server offers what is asked for.
inline constexpr int kExitInterrupted = 130;

class Host {
 public:
  // `world` must outlive the Host.
  explicit Host(RealWorld& world) : world_(world) {}

  RealWorld& world() { return world_; }
  FileStore& files() { return world_.files(); }

  // secrets returns what tell_line, complain and publish do not show.
  Secrets& secrets() { return secrets_; }

  // hide_environment adds the secrets of our environment to them: for commands that meet real
  // peers, who may have been given it.
  void hide_environment();

  // out writes results to standard output, tell writes progress to standard error: both as they
  // are.
  void out(std::string_view text);
  void tell(std::string_view text);

  // tell_line writes one line to standard error; whatever a peer put into it is only shown.
  void tell_line(std::string_view text);

  // complain writes one line, "plumbline: WORDS [ID]", and returns `exit_status`. An error that
  // nobody has named is cli.other-input or cli.other-trouble.
  int complain(const Error& error, int exit_status);

  // give_up says in the same way that no verdict was possible, and below it what to do about that
  // and `last_words`, the last lines of a program's stderr, each as a line. Returns
  // kExitUnreachable.
  int give_up(const Error& error, std::string_view last_words);

  // finish returns the exit status of the program: `status`, or kExitUnreachable in place of
  // kExitOk when something that was written to standard output did not get there, which it
  // complains of.
  int finish(int status);

  bool wants_color(When color) const;
  bool wants_progress(const Common& common) const;

 private:
  RealWorld& world_;
  Secrets secrets_;
  int out_failed_ = 0;  // The errno of the first failure.
};

}  // namespace plumbline::cli
