// The servers that tests run against, made of test files and of the command line.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/commands/test/options.h"
#include "core/base/result.h"
#include "core/net/network.h"
#include "scenarios/suite/server.h"
#include "scenarios/suite/suite.h"

namespace plumbline::cli {

// target_launches returns the servers that the command line names; none: it names none.
Result<std::vector<suite::Launch>> target_launches(const TestOptions& options, Host& host);

// file_launches returns those of a test file that `options` selects. kInvalidInput: it has none.
Result<std::vector<suite::Launch>> file_launches(const suite::Suite& suite,
                                                 const TestOptions& options);

// environment_names returns the values of {env:NAME} in what a suite and a server say, as secrets
// of the host. kInvalidInput: one is not set.
Result<suite::Names> environment_names(const suite::Suite& suite, const suite::Launch& launch,
                                       Host& host);

// TestPlace is what one server gets of the machine: a folder and a port, by their names.
class TestPlace {
 public:
  TestPlace();
  TestPlace(TestPlace&& other) noexcept;
  ~TestPlace();

  // make returns names["folder"], a new folder that is gone with the place (a copy of `fixture`
  // unless that is empty), and names["port"], a free one.
  Result<suite::Names> make(const std::string& fixture, net::Network& network);

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

// doors_of returns what servers live in. `patience` is that of one request.
suite::Doors doors_of(Host& host, const TestOptions& options);

}  // namespace plumbline::cli
