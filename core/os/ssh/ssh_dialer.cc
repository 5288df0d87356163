#include "core/os/ssh/ssh_dialer.h"

#ifdef PLUMBLINE_LIBSSH
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <libssh/libssh.h>
#include <libssh/server.h>

#include "core/base/wait.h"
#include "core/os/fd.h"
#include "core/os/fd_watch.h"
#endif

namespace plumbline::os {

#ifdef PLUMBLINE_LIBSSH

namespace {

using std::chrono::seconds;

constexpr Duration kKeepAliveEvery = seconds(15);
constexpr Duration kRemoteStopMax = seconds(2);  // From SIGTERM to the end of the channel.

struct SessionEnd {
  void operator()(ssh_session session) const {
    ssh_disconnect(session);
    ssh_free(session);
  }
};
struct ChannelEnd {
  void operator()(ssh_channel channel) const { ssh_channel_free(channel); }
};
struct KeyEnd {
  void operator()(ssh_key key) const { ssh_key_free(key); }
};
using Channel = std::unique_ptr<std::remove_pointer_t<ssh_channel>, ChannelEnd>;
using Key = std::unique_ptr<std::remove_pointer_t<ssh_key>, KeyEnd>;

// SshSession is one session of libssh, and the wait for its socket.
class SshSession {
 public:
  SshSession(RealLoop& loop, std::string host) : loop_(loop), host_(std::move(host)) {
    ssh_set_blocking(get(), 0);
  }
  SshSession(const SshSession&) = delete;
  SshSession& operator=(const SshSession&) = delete;

  ssh_session get() const { return session_.get(); }
  RealLoop& loop() { return loop_; }
  const std::string& host() const { return host_; }

  Error error(ErrorCode code, const std::string& what) const {
    const char* const why = ssh_get_error(get());
    return {code,
            what + " " + host_ + (why == nullptr || *why == 0 ? "" : std::string(": ") + why)};
  }

  // ready waits until the socket has something, or until `when`. Returns whether it has.
  Task<bool> ready(Instant when) {
    const socket_t fd = ssh_get_fd(get());
    if (fd == SSH_INVALID_SOCKET) co_return true;
    if (!watch_ || fd != watched_) {
      watched_ = fd;
      watch_.emplace(loop_, Fd(::dup(fd)), [this] { event_.set(); });
    }
    event_.reset();
    if ((ssh_get_poll_flags(get()) & SSH_WRITE_PENDING) != 0) {
      watch_->await_writable();
    } else {
      watch_->await_readable();
    }
    co_return co_await event_.wait(loop_, when);
  }

 private:
  RealLoop& loop_;
  std::string host_;
  std::unique_ptr<std::remove_pointer_t<ssh_session>, SessionEnd> session_{ssh_new()};
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

Status check_host(const SshSession& session, const std::string& known_hosts) {
  const auto refused = [&](const std::string& why) {
    return Error{ErrorCode::kInvalidInput, why + " (" + known_hosts + ")"};
  };
  switch (ssh_session_is_known_server(session.get())) {
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

void set_up(const SshSession& session, const net::RemoteAccess& access) {
  ssh_session raw = session.get();
  int off = 0;
  ssh_options_set(raw, SSH_OPTIONS_HOST, access.host.c_str());
  ssh_options_set(raw, SSH_OPTIONS_PROCESS_CONFIG, &off);
  if (!access.config_path.empty()) ssh_options_parse_config(raw, access.config_path.c_str());
  if (access.port != 0) ssh_options_set(raw, SSH_OPTIONS_PORT, &access.port);
  if (!access.user.empty()) ssh_options_set(raw, SSH_OPTIONS_USER, access.user.c_str());
  ssh_options_set(raw, SSH_OPTIONS_KNOWNHOSTS, access.known_hosts_path.c_str());
  ssh_options_set(raw, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null");
}

Task<Status> sign_in(SshSession& session, const net::RemoteAccess access, Instant deadline) {
  ssh_session raw = session.get();
  Key key;
  if (access.password.empty() && !access.key_path.empty()) {
    ssh_key read = nullptr;
    const int status =
        ssh_pki_import_privkey_file(access.key_path.c_str(), nullptr, nullptr, nullptr, &read);
    if (status != SSH_OK) {
      co_return Error{ErrorCode::kInvalidInput, "cannot read the key " + access.key_path};
    }
    key.reset(read);
  }
  const auto step = [&]() -> int {
    if (!access.password.empty()) {
      return ssh_userauth_password(raw, nullptr, access.password.c_str());
    }
    if (key) return ssh_userauth_publickey(raw, nullptr, key.get());
    return ssh_userauth_agent(raw, nullptr);
  };
  const int result = co_await finish(session, deadline, SSH_AUTH_AGAIN, step);
  if (result == SSH_AUTH_SUCCESS) co_return Done{};
  if (result == SSH_AUTH_AGAIN) co_return too_late(session, "signing in at");
  co_return session.error(ErrorCode::kInvalidInput, "nobody is let in at");
}

class SshHost final : public net::RemoteHost {
 public:
  explicit SshHost(std::unique_ptr<SshSession> session) : session_(std::move(session)) {}

  // implements RemoteHost ---
  Task<Result<net::RemoteEnd>> run(std::string line, Instant deadline,
                                   std::size_t output_bytes_max) override {
    const Channel channel(ssh_channel_new(session_->get()));
    const int opened = co_await finish(*session_, deadline, SSH_AGAIN,
                                       [&] { return ssh_channel_open_session(channel.get()); });
    if (opened == SSH_AGAIN) co_return too_late(*session_, "opening a channel to");
    if (opened != SSH_OK) co_return session_->error(ErrorCode::kDisconnected, "no channel to");
    net::RemoteEnd end;
    const int started = co_await finish(*session_, deadline, SSH_AGAIN, [&] {
      return ssh_channel_request_exec(channel.get(), line.c_str());
    });
    if (started != SSH_OK && ssh_is_connected(session_->get()) != 0 && started != SSH_AGAIN) {
      co_return session_->error(ErrorCode::kInvalidInput, "it is not run at");
    }
    if (started != SSH_OK) {
      end.unknown = session_->error(ErrorCode::kDisconnected, "the connection was lost to");
      co_return end;
    }
    ssh_channel_send_eof(channel.get());
    co_await hear(channel.get(), end, deadline, output_bytes_max);
    co_return end;
  }

 private:
  // hear reads until the command has ended.
  Task<void> hear(ssh_channel channel, net::RemoteEnd& end, Instant deadline, std::size_t max) {
    bool stopping = false;
    Instant keep_alive = after(session_->loop().now(), kKeepAliveEvery);
    while (true) {
      const bool out = drain(channel, 0, end.out, end.truncated, max);
      const bool err = drain(channel, 1, end.err, end.truncated, max);
      const int code = ssh_channel_get_exit_status(channel);
      if (ssh_channel_is_eof(channel) != 0 && (code != -1 || ssh_channel_is_closed(channel) != 0)) {
        if (code != -1) end.return_code = code;
        break;
      }
      if (ssh_is_connected(session_->get()) == 0 || !out || !err) {
        end.unknown = session_->error(ErrorCode::kDisconnected, "the connection was lost to");
        co_return;
      }
      const Instant now = session_->loop().now();
      if (now >= deadline) {
        if (stopping) break;
        stopping = true;
        ssh_channel_request_send_signal(channel, "TERM");
        deadline = after(now, kRemoteStopMax);
      }
      if (now >= keep_alive) {
        ssh_send_keepalive(session_->get());
        keep_alive = after(now, kKeepAliveEvery);
      }
      co_await session_->ready(std::min(deadline, keep_alive));
    }
    if (stopping) end.unknown = too_late(*session_, "the command at");
  }

  // drain takes what is there. Returns false when the stream is broken.
  static bool drain(ssh_channel channel, int is_stderr, std::string& into, bool& truncated,
                    std::size_t max) {
    char buffer[16U << 10U];
    int count = 0;
    while ((count = ssh_channel_read_nonblocking(channel, buffer, sizeof buffer, is_stderr)) > 0) {
      const std::size_t room = max - std::min(max, into.size());
      const auto size = static_cast<std::size_t>(count);
      into.append(buffer, std::min(room, size));
      truncated = truncated || size > room;
    }
    return count == 0 || count == SSH_EOF || count == SSH_AGAIN;
  }

  std::unique_ptr<SshSession> session_;
};

}  // namespace

Task<Result<std::unique_ptr<net::RemoteHost>>> SshDialer::connect(net::RemoteAccess access,
                                                                  Instant deadline) {
  auto session = std::make_unique<SshSession>(loop_, access.host);
  set_up(*session, access);
  const int connected =
      co_await finish(*session, deadline, SSH_AGAIN, [&] { return ssh_connect(session->get()); });
  if (connected == SSH_AGAIN) co_return too_late(*session, "reaching");
  if (connected != SSH_OK) co_return session->error(ErrorCode::kDisconnected, "cannot reach");
  const Status known = check_host(*session, access.known_hosts_path);
  if (!known.ok()) co_return known.error();
  const Status signed_in = co_await sign_in(*session, access, deadline);
  if (!signed_in.ok()) co_return signed_in.error();
  co_return std::unique_ptr<net::RemoteHost>(std::make_unique<SshHost>(std::move(session)));
}

#else

Task<Result<std::unique_ptr<net::RemoteHost>>> SshDialer::connect(net::RemoteAccess /*access*/,
                                                                  Instant /*deadline*/) {
  static_cast<void>(loop_);
  co_return Error{ErrorCode::kUnsupported, "this build has no libssh (libssh-dev)"};
}

#endif

}  // namespace plumbline::os
