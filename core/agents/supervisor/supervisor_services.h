// SupervisorServices is what the nodes of the supervisor work with, and what bounds them.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/command_line/command_desk.h"
#include "core/agents/command_line/remote/remote_desk.h"
#include "core/base/doors/file_store.h"
#include "core/base/doors/paths.h"
#include "core/base/limits.h"
#include "core/base/time.h"
#include "core/model/model.h"
#include "core/net/remote_host.h"

namespace plumbline::agents::supervisor {

// ModelShelf is where models are found by name.
class ModelShelf {
 public:
  // find returns the model of that name, which lives as long as the shelf; nullptr: there is none.
  virtual model::Model* find(std::string_view name) = 0;
  virtual std::vector<std::string> names() const = 0;

 protected:
  ~ModelShelf() = default;
};

// OneModel is a shelf with one model. Null: it is empty.
class OneModel final : public ModelShelf {
 public:
  explicit OneModel(model::Model* model) : model_(model) {}

  // implements ModelShelf ---
  model::Model* find(std::string_view name) override {
    return model_ != nullptr && name == model_->name() ? model_ : nullptr;
  }
  std::vector<std::string> names() const override {
    if (model_ == nullptr) return {};
    return {std::string(model_->name())};
  }

 private:
  model::Model* model_;
};

// ModelRule says which model a tool wants. The first that fits counts.
struct ModelRule {
  std::string tool;
  std::int64_t files_bytes_above = -1;  // Fits when the files have more bytes than that.
  std::string model;
};

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
  Duration answer_max = std::chrono::minutes(2);  // Of one answer of a model.
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
  std::string default_model{};       // Empty: the first of the shelf.
  std::vector<ModelRule> rules = {{"codereview", 50'000, "gemini-2.0-flash"},
                                  {"thinkdeep", -1, "o3"}};
  std::vector<Voice> voices{};     // Of a consensus; none: the default model for, against, neutral.
  std::string who = "supervisor";  // For the audit log of commands.
  SupervisorLimits limits{};
};

}  // namespace plumbline::agents::supervisor
