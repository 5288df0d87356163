// SupervisorServices is what the nodes of the supervisor work with, and what bounds them.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/agents/command_line/command_desk.h"
#include "core/agents/command_line/remote/remote_desk.h"
#include "core/agents/supervisor/models/model_rules.h"
#include "core/agents/supervisor/models/model_shelf.h"
#include "core/base/doors/file_store.h"
#include "core/base/doors/paths.h"
#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/json/json.h"
#include "core/net/remote_host.h"
#include "core/trace/tracer.h"

namespace plumbline::agents::supervisor {

// Voice is a model of a consensus, and the side that it takes: "for", "against" or "neutral".
struct Voice {
  std::string model;
  std::string stance = "neutral";
};

struct SupervisorLimits {
  std::int64_t visits_max = 64;       // Of the supervisor, in one run.
  std::int64_t model_steps_max = 16;  // Of a workflow whose steps a model makes.
  std::size_t voices_max = 8;
  std::size_t files_max = 200;
  Duration answer_max = std::chrono::minutes(5);  // Of one answer of a model.
  int tries_max = 3;                              // Of one answer.
};

// RemoteServices is how commands reach other machines.
struct RemoteServices {
  net::RemoteDialer* dialer = nullptr;       // Null, or no `desk`: they reach none.
  command_line::RemoteDesk* desk = nullptr;  // Decides, and writes down.
  net::RemoteAccess access{};                // Of every machine, but for what a request names.
  std::string ssh_password{};                // For "ssh_password"; empty: there is none.
  std::string api_token{};                   // For "api_token".
  Duration timeout = std::chrono::seconds(60);
  std::size_t output_bytes_max = limits::kContextBytesMax;
};

// All must outlive the run.
struct SupervisorServices {
  ModelShelf& models;
  command_line::CommandDesk* desk = nullptr;  // Null: no commands are run.
  RemoteServices remote{};
  FileStore* files = nullptr;  // Null, or no `paths`: no file is read.
  Paths* paths = nullptr;
  std::vector<std::string> roots{};  // Folders, as real paths; nothing outside of them is read.
  ModelPolicy models_policy{};       // Which of `models` answers.
  std::vector<Voice> voices{};     // Of a consensus; none: the default model for, against, neutral.
  std::string who = "supervisor";  // For the audit log of commands.
  trace::Tracer* tracer = nullptr;  // Null: nobody traces the work.
  // What the tool `version` tells: {"version", "roots", "commands", "threads", ...}.
  Json about = Json::object();
  std::function<void(const std::string& line)> progress{};  // Hears what is asked. May be empty.
  SupervisorLimits limits{};
};

}  // namespace plumbline::agents::supervisor
