// The options of `check`: how they are declared, and read from text.

#pragma once

#include <string>
#include <vector>

#include "cli/options/child_environment.h"
#include "cli/options/common_options.h"
#include "conformance/catalogue/selection.h"
#include "core/base/result.h"
#include "core/net/network.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

// CheckedServer is TARGET on the command line: one of its three ways is used.
struct CheckedServer {
  std::string url;
  std::vector<std::string> headers;         // "Name: value", with the URL.
  std::vector<std::string> second_headers;  // Likewise, of another user.
  std::vector<std::string> command;
  ChildEnvironment environment;      // Of the command.
  std::string config;                // A path.
  std::vector<std::string> servers;  // Of the configuration; empty: all.
};

// CheckSelection is which checks run, and how.
struct CheckSelection {
  std::string revision = "auto";
  conformance::Selection rules;
  int concurrency = 32;
};

struct CheckServerOptions {
  CheckedServer target;
  CheckSelection selection;
  bool allow_writes = false;
  Common common;
};

struct CheckGatewayOptions {
  transport::Authority listen;  // Where our server stands, behind the gateway.
  std::string url;              // Where our clients go, before it.
  std::vector<std::string> headers;
  Common common;
};

// CheckClientOptions is `check client`.
struct CheckClientOptions {
  std::string transport = "http";  // Or "stdio".
  std::vector<std::string> command;
  ChildEnvironment environment;  // Of the command.
  CheckSelection selection;      // A concurrency of 0: as many as there are cores.
  Common common;
};

// CheckTexts is what is read afterwards.
struct CheckTexts {
  bool stdio = false;
  std::string level = "all";
  std::string only;
  std::string skip;
  std::string listen;
};

// declare_check_server declares the options; everything outlives `app`.
void declare_check_server(CLI::App& app, CheckServerOptions& options, CheckTexts& texts,
                          CommonTexts& common);

// declare_check_gateway declares the options; everything outlives `app`.
void declare_check_gateway(CLI::App& app, CheckGatewayOptions& options, CheckTexts& texts,
                           CommonTexts& common);

void declare_check_client(CLI::App& app, CheckClientOptions& options, CheckTexts& texts,
                          CommonTexts& common);

// declare_selection declares those that say which checks run.
void declare_selection(CLI::App& app, CheckSelection& selection, CheckTexts& texts);

// read_check_server completes `options`. kInvalidInput: which option, and what was expected.
Status read_check_server(const CheckTexts& texts, CheckServerOptions& options);

Status read_check_client(const CheckTexts& texts, CheckClientOptions& options);

// read_selection completes `selection`. kInvalidInput: an id that no check has.
Status read_selection(const CheckTexts& texts, CheckSelection& selection);

}  // namespace plumbline::cli
