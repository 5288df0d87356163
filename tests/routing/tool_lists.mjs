// What servers of the field list, installed in the versions of servers.json and asked once.

import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
export const servers = JSON.parse(readFileSync(`${here}/servers.json`, 'utf8'));
const built = `${here}/../../build/routing`;
const installMs = 900_000, answerMs = 60_000;

function install(name) {
  const folder = `${built}/${name}`;
  const {package: spec} = servers[name];
  if (existsSync(`${folder}/installed`) && readFileSync(`${folder}/installed`, 'utf8') === spec) return folder;
  mkdirSync(folder, {recursive: true});
  writeFileSync(`${folder}/package.json`, '{"private": true}\n');
  const npm = spawnSync('npm', ['install', '--prefix', folder, '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts', spec],
                        {encoding: 'utf8', timeout: installMs});
  if (npm.status !== 0) throw new Error(`npm install ${spec}: ${(npm.stderr ?? '').slice(-500)}`);
  writeFileSync(`${folder}/installed`, spec);
  return folder;
}

// placed returns variables with the folder of this file in place of {here}.
const placed = env => Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll('{here}', here)]));

// tools_of opens a session over stdio, and returns all pages of tools/list.
async function toolsOf(name, folder) {
  const {command, env = {}} = servers[name];
  const argv = command.replaceAll('{m}', `${folder}/node_modules`).replaceAll('{field}', `${here}/../field`).split(' ');
  const child = spawn(argv[0], argv.slice(1), {env: {...process.env, ...placed(env)}, stdio: ['pipe', 'pipe', 'ignore'], cwd: folder});
  const timer = setTimeout(() => child.kill('SIGKILL'), answerMs);
  child.stdin.on('error', () => {});
  const say = message => child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
  say({id: 1, method: 'initialize', params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 'routing', version: '1'}}});
  const tools = [];
  try {
    for await (const line of createInterface({input: child.stdout})) {
      let message;
      try { message = JSON.parse(line); } catch { continue; }
      if (message.method && message.id !== undefined) say({id: message.id, error: {code: -32601, message: 'not here'}});
      if (message.method || !message.result) continue;
      if (message.id === 1) say({method: 'notifications/initialized'});
      else tools.push(...message.result.tools);
      const cursor = message.result.nextCursor;
      if (message.id > 1 && !cursor) return tools;
      say({id: message.id + 1, method: 'tools/list', params: cursor ? {cursor} : {}});
    }
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
  throw new Error(`${name} listed no tools`);
}

// tool_list returns the path of a file with what the server lists.
export async function toolList(name) {
  const folder = install(name);
  const path = `${folder}/tools.json`;
  if (!existsSync(path)) writeFileSync(path, JSON.stringify({tools: await toolsOf(name, folder)}));
  return path;
}
