// Which files a model gets to see.

#include <algorithm>
#include <set>
#include <utility>

#include "core/agents/supervisor/nodes/supervisor_nodes.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::size_t kBinaryProbeBytes = 8'192;
constexpr std::int64_t kBytesOfToken = 4;

// newest_first returns `named` without doubles, what was named last in front.
std::vector<std::string> newest_first(const std::vector<std::string>& named) {
  std::vector<std::string> out;
  std::set<std::string_view> seen;
  for (auto at = named.rbegin(); at != named.rend(); ++at) {
    if (seen.insert(*at).second) out.push_back(*at);
  }
  return out;
}

void add_strings(const Json& object, const char* key, std::vector<std::string>& out) {
  const Json* const items = find(object, key);
  if (items == nullptr || !items->is_array()) return;
  for (const Json& item : *items) {
    if (item.is_string()) out.push_back(item.get<std::string>());
  }
}

// all_named returns what the conversation and the request name under `key`, newest first.
std::vector<std::string> all_named(const SupervisorState& state, const char* key,
                                   const std::vector<std::string>& before) {
  std::vector<std::string> named;
  for (const Json& turn : state.conversation.conversation_turns) add_strings(turn, key, named);
  named.insert(named.end(), before.rbegin(), before.rend());
  add_strings(state.asked.request_data, key, named);
  return newest_first(named);
}

bool stands_below(const std::string& real, const std::vector<std::string>& roots) {
  return std::ranges::any_of(roots, [&](const std::string& root) {
    return real == root || real.starts_with(root.ends_with('/') ? root : root + '/');
  });
}

// FilesReader fills the cache as far as the budget goes.
class FilesReader {
 public:
  FilesReader(SupervisorServices& services, Sources& sources, TokenBudget& tokens)
      : services_(services), sources_(sources), tokens_(tokens) {}

  void read_all() {
    sources_.file_content_cache = Json::object();
    sources_.files_left_out.clear();
    tokens_.tokens_used = 0;
    std::vector<std::string> read;
    for (const std::string& file : sources_.files) {
      for (const std::string& each : files_below(file)) {
        if (std::ranges::find(read, each) != read.end()) continue;
        read.push_back(each);
        take(each);
      }
    }
    sources_.files = std::move(read);
  }

 private:
  // files_below returns the files of a folder, and a file as it is.
  std::vector<std::string> files_below(const std::string& path) {
    const bool there = services_.files != nullptr && services_.paths != nullptr;
    if (!there || !services_.paths->is_folder(path)) return {path};
    const Result<std::string> real = services_.paths->real_path(path);
    if (!real.ok() || !stands_below(real.value(), services_.roots)) return {path};
    Result<std::vector<std::string>> listed = services_.files->list_files(path, "");
    if (!listed.ok()) return {path};
    std::vector<std::string> out = std::move(listed).value();
    if (out.size() > services_.limits.files_max) out.resize(services_.limits.files_max);
    return out;
  }

  void take(const std::string& file) {
    std::string why = why_not_read(file, services_);
    if (!why.empty()) return leave_out(file, std::move(why));
    if (spent_) return leave_out(file, "the token budget is spent");
    Result<std::string> text = services_.files->read_file(file);
    if (!text.ok()) return leave_out(file, text.error().message);
    if (text.value().substr(0, kBinaryProbeBytes).find('\0') != std::string::npos) {
      return leave_out(file, "it is binary");
    }
    const auto bytes = static_cast<std::int64_t>(text.value().size());
    const std::int64_t tokens = (bytes + kBytesOfToken - 1) / kBytesOfToken;
    if (tokens_.tokens_used + tokens > tokens_.token_budget) {
      spent_ = true;
      return leave_out(file, "the token budget is spent");
    }
    tokens_.tokens_used += tokens;
    sources_.file_content_cache[file] = std::move(text).value();
  }

  void leave_out(const std::string& file, std::string why) {
    sources_.files_left_out.push_back({{"file", file}, {"why", std::move(why)}});
  }

  SupervisorServices& services_;
  Sources& sources_;
  TokenBudget& tokens_;
  bool spent_ = false;
};

}  // namespace

std::string why_not_read(const std::string& file, SupervisorServices& services) {
  if (services.files == nullptr || services.paths == nullptr) return "no files are read here";
  if (!file.starts_with('/')) return "it is no absolute path";
  const Result<std::string> real = services.paths->real_path(file);
  if (!real.ok()) return real.error().message;
  if (!stands_below(real.value(), services.roots)) return "it is outside of the allowed folders";
  return "";
}

std::vector<std::string> named_files(const SupervisorState& state) {
  return all_named(state, "files", state.sources.files);
}

Task<SupervisorResult> file_processing_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorState::Update update;
  Sources& sources = update.sources.emplace(state.sources);
  TokenBudget& tokens = update.tokens.emplace(state.tokens);
  sources.files = named_files(state);
  sources.images = all_named(state, "images", state.sources.images);
  FilesReader(context.services(), sources, tokens).read_all();
  co_return update;
}

}  // namespace plumbline::agents::supervisor
