// HttpProxyConnection is one stream of a client to an HttpProxy; HttpProxyExchange is what happens
// on it from one request to the end of its answer.

#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/net/http_exchange.h"
#include "core/net/pipe.h"
#include "core/wire/http.h"
#include "fakes/faults/stream_bend.h"
#include "fakes/proxy/http_proxy_desk.h"
#include "fakes/proxy/http_rules.h"

namespace plumbline::fakes {

class HttpProxyConnection;

class HttpProxyExchange final : private net::HttpExchangeReader, private net::PipeReader {
 public:
  HttpProxyExchange(HttpProxyDesk& desk, HttpProxyConnection& connection, wire::HttpRequest request,
                    HttpAction action, Json id, std::vector<std::size_t> meant);

  // tunnel returns the way to the server once the exchange has become another protocol.
  net::Pipe* tunnel() { return tunnel_.get(); }

 private:
  void begin();
  void answer();
  void pass_on();
  // implements HttpExchangeReader ---
  void on_head(int status, const wire::HttpHeaders& headers) override;
  void on_body(std::string_view bytes) override;
  void on_end() override;
  void on_failed(const Error& error, bool connected) override;
  // implements PipeReader --- Of the tunnel.
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  void note_session(int status, const wire::HttpHeaders& headers);
  void relay(std::string_view bytes);
  void write_body(std::string_view bytes);
  void write_encoded(std::string_view bytes);
  void write_whole();
  void cut();
  void rearm_idle();
  template <typename Changes>
  void tell_rules(Changes changes);
  void tell_rule(std::size_t rule);
  void edit_all(wire::HttpHeaders& headers, std::vector<HeaderEdit> HttpAction::*edits);
  void changed(HttpChange change);
  void note_edits();

  HttpProxyDesk& desk_;
  HttpProxyConnection& connection_;
  wire::HttpRequest request_;
  HttpAction action_;
  Json id_;
  std::vector<std::size_t> meant_;  // Rules that are about it, in their order.
  std::set<std::size_t> told_;      // Those of them that have changed something.
  bool streaming_ = false;
  bool finished_ = false;
  wire::HttpResponse response_;  // The head; the body of one that is no stream.
  std::optional<StreamBend> bend_;
  std::unique_ptr<Encoder> encoder_;  // Null where the body stays as it is.
  std::unique_ptr<net::Pipe> tunnel_;
  Alarm begin_;
  Alarm idle_;
  std::unique_ptr<net::HttpExchange> upstream_;
};

class HttpProxyConnection final : private net::PipeReader {
 public:
  // Owner is the proxy, as its connections see it.
  class Owner {
   public:
    // go_down breaks every connection and listens again after `span`.
    virtual void go_down(Duration span) = 0;
    // sweep_soon destroys the connections that are gone, from the loop.
    virtual void sweep_soon() = 0;

   protected:
    ~Owner() = default;
  };

  HttpProxyConnection(HttpProxyDesk& desk, Owner& owner, std::unique_ptr<net::Pipe> pipe);

  void start() { pipe_->start(*this); }
  bool gone() const { return gone_; }

  void write(std::string bytes);
  // next ends the exchange; another may follow. end closes our direction, drop both, reset breaks
  // the stream. None of them destroys anything at once.
  void next(bool keep_alive);
  void end();
  void drop();
  void reset();

  void go_down(Duration span) { owner_.go_down(span); }

 private:
  // implements PipeReader ---
  void on_bytes(std::string_view bytes) override;
  void on_end(const Error* error) override;

  void serve();

  HttpProxyDesk& desk_;
  Owner& owner_;
  std::unique_ptr<net::Pipe> pipe_;
  wire::HttpRequestReader reader_;
  std::unique_ptr<HttpProxyExchange> exchange_;
  bool over_ = false;  // The exchange; it goes with the next turn.
  bool gone_ = false;  // Swept soon.
  bool ended_ = false;
  Instant idle_since_;  // Meaningful between two exchanges.
  Alarm turn_;
};

}  // namespace plumbline::fakes
