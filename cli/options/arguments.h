// The command line, read into plain values. Commands see these and never the parser.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/options/check_options.h"
#include "cli/options/common_options.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/net/network.h"

namespace plumbline::cli {

struct SeedRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

struct DemoOptions {
  Common common;
};

struct RunOptions {
  std::vector<std::string> paths;
  SeedRange seeds{1, 1};
  int jobs = 1;
  std::string trace;        // A path. Empty: none.
  bool real = false;        // With real processes and sockets, in real time.
  bool all_orders = false;  // Every order of what is due at one instant.
  bool fail_each_operation = false;
  bool strict = false;              // What a file hardly means is an error.
  std::vector<std::string> plants;  // Defects to put in, to see that they are found.
  Common common;
};

struct SweepOptions {
  std::vector<std::string> paths;
  SeedRange seeds{1, 1};
  int jobs = 1;
  std::uint64_t shard = 1;  // Of `shards`: 1 is the first.
  std::uint64_t shards = 1;
  std::string faults = "default";               // Or "none".
  std::string failures = "plumbline-failures";  // A folder for what is shrunk.
  bool until_failure = false;
  bool check_determinism = false;
  std::vector<std::string> plants;
  Common common;
};

struct MergeOptions {
  std::vector<std::string> files;
  std::string out;  // A path, or "-".
  Common common;
};

struct ShrinkOptions {
  std::string scenario;
  std::uint64_t seed = 0;
  std::vector<std::string> plants;
  std::string out;  // Empty: ID-seed-N.json.
};

struct AskOptions {
  std::string request;
  std::string config;
  std::vector<std::string> servers;  // Of the configuration; empty: all.
  std::vector<std::string> approve;  // Approval ids, or "all".
  bool json = false;
  bool verbose = false;
  std::string trace;
  Duration timeout{};  // Of one request to a server. 0: what the configuration says.
};

// ServeOver is how `serve` can be reached.
enum class ServeOver { kStdio, kHttp, kSse, kWebSocket };

struct ServeOptions {
  std::string scenario;  // Empty: the reference server.
  std::string server;    // Which of its servers; empty: the only one.
  ServeOver over = ServeOver::kStdio;
  transport::Authority at;                  // Unless kStdio.
  std::optional<transport::TlsServer> tls;  // Unless kStdio.
  std::string trace;
};

struct GraphOptions {
  std::string name = "operations-assistant";
  std::string format = "mermaid";
};

struct ListOptions {
  std::string what;
  bool json = false;
};

struct ExplainOptions {
  std::string id;
};

// RelayOptions is `relay`, which no help shows: the server that a judged client starts over stdio.
struct RelayOptions {
  std::string address;  // "127.0.0.1:40000", where the judge listens.
};

using Invocation =
    std::variant<DemoOptions, RunOptions, SweepOptions, ShrinkOptions, MergeOptions,
                 CheckServerOptions, CheckGatewayOptions, CheckClientOptions, RelayOptions,
                 AskOptions, ServeOptions, GraphOptions, ListOptions, ExplainOptions>;

// Answered is a command line that only asked for help or the version: print and exit 0.
struct Answered {
  std::string text;
};

// parse_arguments reads argv without the program's name. kInvalidInput: one line that says what is
// wrong and what was expected.
Result<std::variant<Invocation, Answered>> parse_arguments(std::vector<std::string> words);

}  // namespace plumbline::cli
