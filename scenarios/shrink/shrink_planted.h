// Small worlds with a planted bug, by which the shrinker is tested and measured.

#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fakes/world/choices.h"

namespace plumbline::scenarios::planted {

// Command is one of a store of files that are named by numbers.
struct Command {
  enum class Kind { kOpen, kWrite, kClose, kRead, kRename };
  Kind kind = Kind::kOpen;
  std::uint64_t id = 0;
};

inline std::string to_string(const Command& command) {
  constexpr const char* kNames[] = {"open", "write", "close", "read", "rename"};
  return std::string(kNames[static_cast<int>(command.kind)]) + ' ' + std::to_string(command.id);
}

inline Command draw_command(fakes::Choices& choices) {
  Command command;
  command.kind = static_cast<Command::Kind>(choices.below(5));
  command.id = choices.below(6);
  return command;
}

inline std::vector<Command> draw_commands(fakes::Choices& choices) {
  std::vector<Command> commands;
  for (;;) {
    const fakes::Choices::In span(choices);
    if (!choices.chance(60, 61)) return commands;
    commands.push_back(draw_command(choices));
  }
}

inline std::vector<Command> draw_counted_commands(fakes::Choices& choices) {
  std::vector<Command> commands;
  for (std::uint64_t left = choices.below(100); left > 0; --left) {
    const fakes::Choices::In span(choices);
    commands.push_back(draw_command(choices));
  }
  return commands;
}

// reads_after_close: a file that was opened, written to and closed can still be read.
inline bool reads_after_close(const std::vector<Command>& commands) {
  std::map<std::uint64_t, int> stages;
  for (const Command& command : commands) {
    int& stage = stages[command.id];
    if (command.kind == Command::Kind::kOpen) stage = 1;
    if (command.kind == Command::Kind::kWrite && stage == 1) stage = 2;
    if (command.kind == Command::Kind::kClose) stage = stage == 2 ? 3 : 0;
    if (command.kind == Command::Kind::kRead && stage == 3) return true;
  }
  return false;
}

inline bool write_after_close_is_read(fakes::Choices& choices) {
  return reads_after_close(draw_commands(choices));
}

inline bool counted_write_after_close_is_read(fakes::Choices& choices) {
  return reads_after_close(draw_counted_commands(choices));
}

// two_open_files_are_mixed_up: of two open files, what is written to one is read from the other.
inline bool two_open_files_are_mixed_up(fakes::Choices& choices) {
  std::set<std::uint64_t> open;
  std::set<std::uint64_t> written;
  for (const Command& command : draw_commands(choices)) {
    if (command.kind == Command::Kind::kOpen) open.insert(command.id);
    if (command.kind == Command::Kind::kClose) {
      open.erase(command.id);
      written.erase(command.id);
    }
    if (open.count(command.id) == 0) continue;
    if (command.kind == Command::Kind::kWrite) written.insert(command.id);
    const bool other =
        std::ranges::any_of(written, [&command](std::uint64_t id) { return id != command.id; });
    if (command.kind == Command::Kind::kRead && other && written.count(command.id) == 0) {
      return true;
    }
  }
  return false;
}

struct Event {
  std::uint64_t server = 0;
  bool changes = false;
};

struct Strike {
  std::uint64_t server = 0;
  std::uint64_t before = 0;  // The event that it comes before.
};

struct LongRun {
  std::vector<Event> events;
  std::vector<Strike> faults;
};

// more is true until `count` is reached. It is a choice even then, so that fewer can be chosen.
inline bool more(fakes::Choices& choices, std::size_t count, std::size_t count_max) {
  return choices.chance(count < count_max ? 1'000'000 : 0, 1'000'001);
}

inline LongRun draw_long_run(fakes::Choices& choices) {
  LongRun run;
  for (;;) {
    const fakes::Choices::In span(choices);
    if (!more(choices, run.events.size(), 200)) break;
    run.events.push_back(Event{choices.below(8), choices.chance(1, 2)});
  }
  for (;;) {
    const fakes::Choices::In span(choices);
    if (!more(choices, run.faults.size(), 20)) break;
    run.faults.push_back(Strike{choices.below(8), choices.below(200)});
  }
  return run;
}

// long_run_loses_an_effect: two strikes between the first and the last of three changes on one
// server, one before the second of them and one after, lose an effect.
inline bool long_run_loses_an_effect(fakes::Choices& choices) {
  const LongRun run = draw_long_run(choices);
  std::map<std::uint64_t, int> changes;  // Since when; 10 more for a strike after each.
  for (std::uint64_t i = 0; i < run.events.size(); ++i) {
    for (const Strike& fault : run.faults) {
      int& stage = changes[fault.server];
      if (fault.before == i && (stage == 1 || stage == 3)) ++stage;
    }
    const Event& event = run.events[i];
    if (!event.changes) continue;
    int& stage = changes[event.server];
    if (stage == 4) return true;
    if (stage == 0 || stage == 2) ++stage;
  }
  return false;
}

}  // namespace plumbline::scenarios::planted
