// RealFileStore is the FileStore of the file system.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/doors/file_store.h"

namespace plumbline::os {

class RealFileStore final : public FileStore {
 public:
  // Makes the process ignore SIGXFSZ, so that a file that may not grow any more (ulimit -f) is an
  // error and not the end of us, whoever writes it.
  RealFileStore();

  // implements FileStore ---

  // Reads named pipes and devices too (/dev/stdin, <(command)); one that says nothing for ten
  // seconds is kInvalidInput.
  Result<std::string> read_file(const std::string& path) override;

  Result<std::string> read_below(const std::string& root, const std::string& path) override;

  // Writes a temporary file in the same folder and renames it. A symbolic link is followed, also
  // one to what is not there yet. What is no regular file (/dev/null, a pipe), and what is open as
  // one of our descriptors (/dev/stdout, /dev/fd/3), is written to as it stands. A named pipe that
  // nobody reads within ten seconds is kInvalidInput.
  Status write_file(const std::string& path, std::string_view bytes) override;

  // The folders that it makes are for the owner only as well.
  Result<bool> create_file(const std::string& path, std::string_view bytes) override;

  Status append_file(const std::string& path, std::string_view bytes) override;
  Status remove_file(const std::string& path) override;
  Status rename_file(const std::string& from, const std::string& to) override;
  Result<unsigned> mode_of(const std::string& path) override;
  Status set_mode(const std::string& path, unsigned mode) override;

  // Does not follow symbolic links to folders.
  Result<std::vector<std::string>> list_files(const std::string& path,
                                              std::string_view extension) override;
};

// check_writable returns whether write_file could write `path` now, and leaves nothing behind.
// kInvalidInput: as write_file.
Status check_writable(const std::string& path);

// make_folder makes the folder and those above it, as far as they are missing. kInvalidInput: a
// file is in the way, or not allowed.
Status make_folder(const std::string& path);

// make_private_folder_of makes the folder of the file `path` and those above it that are missing,
// for their owner only. false, with an errno: it cannot be.
bool make_private_folder_of(const std::string& path);

// absolute_path returns `path` as it can be found from any folder.
std::string absolute_path(const std::string& path);

// is_folder returns whether there is a folder at `path`.
bool is_folder(const std::string& path);

// is_there returns whether there is anything at `path`.
bool is_there(const std::string& path);

}  // namespace plumbline::os
