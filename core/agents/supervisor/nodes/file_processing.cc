// Which files and images a model gets to see.

#include <map>
#include <utility>

#include "core/agents/supervisor/files/image_types.h"
#include "core/agents/supervisor/files/images.h"
#include "core/agents/supervisor/files/named_files.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/base/sha256.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::size_t kBinaryProbeBytes = 8'192;
constexpr std::int64_t kBytesOfToken = 4;

// FilesReader fills the cache as far as the budget goes. What stands in two files is shown once.
class FilesReader {
 public:
  FilesReader(SupervisorServices& services, Sources& sources, TokenBudget& tokens)
      : services_(services), sources_(sources), tokens_(tokens) {}

  void read_all() {
    FoundFiles found = find_files(sources_.files, services_);
    sources_.file_content_cache = Json::object();
    sources_.files_left_out = std::move(found.left_out);
    sources_.files = std::move(found.files);
    tokens_.tokens_used = 0;
    for (const std::string& file : sources_.files) take(file);
  }

  // keep_images keeps the images that a model is to see, where it takes any.
  void keep_images(const ModelChoice& model) {
    const bool taken = bool_or(model.model_context, "images", false);
    std::vector<std::string> kept;
    for (const std::string& image : sources_.images) {
      const Result<model::Media> read = read_image(image, services_);
      if (!read.ok()) {
        leave_out(image_label(image), read.error().message);
      } else if (!taken) {
        leave_out(image_label(image), "the model \"" + model.model_name + "\" takes no images");
      } else if (kept.size() == kImagesMax) {
        leave_out(image_label(image), "there are more than " + std::to_string(kImagesMax));
      } else {
        kept.push_back(image);
      }
    }
    sources_.images = std::move(kept);
  }

 private:
  void take(const std::string& file) {
    Result<std::string> text = read_named_file(file, services_);
    if (!text.ok()) return leave_out(file, text.error().message);
    if (spent_) return leave_out(file, "the token budget is spent");
    if (!image_type(text.value()).empty()) {
      sources_.images.push_back(file);
      return;
    }
    if (text.value().substr(0, kBinaryProbeBytes).find('\0') != std::string::npos) {
      return leave_out(file, "it is binary");
    }
    Sha256 hash;
    hash.update(text.value());
    const auto [same, fresh] = by_content_.emplace(hash.finish_hex(), file);
    if (!fresh) return leave_out(file, "it is the same as " + same->second);
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
  std::map<std::string, std::string> by_content_;  // File by the hash of what stands in it.
  bool spent_ = false;
};

}  // namespace

Task<SupervisorResult> file_processing_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorState::Update update;
  Sources& sources = update.sources.emplace(state.sources);
  TokenBudget& tokens = update.tokens.emplace(state.tokens);
  sources.files = named_files(state);
  sources.images = named_images(state);
  FilesReader reader(context.services(), sources, tokens);
  reader.read_all();
  reader.keep_images(state.model);
  co_return update;
}

}  // namespace plumbline::agents::supervisor
