#include "conformance/checks/server/auth/page_form.h"

#include <array>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// Tag is one tag of a page: its name, its attributes as they are written, and the text behind it.
struct Tag {
  std::string name;  // Lower case; "/form" for the end of a form.
  std::string_view attributes;
  std::string_view behind;  // Up to the next tag.
};

// end_of_tag returns where the tag ends that begins at `at`: at the first ">" that stands in no
// value.
std::size_t end_of_tag(std::string_view html, std::size_t at) {
  char mark = 0;
  char before = ' ';
  for (std::size_t i = at; i < html.size(); ++i) {
    const char c = html[i];
    if (mark == 0 && c == '>') return i;
    if (mark != 0 && c == mark)
      mark = 0;
    else if (mark == 0 && before == '=' && (c == '"' || c == '\''))
      mark = c;
    before = c;
  }
  return html.find('>', at);
}

std::vector<Tag> tags_of(std::string_view html) {
  std::vector<Tag> tags;
  for (std::size_t at = html.find('<'); at != std::string_view::npos;) {
    const std::size_t end = end_of_tag(html, at);
    if (end == std::string_view::npos) break;
    const std::string_view inside = html.substr(at + 1, end - at - 1);
    const std::size_t name_end = inside.find_first_of(" \t\r\n");
    const std::size_t next = html.find('<', end);
    Tag tag;
    tag.name = lower_case(inside.substr(0, name_end));
    if (name_end != std::string_view::npos) tag.attributes = inside.substr(name_end);
    tag.behind = html.substr(end + 1, next == std::string_view::npos ? next : next - end - 1);
    tags.push_back(std::move(tag));
    at = next;
  }
  return tags;
}

std::string plain_text(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 6> kEntities = {{{"&amp;", '&'},
                                                                                  {"&quot;", '"'},
                                                                                  {"&#39;", '\''},
                                                                                  {"&#x27;", '\''},
                                                                                  {"&lt;", '<'},
                                                                                  {"&gt;", '>'}}};
  std::string plain;
  while (!text.empty()) {
    std::size_t used = 1;
    char c = text.front();
    for (const auto& [entity, stands_for] : kEntities) {
      if (!text.starts_with(entity)) continue;
      c = stands_for;
      used = entity.size();
    }
    plain += c;
    text.remove_prefix(used);
  }
  return plain;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// attribute returns the value of `name`; empty for one without a value; nothing: there is none.
std::optional<std::string> attribute(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    while (!text.empty() && (is_space(text.front()) || text.front() == '/')) text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_of(" \t\r\n="), text.size());
    const std::string_view key = text.substr(0, end);
    text.remove_prefix(end);
    std::string value;
    if (!text.empty() && text.front() == '=') {
      text.remove_prefix(1);
      const bool quoted = !text.empty() && (text.front() == '"' || text.front() == '\'');
      const char mark = quoted ? text.front() : ' ';
      if (quoted) text.remove_prefix(1);
      const std::size_t stop = std::min(text.find(mark), text.size());
      value = plain_text(text.substr(0, stop));
      text.remove_prefix(std::min(stop + (quoted ? 1 : 0), text.size()));
    }
    if (!key.empty() && equals_ignoring_case(key, name)) return value;
    if (key.empty() && value.empty() && end == 0 && !text.empty()) text.remove_prefix(1);
  }
  return std::nullopt;
}

bool says_yes(std::string_view text) {
  const std::string lower = lower_case(text);
  for (const char* const yes : {"approve", "allow", "accept", "agree", "authorize", "consent",
                                "confirm", "continue", "yes", "grant"}) {
    const bool no =
        lower.find("dis") != std::string::npos || lower.find("not") != std::string::npos;
    if (lower.find(yes) != std::string::npos && !no) return true;
  }
  return false;
}

void add_button(PageForm& form, const Tag& tag) {
  const std::string name = attribute(tag.attributes, "name").value_or("");
  const std::string value = attribute(tag.attributes, "value").value_or("");
  if (form.agrees || !(says_yes(value) || says_yes(name) || says_yes(tag.behind))) return;
  form.agrees = true;
  if (!name.empty()) form.fields.add(name, value);
}

void add_field(PageForm& form, const Tag& tag) {
  const std::string type = lower_case(attribute(tag.attributes, "type").value_or("text"));
  const std::string name = attribute(tag.attributes, "name").value_or("");
  if (type == "submit" || type == "image") return add_button(form, tag);
  if (name.empty() || type == "button" || type == "reset" || type == "file") return;
  const bool choice = type == "checkbox" || type == "radio";
  if (choice && !attribute(tag.attributes, "checked")) return;
  std::string value = attribute(tag.attributes, "value").value_or(choice ? "on" : "");
  if (value.empty() && type != "hidden") value = "plumbline";
  form.fields.add(name, std::move(value));
}

}  // namespace

std::optional<PageForm> form_on(std::string_view html) {
  std::optional<PageForm> found;
  std::optional<PageForm> open;
  const auto close = [&] {
    if (open && (!found || (open->agrees && !found->agrees))) found = std::move(open);
    open.reset();
  };
  for (const Tag& tag : tags_of(html)) {
    if (tag.name == "form") {
      close();
      open.emplace();
      open->action = attribute(tag.attributes, "action").value_or("");
      open->posts = equals_ignoring_case(attribute(tag.attributes, "method").value_or(""), "post");
    } else if (tag.name == "/form") {
      close();
    } else if (open && tag.name == "input") {
      add_field(*open, tag);
    } else if (open && tag.name == "button") {
      add_button(*open, tag);
    }
  }
  close();
  return found;
}

bool shows_text(std::string_view html, std::string_view text) {
  return plain_text(html).find(text) != std::string::npos;
}

}  // namespace plumbline::conformance
