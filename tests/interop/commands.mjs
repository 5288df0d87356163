// What tests with commands share: runs of them that keep their tokens in a folder of their own, and
// a person who goes where `login` says.

import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';

export function fail(what) {
  console.error(`FAIL ${what}`);
  process.exit(1);
}

export function expect(holds, what) {
  if (!holds) fail(what);
  console.log(`ok   ${what}`);
}

export const listening = server => new Promise(resolve => {
  server.listen(0, '127.0.0.1', () => resolve(server.address().port));
});

// Commands runs `program`. Its children and its folder end with this process, after `msMax` at
// the latest.
export class Commands {
  // `keyring`: tokens go into that of the session bus; else into files.
  constructor(program, keyring = false, msMax = 120_000) {
    this.program = program;
    this.folder = mkdtempSync(join(tmpdir(), 'signing-in-'));
    this.environment = {...process.env, XDG_STATE_HOME: this.folder, DISPLAY: '',
                        WAYLAND_DISPLAY: ''};
    if (!keyring) delete this.environment.DBUS_SESSION_BUS_ADDRESS;
    const children = this.children = [];
    process.on('exit', () => {
      children.forEach(child => child.kill('SIGKILL'));
      rmSync(this.folder, {recursive: true, force: true});
    });
    setTimeout(() => fail('it takes too long'), msMax).unref();
  }

  // start runs the program; `ended` comes with what it has said and its exit status.
  start(args, env = {}, program = this.program) {
    const input = program === this.program ? 'ignore' : 'pipe';
    const child = spawn(program, args, {stdio: [input, 'pipe', 'pipe'], cwd: this.folder,
                                             env: {...this.environment, ...env}});
    this.children.push(child);
    const said = {out: '', err: ''};
    child.stdout.on('data', data => { said.out += data; });
    child.stderr.on('data', data => { said.err += data; });
    const ended = new Promise(resolve => child.on('close', status => resolve({...said, status})));
    return {child, said, ended};
  }

  run(args, env) { return this.start(args, env).ended; }

  // serve starts `serve --reference` and returns its URL.
  serve(args, env) { return this.url(['serve', '--reference', '--http', '127.0.0.1:0', ...args], env); }

  // url starts what serves, and returns the URL that it prints.
  url(args, env) { return this.urlOf(this.start(args, env)); }

  urlOf(server) {
    return new Promise(resolve => {
      createInterface({input: server.child.stdout}).once('line', resolve);
      server.ended.then(ended => { if (!ended.out) fail(ended.err); });
    });
  }

  // login runs the command, and has `browse` go where it says; `page` is what that returns.
  async login(url, args, browse, env = {}) {
    const command = this.start(['login', '--no-browser', '--url', url, ...args], env);
    const address = await Promise.race([
      new Promise(resolve => command.child.stderr.on('data', () => {
        const found = /^ {2}(http\S+)$/m.exec(command.said.err);
        if (found) resolve(found[1]);
      })),
      command.ended.then(() => undefined),
    ]);
    const page = address && await browse(address);
    return {page, address, ...await command.ended};
  }
}
