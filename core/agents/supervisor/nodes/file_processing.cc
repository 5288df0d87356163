// Which files and images a model gets to see.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/agents/supervisor/files/image_types.h"
#include "core/agents/supervisor/files/images.h"
#include "core/agents/supervisor/files/named_files.h"
#include "core/agents/supervisor/models/token_budget.h"
#include "core/agents/supervisor/nodes/supervisor_nodes.h"
#include "core/base/sha256.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::size_t kBinaryProbeBytes = 8'192;
// What stands in front of each line, and around each file.
constexpr std::int64_t kTokensOfLine = 2;
constexpr std::int64_t kTokensOfFile = 20;
// The rest of the prompt, beside what was asked and said: the role, the question, the form.
constexpr std::int64_t kTokensOfRest = 900;
// More than that of files is kept of no run.
constexpr std::int64_t kFilesTokensMax = 400'000;

std::int64_t tokens_of_file(std::string_view text) {
  return sent_tokens(text) + kTokensOfLine * (std::ranges::count(text, '\n') + 1) + kTokensOfFile;
}

// tokens_for_files returns how much of the budget files may have: all that what was asked and said
// leaves, and half of it at least.
std::int64_t tokens_for_files(const SupervisorState& state) {
  std::int64_t used = sent_tokens(state.asked.task) + kTokensOfRest;
  for (const Json& turn : state.conversation.conversation_turns) {
    used += sent_tokens(string_or(turn, "content", ""));
  }
  for (const StepRecord& step : state.workflow.steps) used += sent_tokens(step.text);
  const std::int64_t budget = state.tokens.token_budget;
  return std::min(kFilesTokensMax, std::max(budget - used, (budget - kTokensOfRest) / 2));
}

// FilesReader fills the cache as far as the budget goes. What stands in two files is shown once.
class FilesReader {
 public:
  FilesReader(SupervisorServices& services, Sources& sources, TokenBudget& tokens)
      : services_(services), sources_(sources), tokens_(tokens) {}

  void read_all(const std::vector<std::string>& named, std::int64_t tokens_max) {
    room_ = tokens_max;
    FoundFiles found = find_files(named, services_);
    sources_.file_content_cache = Json::object();
    sources_.files_left_out = std::move(found.left_out);
    sources_.files_in_part.clear();
    sources_.files = std::move(found.files);
    sources_.files_named = {found.named.begin(), found.named.end()};
    tokens_.tokens_used = 0;
    for (const std::string& file : sources_.files) take(file, found.named.contains(file));
    for (auto& [file, text] : too_large_) take_part(file, std::move(text));
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
  void take(const std::string& file, bool named) {
    Result<std::string> text = read_named_file(file, services_);
    if (!text.ok()) return leave_out(file, text.error().message);
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
    const std::int64_t tokens = tokens_of_file(text.value());
    if (tokens <= room_) return keep(file, tokens, std::move(text).value());
    if (named) {
      too_large_.emplace_back(file, std::move(text).value());
    } else {
      leave_out(file, "there is no room for it in what the model can be sent");
    }
  }

  void keep(const std::string& file, std::int64_t tokens, std::string text) {
    room_ -= tokens;
    tokens_.tokens_used += tokens;
    sources_.file_content_cache[file] = std::move(text);
  }

  // take_part keeps the first lines of a file, as many as there is room for.
  void take_part(const std::string& file, std::string text) {
    const auto all = std::ranges::count(text, '\n') + (text.ends_with('\n') ? 0 : 1);
    std::int64_t tokens = kTokensOfFile;
    std::int64_t lines = 0;
    std::size_t end = 0;
    while (end < text.size()) {
      const std::size_t next = std::min(text.find('\n', end), text.size() - 1) + 1;
      const std::int64_t more =
          sent_tokens(std::string_view(text).substr(end, next - end)) + kTokensOfLine;
      if (tokens + more > room_) break;
      tokens += more;
      end = next;
      ++lines;
    }
    if (lines == 0) {
      return leave_out(file, "there is no room for it in what the model can be sent");
    }
    text.resize(end);
    keep(file, tokens, std::move(text));
    sources_.files_in_part.push_back(file);
    leave_out(file, "only lines 1 to " + std::to_string(lines) + " of " + std::to_string(all) +
                        " have room in what the model can be sent");
  }

  void leave_out(const std::string& file, std::string why) {
    sources_.files_left_out.push_back({{"file", file}, {"why", std::move(why)}});
  }

  SupervisorServices& services_;
  Sources& sources_;
  TokenBudget& tokens_;
  std::map<std::string, std::string> by_content_;  // File by the hash of what stands in it.
  std::vector<std::pair<std::string, std::string>> too_large_;  // Named ones, and their text.
  std::int64_t room_ = 0;                                       // Tokens that are left.
};

}  // namespace

Task<SupervisorResult> file_processing_node(SupervisorContext& context) {
  const SupervisorState& state = context.state();
  SupervisorState::Update update;
  Sources& sources = update.sources.emplace(state.sources);
  TokenBudget& tokens = update.tokens.emplace(state.tokens);
  sources.images = named_images(state);
  FilesReader reader(context.services(), sources, tokens);
  reader.read_all(named_files(state), tokens_for_files(state));
  reader.keep_images(state.model);
  co_return update;
}

}  // namespace plumbline::agents::supervisor
