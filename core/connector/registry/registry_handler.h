// RegistryHandler serves a registry of agents from a file: an array of descriptors, or
// {"agents": [...]}, with comments where a person wants them.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/doors/file_store.h"
#include "core/base/result.h"
#include "core/connector/registry/descriptor.h"
#include "core/net/http_reply.h"

namespace plumbline::registry {

// read_registry_file reads the text of `file_name`. kInvalidInput: "file:line:column: what, what
// was expected"; an id that stands there twice is wrong, too.
Result<std::vector<AgentDescriptor>> read_registry_file(std::string_view text,
                                                        const std::string& file_name);

class RegistryHandler final : public net::HttpHandler {
 public:
  // OnTrouble is told, once each, what is wrong with the file since it has changed.
  using OnTrouble = std::function<void(const std::string& line)>;

  // `files` must outlive the handler. A page holds at most `page_agents_max` agents.
  RegistryHandler(FileStore& files, std::string file, OnTrouble on_trouble,
                  std::size_t page_agents_max = 100);

  // load reads the file where it has changed. An Error: it cannot be read, and the agents are those
  // of before.
  Status load();

  std::size_t agents() const { return agents_.size(); }

  // implements HttpHandler ---
  //
  // GET and HEAD of /agents, and of / : {"agents": [...], "nextCursor"?}, of a ?cursor and at most
  // a ?limit, with an ETag for If-None-Match. Of /agents/ID: one. The file is read again whenever
  // somebody asks.
  //
  // For who looks for MCP servers: /servers?query&tags&limit is {"items": [{"id", "name",
  // "description", "tags", "url"}]}, with tags between commas, all of which a server has below
  // "metadata"; /servers/ID is one.
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

 private:
  wire::HttpResponse answer(const wire::HttpRequest& request);
  wire::HttpResponse page(std::string_view target) const;
  wire::HttpResponse one(const std::string& id, bool as_server) const;
  wire::HttpResponse servers(std::string_view target) const;

  FileStore& files_;
  std::string file_;
  OnTrouble on_trouble_;
  std::size_t page_agents_max_;
  std::string text_;  // As it was read last, good or not.
  std::string trouble_;
  std::string etag_;
  std::vector<AgentDescriptor> agents_;
};

}  // namespace plumbline::registry
