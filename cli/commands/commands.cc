#include "cli/commands/commands.h"

#include <array>

#include "cli/commands/agents/agents_serve.h"
#include "cli/commands/ask.h"
#include "cli/commands/auth/auth.h"
#include "cli/commands/check/authority.h"
#include "cli/commands/check/client.h"
#include "cli/commands/check/gateway.h"
#include "cli/commands/check/server.h"
#include "cli/commands/connect/connect.h"
#include "cli/commands/connect/registry.h"
#include "cli/commands/demo.h"
#include "cli/commands/explain.h"
#include "cli/commands/fuzz/server.h"
#include "cli/commands/graph.h"
#include "cli/commands/lint/lint.h"
#include "cli/commands/list.h"
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
    command<DemoOptions, run_demo>("demo", "Run the built-in scenario library and show it"),
    command<RunOptions, run_scenarios>("run", "Run scenario files in simulation"),
    command<SweepOptions, run_sweep>("sweep",
                                     "Run one world for each seed, under weather of its own"),
    command<ShrinkOptions, run_shrink>("shrink",
                                       "Make a failure that a sweep found as small as it gets"),
    Command{"report", "Work on JSON reports"},
    command<MergeOptions, run_merge>("report merge",
                                     "Make one report of several, or of all shards of a sweep"),
    command<CompareOptions, run_compare>("report compare", "Tell what differs between two reports"),
    command<ReportViewOptions, run_report_view>(
        "report view", "Show a report or a recording as a page, on this machine"),
    Command{"check", "Judge what others have built against the specification"},
    command<CheckServerOptions, run_check_server>("check server", "Judge a server"),
    command<CheckGatewayOptions, run_check_gateway>("check gateway", "Judge what stands between"),
    command<CheckClientOptions, run_check_client>("check client", "Judge a client"),
    command<CheckAuthOptions, run_check_auth>("check auth", "Judge an authorization server"),
    command<TestOptions, run_test>("test", "Run tests of a server's own tools, or write them"),
    command<LintOptions, run_lint>(
        "lint", "Tell whether the tools of a server are good for a language model, and safe"),
    Command{"fuzz", "Look for what breaks what others have built"},
    command<FuzzServerOptions, run_fuzz_server>("fuzz server",
                                                "Play odd sessions to a server, without end"),
    command<RelayOptions, run_relay>("relay", "Copies its streams to and from a judge"),
    command<RecordOptions, run_record>("record",
                                       "Stand before a server and write down what is said"),
    command<ReplayOptions, run_replay>("replay",
                                       "Play a recording: its server, its client, or all of it"),
    command<AskOptions, run_ask>("ask", "Put one request to the operations assistant"),
    Command{"thread", "Look after requests that are kept (ask --thread)"},
    command<ThreadListOptions, run_thread_list>("thread list", "List the threads of a store"),
    command<ThreadShowOptions, run_thread_show>("thread show",
                                                "Show a thread and its steps, or one of them"),
    command<ThreadResumeOptions, run_thread_resume>(
        "thread resume", "Answer what a thread asks, or go on with one that has stopped"),
    command<ThreadForkOptions, run_thread_fork>("thread fork",
                                                "Make a thread that begins at a step of another"),
    command<ThreadDeleteOptions, run_thread_delete>("thread delete", "Forget a thread"),
    command<LoginOptions, run_login>("login", "Sign in to a server, for the commands that meet it"),
    command<LogoutOptions, run_logout>("logout", "Revoke and forget the token of a server"),
    command<TokensOptions, run_tokens>("tokens", "List the servers that are signed in to"),
    command<ServeOptions, run_serve>("serve", "Be the MCP server of a scenario"),
    Command{"connect", "Test connections to agents, and look at them"},
    command<ConnectTestOptions, run_connect_test>("connect test",
                                                  "Put agents to the six connection tests"),
    command<ConnectStatusOptions, run_connect_status>(
        "connect status", "Show how the connection to each agent is, by opening one"),
    command<ConnectListOptions, run_connect_list>("connect list",
                                                  "List the agents that files name"),
    command<RegistryOptions, run_registry>("registry", "Serve a registry of agents from a file"),
    command<SessionsOptions, run_sessions>("sessions",
                                           "Be the session-aware MCP server, with its worker page"),
    command<ChatApiOptions, run_chat_api>("chat-api",
                                          "Be the chat agent, with its API and its page"),
    Command{"agents", "Work with the agents themselves"},
    command<AgentsServeOptions, run_agents_serve>(
        "agents serve", "Be an MCP server whose tools are the supervisor's agents"),
    command<GraphOptions, run_graph>("graph", "Draw the graph of an agent"),
    command<ListOptions, run_list>("list", "List what there is"),
    command<ExplainOptions, run_explain>("explain", "Say what an id means"),
};

}  // namespace

std::span<const Command> all_commands() { return kCommands; }

}  // namespace plumbline::cli
