// A configuration file as text: JSON or TOML, and where in it something stands.

#pragma once

#include <functional>
#include <string>

#include "cli/config/host_values.h"
#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/position.h"

namespace plumbline::cli {

struct Document {
  Json root;
  std::function<Position(const std::string& pointer)> locate;
};

inline bool is_toml(const std::string& file_name) { return file_name.ends_with(".toml"); }

// read_document reads JSON, or TOML by the name of the file. `text` must outlive the document.
// kInvalidInput: it is neither, and `failed_at` says where.
Result<Document> read_document(const std::string& text, const std::string& file_name,
                               Position& failed_at);

// beside returns the whole path of `path`, whose beginning is the folder of the file: it is the
// same however the file was named.
std::string beside(const std::string& file_name, const std::string& path);

// our_surroundings returns our environment, and as the project the folder of `file_name`, or the
// one above where that belongs to a host (.vscode). Nobody is asked, and no file is read.
Surroundings our_surroundings(const std::string& file_name);

}  // namespace plumbline::cli
