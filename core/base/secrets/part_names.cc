#include "core/base/secrets/part_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/base/secrets/ascii.h"
#include "core/base/text.h"

namespace plumbline {

namespace {

struct PartName {
  std::string_view name;
  unsigned parts;
};

// In small letters, without signs, by how long they are.
constexpr auto kParts = std::to_array<PartName>({{"k", kNamePart},
                                                 {"v", kValuePart},
                                                 {"id", kNamePart},
                                                 {"key", kNamePart},
                                                 {"val", kValuePart},
                                                 {"name", kNamePart},
                                                 {"path", kPathPart},
                                                 {"rows", kRowsPart},
                                                 {"text", kNearPart},
                                                 {"type", kKindPart},
                                                 {"kind", kKindPart},
                                                 {"data", kNearPart | kRowsPart | kDataPart},
                                                 {"field", kNamePart},
                                                 {"label", kNamePart},
                                                 {"title", kNamePart},
                                                 {"value", kValuePart},
                                                 {"names", kColumnsPart},
                                                 {"format", kKindPart},
                                                 {"header", kNamePart | kColumnsPart},
                                                 {"fields", kColumnsPart},
                                                 {"option", kNamePart},
                                                 {"values", kValuePart | kRowsPart},
                                                 {"columns", kColumnsPart},
                                                 {"headers", kColumnsPart},
                                                 {"content", kNearPart},
                                                 {"setting", kNamePart},
                                                 {"records", kRowsPart},
                                                 {"default", kValuePart},
                                                 {"newvalue", kValuePart},
                                                 {"oldvalue", kValuePart},
                                                 {"variable", kNamePart},
                                                 {"property", kNamePart},
                                                 {"parameter", kNamePart},
                                                 {"attribute", kNamePart},
                                                 {"fieldname", kNamePart},
                                                 {"optionname", kNamePart},
                                                 {"stringdata", kDataPart},
                                                 {"optionvalue", kValuePart},
                                                 {"defaultvalue", kValuePart},
                                                 {"initialvalue", kValuePart},
                                                 {"currentvalue", kValuePart},
                                                 {"parameterkey", kNamePart},
                                                 {"variablename", kNamePart},
                                                 {"parametername", kNamePart},
                                                 {"parametervalue", kValuePart}});
constexpr std::size_t kPartBytesMax = 14;
constexpr std::size_t kTableLineMax = 1'024;
constexpr std::size_t kCellBytesMax = 32;

// kFirst is of each length the first name that is so long.
constexpr auto kFirst = [] {
  std::array<std::size_t, kPartBytesMax + 2> first{};
  for (std::size_t size = 0; size < first.size(); ++size) {
    while (first[size] < kParts.size() && kParts[first[size]].name.size() < size) ++first[size];
  }
  return first;
}();

// Table is where its cells are secrets.
struct Table {
  char sign = '\0';  // Between cells; none: no table is open.
  std::vector<bool> secret;
};

std::vector<std::string_view> cells_of(std::string_view line, char sign) {
  std::vector<std::string_view> cells;
  if (sign == '|' && line.starts_with('|')) line.remove_prefix(1);
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(sign), line.size());
    cells.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return cells;
}

std::string_view bare_cell(std::string_view cell) {
  constexpr std::string_view kAround = " \t`*_\"'\r\\$";
  const std::size_t begin = cell.find_first_not_of(kAround);
  if (begin == cell.npos) return {};
  return cell.substr(begin, cell.find_last_not_of(kAround) + 1 - begin);
}

// behind_open_quote returns the end of a line that stands in quotes which begin in this line.
std::string_view behind_open_quote(std::string_view line, char sign) {
  for (const char quote : {'"', '\''}) {
    const std::size_t last = line.rfind(quote);
    if (last == line.npos || last + 1 == line.size()) continue;
    const char next = line[last + 1];
    if ((next != sign || sign == '|') && next != ' ' && next != '\r') line.remove_prefix(last + 1);
  }
  return line;
}

// opens_table returns the table whose columns `line` may name; a list of words in prose names none,
// where no other line stands before it, it may.
Table opens_table(std::string_view line, char sign, bool fresh, const NameRule& rule) {
  Table table;
  const std::vector<std::string_view> cells = cells_of(behind_open_quote(line, sign), sign);
  if (cells.size() < 2) return table;
  for (const std::string_view cell : cells) {
    const std::string_view name = bare_cell(cell);
    const bool is_name =
        name.size() <= kCellBytesMax && std::ranges::count(name, ' ') <= 1 &&
        std::ranges::all_of(name, [](char c) {
          return ascii_word(c) || beyond_ascii(c) || c == '_' || c == '-' || c == '.' || c == ' ';
        });
    const bool listed = sign == ',' && cell.starts_with(' ');
    if (name.empty() && sign != ',' && sign != '|') return {};  // Code that is indented.
    if (!is_name || (listed && (!fresh || name.find(' ') != name.npos))) return {};
    table.secret.push_back(!name.empty() && names_secret(name, NamedAs::kMember, rule));
  }
  if (std::ranges::count(table.secret, true) > 0) table.sign = sign;
  return table;
}

// is_secret_cell returns whether it holds one word that is none of a description.
bool is_secret_cell(std::string_view cell) {
  return cell.size() >= 4 && !is_ordinary_value(cell) && !is_placeholder(cell) &&
         cell.find_first_of(" \t") == cell.npos && looks_random(cell);
}

void add_row(std::string_view text, std::string_view line, const Table& table,
             std::vector<Named>& found) {
  const std::vector<std::string_view> cells = cells_of(line, table.sign);
  if (cells.size() < table.secret.size()) return;
  for (std::size_t i = 0; i < std::min(cells.size(), table.secret.size()); ++i) {
    std::string_view cell = bare_cell(cells[i]);
    cell = cell.substr(0, cell.find_first_of("\"'`\\"));  // The end of what the table is in.
    if (!table.secret[i] || !is_secret_cell(cell)) continue;
    const auto begin = static_cast<std::size_t>(cell.data() - text.data());
    found.push_back({{begin, begin + cell.size()}, {}});
  }
}

bool is_rule(std::string_view line) {
  return line.find("--") != line.npos && line.find_first_not_of("|-: \t\r") == line.npos;
}

}  // namespace

unsigned parts_of(std::string_view key) {
  std::array<char, kPartBytesMax> small{};
  std::size_t size = 0;
  for (const char c : key) {
    if (c == '_' || c == '-') continue;
    if (size == small.size()) return 0;
    small[size++] = lower_case(c);
  }
  const std::string_view name(small.data(), size);
  for (std::size_t i = kFirst[size]; i < kFirst[size + 1]; ++i) {
    if (kParts[i].name == name) return kParts[i].parts;
  }
  return 0;
}

bool names_pair(std::string_view name, const NameRule& rule) {
  const bool any_key =
      name.size() <= 4 && (lower_case(name) == "key" || lower_case(name) == "keys");
  return !any_key && names_secret(name, NamedAs::kHeader, rule);
}

bool is_secret_kind(std::string_view kind) {
  constexpr auto kKinds = std::to_array<std::string_view>(
      {"password", "passwd", "passphrase", "secret", "credential", "securestring", "apikey",
       "bearer", "secretstring", "accesstoken"});
  std::string name;
  for (const char c : kind.substr(0, 16)) {
    if (c != '_' && c != '-') name += lower_case(c);
  }
  return is_one_of(name, kKinds);
}

void add_table_secrets(std::string_view text, const NameRule& rule, std::vector<Named>& found) {
  Table table;
  std::string_view before;  // The line before.
  bool fresh = true;        // None stands before it, or an empty one.
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const bool empty = line.find_first_not_of(" \t\r`") == line.npos;
    if (table.sign != '\0' && (line.find(table.sign) == line.npos || line.size() > kTableLineMax)) {
      table = {};
    }
    if (is_rule(line) && line.find('|') != line.npos && before.size() <= kTableLineMax) {
      table = opens_table(before, '|', true, rule);
    } else if (table.sign != '\0') {
      add_row(text, line, table, found);
      // Another one may begin in quotes behind the last row of this.
      const std::string_view rest = behind_open_quote(line, table.sign);
      Table next = rest.size() < line.size() ? opens_table(rest, table.sign, true, rule) : Table();
      if (next.sign != '\0') table = std::move(next);
    } else if (!empty && line.size() <= kTableLineMax && end < text.size()) {
      for (const char sign : {',', '\t', ';'}) {
        if (table.sign == '\0' && line.find(sign) != line.npos) {
          table = opens_table(line, sign, fresh, rule);
        }
      }
    }
    fresh = empty;
    before = line;
  }
}

}  // namespace plumbline
