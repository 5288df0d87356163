// A client that is a program for the command line: it runs once for each thing that is done.
//
//   node command_line.mjs mcpc|inspector PROGRAM FOLDER [URL]

import {execFile} from 'node:child_process';
import {mkdtempSync} from 'node:fs';

import {command, drive, patienceMs, url} from './drive.mjs';

const [which, program, folder] = process.argv.slice(2);
const home = mkdtempSync(`${folder}/home-`);
const env = {...process.env, HOME: home, MCPC_HOME_DIR: home};

// mcpc reads the arguments of a call without any from its stdin, to its end.
const run = words => new Promise((resolve, reject) => {
  const child = execFile(process.execPath, [program, ...words], {env, timeout: 5 * patienceMs, maxBuffer: 1 << 26}, (error, stdout, stderr) => {
    if (error) reject(new Error(stderr || error.message)); else resolve(stdout && JSON.parse(stdout));
  });
  child.stdin.end();
});

const given = args => Object.entries(args);

async function mcpc() {
  const say = (...words) => run(['--json', '--timeout', String(patienceMs / 1000), '@judged', ...words]);
  await run(['--json', 'connect', url, '@judged']);
  return {
    tools: () => say('tools-list'),
    call: (name, args) => say('tools-call', name, ...given(args).map(([key, value]) => `${key}:=${JSON.stringify(value)}`)),
    resources: () => say('resources-list'),
    read: uri => say('resources-read', uri),
    prompts: () => say('prompts-list'),
    get: name => say('prompts-get', name),
    close: () => run(['--json', 'close', '@judged']),
  };
}

function inspector() {
  const say = (method, ...words) => run(['--cli', ...(command ?? [url, '--transport', 'http']), '--method', method, ...words]);
  return {
    tools: async () => (await say('tools/list')).tools,
    call: (name, args) => say('tools/call', '--tool-name', name, ...given(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${JSON.stringify(value)}`])),
    resources: async () => (await say('resources/list')).resources,
    read: uri => say('resources/read', '--uri', uri),
    prompts: async () => (await say('prompts/list')).prompts,
    get: name => say('prompts/get', '--prompt-name', name),
  };
}

await drive(which === 'mcpc' ? mcpc : inspector);
