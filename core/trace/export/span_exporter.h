// SpanExporter sends spans on, in batches: to a collector, or to the end of a file. Whoever works
// never waits for it.

#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>

#include "core/base/doors/file_store.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/base/turns.h"
#include "core/net/http_client.h"
#include "core/trace/otlp_traces.h"
#include "core/trace/span.h"

namespace plumbline::trace {

// SpanPlace is where batches go: the body of one ExportTraceServiceRequest each time.
class SpanPlace {
 public:
  // send ends in bounded time. kInvalidInput: it is refused for good; other errors may pass.
  virtual Task<Status> send(std::string body) = 0;
  virtual std::string name() const = 0;  // For people.

 protected:
  ~SpanPlace() = default;
};

// CollectorPlace posts them to `endpoint`, which says its path, too ("...:4318/v1/traces").
class CollectorPlace final : public SpanPlace {
 public:
  // Both references must outlive it.
  CollectorPlace(Loop& loop, net::HttpClient& http, wire::Url endpoint, wire::HttpHeaders headers);

  // implements SpanPlace ---
  //
  // Statuses 429, 502, 503 and 504 may pass; OpenTelemetry protocol, OTLP/HTTP, retryable codes.
  Task<Status> send(std::string body) override;
  std::string name() const override { return endpoint_.origin(); }

 private:
  Loop& loop_;
  net::HttpClient& http_;
  wire::Url endpoint_;
  wire::HttpHeaders headers_;
};

// FilePlace writes each as a line at the end of a file, as OpenTelemetry's file exporters do.
class FilePlace final : public SpanPlace {
 public:
  // `files` must outlive it.
  FilePlace(FileStore& files, std::string path) : files_(files), path_(std::move(path)) {}

  // implements SpanPlace ---
  Task<Status> send(std::string body) override;
  std::string name() const override { return path_; }

 private:
  FileStore& files_;
  std::string path_;
};

// What OpenTelemetry's batch span processor has, too.
struct ExportLimits {
  std::size_t spans_max = 2'048;  // Waiting. What would be one more is lost, and counted.
  std::size_t batch_max = 512;
  Duration interval = std::chrono::seconds(5);
};

class SpanExporter final : public SpanSink {
 public:
  // Trouble is told in one line, the first time and after each success.
  using OnTrouble = std::function<void(const std::string& line)>;

  // `loop` and `place` must outlive the exporter.
  SpanExporter(Loop& loop, SpanPlace& place, Resource resource, OnTrouble on_trouble,
               ExportLimits limits = {});

  // implements SpanSink ---
  void on_span(Span span) override;

  // start sends what there is every interval from now on, and earlier when a batch is full.
  void start();

  // flush sends what there is now, and ends in bounded time: at the first batch that cannot be
  // sent. It waits for what is being sent.
  Task<void> flush();

  std::size_t lost() const { return lost_; }

 private:
  Task<Status> send_batch();
  void trouble(const std::string& why);

  Loop& loop_;
  SpanPlace& place_;
  Resource resource_;
  OnTrouble on_trouble_;
  ExportLimits limits_;
  std::deque<Span> waiting_;
  std::size_t lost_ = 0;
  bool in_trouble_ = false;
  Turns turns_;  // One sends at a time.
  Alarm due_;
  Task<void> sending_;  // Last: dropped first.
};

}  // namespace plumbline::trace
