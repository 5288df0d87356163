// What the system says where it refuses, in the words of the native program.
const words = {
  EACCES: 'Permission denied', EADDRINUSE: 'Address already in use',
  EADDRNOTAVAIL: 'Cannot assign requested address', EAGAIN: 'Resource temporarily unavailable',
  EBUSY: 'Device or resource busy', ECONNABORTED: 'Software caused connection abort',
  ECONNREFUSED: 'Connection refused', ECONNRESET: 'Connection reset by peer', EEXIST: 'File exists',
  EHOSTUNREACH: 'No route to host', EINVAL: 'Invalid argument', EIO: 'Input/output error',
  EISDIR: 'Is a directory', ELOOP: 'Too many levels of symbolic links', EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long', ENETUNREACH: 'Network is unreachable',
  ENOENT: 'No such file or directory', ENOEXEC: 'Exec format error', ENOMEM: 'Cannot allocate memory',
  ENOSPC: 'No space left on device', ENOTDIR: 'Not a directory', ENOTEMPTY: 'Directory not empty',
  ENXIO: 'No such device or address', EPERM: 'Operation not permitted', EPIPE: 'Broken pipe',
  EROFS: 'Read-only file system', ETIMEDOUT: 'Connection timed out', EXDEV: 'Invalid cross-device link',
};

// Refusal is thrown by what answers the module.
export class Refusal extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

// refusalOf makes one of what a function of Node has thrown.
export function refusalOf(error) {
  if (error instanceof Refusal) return error;
  return new Refusal(error.code ?? '', words[error.code] ?? error.message);
}

export const wordsOf = (error) => words[error.code] ?? error.message;
