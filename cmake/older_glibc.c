// Lets the portable program, linked on a newer glibc, run on any since 2.31. References
// to what got a new version since then are turned (-Wl,--wrap) to what it was before, which every
// later glibc still has; what is new since then is made here. Linked into nothing else.

#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// FIRST is the version of what glibc had when it came to this machine.
#if defined(__x86_64__)
#define FIRST "2.2.5"
#define CONDATTR "2.3.3"
#define JUMP(name) "jmp *" name "@GOTPCREL(%rip)\n"
#elif defined(__aarch64__)
#define FIRST "2.17"
#define CONDATTR FIRST
#define JUMP(name) "adrp x16, :got:" name "\nldr x16, [x16, :got_lo12:" name "]\nbr x16\n"
#endif

// OLDER lets references to `name` meet that of `version`.
#define OLDER(name, version)                                            \
  __asm__(".text\n.symver older_" #name "," #name "@GLIBC_" version "\n" \
          ".globl __wrap_" #name "\n.type __wrap_" #name ",%function\n"  \
          "__wrap_" #name ": " JUMP("older_" #name))

OLDER(__pthread_key_create, FIRST);
OLDER(dladdr, FIRST);
OLDER(dlclose, FIRST);
OLDER(dlerror, FIRST);
OLDER(dlopen, FIRST);
OLDER(dlsym, FIRST);
OLDER(pthread_cond_clockwait, "2.30");
OLDER(pthread_condattr_setclock, CONDATTR);
OLDER(pthread_create, FIRST);
OLDER(pthread_detach, FIRST);
OLDER(pthread_getspecific, FIRST);
OLDER(pthread_join, FIRST);
OLDER(pthread_key_create, FIRST);
OLDER(pthread_key_delete, FIRST);
OLDER(pthread_mutex_trylock, FIRST);
OLDER(pthread_mutexattr_init, FIRST);
OLDER(pthread_mutexattr_destroy, FIRST);
OLDER(pthread_mutexattr_settype, FIRST);
OLDER(pthread_once, FIRST);
OLDER(pthread_rwlock_destroy, FIRST);
OLDER(pthread_rwlock_init, FIRST);
OLDER(pthread_rwlock_rdlock, FIRST);
OLDER(pthread_rwlock_unlock, FIRST);
OLDER(pthread_rwlock_wrlock, FIRST);
OLDER(pthread_setspecific, FIRST);
OLDER(pthread_sigmask, FIRST);
OLDER(sem_init, FIRST);
OLDER(sem_post, FIRST);
OLDER(sem_wait, FIRST);

// Before 2.33 these were no functions of libc. The kernel's struct stat is that of both kinds.
int __wrap_fstatat(int folder, const char* path, void* about, int flags) {
  return (int)syscall(SYS_newfstatat, folder, path, about, flags);
}
int __wrap_fstat(int file, void* about) { return (int)syscall(SYS_fstat, file, about); }
int __wrap_lstat(const char* path, void* about) {
  return __wrap_fstatat(AT_FDCWD, path, about, AT_SYMLINK_NOFOLLOW);
}
int __wrap_stat(const char* path, void* about) { return __wrap_fstatat(AT_FDCWD, path, about, 0); }
int __wrap_fstatat64(int folder, const char* path, void* about, int flags) {
  return __wrap_fstatat(folder, path, about, flags);
}
int __wrap_fstat64(int file, void* about) { return __wrap_fstat(file, about); }
int __wrap_lstat64(const char* path, void* about) { return __wrap_lstat(path, about); }
int __wrap_stat64(const char* path, void* about) { return __wrap_stat(path, about); }

// Since 2.36; std::random_device asks it.
uint32_t __wrap_arc4random(void) {
  uint32_t number = 0;
  if (getentropy(&number, sizeof number) != 0) abort();
  return number;
}

// Since 2.32 tells libstdc++ that there is one thread, and no need for atomic counts: never here.
char __libc_single_threaded = 0;

// Before 2.34 the start file, and not libc, ran what comes before main.
typedef void Initialiser(int argc, char** argv, char** environment);
extern Initialiser* __init_array_start[] __attribute__((visibility("hidden")));
extern Initialiser* __init_array_end[] __attribute__((visibility("hidden")));
extern void _init(void) __attribute__((visibility("hidden")));

static void initialise(int argc, char** argv, char** environment) {
  _init();
  const ptrdiff_t count = __init_array_end - __init_array_start;
  for (ptrdiff_t i = 0; i < count; ++i) __init_array_start[i](argc, argv, environment);
}

typedef int Main(int argc, char** argv, char** environment);
__asm__(".symver older_start,__libc_start_main@GLIBC_" FIRST);
extern int older_start(Main* main, int argc, char** argv, Initialiser* init, void (*fini)(void),
                       void (*rtld_fini)(void), void* stack_end);

int __wrap___libc_start_main(Main* main, int argc, char** argv, Initialiser* init,
                             void (*fini)(void), void (*rtld_fini)(void), void* stack_end) {
  (void)init;
  return older_start(main, argc, argv, initialise, fini, rtld_fini, stack_end);
}

// Since 2.35 finds the unwind table of the object that holds an address; before, it was looked for
// among all of them.
struct Sought {
  ElfW(Addr) address;
  struct dl_find_object* found;
};

static int look_at(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  struct Sought* const sought = data;
  const ElfW(Phdr)* table = NULL;
  const ElfW(Phdr)* holder = NULL;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* const part = &object->dlpi_phdr[i];
    const ElfW(Addr) begin = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) table = part;
    if (part->p_type == PT_LOAD && sought->address - begin < part->p_memsz) holder = part;
  }
  if (table == NULL || holder == NULL) return 0;
  sought->found->dlfo_map_start = (void*)(object->dlpi_addr + holder->p_vaddr);
  sought->found->dlfo_map_end = (char*)sought->found->dlfo_map_start + holder->p_memsz;
  sought->found->dlfo_eh_frame = (void*)(object->dlpi_addr + table->p_vaddr);
  return 1;
}

int __wrap__dl_find_object(void* address, struct dl_find_object* found) {
  struct Sought sought = {(ElfW(Addr))address, found};
  return dl_iterate_phdr(look_at, &sought) == 1 ? 0 : -1;
}
