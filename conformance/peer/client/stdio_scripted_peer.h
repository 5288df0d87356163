// StdioScriptedPeer plays a server over stdio: the client starts a relay, which connects its
// streams with a port of ours. What connects there and does not know the key that the relay was
// given is no client.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/peer/client/script_runner.h"
#include "core/net/network.h"
#include "core/wire/lines.h"

namespace plumbline::conformance {

// kEndOfInput is what the relay sends, as a last line, when its stdin has ended: a connection that
// ends without it was not given up in order.
inline constexpr std::string_view kEndOfInput = "\x04";

class StdioScriptedPeer final : public ScriptRunner {
 public:
  // `key` is one that nobody can guess.
  StdioScriptedPeer(Loop& loop, net::Network& network, std::string key, WireLog& log,
                    Record& record, Script& script);
  ~StdioScriptedPeer() override;

  // address returns where the relay is to connect to, and the line that it is to send first:
  // "127.0.0.1:40000/KEY".
  std::string address() const;

  // implements ScriptedPeer ---
  void text(const Asked& asked, std::string text, bool last) override;
  void cut(const Asked& asked) override;
  bool tell(std::string text) override;

 private:
  class Stream final : public net::PipeReader {
   public:
    Stream(StdioScriptedPeer& owner, std::unique_ptr<net::Pipe> pipe);
    void on_bytes(std::string_view bytes) override;
    void on_end(const Error* error) override;
    void write(std::string text);
    void close();
    bool closed() const { return closed_; }

   private:
    void take_lines();

    StdioScriptedPeer& owner_;
    std::unique_ptr<net::Pipe> pipe_;
    std::uint32_t number_ = 0;  // 0: it has not shown the key.
    wire::LineReader lines_;
    bool closed_ = false;
  };

  // begin makes a client of a stream that has shown the key, and returns its number.
  std::uint32_t begin(Stream& stream);

  StreamHeard& stream_heard(std::uint32_t number) { return record_.streams[number - 1]; }

  std::string key_;
  std::vector<std::unique_ptr<Stream>> strangers_;  // That have not shown the key, so far.
  std::vector<std::unique_ptr<Stream>> streams_;
  std::unique_ptr<net::Listener> listener_;
};

}  // namespace plumbline::conformance
