#include "conformance/quality/field.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"
#include "conformance/quality/tokens.h"

namespace plumbline::conformance {

namespace {

std::int64_t whole_number(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::span<const FieldServer> field_servers() {
  static const std::vector<FieldServer> kServers = [] {
    std::vector<FieldServer> servers;
    Columns columns(table_text("field.tsv"));
    while (columns.next_line()) {
      FieldServer& server = servers.emplace_back();
      server.name = columns.next();
      server.version = columns.next();
      server.date = columns.next();
      server.tools = whole_number(columns.next());
      server.tokens = whole_number(columns.next());
      server.grade = columns.next().front();
    }
    return servers;
  }();
  return kServers;
}

std::string place_in_field(const Linted& linted) {
  const auto field = field_servers();
  std::vector<std::int64_t> tokens;
  for (const FieldServer& server : field) tokens.push_back(server.tokens);
  if (tokens.empty()) return {};
  std::ranges::sort(tokens);
  const auto cheaper = std::ranges::count_if(tokens, [&](auto one) { return one < linted.tokens; });
  const auto better = std::ranges::count_if(
      field, [&](const FieldServer& server) { return server.grade < linted.grade.letter; });
  const std::string all = std::to_string(field.size());
  return "of " + all + " published servers (" + std::string(field.front().date) + ") " +
         std::to_string(better) + " have a better grade and " + std::to_string(cheaper) +
         " cost less; the median costs " + grouped(tokens[tokens.size() / 2]) + " tokens";
}

}  // namespace plumbline::conformance
