#include "scenarios/shell/shell_world.h"

#include <string>
#include <utility>

namespace plumbline::scenarios {

ShellWorld::ShellWorld(Loop& loop, const Rng& rng, EventSink& events, const ShellSpec& spec,
                       const fakes::PipeOptions& pipes)
    : spec_(spec),
      clock_(loop),
      programs_(loop, rng.fork("shell"), events),
      shell_(loop, programs_, pipes),
      remote_(loop, rng.fork("remote"), events) {
  const ShellData& data = spec.data();
  for (const ProgramSpec& program : data.programs) {
    std::vector<std::string> words = program.words;
    words.front() = name_of_program(words.front());
    shell_.add(std::move(words), program.does);
  }
  for (const HostSpec& host : data.hosts) {
    fakes::FakeShell& there = remote_.add(host.name, host.behaves);
    for (const ProgramSpec& program : host.programs) there.add(program.words, program.does);
  }
  for (const auto& [path, text] : data.files) files_.files()[path].bytes = text;
}

Result<std::unique_ptr<net::Child>> ShellWorld::spawn(const net::Command& command) {
  net::Command by_name = command;
  const bool by_path = !command.program.empty();
  by_name.argv.front() = name_of_program(by_path ? command.program : command.argv.front());
  return programs_.spawn(by_name);
}

}  // namespace plumbline::scenarios
