// Advisor is the model that the assistant of `ask` and `thread resume` may ask.

#pragma once

#include <optional>
#include <string>

#include "cli/commands/service/chat_model.h"
#include "cli/config/config.h"
#include "cli/host.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

// AdvisorOptions says which model advises; none of them: that of the configuration, if it has any.
struct AdvisorOptions {
  std::string script;  // A file.
  ChatModel model;     // Its settings and name.

  void declare(CLI::App& app);
};

class Advisor {
 public:
  // open opens the model that the options name, or else `config`, if either does. kInvalidInput:
  // one line, also where its key is missing. `host` must outlive it.
  static Result<Advisor> open(const AdvisorOptions& options, const Config& config, Host& host);

  // model returns it; nullptr: there is none.
  model::Model* model() { return chosen_ ? chosen_->model : nullptr; }

 private:
  std::optional<ChosenModel> chosen_;
};

}  // namespace plumbline::cli
