#include "core/schema/text/uri.h"

#include <algorithm>
#include <cstddef>

#include "core/schema/text/ascii.h"

namespace plumbline::schema {

namespace {

// Parts keeps the punctuation with each part: "scheme:", "//authority", "?query".
struct Parts {
  std::string_view scheme;
  std::string_view authority;
  std::string_view path;
  std::string_view query;
};

Parts split(std::string_view uri) {
  Parts parts;
  parts.scheme = uri.substr(0, scheme_bytes(uri));
  uri.remove_prefix(parts.scheme.size());
  const std::size_t query = std::min(uri.find('?'), uri.size());
  parts.query = uri.substr(query);
  uri = uri.substr(0, query);
  if (uri.substr(0, 2) == "//") {
    const std::size_t end = std::min(uri.find('/', 2), uri.size());
    parts.authority = uri.substr(0, end);
    uri.remove_prefix(end);
  }
  parts.path = uri;
  return parts;
}

std::string remove_dot_segments(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t start = path.front() == '/' ? 1 : 0;
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view segment = path.substr(start, end - start);
    const bool last = end == path.size();
    if (segment == "..") {
      const std::size_t cut = out.rfind('/');
      out.resize(cut == std::string::npos ? 0 : cut);
      if (last) out += '/';
    } else if (segment == ".") {
      if (last) out += '/';
    } else {
      out += path.substr(0, end);
    }
    path.remove_prefix(end);
  }
  return out;
}

std::string merge(const Parts& base, std::string_view path) {
  if (!path.empty() && path.front() == '/') return remove_dot_segments(path);
  if (!base.authority.empty() && base.path.empty()) {
    return remove_dot_segments("/" + std::string(path));
  }
  const std::size_t slash = base.path.rfind('/');
  std::string merged(slash == std::string_view::npos ? "" : base.path.substr(0, slash + 1));
  merged += path;
  return remove_dot_segments(merged);
}

std::string join(std::string_view scheme, std::string_view authority, std::string_view path,
                 std::string_view query) {
  std::string uri(scheme);
  uri += authority;
  uri += path;
  uri += query;
  return uri;
}

}  // namespace

std::size_t scheme_bytes(std::string_view uri) {
  if (uri.empty() || !is_letter(uri.front())) return 0;
  for (std::size_t i = 1; i < uri.size(); ++i) {
    const char c = uri[i];
    if (c == ':') return i + 1;
    if (!is_letter(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return 0;
  }
  return 0;
}

SplitReference split_fragment(std::string_view reference) {
  const std::size_t hash = reference.find('#');
  if (hash == std::string_view::npos) return {reference, {}};
  return {reference.substr(0, hash), reference.substr(hash + 1)};
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
  if (base.empty()) return std::string(reference);
  if (reference.empty()) return std::string(base);
  const Parts from = split(base);
  const Parts to = split(reference);
  if (!to.scheme.empty()) return std::string(reference);
  if (!to.authority.empty()) {
    return join(from.scheme, to.authority, remove_dot_segments(to.path), to.query);
  }
  if (to.path.empty()) return join(from.scheme, from.authority, from.path, to.query);
  return join(from.scheme, from.authority, merge(from, to.path), to.query);
}

}  // namespace plumbline::schema
