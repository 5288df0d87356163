#include "core/os/ssh/ssh_dialer.h"

#include <pwd.h>
#include <unistd.h>

#include "core/os/ssh/ssh_config.h"

#ifdef PLUMBLINE_LIBSSH
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "core/base/wait.h"
#include "core/os/fd.h"
#include "core/os/fd_watch.h"
#include "core/os/posix/ssh/libssh.h"
#include "core/os/real_file_store.h"
#endif

namespace plumbline::os {

namespace {

constexpr int kSshPort = 22;

// own_name returns the name of the user of this process, as whom we sign in where nobody says else.
std::string own_name() {
  const passwd* const own = ::getpwuid(::getuid());
  return own != nullptr ? own->pw_name : "";
}

}  // namespace

Result<net::RemoteAccess> SshDialer::resolve(net::RemoteAccess access) {
  Result<SshPlace> place = find_ssh_place(access.config_path, access.host);
  if (!place.ok()) return place.error();
  access.config_path.clear();
  access.host = std::move(place.value().host);
  if (access.port == 0) access.port = place.value().port != 0 ? place.value().port : kSshPort;
  if (access.user.empty()) access.user = std::move(place.value().user);
  if (access.user.empty()) access.user = own_name();
  return access;
}

#ifdef PLUMBLINE_LIBSSH

namespace {

using std::chrono::seconds;

constexpr Duration kKeepAliveEvery = seconds(15);
constexpr Duration kRemoteStopMax = seconds(2);  // From SIGTERM to the end of the channel.

struct SessionEnd {
  void operator()(ssh_session session) const {
    libssh().ssh_disconnect(session);
    libssh().ssh_free(session);
  }
};
struct ChannelEnd {
  void operator()(ssh_channel channel) const { libssh().ssh_channel_free(channel); }
};
struct KeyEnd {
  void operator()(ssh_key key) const { libssh().ssh_key_free(key); }
};
using Channel = std::unique_ptr<std::remove_pointer_t<ssh_channel>, ChannelEnd>;
using Key = std::unique_ptr<std::remove_pointer_t<ssh_key>, KeyEnd>;

// SshSession is one session of libssh, and the wait for its socket.
class SshSession {
 public:
  SshSession(RealLoop& loop, std::string host) : loop_(loop), host_(std::move(host)) {
    libssh().ssh_set_blocking(get(), 0);
  }
  SshSession(const SshSession&) = delete;
  SshSession& operator=(const SshSession&) = delete;

  ssh_session get() const { return session_.get(); }
  RealLoop& loop() { return loop_; }
  const std::string& host() const { return host_; }

  Error error(ErrorCode code, const std::string& what) const {
    const char* const why = libssh().ssh_get_error(get());
    return {code,
            what + " " + host_ + (why == nullptr || *why == 0 ? "" : std::string(": ") + why)};
  }

  // ready waits until the socket has something, or until `when`. Returns whether it has.
  Task<bool> ready(Instant when) {
    const socket_t fd = libssh().ssh_get_fd(get());
    if (fd == SSH_INVALID_SOCKET) co_return true;
    if (!watch_ || fd != watched_) {
      watched_ = fd;
      watch_.emplace(loop_, Fd(::dup(fd)), [this] { event_.set(); });
    }
    event_.reset();
    if ((libssh().ssh_get_poll_flags(get()) & SSH_WRITE_PENDING) != 0) {
      watch_->await_writable();
    } else {
      watch_->await_readable();
    }
    co_return co_await event_.wait(loop_, when);
  }

 private:
  RealLoop& loop_;
  std::string host_;
  std::unique_ptr<std::remove_pointer_t<ssh_session>, SessionEnd> session_{libssh().ssh_new()};
  Event event_;
  socket_t watched_ = SSH_INVALID_SOCKET;
  std::optional<FdWatch> watch_;  // Of a copy of its descriptor.
};

// finish repeats a step of libssh until it is no longer SSH_AGAIN. SSH_AGAIN: `deadline` came
// first.
template <typename Step>
Task<int> finish(SshSession& session, Instant deadline, int again, Step step) {
  for (int result = step();; result = step()) {
    if (result != again) co_return result;
    if (session.loop().now() >= deadline) co_return again;
    co_await session.ready(deadline);
  }
}

Error too_late(const SshSession& session, const std::string& what) {
  return {ErrorCode::kDeadlineExceeded, what + " " + session.host() + " took too long"};
}

// public_key_of returns the key of the host as files have it; empty: it has none.
std::string public_key_of(const SshSession& session) {
  ssh_key key = nullptr;
  char* text = nullptr;
  if (libssh().ssh_get_server_publickey(session.get(), &key) != SSH_OK) return "";
  std::string out;
  if (libssh().ssh_pki_export_pubkey_base64(key, &text) == SSH_OK) out = text;
  libssh().ssh_string_free_char(text);
  libssh().ssh_key_free(key);
  return out;
}

// is_revoked returns whether a line "@revoked HOSTS TYPE KEY" has the key of the host, whatever the
// hosts: libssh passes over such lines.
bool is_revoked(const SshSession& session, const std::string& known_hosts) {
  const Result<std::string> file = RealFileStore().read_file(known_hosts);
  const std::string key = public_key_of(session);
  if (!file.ok() || key.empty()) return false;
  std::string_view rest = file.value();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const bool revokes = line.substr(begin).starts_with("@revoked");
    if (revokes && line.find(key) != std::string_view::npos) return true;
  }
  return false;
}

Status check_host(const SshSession& session, const std::string& known_hosts) {
  const auto refused = [&](const std::string& why) {
    return Error{ErrorCode::kInvalidInput, why + " (" + known_hosts + ")"};
  };
  if (is_revoked(session, known_hosts)) {
    return refused("THE KEY OF " + session.host() + " IS REVOKED: nothing is sent there");
  }
  switch (libssh().ssh_session_is_known_server(session.get())) {
    case SSH_KNOWN_HOSTS_OK:
      return Done{};
    case SSH_KNOWN_HOSTS_CHANGED:
    case SSH_KNOWN_HOSTS_OTHER:
      return refused("THE KEY OF " + session.host() +
                     " HAS CHANGED: somebody may stand between, nothing is sent there until the "
                     "known key is replaced by hand");
    case SSH_KNOWN_HOSTS_NOT_FOUND:
    case SSH_KNOWN_HOSTS_UNKNOWN:
      return refused("the key of " + session.host() +
                     " is not known: compare it with its owner's, and add it by hand");
    default:
      return session.error(ErrorCode::kInvalidInput, "cannot read the known keys of");
  }
}

// set_up has libssh read no configuration: the key of the host is compared whatever one says.
void set_up(const SshSession& session, const net::RemoteAccess& access) {
  ssh_session raw = session.get();
  int off = 0;
  int on = 1;
  libssh().ssh_options_set(raw, SSH_OPTIONS_PROCESS_CONFIG, &off);
  libssh().ssh_options_set(raw, SSH_OPTIONS_HOST, access.host.c_str());
  libssh().ssh_options_set(raw, SSH_OPTIONS_PORT, &access.port);
  libssh().ssh_options_set(raw, SSH_OPTIONS_USER, access.user.c_str());
  libssh().ssh_options_set(raw, SSH_OPTIONS_KNOWNHOSTS, access.known_hosts_path.c_str());
  libssh().ssh_options_set(raw, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null");
  libssh().ssh_options_set(raw, SSH_OPTIONS_STRICTHOSTKEYCHECK, &on);
}

Task<Status> sign_in(SshSession& session, const net::RemoteAccess access, Instant deadline) {
  ssh_session raw = session.get();
  Key key;
  if (access.password.empty() && !access.key_path.empty()) {
    ssh_key read = nullptr;
    const int status = libssh().ssh_pki_import_privkey_file(access.key_path.c_str(), nullptr,
                                                            nullptr, nullptr, &read);
    if (status != SSH_OK) {
      co_return Error{ErrorCode::kInvalidInput, "cannot read the key " + access.key_path};
    }
    key.reset(read);
  }
  const auto step = [&]() -> int {
    if (!access.password.empty()) {
      return libssh().ssh_userauth_password(raw, nullptr, access.password.c_str());
    }
    if (key) return libssh().ssh_userauth_publickey(raw, nullptr, key.get());
    return libssh().ssh_userauth_agent(raw, nullptr);
  };
  const int result = co_await finish(session, deadline, SSH_AUTH_AGAIN, step);
  if (result == SSH_AUTH_SUCCESS) co_return Done{};
  if (result == SSH_AUTH_AGAIN) co_return too_late(session, "signing in at");
  co_return session.error(ErrorCode::kInvalidInput, "nobody is let in at");
}

// Hearing takes what the server says of one channel, as libssh reads it.
class Hearing {
 public:
  Hearing(SshSession& session, ssh_channel channel, net::RemoteEnd& end, std::size_t bytes_max)
      : session_(session), channel_(channel), end_(end), bytes_max_(bytes_max) {
    calls_.userdata = this;
    calls_.channel_data_function = on_data;
    calls_.channel_exit_status_function = on_exit_status;
    calls_.channel_exit_signal_function = on_exit_signal;
    calls_.channel_close_function = on_close;
    ssh_callbacks_init(&calls_);
    libssh().ssh_set_channel_callbacks(channel_, &calls_);
    libssh().ssh_event_add_session(event_.get(), session_.get());
  }
  Hearing(const Hearing&) = delete;
  Hearing& operator=(const Hearing&) = delete;
  ~Hearing() {
    libssh().ssh_remove_channel_callbacks(channel_, &calls_);
    libssh().ssh_event_remove_session(event_.get(), session_.get());
  }

  // take has libssh read what is there now.
  void take() { libssh().ssh_event_dopoll(event_.get(), 0); }

  // ended returns whether the command has, as the server says.
  bool ended() const { return closed_ && (end_.return_code || signalled_); }
  bool lost() const { return closed_ || libssh().ssh_is_connected(session_.get()) == 0; }

 private:
  struct EventEnd {
    void operator()(ssh_event event) const { libssh().ssh_event_free(event); }
  };

  static int on_data(ssh_session /*session*/, ssh_channel /*channel*/, void* data,
                     std::uint32_t size, int is_stderr, void* self) {
    Hearing& hearing = *static_cast<Hearing*>(self);
    std::string& into = is_stderr != 0 ? hearing.end_.err : hearing.end_.out;
    const std::size_t room = hearing.bytes_max_ - std::min(hearing.bytes_max_, into.size());
    into.append(static_cast<const char*>(data), std::min<std::size_t>(room, size));
    hearing.end_.truncated = hearing.end_.truncated || size > room;
    return static_cast<int>(size);
  }
  static void on_exit_status(ssh_session /*session*/, ssh_channel /*channel*/, int status,
                             void* self) {
    static_cast<Hearing*>(self)->end_.return_code = status;
  }
  static void on_exit_signal(ssh_session /*session*/, ssh_channel /*channel*/,
                             const char* /*signal*/, int /*core*/, const char* /*message*/,
                             const char* /*language*/, void* self) {
    static_cast<Hearing*>(self)->signalled_ = true;
  }
  static void on_close(ssh_session /*session*/, ssh_channel /*channel*/, void* self) {
    static_cast<Hearing*>(self)->closed_ = true;
  }

  SshSession& session_;
  ssh_channel channel_;
  net::RemoteEnd& end_;
  std::size_t bytes_max_;
  bool signalled_ = false;
  bool closed_ = false;
  ssh_channel_callbacks_struct calls_{};
  std::unique_ptr<std::remove_pointer_t<ssh_event>, EventEnd> event_{libssh().ssh_event_new()};
};

class SshHost final : public net::RemoteHost {
 public:
  explicit SshHost(std::unique_ptr<SshSession> session) : session_(std::move(session)) {}

  // implements RemoteHost ---
  Task<Result<net::RemoteEnd>> run(std::string line, Instant deadline,
                                   std::size_t output_bytes_max) override {
    const Channel channel(libssh().ssh_channel_new(session_->get()));
    const auto open = [&] { return libssh().ssh_channel_open_session(channel.get()); };
    const int opened = co_await finish(*session_, deadline, SSH_AGAIN, open);
    if (opened == SSH_AGAIN) co_return too_late(*session_, "opening a channel to");
    if (opened != SSH_OK) co_return session_->error(ErrorCode::kDisconnected, "no channel to");
    net::RemoteEnd end;
    Hearing hearing(*session_, channel.get(), end, output_bytes_max);
    const auto start = [&] {
      return libssh().ssh_channel_request_exec(channel.get(), line.c_str());
    };
    const int started = co_await finish(*session_, deadline, SSH_AGAIN, start);
    const bool refused = started == SSH_ERROR && libssh().ssh_is_connected(session_->get()) != 0;
    if (refused) co_return session_->error(ErrorCode::kInvalidInput, "it is not run at");
    if (started == SSH_OK) {
      libssh().ssh_channel_send_eof(channel.get());
      co_await hear(channel.get(), hearing, end, deadline);
    } else {
      end.unknown = session_->error(ErrorCode::kDisconnected, "the connection was lost to");
    }
    co_return end;
  }

 private:
  // hear reads until the command has ended, the connection is lost, or it is too late.
  Task<void> hear(ssh_channel channel, Hearing& hearing, net::RemoteEnd& end, Instant deadline) {
    bool stopping = false;
    Instant keep_alive = after(session_->loop().now(), kKeepAliveEvery);
    for (hearing.take(); !hearing.ended(); hearing.take()) {
      if (hearing.lost()) {
        end.unknown = session_->error(ErrorCode::kDisconnected, "the connection was lost to");
        co_return;
      }
      const Instant now = session_->loop().now();
      if (now >= deadline) {
        if (stopping) break;
        stopping = true;
        libssh().ssh_channel_request_send_signal(channel, "TERM");
        deadline = after(now, kRemoteStopMax);
      }
      if (now >= keep_alive) {
        libssh().ssh_send_keepalive(session_->get());
        keep_alive = after(now, kKeepAliveEvery);
      }
      co_await session_->ready(std::min(deadline, keep_alive));
    }
    if (stopping) end.unknown = too_late(*session_, "the command at");
  }

  std::unique_ptr<SshSession> session_;
};

}  // namespace

bool is_ssh_loadable() { return libssh().complete(); }

Task<Result<std::unique_ptr<net::RemoteHost>>> SshDialer::connect(net::RemoteAccess access,
                                                                  Instant deadline) {
  if (!is_ssh_loadable()) {
    co_return Error{ErrorCode::kUnsupported, "SSH needs libssh.so.4, which is not installed"};
  }
  const std::string name = access.host;
  Result<net::RemoteAccess> resolved = resolve(std::move(access));
  if (!resolved.ok()) co_return resolved.error();
  access = std::move(resolved).value();
  auto session = std::make_unique<SshSession>(loop_, name);
  set_up(*session, access);
  const auto reach = [&] { return libssh().ssh_connect(session->get()); };
  const int connected = co_await finish(*session, deadline, SSH_AGAIN, reach);
  if (connected == SSH_AGAIN) co_return too_late(*session, "reaching");
  if (connected != SSH_OK) co_return session->error(ErrorCode::kDisconnected, "cannot reach");
  const Status known = check_host(*session, access.known_hosts_path);
  if (!known.ok()) co_return known.error();
  const Status signed_in = co_await sign_in(*session, access, deadline);
  if (!signed_in.ok()) co_return signed_in.error();
  co_return std::unique_ptr<net::RemoteHost>(std::make_unique<SshHost>(std::move(session)));
}

#else

bool is_ssh_loadable() { return false; }

Task<Result<std::unique_ptr<net::RemoteHost>>> SshDialer::connect(net::RemoteAccess /*access*/,
                                                                  Instant /*deadline*/) {
  static_cast<void>(loop_);
  co_return Error{ErrorCode::kUnsupported, "this build has no libssh (libssh-dev)"};
}

#endif

}  // namespace plumbline::os
