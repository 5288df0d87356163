// Child processes: found, started, listened to and ended.
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { constants } from 'node:os';
import { posix, win32 } from 'node:path';

import { kinds, numbers } from './events.mjs';
import { programPath } from './files.mjs';
import { Refusal } from './refusals.mjs';

const windows = process.platform === 'win32';
const path = windows ? win32 : posix;
const kLingerMs = 200;  // How long the streams of a child that has ended are still read.
const kPageBytes = 4096;

// variable returns that of a child. Windows knows no case in their names.
function variable(env, name) {
  if (!windows) return env[name];
  const found = Object.keys(env).find((each) => each.toUpperCase() === name);
  return found === undefined ? undefined : env[found];
}

function isProgram(name) {
  try {
    fs.accessSync(name, windows ? fs.constants.F_OK : fs.constants.X_OK);
    return !fs.statSync(name).isDirectory();
  } catch {
    return false;
  }
}

// findProgram returns the file that a name stands for, as a child in `cwd` would find it.
export function findProgram(name, env, cwd) {
  const endings = windows && path.extname(name) === ''
    ? (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';') : [''];
  const seen = (file) => (cwd === '' ? file : path.resolve(cwd, file));
  if (name.includes('/') || (windows && /[\\:]/.test(name))) {
    return endings.map((ending) => name + ending).find((file) => isProgram(seen(file))) ?? name;
  }
  const folders = variable(env, 'PATH') ?? (windows ? '' : '/usr/local/bin:/usr/bin:/bin');
  for (const folder of folders.split(path.delimiter)) {
    for (const ending of endings) {
      const file = path.join(folder === '' ? '.' : folder, name + ending);
      if (isProgram(seen(file))) return file;
    }
  }
  throw new Refusal('NONE', '');
}

// quoted is a word as cmd.exe hands it to a program, whatever is in it.
const quoted = (word) =>
  `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');

// commandOf returns what to hand to Node: ourselves by Node, a script of Windows by its shell.
export function commandOf(program, args) {
  if (path.resolve(program) === programPath) {
    return { file: process.execPath, args: [programPath, ...args], verbatim: false };
  }
  if (windows && /\.(cmd|bat)$/i.test(program)) {
    const line = [quoted(program), ...args.map((word) => quoted(word))].join(' ');
    const shell = process.env.ComSpec ?? 'cmd.exe';
    return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
  }
  return { file: program, args, verbatim: false };
}

class Child {
  // What is tried comes first: nothing of it may be missed.
  constructor(host, id, stdio, process_) {
    Object.assign(this, { host, id, process: process_, from: process_.stderr, ended: false });
    const { stdin, stdout, stderr } = process_;
    this.stdio = host.stream(stdio, stdout, stdin, () => {
      stdin.destroy();
      stdout.destroy();
    });
    stderr.on('data', (bytes) => host.pass(kinds.errors, this, bytes));
    process_.on('exit', (code, signal) => this.#exited(code, signal));
  }

  // #exited tells the end once all that was said is passed on. Who inherited the streams may hold
  // them open for ever, and nobody may have begun to read.
  #exited(code, signal) {
    this.ended = true;
    const number = signal === null ? 0 : constants.signals[signal] ?? constants.signals.SIGKILL;
    const tell = () => this.host.emit(kinds.exit, this.id, numbers(code ?? 0, number));
    const quiet = () => this.stdio.isOver && this.process.stderr.closed;
    let late = false;
    const look = () => {
      if (this.host.isHeld(this.stdio)) return setTimeout(look, 20);
      if (!quiet() && !late) return undefined;
      this.process.stderr.off('close', look);
      clearTimeout(timer);
      this.stdio.onOver = undefined;
      return tell();
    };
    const timer = setTimeout(() => {
      late = true;
      look();
    }, kLingerMs);
    this.process.stderr.on('close', look);
    this.stdio.onOver = look;
    look();
  }

  kill(signal) {
    const { pid } = this.process;
    if (windows) {
      if (!this.ended) spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true });
      return;
    }
    try {
      process.kill(-pid, signal);
    } catch {
      // All of the group have ended.
    }
  }

  memory() {
    try {
      return Number(fs.readFileSync(`/proc/${this.process.pid}/statm`, 'utf8').split(' ')[1]) * kPageBytes;
    } catch {
      return 0;
    }
  }
}

// startChild starts what the module orders: {id, stdio, argv, env, cwd, program, given}.
export async function startChild(host, { id, stdio, argv, env, cwd, program, given }) {
  const command = commandOf(program || findProgram(argv[0], env, cwd), argv.slice(1));
  const started = spawn(command.file, command.args, {
    env, cwd: cwd || undefined, argv0: command.verbatim || command.file === process.execPath ? undefined : argv[0],
    stdio: ['pipe', 'pipe', 'pipe', ...(given === '' ? [] : ['pipe'])],
    detached: !windows, windowsHide: true, windowsVerbatimArguments: command.verbatim,
  });
  await new Promise((resolve, reject) => {
    started.on('spawn', resolve);
    started.on('error', reject);
  });
  started.on('error', () => {});
  if (given !== '') {
    started.stdio[3].on('error', () => {});
    started.stdio[3].end(given);
  }
  host.add(id, new Child(host, id, stdio, started));
}
