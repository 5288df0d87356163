// A ThreadedJob is an AgentJob whose request is kept in a thread: it goes on where a process before
// has stopped, and where it has to wait for a person it is left there.

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/jobs/agent_job.h"
#include "cli/threads.h"

namespace plumbline::cli {

struct ThreadedJob {
  Threads& threads;
  std::string id;
  agents::Request request;
  JobOptions options;
  AgentJob::Decide decide;
  std::function<void(Json& answer)> tell;  // Adds to the answer. May be empty.
};

// run_threaded works on it, prints the answer or what it waits for, and returns the exit status.
// The store's failure is told in one line: kExitUnreachable.
int run_threaded(const ThreadedJob& threaded, AgentJob& job, Host& host);

// about_job is what a thread is about: whatever takes to go on with it in another process.
Json about_job(const std::string& request, const JobConfig& config);

// job_of reads the JobConfig of about_job.
JobConfig job_of(const Json& about);

// refuse_expired complains that the question of a thread has expired, and returns the exit status
// for it; nothing when it has not.
std::optional<int> refuse_expired(const ThreadView& view, Threads& threads, Host& host);

// thread_command returns the words of `thread WHAT ID --store URI`, for people.
std::string thread_command(const std::string& what, const std::string& id, const Threads& threads);

}  // namespace plumbline::cli
