// HttpScriptedPeer plays a server over Streamable HTTP.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "conformance/peer/client/script_runner.h"
#include "core/net/http_server.h"

namespace plumbline::conformance {

class HttpScriptedPeer final : public ScriptRunner, private net::HttpHandler {
 public:
  HttpScriptedPeer(Loop& loop, net::Network& network, std::function<std::string()> new_session_id,
                   WireLog& log, Record& record, Script& script);
  ~HttpScriptedPeer() override;

  // implements ScriptedPeer ---
  std::string url() const override;
  void event(std::size_t exchange, const wire::SseEvent& event, bool last) override;
  void bytes(std::size_t exchange, std::string_view bytes, bool last) override;
  void respond(std::size_t exchange, const wire::HttpResponse& response) override;
  void text(const Asked& asked, std::string text, bool last) override;
  void cut(const Asked& asked) override;
  bool tell(std::string text) override;

 private:
  struct Open {
    net::HttpReply reply;
    bool streaming = false;
  };

  // implements transport::HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  void answer_elsewhere(wire::HttpRequest request, net::HttpReply reply);
  void on_post(std::size_t exchange);
  void on_get(std::size_t exchange);
  wire::HttpHeaders answer_headers(std::size_t exchange);
  void open_stream(std::size_t exchange, Open& open);
  void ended(std::size_t exchange);
  std::size_t write_down(wire::HttpRequest request);

  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;
  std::map<std::size_t, Open> open_;  // By exchange.
  std::function<std::string()> new_session_id_;
};

}  // namespace plumbline::conformance
