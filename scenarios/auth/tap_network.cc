#include "scenarios/auth/tap_network.h"

#include <string>

namespace plumbline::scenarios {

class TapNetwork::TappedPipe final : public net::Pipe {
 public:
  TappedPipe(std::unique_ptr<net::Pipe> pipe, net::Authority to, const OnRequest& on_request)
      : pipe_(std::move(pipe)), to_(std::move(to)), on_request_(on_request) {}

  // implements Pipe ---
  void start(net::PipeReader& reader) override { pipe_->start(reader); }
  void write(std::string bytes) override {
    if (!upgraded_) read(bytes);
    pipe_->write(std::move(bytes));
  }
  void close_write() override { pipe_->close_write(); }
  void close() override { pipe_->close(); }

 private:
  void read(const std::string& bytes) {
    reader_.feed(bytes);
    while (const std::optional<wire::HttpRequest> request = reader_.next()) {
      upgraded_ = upgraded_ || request->headers.count("Upgrade") > 0;
      on_request_(to_, *request);
      if (upgraded_) return;
    }
  }

  std::unique_ptr<net::Pipe> pipe_;
  net::Authority to_;
  const OnRequest& on_request_;
  wire::HttpRequestReader reader_;
  bool upgraded_ = false;
};

Task<Result<std::unique_ptr<net::Pipe>>> TapNetwork::dial(net::Authority to,
                                                          std::optional<net::TlsClient> tls) {
  on_dial_(to);
  Result<std::unique_ptr<net::Pipe>> pipe = co_await network_.dial(to, std::move(tls));
  if (!pipe.ok()) co_return std::move(pipe).error();
  std::unique_ptr<net::Pipe> tapped =
      std::make_unique<TappedPipe>(std::move(pipe).value(), std::move(to), on_request_);
  co_return tapped;
}

}  // namespace plumbline::scenarios
