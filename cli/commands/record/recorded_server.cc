#include "cli/commands/record/recorded_server.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/commands/record/web_replay.h"
#include "core/os/child/environment.h"
#include "core/os/files/temporary_folder.h"

namespace plumbline::cli {

namespace {

using scenarios::RecordedEvent;
using scenarios::RecordedSession;
using scenarios::Replayer;

class WebServerOfRecording final : public RecordedServer {
 public:
  WebServerOfRecording(const ReplayOptions& options, std::vector<RecordedSession> sessions,
                       Host& host)
      : over_(options.place.over),
        web_({options.place, options.match, options.fast}, std::move(sessions), host) {}

  // implements RecordedServer ---
  Result<Json> offer() override {
    const Result<std::string> url = web_.listen();
    if (!url.ok()) return url.error();
    return Json{{"type", name_of(over_)}, {"url", url.value()}};
  }

  Result<AskedAgain> asked() const override {
    const scenarios::ReplayCounts counts = web_.counts();
    return AskedAgain{counts.played, counts.missed, web_.unplayed()};
  }

 private:
  mcp::Transport over_;
  WebReplay web_;
};

// StartedServerOfRecording is started by the client: `replay --serve stdio` behind `record`, which
// keeps what it is asked line by line, so that it is there even if the client kills it.
class StartedServerOfRecording final : public RecordedServer {
 public:
  StartedServerOfRecording(const ReplayOptions& options, std::vector<RecordedSession> sessions,
                           Host& host)
      : options_(options), sessions_(std::move(sessions)), host_(host) {}

  // implements RecordedServer ---
  Result<Json> offer() override {
    Result<os::TemporaryFolder> made = os::TemporaryFolder::make();
    if (!made.ok()) return made.error();
    folder_.emplace(std::move(made).value());
    const std::string played = folder_->path() + "/played.jsonl";
    const Status stored = host_.files().write_file(played, scenarios::written(sessions_));
    if (!stored.ok()) return stored.error();
    Json args = {"record", "--out",   asked_file(1), "--",      os::program_path(), "replay",
                 played,   "--serve", "stdio",       "--match", match_name()};
    if (options_.fast) args.push_back("--fast");
    return Json{{"command", os::program_path()}, {"args", std::move(args)}};
  }

  Result<AskedAgain> asked() const override {
    AskedAgain asked;
    asked.unplayed = Replayer(sessions_, options_.match).unplayed();
    for (int number = 1;; ++number) {
      const Result<std::string> there = host_.files().read_file(asked_file(number));
      const bool is_long = !there.ok() && there.error().code == ErrorCode::kLimitReached;
      if (!there.ok() && !is_long) return asked;  // No more of them ran at a time.
      const Result<scenarios::Recording> recording = read_recording_file(asked_file(number), host_);
      if (!recording.ok()) return recording.error();
      for (const RecordedSession& session : recording.value().sessions) add(session, asked);
    }
  }

 private:
  // asked_file returns where `record` writes: of several at once each has its own.
  std::string asked_file(int number) const {
    const std::string more = number == 1 ? "" : "-" + std::to_string(number);
    return folder_->path() + "/asked" + more + ".jsonl";
  }

  std::string match_name() const {
    if (options_.match == scenarios::Match::kStrict) return "strict";
    return options_.match == scenarios::Match::kMethod ? "method" : "content";
  }

  // add plays once more what one process was asked.
  void add(const RecordedSession& session, AskedAgain& asked) const {
    Replayer replayer(sessions_, options_.match);
    for (const RecordedEvent& event : session.events) {
      if (event.to != scenarios::Side::kServer) continue;
      if (event.kind == RecordedEvent::Kind::kMessage) (void)replayer.take(event.message);
      if (event.kind == RecordedEvent::Kind::kText) (void)replayer.take(Json(event.what));
    }
    const scenarios::ReplayCounts& counts = replayer.counts();
    asked.played = std::max(asked.played, counts.played);
    asked.missed.insert(asked.missed.end(), counts.missed.begin(), counts.missed.end());
    const std::vector<Json> left = replayer.unplayed();
    std::erase_if(asked.unplayed, [&left](const Json& request) {
      return std::ranges::find(left, request) == left.end();
    });
  }

  const ReplayOptions& options_;
  std::vector<RecordedSession> sessions_;
  Host& host_;
  std::optional<os::TemporaryFolder> folder_;
};

}  // namespace

std::unique_ptr<RecordedServer> recorded_server(const ReplayOptions& options,
                                                std::vector<RecordedSession> sessions, Host& host) {
  if (options.place.over == mcp::Transport::kStdio) {
    return std::make_unique<StartedServerOfRecording>(options, std::move(sessions), host);
  }
  return std::make_unique<WebServerOfRecording>(options, std::move(sessions), host);
}

}  // namespace plumbline::cli
