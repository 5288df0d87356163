#include "scenarios/crashes/operations.h"

#include <optional>
#include <utility>

#include "core/net/forwarding_child.h"

namespace plumbline::scenarios {

namespace {

Error failed_on_purpose() { return Error{ErrorCode::kDisconnected, "the operation failed"}; }

// FailingPipe breaks at the operation that is to fail.
class FailingPipe final : public net::Pipe, private net::PipeReader {
 public:
  FailingPipe(net::Pipe& pipe, Operations& operations)
      : pipe_(pipe), operations_(operations), broken_([this] { tell(); }) {}

  // implements Pipe ---
  void start(net::PipeReader& reader) override {
    reader_ = &reader;
    pipe_.start(*this);
  }
  void write(std::string bytes) override {
    if (over_) return;
    if (!operations_.fails("write")) return pipe_.write(std::move(bytes));
    over_ = true;
    pipe_.close();
    operations_.loop().arm(broken_, operations_.loop().now());
  }
  void close_write() override {
    if (!over_) pipe_.close_write();
  }
  void close() override {
    over_ = true;
    reader_ = nullptr;
    broken_.cancel();
    pipe_.close();
  }

 private:
  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override {
    if (!operations_.fails("read")) return reader_->on_bytes(bytes);
    over_ = true;
    pipe_.close();
    tell();
  }
  void on_end(const Error* error) override { reader_->on_end(error); }

  void tell() {
    const Error error = failed_on_purpose();
    if (reader_ != nullptr) std::exchange(reader_, nullptr)->on_end(&error);
  }

  net::Pipe& pipe_;
  Operations& operations_;
  net::PipeReader* reader_ = nullptr;  // Null once nothing may be called.
  bool over_ = false;
  Alarm broken_;
};

class OwnedPipe final : public net::Pipe {
 public:
  OwnedPipe(std::unique_ptr<net::Pipe> pipe, Operations& operations)
      : owned_(std::move(pipe)), failing_(*owned_, operations) {}

  // implements Pipe ---
  void start(net::PipeReader& reader) override { failing_.start(reader); }
  void write(std::string bytes) override { failing_.write(std::move(bytes)); }
  void close_write() override { failing_.close_write(); }
  void close() override { failing_.close(); }

 private:
  std::unique_ptr<net::Pipe> owned_;
  FailingPipe failing_;
};

class FailingChild final : public net::ForwardingChild {
 public:
  FailingChild(std::unique_ptr<net::Child> child, Operations& operations)
      : ForwardingChild(std::move(child)), pipe_(ForwardingChild::stdio(), operations) {}

  // implements Child ---
  net::Pipe& stdio() override { return pipe_; }

 private:
  FailingPipe pipe_;
};

// FailingChannel loses its connection at the message that is to fail.
class FailingChannel final : public transport::MessageChannel, private transport::MessageReceiver {
 public:
  FailingChannel(transport::MessageChannel& channel, Operations& operations)
      : channel_(channel), operations_(operations), broken_([this] { tell(); }) {}

  // implements MessageChannel ---
  void start(transport::MessageReceiver& receiver) override {
    receiver_ = &receiver;
    channel_.start(*this);
  }
  void send(Json message) override {
    if (over_) return;
    if (!operations_.fails("message")) return channel_.send(std::move(message));
    over_ = true;
    channel_.close();
    operations_.loop().arm(broken_, operations_.loop().now());
  }
  void close_send() override {
    if (!over_) channel_.close_send();
  }
  void close() override {
    over_ = true;
    receiver_ = nullptr;
    broken_.cancel();
    channel_.close();
  }

 private:
  // implements MessageReceiver ---
  void on_message(Json message) override {
    if (!operations_.fails("message")) return receiver_->on_message(std::move(message));
    over_ = true;
    channel_.close();
    tell();
  }
  void on_garbage(std::string_view bytes, const Error& error) override {
    receiver_->on_garbage(bytes, error);
  }
  void on_lost(const rpc::RpcId& id, const Error& error) override { receiver_->on_lost(id, error); }
  void on_closed(const Error* error) override { receiver_->on_closed(error); }

  void tell() {
    const Error error = failed_on_purpose();
    if (receiver_ != nullptr) std::exchange(receiver_, nullptr)->on_closed(&error);
  }

  transport::MessageChannel& channel_;
  Operations& operations_;
  transport::MessageReceiver* receiver_ = nullptr;  // Null once nothing may be called.
  bool over_ = false;
  Alarm broken_;
};

class FailingConnection final : public transport::Connection {
 public:
  FailingConnection(std::unique_ptr<transport::Connection> connection, Operations& operations)
      : connection_(std::move(connection)), channel_(connection_->channel(), operations) {}

  // implements Connection ---
  transport::Place place() const override { return connection_->place(); }
  transport::MessageChannel& channel() override { return channel_; }
  std::string diagnosis() const override { return connection_->diagnosis(); }
  Task<void> ended(Instant deadline) override { return connection_->ended(deadline); }
  Task<void> close() override { return connection_->close(); }

 private:
  std::unique_ptr<transport::Connection> connection_;
  FailingChannel channel_;
};

}  // namespace

bool Operations::fails(std::string_view what) {
  if (nth_ == 0 || ++counted_ != nth_) return false;
  Json detail = Json::object();
  detail["fault"] = "fail_operation";
  detail["operation"] = what;
  detail["nth"] = nth_;
  events_.on_event(TraceEvent{loop_.now(), EventKind::kFault, "orchestrator", detail});
  return true;
}

Result<std::unique_ptr<net::Child>> FailingSpawner::spawn(const net::Command& command) {
  if (operations_.fails("spawn")) return failed_on_purpose();
  Result<std::unique_ptr<net::Child>> child = spawner_.spawn(command);
  if (!child.ok()) return child;
  return std::unique_ptr<net::Child>(
      std::make_unique<FailingChild>(std::move(child).value(), operations_));
}

Task<Result<std::unique_ptr<net::Pipe>>> FailingNetwork::dial(net::Authority to,
                                                              std::optional<net::TlsClient> tls) {
  if (operations_.fails("dial")) co_return failed_on_purpose();
  Result<std::unique_ptr<net::Pipe>> pipe = co_await network_.dial(std::move(to), std::move(tls));
  if (!pipe.ok()) co_return pipe;
  std::unique_ptr<net::Pipe> failing =
      std::make_unique<OwnedPipe>(std::move(pipe).value(), operations_);
  co_return failing;
}

Task<Result<std::unique_ptr<transport::Connection>>> FailingConnector::connect(std::string server) {
  if (operations_.fails("dial")) co_return failed_on_purpose();
  Result<std::unique_ptr<transport::Connection>> connection =
      co_await connector_.connect(std::move(server));
  if (!connection.ok()) co_return connection;
  std::unique_ptr<transport::Connection> failing =
      std::make_unique<FailingConnection>(std::move(connection).value(), operations_);
  co_return failing;
}

}  // namespace plumbline::scenarios
