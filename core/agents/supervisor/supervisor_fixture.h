// What tests of the supervisor stand on: a world with commands and files, and a scripted model.

#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/agents/command_line/command_fixture.h"
#include "core/agents/supervisor/run/supervisor_run.h"
#include "core/base/check.h"
#include "core/json/json.h"
#include "fakes/model/scripted_model.h"

namespace plumbline::agents::supervisor {

// ScriptShelf has scripted models by their names.
class ScriptShelf final : public ModelShelf {
 public:
  explicit ScriptShelf(Loop& loop) : loop_(loop) {}

  // add puts a model on the shelf that answers as the text of a script says. Its lines count as
  // one.
  fakes::ScriptedModel& add(const std::string& name, std::string text) {
    std::ranges::replace(text, '\n', ' ');
    auto script = fakes::parse_model_script(parse_json(text).value());
    check(script.ok(), script.ok() ? "" : script.error().message.c_str());
    Kept& kept = kept_[name];
    kept.script = std::move(script).value();
    kept.model.emplace(loop_, kept.script);
    kept.model->on_prompt([this, name](const model::Prompt& prompt) {
      prompts.push_back(prompt);
      asked.push_back(name);
    });
    if (std::ranges::find(order_, name) == order_.end()) order_.push_back(name);
    return *kept.model;
  }

  // implements ModelShelf ---
  model::Model* find(std::string_view name) override {
    const auto found = kept_.find(std::string(name));
    return found == kept_.end() ? nullptr : &*found->second.model;
  }
  std::vector<std::string> names() const override { return order_; }
  std::optional<model::ModelInfo> about(std::string_view name) const override {
    const auto found = known_.find(std::string(name));
    if (found == known_.end()) return std::nullopt;
    return found->second;
  }

  // know tells what a model takes.
  void know(const std::string& name, model::ModelInfo info) { known_[name] = std::move(info); }

  std::vector<model::Prompt> prompts;
  std::vector<std::string> asked;  // Who, in order.

 private:
  struct Kept {
    fakes::ModelScript script;
    std::optional<fakes::ScriptedModel> model;
  };

  Loop& loop_;
  std::map<std::string, Kept> kept_;
  std::map<std::string, model::ModelInfo> known_;
  std::vector<std::string> order_;
};

// SupervisorWorld has a model "m", the programs of a CommandWorld, pytest, and files below
// /srv/project.
struct SupervisorWorld {
  SupervisorWorld() {
    commands.paths.program("/usr/bin/pytest");
    commands.rules.programs.push_back("pytest");
    commands.rules.runs_anything.emplace_back("pytest");
    commands.rules.approval = false;
    commands.shell.add({"pytest"}, {.out = "1 failed: test_foo\n"});
    services.paths = &commands.paths;
    services.files = &commands.files;
    services.roots = {"/srv/project"};
  }

  void file(const std::string& path, std::string text) {
    commands.paths.file(path);
    commands.files.files()[path].bytes = std::move(text);
  }

  SupervisorRun& call(std::string tool, Json arguments, Conversation conversation = {},
                      SupervisorThread* thread = nullptr) {
    services.desk = &commands.desk();
    run = std::make_unique<SupervisorRun>(services, commands.loop, nullptr, thread);
    finish(run->start(
        supervisor_state(std::move(tool), std::move(arguments), std::move(conversation))));
    return *run;
  }
  void answer(Json json) { finish(run->resume(std::move(json))); }

  void finish(Task<void> task) { check(commands.loop.run_task(task).ok(), "the supervisor hangs"); }

  command_line::CommandWorld commands;
  ScriptShelf shelf{commands.loop};
  SupervisorServices services{shelf};
  std::unique_ptr<SupervisorRun> run;
};

}  // namespace plumbline::agents::supervisor
