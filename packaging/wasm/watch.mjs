// Files that are watched, and folders with all below them: core/os/files/file_watch.h.
import * as fs from 'node:fs';
import * as path from 'node:path';

import { kinds, textBytes } from './events.mjs';
import { Refusal } from './refusals.mjs';

const kFoldersMax = 20_000;
const others = ['node_modules', 'target', '__pycache__', 'venv'];
const isLeftOut = (name) => name.startsWith('.') || others.includes(name);
const below = (folder, name) => (folder === '.' ? name : `${folder}/${name}`);

function isFolder(name) {
  try {
    return fs.lstatSync(name).isDirectory();
  } catch {
    return false;
  }
}

// Watch says the path of what has changed.
class Watch {
  #folders = new Map();  // By path: {watcher, files}; no files: all of them, and the folders below.
  #host;
  #id;

  constructor(host, id) {
    this.#host = host;
    this.#id = id;
  }

  // add returns the folders that are watched for it, and were not before.
  add(name) {
    const fresh = [];
    if (fs.statSync(name).isDirectory()) this.#addBelow(name, fresh);
    else this.#watch(path.dirname(name), path.basename(name), fresh);
    return fresh;
  }

  close() {
    for (const { watcher } of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  #watch(folder, file, fresh) {
    const known = this.#folders.get(folder);
    if (known) {
      if (file === '') known.files = undefined;
      else known.files?.add(file);
      return;
    }
    if (this.#folders.size >= kFoldersMax) throw new Refusal('', 'these are too many folders');
    const watcher = fs.watch(folder, (_what, name) => this.#heard(folder, name));
    watcher.on('error', () => {
      watcher.close();
      this.#folders.delete(folder);
    });
    this.#folders.set(folder, { watcher, files: file === '' ? undefined : new Set([file]) });
    fresh.push(folder);
  }

  #addBelow(folder, fresh) {
    this.#watch(folder, '', fresh);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !isLeftOut(entry.name)) this.#addBelow(below(folder, entry.name), fresh);
    }
  }

  #heard(folder, name) {
    const known = this.#folders.get(folder);
    if (!known || !name || (known.files && !known.files.has(name))) return;
    const file = below(folder, name);
    if (isFolder(file)) {
      if (isLeftOut(name) || this.#folders.has(file)) return;
      try {
        this.#addBelow(file, []);
      } catch {
        return;  // It is gone already.
      }
    }
    this.#host.emit(kinds.bytes, this.#id, textBytes(file));
  }
}

// watch adds a path to the watch of this number, and returns the folders that came with it.
export function watch(host, { id, path: name }) {
  const watching = host.get(id) ?? host.add(id, new Watch(host, id));
  return watching.add(name).map((each) => `${each}\0`).join('');
}
