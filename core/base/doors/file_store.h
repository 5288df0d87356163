// FileStore is the only way to read, write or list files.
//
// os::RealFileStore is the file system; fakes::SimFileStore keeps its files in memory. Paths are
// UTF-8; relative ones start at the current folder.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace plumbline {

class FileStore {
 public:
  // read_file returns the whole file. kInvalidInput: missing, a folder, not readable.
  // kLimitReached: more than limits::kFileBytesMax bytes. Every message names the path.
  virtual Result<std::string> read_file(const std::string& path) = 0;

  // read_below returns the whole file at `path` below the folder `root`, for names that a stranger
  // chose: `path` is relative, no symbolic link in it is followed, whoever makes one meanwhile, and
  // only a regular file is read, so it never waits. kInvalidInput: as read_file, a link is in the
  // way, a ".." is in `path`, or it is a pipe, a socket or a device. kLimitReached: as read_file.
  virtual Result<std::string> read_below(const std::string& root, const std::string& path) = 0;

  // write_file replaces the file, all of it or nothing: a reader never sees half. kInvalidInput:
  // no such folder, not writable, no space left.
  virtual Status write_file(const std::string& path, std::string_view bytes) = 0;

  // create_file makes a file that only its owner may read, and the folders above it that are
  // missing. Returns false when something of that name is there: of several who create it at once,
  // one is told true. After true it stands, whatever dies next. kInvalidInput: as write_file.
  virtual Result<bool> create_file(const std::string& path, std::string_view bytes) = 0;

  // append_file adds `bytes` to the end of the file, or makes one that only its owner may read.
  // After Done they stand, whatever dies next; on an Error a part of them may. kInvalidInput: as
  // write_file.
  virtual Status append_file(const std::string& path, std::string_view bytes) = 0;

  // remove_file forgets the file. Done also when there is none. kInvalidInput: a folder, not
  // allowed.
  virtual Status remove_file(const std::string& path) = 0;

  // rename_file gives the file the path `to`, in place of a file of that name: a reader of it sees
  // the old one or the new one. kInvalidInput: missing, no such folder, on another file system.
  virtual Status rename_file(const std::string& from, const std::string& to) = 0;

  // mode_of returns who may do what with the file or folder, as chmod has it (0600); set_mode says
  // it. kInvalidInput: missing, not allowed.
  virtual Result<unsigned> mode_of(const std::string& path) = 0;
  virtual Status set_mode(const std::string& path, unsigned mode) = 0;

  // list_files returns the files below the folder `path` whose names end in `extension` (".json"),
  // in the order of their bytes; hidden files and folders are left out. The path of a file
  // returns that file, whatever its name. kInvalidInput: no such path. kLimitReached: more than
  // limits::kFilesListedMax.
  virtual Result<std::vector<std::string>> list_files(const std::string& path,
                                                      std::string_view extension) = 0;

 protected:
  ~FileStore() = default;
};

}  // namespace plumbline
