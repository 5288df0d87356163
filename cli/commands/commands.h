// The commands. Each returns the exit status of the program.

#pragma once

#include "cli/host.h"
#include "cli/options/arguments.h"

namespace plumbline::cli {

// run_demo runs the built-in library, prints the table and writes plumbline-report.html.
int run_demo(const DemoOptions& options, Host& host);

// run_scenarios runs scenario files over a range of seeds.
int run_scenarios(const RunOptions& options, Host& host);

// run_sweep runs one world for each seed, under drawn weather.
int run_sweep(const SweepOptions& options, Host& host);

// run_merge makes one report of those of all shards of a sweep.
int run_merge(const MergeOptions& options, Host& host);

// run_shrink makes the world in which a scenario fails under a seed small, says what in it matters
// and writes it as a scenario file. Exit status 2 when nothing fails.
int run_shrink(const ShrinkOptions& options, Host& host);

// run_check_server judges one server, or each of a configuration, against the specification. Exit
// status 3: one of them could not be reached, or no check applied.
int run_check_server(const CheckServerOptions& options, Host& host);

// run_check_gateway judges a gateway between our own server and our own clients. Exit status 3:
// nothing goes through it.
int run_check_gateway(const CheckGatewayOptions& options, Host& host);

// run_check_client runs a client program against one scripted server after the other. Exit status
// 3: it could not be started, or did nothing.
int run_check_client(const CheckClientOptions& options, Host& host);

// run_relay copies our streams to and from the judge, until either ends.
int run_relay(const RelayOptions& options, Host& host);

// run_ask puts one request to the operations assistant and real servers. Exit status: 0 it was
// answered, with or without MCP, or waits for review; 1 it failed; 3 a server that it needed could
// not be reached.
int run_ask(const AskOptions& options, Host& host);

// run_serve is the scripted server of a scenario until its input ends.
int run_serve(const ServeOptions& options, Host& host);

int run_graph(const GraphOptions& options, Host& host);
int run_list(const ListOptions& options, Host& host);
int run_explain(const ExplainOptions& options, Host& host);

}  // namespace plumbline::cli
