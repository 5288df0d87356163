#include "core/agents/supervisor/files/named_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/agents/policy/sensitive.h"
#include "core/agents/supervisor/files/image_types.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr const char* kSecret = "it usually holds secrets, and no model is shown those";

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

// all_named returns what the conversation and the request name under `key`, oldest first.
std::vector<std::string> all_named(const SupervisorState& state, const char* key,
                                   const std::vector<std::string>& before) {
  std::vector<std::string> named;
  for (const Json& turn : state.conversation.conversation_turns) add_strings(turn, key, named);
  named.insert(named.end(), before.rbegin(), before.rend());
  add_strings(state.asked.request_data, key, named);
  return named;
}

// below returns how `real` goes on below `root`; nothing when it does not lie there.
std::optional<std::string> below(const std::string& root, const std::string& real) {
  if (real == root) return "";
  const std::string folder = root.ends_with('/') ? root : root + '/';
  if (!real.starts_with(folder)) return std::nullopt;
  return real.substr(folder.size());
}

// NamedPlace is where a name leads: a path without links below one of the roots.
struct NamedPlace {
  std::string root;
  std::string path;
};

// place_of returns where a name leads, if that may be read.
Result<NamedPlace> place_of(const std::string& name, SupervisorServices& services) {
  const auto no = [](const char* why) { return Error{ErrorCode::kInvalidInput, why}; };
  if (services.files == nullptr || services.paths == nullptr) return no("no files are read here");
  if (services.roots.empty()) {
    return no("no folder may be read here: start the server with --root FOLDER");
  }
  if (!name.starts_with('/')) return no("it is no absolute path");
  const Result<std::string> real = services.paths->real_path(name);
  if (!real.ok()) return real.error();
  for (const std::string& root : services.roots) {
    std::optional<std::string> path = below(root, real.value());
    if (path && names_secret_file(*path)) return no(kSecret);
    if (path) return NamedPlace{root, *std::move(path)};
  }
  return no("it is outside of the allowed folders");
}

// why_passed_over returns why a file that a folder or a pattern brings is not what anybody means:
// `path` goes on below the folder. "": it may be meant.
std::string why_passed_over(std::string_view path) {
  constexpr std::array<std::string_view, 10> kMade = {
      "node_modules", "vendor",           "build",   "dist", "target", "__pycache__", "venv",
      "out",          "bower_components", "coverage"};
  constexpr std::array<std::string_view, 8> kLocks = {
      "package-lock.json", "yarn.lock",    "pnpm-lock.yaml", "Cargo.lock",
      "poetry.lock",       "Gemfile.lock", "composer.lock",  "uv.lock"};
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    const bool folder = slash < path.size();
    if (part.starts_with('.') && part != "." && part != "..") return "hidden, so it was not read";
    if (folder && std::ranges::find(kMade, part) != kMade.end()) {
      return "in " + std::string(part) + ", so it was not read";
    }
    if (!folder && std::ranges::find(kLocks, part) != kLocks.end()) {
      return "a lock file, so it was not read";
    }
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return "";
}

bool is_pattern(std::string_view name) { return name.find_first_of("*?") != name.npos; }

// FileFinder collects what names stand for.
class FileFinder {
 public:
  explicit FileFinder(SupervisorServices& services) : services_(services) {}

  void add(const std::string& said) {
    const std::string name = absolute(said);
    if (is_pattern(name)) {
      if (!name.starts_with('/')) return leave_out(name, "it is no absolute path");
      const std::string folder = name.substr(0, name.rfind('/', name.find_first_of("*?")));
      return add_below(name, folder.empty() ? "/" : folder,
                       [&](const std::string& file) { return fits_glob(name, file); });
    }
    const bool folder = services_.paths != nullptr && services_.paths->is_folder(name);
    if (folder) {
      add_below(name, name, [](const std::string&) { return true; });
    } else {
      found.named.insert(name);
      take(name);
    }
  }

  // finish tells what folders have held that was passed over.
  void finish() {
    for (const auto& [why, count] : passed_) {
      leave_out(std::to_string(count) + (count == 1 ? " file" : " files"), why);
    }
  }

  FoundFiles found;

 private:
  // absolute puts the only root before a path that begins nowhere.
  std::string absolute(const std::string& name) const {
    if (name.starts_with('/') || services_.roots.size() != 1 || name.empty()) return name;
    return services_.roots.front() + "/" + (name.starts_with("./") ? name.substr(2) : name);
  }

  template <typename Fits>
  void add_below(const std::string& name, const std::string& folder, Fits wanted) {
    const Result<NamedPlace> place = place_of(folder, services_);
    if (!place.ok()) return leave_out(name, place.error().message);
    const Result<std::vector<std::string>> listed = services_.files->list_files(folder, "");
    if (!listed.ok()) return leave_out(name, listed.error().message);
    bool any = false;
    for (const std::string& file : listed.value()) {
      if (!wanted(file)) continue;
      any = true;
      const std::string why = why_passed_over(std::string_view(file).substr(folder.size()));
      if (!why.empty()) {
        ++passed_[why];
        continue;
      }
      if (!take(file)) return;
    }
    if (!any) leave_out(name, "no file fits");
  }

  // take returns whether there is room for more.
  bool take(const std::string& file) {
    if (!seen_.insert(file).second) return true;
    if (found.files.size() < services_.limits.files_max) {
      found.files.push_back(file);
      return true;
    }
    if (!full_) {
      leave_out(file, "it and what comes behind it are more than " +
                          std::to_string(services_.limits.files_max) + " files");
    }
    full_ = true;
    return false;
  }

  void leave_out(const std::string& file, std::string why) {
    found.left_out.push_back({{"file", file}, {"why", std::move(why)}});
  }

  SupervisorServices& services_;
  std::set<std::string> seen_;
  std::map<std::string, int> passed_;  // How many files of folders, by the reason.
  bool full_ = false;
};

}  // namespace

std::vector<std::string> named_files(const SupervisorState& state) {
  std::vector<std::string> all = newest_first(all_named(state, "files", state.sources.files));
  std::erase_if(all, [](const std::string& file) { return is_image_name(file); });
  return all;
}

std::vector<std::string> named_images(const SupervisorState& state) {
  std::vector<std::string> all = all_named(state, "images", state.sources.images);
  for (const std::string& file : all_named(state, "files", {})) {
    if (is_image_name(file)) all.push_back(file);
  }
  return newest_first(all);
}

FoundFiles find_files(const std::vector<std::string>& names, SupervisorServices& services) {
  FileFinder finder(services);
  for (const std::string& name : names) finder.add(name);
  finder.finish();
  return std::move(finder.found);
}

Result<std::string> read_named_file(const std::string& file, SupervisorServices& services) {
  const Result<NamedPlace> place = place_of(file, services);
  if (!place.ok()) return place.error();
  return services.files->read_below(place.value().root, place.value().path);
}

bool fits_glob(std::string_view pattern, std::string_view path) {
  // Where the last * and the last ** stood, and how far the path was there: each may take more.
  std::size_t star = pattern.npos;
  std::size_t star_at = 0;
  std::size_t deep = pattern.npos;
  std::size_t deep_at = 0;
  std::size_t p = 0;
  for (std::size_t at = 0; at < path.size() || p < pattern.size();) {
    if (pattern.substr(p, 2) == "**") {
      deep = p + 2;
      // "**/" stands for no folder, too.
      if (deep < pattern.size() && pattern[deep] == '/' && p > 0 && pattern[p - 1] == '/') ++deep;
      deep_at = at;
      star = pattern.npos;
      p = deep;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_at = at;
    } else if (p < pattern.size() && at < path.size() &&
               (pattern[p] == path[at] || (pattern[p] == '?' && path[at] != '/'))) {
      ++p;
      ++at;
    } else if (star != pattern.npos && star_at < path.size() && path[star_at] != '/') {
      at = ++star_at;
      p = star;
    } else if (deep != pattern.npos && deep_at < path.size()) {
      at = ++deep_at;
      star = pattern.npos;
      p = deep;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace plumbline::agents::supervisor
