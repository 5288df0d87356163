#include "cli/commands/commands.h"

#include <array>

#include "cli/commands/agents/agents_serve.h"
#include "cli/commands/ask.h"
#include "cli/commands/auth/auth.h"
#include "cli/commands/check/authority.h"
#include "cli/commands/check/client.h"
#include "cli/commands/check/gateway.h"
#include "cli/commands/check/server.h"
#include "cli/commands/completion.h"
#include "cli/commands/connect/connect.h"
#include "cli/commands/connect/registry.h"
#include "cli/commands/demo.h"
#include "cli/commands/explain/explain.h"
#include "cli/commands/fuzz/server.h"
#include "cli/commands/graph.h"
#include "cli/commands/lint/lint.h"
#include "cli/commands/list.h"
#include "cli/commands/mcp/mcp.h"
#include "cli/commands/record/record.h"
#include "cli/commands/record/replay.h"
#include "cli/commands/relay.h"
#include "cli/commands/report/compare.h"
#include "cli/commands/report/merge.h"
#include "cli/commands/report/view.h"
#include "cli/commands/run.h"
#include "cli/commands/serve.h"
#include "cli/commands/service/chat_api.h"
#include "cli/commands/service/sessions.h"
#include "cli/commands/shrink.h"
#include "cli/commands/sweep.h"
#include "cli/commands/test/test.h"
#include "cli/commands/thread/thread.h"

namespace plumbline::cli {

namespace {

constexpr std::array kCommands = {
    command<DemoOptions, run_demo>(
        "demo", "Run the built-in scenarios and the reference server, and show the result"),
    command<RunOptions, run_scenarios>("run", "Run scenario files in simulation"),
    command<SweepOptions, run_sweep>("sweep",
                                     "Run one world for each seed, each with faults of its own"),
    command<ShrinkOptions, run_shrink>("shrink", "Make a failing seed as small as it gets"),
    Command{"report", "Work on JSON reports"},
    command<MergeOptions, run_merge>("report merge",
                                     "Merge several reports, or all shards of a sweep, into one"),
    command<CompareOptions, run_compare>(
        "report compare", "Show what is worse, better, new and gone between two reports"),
    command<ReportViewOptions, run_report_view>("report view",
                                                "Open a report or a recording as a page"),
    Command{"check", "Check a server, client, gateway or authorization server"},
    command<CheckServerOptions, run_check_server>("check server",
                                                  "Check a server against the specification"),
    command<CheckGatewayOptions, run_check_gateway>(
        "check gateway", "Check a gateway or proxy between client and server"),
    command<CheckClientOptions, run_check_client>(
        "check client", "Check a client or host against the specification"),
    command<CheckAuthOptions, run_check_auth>("check auth", "Check an authorization server"),
    command<TestOptions, run_test>("test", "Run tests of a server's own tools, or write them"),
    command<LintOptions, run_lint>(
        "lint", "Tell whether the tools of a server are good for a language model, and safe"),
    command<McpOptions, run_mcp>("mcp", "Be the judge of a server as an MCP server itself"),
    Command{"fuzz", "Look for input that breaks a server"},
    command<FuzzServerOptions, run_fuzz_server>(
        "fuzz server", "Play odd sessions to a server, and keep what breaks it"),
    command<RelayOptions, run_relay>("relay", "Copies its streams to and from a judge"),
    command<RecordOptions, run_record>("record", "Record what a client and a server say"),
    command<ReplayOptions, run_replay>(
        "replay", "Replay a recording as its server or its client, or compare a server with it"),
    command<AskOptions, run_ask>("ask", "Put one request to the assistant, with your servers"),
    Command{"thread", "Look at kept requests (ask --thread), and go on with them"},
    command<ThreadListOptions, run_thread_list>("thread list", "List the threads of a store"),
    command<ThreadShowOptions, run_thread_show>("thread show",
                                                "Show a thread, or one of its steps"),
    command<ThreadResumeOptions, run_thread_resume>(
        "thread resume", "Answer the question of a thread, or go on with it"),
    command<ThreadForkOptions, run_thread_fork>("thread fork",
                                                "Start a thread at a step of another"),
    command<ThreadDeleteOptions, run_thread_delete>("thread delete", "Delete a thread"),
    command<LoginOptions, run_login>("login",
                                     "Sign in to a server; other commands then send its token"),
    command<LogoutOptions, run_logout>("logout",
                                       "Revoke the token of a server, or all, and forget it"),
    command<TokensOptions, run_tokens>("tokens", "List the servers where you are signed in"),
    command<ServeOptions, run_serve>("serve",
                                     "Be the MCP server of a scenario, or the reference server"),
    Command{"connect", "Test and show connections to agents"},
    command<ConnectTestOptions, run_connect_test>("connect test",
                                                  "Run the six connection tests on each agent"),
    command<ConnectStatusOptions, run_connect_status>(
        "connect status", "Open a connection to each agent and show its state"),
    command<ConnectListOptions, run_connect_list>("connect list",
                                                  "List the agents that files name"),
    command<ConnectValidateOptions, run_connect_validate>(
        "connect validate", "Compare agents of a registry with their descriptors"),
    command<RegistryOptions, run_registry>("registry", "Serve a registry of agents from a file"),
    command<SessionsOptions, run_sessions>("sessions",
                                           "Serve MCP tools that a browser page carries out"),
    command<ChatApiOptions, run_chat_api>("chat-api", "Serve the chat agent: an API and a page"),
    Command{"agents", "Serve the agents"},
    command<AgentsServeOptions, run_agents_serve>("agents serve",
                                                  "Serve the supervisor's agents as MCP tools"),
    command<GraphOptions, run_graph>("graph", "Draw how an agent decides"),
    command<ListOptions, run_list>("list",
                                   "List checks, scenarios, revisions, faults, errors, ..."),
    command<ExplainOptions, run_explain>("explain",
                                         "Explain the id of a check, a scenario, an error, ..."),
    command<CompletionOptions, run_completion>(
        "completion", "Print what bash, zsh or fish needs to complete command lines"),
};

}  // namespace

std::span<const Command> all_commands() { return kCommands; }

}  // namespace plumbline::cli
