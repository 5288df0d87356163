#include "core/agents/chat/chat_offers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/agents/chat/directory_tools.h"
#include "core/base/text.h"

namespace plumbline::agents::chat {

namespace {

constexpr std::size_t kToolNameBytesMax = 64;
constexpr std::size_t kToolTextBytesMax = 1'024;

// tame returns `name` as providers take one.
std::string tame(std::string_view name) {
  std::string out(name.substr(0, kToolNameBytesMax));
  for (char& c : out) {
    const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
    if (!fine) c = '_';
  }
  return out.empty() ? "tool" : out;
}

// NamesGiven gives each tool a name of its own.
class NamesGiven {
 public:
  // `count` says how many tools have each name.
  explicit NamesGiven(std::map<std::string, int> count) : count_(std::move(count)) {}

  void reserve(std::string name) { given_.insert(std::move(name)); }

  std::string give(const connector::Capability& tool) {
    std::string name = tame(tool.name);
    if (count_[name] > 1 || given_.contains(name)) name = tame(tool.server + "_" + tool.name);
    const std::string wanted = name;
    for (int next = 2; given_.contains(name); ++next) {
      const std::string tail = "_" + std::to_string(next);
      name = wanted.substr(0, kToolNameBytesMax - tail.size()) + tail;
    }
    given_.insert(name);
    return name;
  }

 private:
  std::map<std::string, int> count_;
  std::set<std::string> given_;
};

std::vector<const connector::Capability*> usable_tools(const connector::Manifest& manifest) {
  std::vector<const connector::Capability*> out;
  for (const connector::ServerManifest& server : manifest.servers) {
    for (const connector::Capability& one : server.capabilities) {
      if (one.type == connector::CapabilityType::kTool) out.push_back(&one);
    }
  }
  return out;
}

Offer own_offer(const DirectoryTool& tool) {
  Offer out;
  out.name = tool.offer.name;
  out.tool = tool.offer.name;
  out.assessment.changes_the_world = tool.changes_links;
  if (tool.changes_links) out.assessment.risks = {Risk::kUpdatesRecords};
  return out;
}

}  // namespace

Offered offer_tools(const connector::Manifest& manifest, const ChatServices& services) {
  const std::vector<const connector::Capability*> tools = usable_tools(manifest);
  std::map<std::string, int> count;
  for (const connector::Capability* const tool : tools) ++count[tame(tool->name)];
  NamesGiven names(std::move(count));
  Offered out;
  if (services.directory != nullptr) {
    for (const DirectoryTool& own : directory_tools()) {
      names.reserve(own.offer.name);
      out.tools.push_back(own.offer);
      out.offers.push_back(own_offer(own));
    }
  }
  for (const connector::Capability* const tool : tools) {
    Assessment assessment = services.policy.assess(*tool);
    if (assessment.denied()) continue;
    if (out.offers.size() >= services.limits.tools_max) {
      ++out.left_out;
      continue;
    }
    std::string name = names.give(*tool);
    out.tools.push_back({name, clipped(tool->description, kToolTextBytesMax), tool->input_schema});
    out.offers.push_back(
        {std::move(name), tool->server, tool->name, tool->as_task, std::move(assessment)});
  }
  return out;
}

}  // namespace plumbline::agents::chat
