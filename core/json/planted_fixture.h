// What secrets stand in (tests/secrets/forms.tsv), with one planted in each.

#pragma once

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/base64.h"
#include "core/base/percent.h"
#include "core/json/json.h"

namespace plumbline {

struct PlantedForm {
  bool is_json = false;
  bool is_text = true;
  std::string secret;  // That is planted.
  std::string text;    // With it, not encoded.
  std::string encoding;

  std::string whole() const;
};

inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

inline std::string in_hex(std::string_view text, std::string_view lead) {
  std::string out;
  for (const char c : text) out.append(lead).append(hex_of({&c, 1}));
  return out;
}

// whole returns the text as it is met.
inline std::string PlantedForm::whole() const {
  if (encoding == "base64") return "see " + encode_base64(text) + " there";
  if (encoding == "base64url") return "see " + encode_base64url(text) + " there";
  if (encoding == "basic") return "Basic " + encode_base64(text);
  if (encoding == "percent") return "q=" + in_hex(text, "%");
  if (encoding == "percent2") return "q=" + in_hex(text, "%25");
  if (encoding == "unicode") return "say " + in_hex(text, "\\u00");
  if (encoding == "json") return dump_json(Json(dump_json(Json(text))));
  return text;
}

inline std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream file(SOURCE_ROOT "/tests/secrets/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("#")) lines.push_back(line);
  }
  return lines;
}

inline std::vector<PlantedForm> planted_forms() {
  std::vector<PlantedForm> forms;
  for (const std::string& line : lines_of("forms.tsv")) {
    std::vector<std::string> cells;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find('\t', at), line.size());
      cells.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    EXPECT_EQ(cells.size(), 4U) << line;
    if (cells.size() != 4U) continue;
    const std::string number = std::to_string(100 + forms.size());
    const std::string mark = "pL4n" + number + "Zq";
    PlantedForm form;
    form.is_json = cells[0] != "text";
    form.is_text = cells[0] != "value";
    form.secret = cells[1] == "-" ? mark : replaced(cells[1], "{S}", mark);
    form.secret = replaced(form.secret, "{U}", "PLANTED" + number);
    form.encoding = cells[2];
    form.text = replaced(replaced(cells[3], "{S}", form.secret), "\\n", "\n");
    forms.push_back(std::move(form));
  }
  return forms;
}

// is_hidden returns whether nothing tells the secret any more, in any encoding that it was in.
inline bool is_hidden(const PlantedForm& form, const std::string& shown) {
  const std::string& mark = form.secret;
  std::string plain = shown;  // However often it was escaped.
  while (plain.find("\\\\") != std::string::npos) plain = replaced(std::move(plain), "\\\\", "\\");
  return shown.find(mark) == std::string::npos &&
         shown.find(in_hex(mark, "%")) == std::string::npos &&
         shown.find(in_hex(mark, "%25")) == std::string::npos &&
         plain.find(in_hex(mark, "\\u00")) == std::string::npos &&
         (!form.encoding.starts_with("bas") ||
          shown.find(encode_base64(form.text).substr(4, 12)) == std::string::npos);
}

}  // namespace plumbline
