#include "conformance/broken/client/client_program.h"

#include <chrono>
#include <utility>

#include "conformance/peer/client/stdio_scripted_peer.h"
#include "core/auth/memory_secret_store.h"
#include "core/auth/oauth_authorizer.h"
#include "core/base/rng.h"
#include "core/base/wait.h"
#include "core/mcp/client/client_session.h"
#include "core/mcp/transport/http_connector.h"
#include "core/mcp/transport/stdio_channel.h"
#include "fakes/auth/headless_user_agent.h"
#include "fakes/world/sim_doors.h"
#include "reference/judged_visit.h"
#include "reference/reference_client.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kSinceThen = std::chrono::hours(24 * 365 * 57);  // Since 1970.

// interception_of makes of a client's deviation what the middlemen know.
Deviation interception_of(const ClientDeviation& deviation) {
  Deviation interceptor;
  interceptor.id = deviation.id;
  interceptor.from_server = deviation.from_server;
  interceptor.from_client_message = deviation.from_client;
  interceptor.request = deviation.request;
  interceptor.response = deviation.response;
  interceptor.event = deviation.event;
  interceptor.unreadable = deviation.unreadable;
  return interceptor;
}

}  // namespace

ClientProgram::ClientProgram(Loop& loop, net::Network& network, const net::Command& command,
                             fakes::Process& process, const ClientDeviation* deviation)
    : loop_(loop),
      network_(network),
      command_(command),
      process_(process),
      deviation_(deviation),
      life_(live()) {
  if (deviation != nullptr) interception_ = interception_of(*deviation);
  life_.start();
}

ClientProgram::~ClientProgram() = default;

std::string ClientProgram::variable(const std::string& name) const {
  const auto found = command_.env.find(name);
  return found == command_.env.end() ? "" : found->second;
}

mcp::ClientOptions ClientProgram::client_options() const {
  const std::string version = variable("MCP_CONFORMANCE_PROTOCOL_VERSION");
  mcp::ClientOptions options =
      reference::judged_client(mcp::parse_revision(version).value_or(mcp::kLatestStateful),
                               variable("MCP_CONFORMANCE_CONTEXT"));
  if (deviation_ != nullptr && deviation_->options != nullptr) deviation_->options(options);
  return options;
}

void ClientProgram::crash() {
  net::ExitStatus status;
  const bool badly = deviation_ != nullptr && (deviation_->crashes || deviation_->dies_with_server);
  if (badly) status.signal = 11;
  process_.exit(status);
}

// fetch asks for what a deviation has found an address of.
Task<void> ClientProgram::fetch(std::string url, std::string headers) {
  const wire::Url to = wire::parse_url(url).value();
  net::Authority authority;
  authority.host = to.host;
  authority.port = to.port;
  Result<std::unique_ptr<net::Pipe>> dialled =
      co_await network_.dial(std::move(authority), std::nullopt);
  if (!dialled.ok()) co_return;
  const std::unique_ptr<net::Pipe> pipe = std::move(dialled).value();
  Splice ignored(*pipe, "");
  pipe->start(ignored);
  pipe->write("GET " + to.target + " HTTP/1.1\r\nHost: " + to.host_header() +
              "\r\nAccept: text/event-stream\r\n" + headers + "\r\n");
  co_await Sleep(loop_, after(loop_.now(), std::chrono::milliseconds(10)));
}

// deliver_late sends what the interceptor holds, a while after; not when the program has gone.
Task<void> ClientProgram::deliver_late() {
  while (!leaving_) {
    co_await Sleep(loop_, after(loop_.now(), std::chrono::milliseconds(100)));
    if (leaving_ || stdio_ == nullptr || !stdio_->memory.is_object()) continue;
    const Json held = std::move(stdio_->memory);
    stdio_->memory = nullptr;
    stdio_->pass(held);
  }
}

Task<void> ClientProgram::live() {
  // What a constructor starts must not be over when it returns.
  co_await Sleep(loop_, loop_.now());
  bool visited = false;
  if (variable("PLUMBLINE_SERVER_COMMAND").empty()) {
    visited = co_await visit_http();
    // A session that has ended makes place for a new one.
    const bool again = !visited && variable("PLUMBLINE_SCENARIO") == "expired-session";
    if (again) visited = co_await visit_http();
  } else {
    visited = co_await visit_stdio();
  }
  if (wire_ != nullptr) process_.write_stderr(wire_->notes().said);
  net::ExitStatus status;
  status.code = visited ? 0 : 1;
  process_.exit(status);
}

// The session lives until nothing more can come.
Task<bool> ClientProgram::visit_over(transport::MessageChannel& channel,
                                     transport::Connection* connection) {
  mcp::ClientSession session(loop_, channel, client_options(), "client", nullptr);
  reference::JudgedVisit visit(loop_, session, variable("PLUMBLINE_SCENARIO"),
                               variable("MCP_CONFORMANCE_CONTEXT"));
  if (deviation_ != nullptr && deviation_->cancels_late) {
    late_ = deliver_late();
    late_.start();
  }
  const bool visited = co_await visit.run();
  const Json found = stdio_ != nullptr ? stdio_->memory : http_ != nullptr ? http_->memory : Json();
  if (found.is_string()) {
    std::string url = found.get<std::string>();
    if (url == kItsServer) url = command_.argv.back();
    std::string none;
    if (url.starts_with("http://127")) co_await fetch(std::move(url), std::move(none));
  }
  for (std::size_t at = 0; found.is_array() && at < found.size(); ++at) {
    std::string url = string_or(found[at], "fetch", "");
    std::string headers = string_or(found[at], "headers", "");
    if (!url.empty()) co_await fetch(std::move(url), std::move(headers));
  }
  leaving_ = true;
  session.close();
  if (connection != nullptr) {
    co_await connection->close();
  } else {
    channel.close_send();
    co_await Sleep(loop_, after(loop_.now(), std::chrono::milliseconds(20)));
    channel.close();
  }
  co_return visited;
}

auth::SignInOptions ClientProgram::sign_in_options() const {
  auth::SignInOptions options;
  const std::string version = variable("MCP_CONFORMANCE_PROTOCOL_VERSION");
  options.revision = mcp::parse_revision(version).value_or(mcp::kLatest);
  options.client.metadata_url = "https://client.example/metadata.json";
  const Result<Json> context = parse_json(variable("MCP_CONFORMANCE_CONTEXT"));
  if (context.ok()) {
    options.client.client_id = string_or(context.value(), "client_id", "");
    options.client.client_secret = string_or(context.value(), "client_secret", "");
    options.client.issuer = string_or(context.value(), "issuer", "");
  }
  if (deviation_ != nullptr && deviation_->sign_in != nullptr) deviation_->sign_in(options);
  return options;
}

Task<bool> ClientProgram::visit_http() {
  wire::Url url = wire::parse_url(command_.argv.back()).value();
  const bool signs_in = deviation_ != nullptr && deviation_->on_the_way_to_a_token();
  const bool guarded = variable("PLUMBLINE_SCENARIO").starts_with("auth-");
  const bool edits = signs_in && guarded;  // The wire has no streams.
  if (edits) wire_ = std::make_unique<ClientWire>(loop_, network_, deviation_->wire);
  net::Network& network = edits ? static_cast<net::Network&>(*wire_) : network_;
  if (deviation_ != nullptr && !signs_in) {
    if (http_ == nullptr) {
      http_ = std::make_unique<HttpMiddleman>(loop_, network_, url, interception_);
    }
    url = http_->url();
  }
  const fakes::SimWallClock clock(loop_, kSinceThen);
  auth::MemorySecretStore secrets;
  const auth::AuthWorld world{loop_, clock, secrets, network,
                              [rng = Rng(9)](std::size_t count) mutable {
                                std::string bytes;
                                while (bytes.size() < count) {
                                  bytes += static_cast<char>(rng.next() & 0xffU);
                                }
                                return bytes;
                              }};
  fakes::HeadlessUserAgent person(loop_, network);
  auth::TokenManager tokens(world);
  auth::SignIn sign_in(world, sign_in_options(), &person);
  auth::OAuthAuthorizer authorizer(loop_, url, tokens, &sign_in, "");
  transport::HttpEndpoint endpoint;
  endpoint.url = url;
  endpoint.authorizer = &authorizer;
  std::map<std::string, transport::HttpEndpoint> servers;
  servers["server"] = std::move(endpoint);
  transport::HttpConnector connector(loop_, network, std::move(servers),
                                     [](std::size_t count) { return std::string(count, 'r'); });
  std::string name = "server";
  Result<std::unique_ptr<transport::Connection>> connected =
      co_await connector.connect(std::move(name));
  if (!connected.ok()) co_return false;
  const std::unique_ptr<transport::Connection> connection = std::move(connected).value();
  const bool visited = co_await visit_over(connection->channel(), connection.get());
  co_return visited;
}

Task<bool> ClientProgram::visit_stdio() {
  const Json server = parse_json(variable("PLUMBLINE_SERVER_COMMAND")).value();
  const std::string address = server.back().get<std::string>();
  net::Authority to;
  to.host = address.substr(0, address.find(':'));
  to.port = static_cast<std::uint16_t>(std::stoi(address.substr(address.find(':') + 1)));
  Result<std::unique_ptr<net::Pipe>> dialled = co_await network_.dial(std::move(to), std::nullopt);
  if (!dialled.ok()) co_return false;
  dialled_ = std::move(dialled).value();
  own_ = std::make_unique<fakes::SimPipePair>(fakes::make_sim_pipe(loop_, {}, Rng(5)));
  stdio_ = std::make_unique<StdioMiddleman>(
      loop_, *own_->far, deviation_ ? &interception_ : nullptr, [this] { crash(); });
  const bool in_order = deviation_ == nullptr || !deviation_->drops_stdin;
  to_judge_ = std::make_unique<Splice>(*dialled_,
                                       in_order ? std::string(kEndOfInput) + "\n" : std::string());
  to_client_ = std::make_unique<Splice>(stdio_->inner(), "", [this] {
    if (deviation_ != nullptr && deviation_->dies_with_server && !leaving_) crash();
  });
  stdio_->inner().start(*to_judge_);
  dialled_->start(*to_client_);
  dialled_->write(address.substr(address.find('/') + 1) + "\n");
  transport::StdioChannel channel(*own_->near);
  const bool visited = co_await visit_over(channel, nullptr);
  co_return visited;
}

}  // namespace plumbline::conformance
