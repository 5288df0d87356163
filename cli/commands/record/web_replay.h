// WebReplay is the server of a recording at a place of a network. Each client gets a recorded
// session for itself; those that speak without sessions share one.

#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "cli/host.h"
#include "cli/serving.h"
#include "scenarios/record/recording.h"
#include "scenarios/record/replayer.h"

namespace plumbline::cli {

struct WebReplayOptions {
  ServingPlace place;
  scenarios::Match match = scenarios::Match::kContent;
  bool fast = false;
};

class WebReplay {
 public:
  // Plays one of `sessions`, of which there is at least one. `host` must outlive it.
  WebReplay(WebReplayOptions options, std::vector<scenarios::RecordedSession> sessions, Host& host);
  ~WebReplay();

  // listen begins to serve and returns the URL. kInvalidInput: the place is taken or not ours.
  Result<std::string> listen();

  // counts sums up what all clients asked.
  scenarios::ReplayCounts counts() const;

  // unplayed returns the requests that no client has made again.
  std::vector<Json> unplayed() const;

 private:
  struct Client;

  void take(std::unique_ptr<transport::MessageChannel> channel);
  scenarios::Replayer& new_replayer();

  WebReplayOptions options_;
  std::vector<scenarios::RecordedSession> sessions_;
  Host& host_;
  os::RealLoop& loop_;
  bool shares_;
  std::list<scenarios::Replayer> replayers_;  // Of every client there was.
  std::list<std::unique_ptr<Client>> clients_;
  Alarm sweep_;
  std::unique_ptr<transport::WebServer> web_;
};

}  // namespace plumbline::cli
