// HostValues puts the values of variables into what a host's file says of a server.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/authentication.h"
#include "cli/config/hosts.h"
#include "core/base/result.h"
#include "core/json/object_reader.h"

namespace plumbline::cli {

// AskedInput is a value that a file leaves to the person who starts a server.
struct AskedInput {
  std::string name;
  std::string description;
  bool secret = false;
  std::optional<std::string> fallback;
};

// Surroundings is what a file may refer to.
struct Surroundings {
  Variable variable;                          // Of the environment.
  std::string folder;                         // Of the project that the file belongs to.
  std::map<std::string, std::string> inputs;  // That were given, by name.
  // Asks a person; nothing: nobody is there. Empty: nobody is asked.
  std::function<std::optional<std::string>(const AskedInput&)> ask;
  std::function<Result<std::string>(const std::string& path)> read_file;  // Empty: none is read.
  std::function<bool(const std::string& path)> is_file;                   // Empty: nobody knows.
  std::vector<std::string> servers;  // Only these of the file are wanted; empty: all.
};

class HostValues {
 public:
  // Everything given must outlive the values. `inputs` is the list of VS Code; null: none.
  HostValues(const Dialect& dialect, const Surroundings& around, const Json* inputs,
             std::vector<Problem>& notes, std::optional<Problem>& problem);

  // put returns `text`, which stands at `pointer` and is said of `server`, with the values in it.
  // What has no value is the problem; what the host passes on as it stands is a note.
  std::string put(std::string_view text, const std::string& pointer, const std::string& server);

  // variable returns what the environment has; what is not set is the problem.
  std::string variable(const std::string& name, const std::string& pointer,
                       const std::string& server);

  const std::vector<std::string>& secrets() const { return secrets_; }

 private:
  std::string value_of(std::string_view written, std::string_view name, const std::string& pointer,
                       const std::string& server);
  std::string input(const std::string& name, const std::string& pointer, const std::string& server);
  std::optional<std::string> place(std::string_view name) const;
  bool reads(unsigned form, std::string_view written, const std::string& pointer,
             const std::string& server);

  const Dialect& dialect_;
  const Surroundings& around_;
  const Json* inputs_;
  std::vector<Problem>& notes_;
  std::optional<Problem>& problem_;
  std::map<std::string, std::string> answers_;  // Of a person: each is asked once.
  std::vector<std::string> secrets_;
};

}  // namespace plumbline::cli
