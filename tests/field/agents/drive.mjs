// What every program of `agents` does, whatever it is written with: it reads its servers and what it is asked, lists
// the tools of each server, makes the call that the request means, prints what comes back, and leaves.
//
//   node NAME.mjs CONFIG REQUESTS

import {readFileSync} from 'node:fs';

const [config, requests] = process.argv.slice(2).map(path => JSON.parse(readFileSync(path, 'utf8')));

export const servers = config.mcpServers;
export const patienceMs = 5000;

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

// textOf returns what of a result a person can read.
function textOf(result) {
  if (typeof result === 'string') return result;
  const parts = Array.isArray(result) ? result : result?.content ?? result?.contents ?? result?.messages ?? [result];
  return parts.map(part => typeof part === 'string' ? part : part?.text ?? part?.resource?.text ?? part?.content?.text ?? JSON.stringify(part)).join('\n');
}

async function answer(client, {input, call}) {
  const {failed = {}} = client;
  for (const [server, error] of Object.entries(failed)) console.log(`${server} is not used: ${error?.message ?? error}`);
  if (!call) return `nothing is called for "${input}"`;
  const {server, method, name, uri, arguments: args = {}} = call;
  if (method === 'resources/read') return textOf(await client.read(server, uri));
  if (method === 'prompts/get') return textOf(await client.get(server, name, args));
  return textOf(await client.call(server, name, args));
}

// drive has `open` return a client of all servers: call(server, name, args), read(server, uri), get(server, name, args),
// close(), and `failed`, why some server is not used.
export async function drive(open) {
  let client;
  try {
    client = await open();
    for (const request of requests) {
      await sleep(request.pause_ms);
      try {
        console.log(await answer(client, request));
      } catch (error) {
        console.log(`failed: ${error?.message ?? error}`);
      }
    }
  } catch (error) {
    console.log(`failed: ${error?.message ?? error}`);
  }
  try {
    await client?.close?.();
  } catch (error) {
    console.error(`close: ${error?.message ?? error}`);
  }
}

// each opens every server with `open(name, entry)`, and keeps why it cannot.
export async function each(open) {
  const opened = {}, failed = {};
  await Promise.all(Object.entries(servers).map(async ([name, entry]) => {
    try {
      opened[name] = await open(name, entry);
    } catch (error) {
      failed[name] = error;
    }
  }));
  const of = name => {
    if (!opened[name]) throw new Error(`${name} is not connected: ${failed[name]?.message ?? 'unknown'}`);
    return opened[name];
  };
  return {opened, failed, of};
}
