// Completions know the command that stands on the line by its words, and offer what is below it,
// its options, and files. Behind -- stands a command of somebody else.

#include <algorithm>

#include "cli/commands/manual/manual.h"
#include "core/base/words/joined_by.h"

namespace plumbline::cli {

namespace {

// shell_word returns `text` as one word of a shell.
std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// words_below are what may stand right behind a command: commands below it, and what its arguments
// choose from.
std::vector<std::string> words_below(const CommandEntry& command) {
  std::vector<std::string> words = command.commands;
  for (const OptionEntry& argument : command.positionals) {
    words.insert(words.end(), argument.choices.begin(), argument.choices.end());
  }
  return words;
}

std::vector<std::string> option_names(const CommandEntry& command) {
  std::vector<std::string> names;
  for (const OptionEntry& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// known_commands are the names of commands, as patterns of a `case`.
std::string known_commands(const std::vector<CommandEntry>& commands) {
  std::vector<std::string> names;
  for (const CommandEntry& command : commands) {
    if (!command.name.empty()) names.push_back(shell_word(full_name(command)));
  }
  return joined_by(" | ", names);
}

// what_is tells of a word below a command; a choice of an argument needs no words.
std::string what_is(const std::vector<CommandEntry>& commands, const CommandEntry& above,
                    const std::string& word) {
  const std::string full = above.name.empty() ? word : above.name + " " + word;
  const auto found = std::ranges::find(commands, full, &CommandEntry::name);
  return found == commands.end() ? "" : found->what;
}

}  // namespace

namespace {

// asked_for returns what of `plumbline completion` the value of an option or an argument is: the
// ids of checks, or of all that can be explained; empty: neither.
std::string asked_for(const CommandEntry& command, const std::string& name) {
  if (name == "--only" || name == "--skip") return "checks";
  return command.name == "explain" && name.empty() ? "ids" : "";
}

// cases_of_values returns what may stand behind each option of `command` that takes a value.
std::string cases_of_values(const CommandEntry& command) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    if (option.value.empty()) continue;
    for (const std::string& name : option.names) {
      const std::string asked = asked_for(command, name);
      text += "    " + shell_word(full_name(command) + " " + name) + ") ";
      text += !option.choices.empty() ? "choices=" + shell_word(joined_by(" ", option.choices))
              : !asked.empty()        ? "choices=$(plumbline completion " + asked + " 2>/dev/null)"
                                      : "return";  // A file, as the shell completes it.
      text += " ;;\n";
    }
  }
  return text;
}

}  // namespace

std::string bash_completion(const std::vector<CommandEntry>& commands) {
  std::string text =
      "# bash completion for plumbline\n\n_plumbline() {\n"
      "  local command=plumbline word words='' choices='' before=''\n"
      "  local current=${COMP_WORDS[COMP_CWORD]}\n"
      "  COMPREPLY=()\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    [ \"$word\" != -- ] || return\n"
      "    case \"$command $word\" in\n      " +
      known_commands(commands) +
      ") command=\"$command $word\" ;;\n    esac\n  done\n"
      "  case $command in\n";
  for (const CommandEntry& command : commands) {
    text += "    " + shell_word(full_name(command)) +
            ") words=" + shell_word(joined_by(" ", words_below(command)));
    if (!asked_for(command, "").empty()) {
      text += "$(plumbline completion " + asked_for(command, "") + " 2>/dev/null)";
    }
    text += "\n      [[ $current != -* ]] || words=" +
            shell_word(joined_by(" ", option_names(command))) + " ;;\n";
  }
  text += "  esac\n  case \"$command ${COMP_WORDS[COMP_CWORD-1]}\" in\n";
  for (const CommandEntry& command : commands) text += cases_of_values(command);
  return text +
         "  esac\n"
         "  [[ -z $choices || $current != *,* ]] || before=${current%,*},\n"
         "  mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"${choices:-$words}\" -- "
         "\"${current#\"$before\"}\")\n"
         "}\n"
         "complete -o default -F _plumbline plumbline\n";
}

std::string zsh_completion(const std::vector<CommandEntry>& commands) {
  std::string text =
      "#compdef plumbline\n\n"
      "local command=plumbline word\nlocal -a below options\n"
      "for word in ${words[2,CURRENT-1]}; do\n"
      "  [[ $word != -- ]] || { _normal; return }\n"
      "  case \"$command $word\" in\n    " +
      known_commands(commands) +
      ") command=\"$command $word\" ;;\n  esac\ndone\n"
      "case $command in\n";
  const auto described = [](std::string name, const std::string& what) {
    for (std::size_t at = 0; (at = name.find(':', at)) != std::string::npos; at += 2) {
      name.insert(at, "\\");
    }
    return " " + shell_word(name + ":" + what);
  };
  for (const CommandEntry& command : commands) {
    text += "  " + shell_word(full_name(command)) + ")\n    below=(";
    for (const std::string& word : words_below(command)) {
      text += described(word, what_is(commands, command, word));
    }
    text += " )\n    options=(";
    for (const OptionEntry& option : command.options) {
      for (const std::string& name : option.names) text += described(name, option.what);
    }
    text += " ) ;;\n";
  }
  return text +
         "esac\n"
         "case ${words[CURRENT-1]} in\n"
         "  --only | --skip) below=(${(f)\"$(plumbline completion checks)\"}); options=() ;;\n"
         "  explain) below=(${(f)\"$(plumbline completion ids)\"}) ;;\n"
         "esac\n"
         "_describe -t commands command below\n"
         "_describe -o -t options option options\n"
         "_files\n";
}

std::string fish_completion(const std::vector<CommandEntry>& commands) {
  std::vector<std::string> names;
  for (const CommandEntry& command : commands) names.push_back(shell_word(full_name(command)));
  std::string text =
      "# fish completion for plumbline\n\n"
      "function __plumbline_at\n"
      "  set -l command plumbline\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    contains -- \"$command $word\" " +
      joined_by(" ", names) +
      "\n"
      "    and set command \"$command $word\"\n"
      "  end\n"
      "  test $command = $argv[1]\nend\n\n";
  for (const CommandEntry& command : commands) {
    const std::string when = "complete -c plumbline -n " +
                             shell_word("__plumbline_at " + shell_word(full_name(command)));
    for (const std::string& word : words_below(command)) {
      text +=
          when + " -f -a " + word + " -d " + shell_word(what_is(commands, command, word)) + "\n";
    }
    if (const std::string asked = asked_for(command, ""); !asked.empty()) {
      text += when + " -f -a '(plumbline completion " + asked + ")'\n";
    }
    for (const OptionEntry& option : command.options) {
      text += when;
      for (const std::string& name : option.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.value.empty()) text += " -r";
      const std::string asked = asked_for(command, option.names.back());
      if (!option.choices.empty()) text += " -f -a " + shell_word(joined_by(" ", option.choices));
      if (!asked.empty()) text += " -f -a '(plumbline completion " + asked + ")'";
      text += " -d " + shell_word(option.what) + "\n";
    }
  }
  return text;
}

}  // namespace plumbline::cli
