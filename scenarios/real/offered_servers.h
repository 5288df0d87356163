// OfferedServers is the servers of a scenario as anybody can reach them: each as a command for who
// starts servers, or at a URL on loopback. What they hear and do is written down. OfferedModel is
// its language model.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "core/net/http_server.h"
#include "core/net/network.h"
#include "fakes/model/chat_server.h"
#include "fakes/proxy/http_proxy.h"
#include "scenarios/format/scenario.h"
#include "scenarios/judge/any_agent.h"
#include "scenarios/real/real_doors.h"
#include "scenarios/real/served_hosts.h"

namespace plumbline::scenarios {

class OfferedServers {
 public:
  // `over` carries the messages, `folder` takes what is written down. All must outlive them.
  OfferedServers(const Scenario& scenario, mcp::Transport over, std::string folder,
                 const RealDoors& doors);
  OfferedServers(const OfferedServers&) = delete;
  OfferedServers& operator=(const OfferedServers&) = delete;

  // config returns the mcpServers file that names them, with a key of each: a variable of its
  // process, or a header.
  const Json& config() const { return config_; }

  // urls returns where they are, by name; empty over stdio.
  const std::map<std::string, std::string>& urls() const { return urls_; }

  const std::map<std::string, std::string>& keys() const { return keys_; }
  const std::vector<HttpMet>& exchanges() const { return exchanges_; }

  // log returns what they wrote down so far, by time.
  std::vector<ServerLogEntry> log() const;

  // running returns the names of servers that a client has started and that still run.
  std::vector<std::string> running() const;

  // close ends in order, in bounded time, what was started here.
  Task<void> close();

 private:
  struct Front {
    fakes::HttpFront rules;
    std::unique_ptr<fakes::HttpProxy> proxy;
  };

  std::vector<std::string> words_of(const ServerSpec& server, mcp::Transport over);
  void offer_command(const ServerSpec& server);
  void offer_url(const ServerSpec& server, mcp::Transport over);
  void note(const std::string& server, const wire::HttpRequest& request);
  void note_rule(const fakes::HttpRule& rule);

  const Scenario& scenario_;
  std::string folder_;
  const RealDoors& doors_;
  Json config_;
  std::map<std::string, std::string> urls_;
  std::map<std::string, std::string> keys_;
  std::vector<std::string> logs_;  // Paths.
  std::vector<HttpMet> exchanges_;
  std::optional<ServedHosts> hosts_;
  std::vector<std::unique_ptr<Front>> fronts_;
};

// OfferedModel is the scripted model of a scenario at a URL on loopback: what somebody's agent asks
// in place of a language model.
class OfferedModel {
 public:
  // offer serves the model of `scenario`. kInvalidInput: the file has none; else errors as of
  // Network::listen. `doors` must outlive it.
  static Result<std::unique_ptr<OfferedModel>> offer(const Scenario& scenario,
                                                     const RealDoors& doors);

  OfferedModel(const fakes::ModelScript& script, const RealDoors& doors);
  OfferedModel(const OfferedModel&) = delete;
  OfferedModel& operator=(const OfferedModel&) = delete;

  // url returns the base of its Chat Completions interface: "http://127.0.0.1:4000/v1".
  const std::string& url() const { return url_; }

 private:
  Status listen(const RealDoors& doors);

  fakes::ScriptedModel model_;
  fakes::ChatServer chat_;
  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;  // Last: dropped first.
  std::string url_;
};

}  // namespace plumbline::scenarios
