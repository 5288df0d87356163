// LoadedLibrary is a shared library that is loaded when it is needed, where it is installed: those
// for what few runs do. It stays loaded.

#pragma once

#include <dlfcn.h>

namespace plumbline::os {

class LoadedLibrary {
 public:
  // `name` is as the dynamic linker finds it: "libpq.so.5".
  explicit LoadedLibrary(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;

  // find lets `function` point to what the library has of that name, or to nothing.
  template <typename Function>
  void find(Function*& function, const char* name) {
    function = handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, name));
    complete_ = complete_ && function != nullptr;
  }

  // complete returns whether the library is there, and had all that was looked for.
  bool complete() const { return handle_ != nullptr && complete_; }

 private:
  void* handle_;
  bool complete_ = true;
};

}  // namespace plumbline::os
