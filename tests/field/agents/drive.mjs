// What every program of `agents` does, whatever it is written with: it reads its servers and what it is asked, lists
// the tools of each server, makes the call that the request means, prints what comes back, and leaves.
//
//   node NAME.mjs CONFIG REQUESTS

import {readFileSync} from 'node:fs';

const [config, requests] = process.argv.slice(2).map(path => JSON.parse(readFileSync(path, 'utf8')));

export const servers = config.mcpServers;
export const patienceMs = 20000;

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

// textOf returns what of a result a person can read.
function textOf(result) {
  if (typeof result === 'string') return result;
  const {structuredContent} = result ?? {};
  if (structuredContent && !result.content?.some(part => part.type === 'text')) return JSON.stringify(structuredContent);
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

// each connects to every server with `connect(entry)` and lists what it has with `list(client)`. Whom it cannot use, or
// has lost, it tries again at the next request.
export async function each(connect, list) {
  const opened = {}, failed = {};
  const open = async name => {
    let client;
    try {
      client = await connect(servers[name]);
      await list(client);
      opened[name] = client;
      delete failed[name];
    } catch (error) {
      failed[name] = error;
      await client?.close().catch(() => {});
    }
  };
  await Promise.all(Object.keys(servers).map(open));
  const use = async (name, work) => {
    if (!opened[name]) await open(name);
    if (!opened[name]) throw new Error(`${name} is not connected: ${failed[name]?.message ?? 'unknown'}`);
    try {
      return await work(opened[name]);
    } catch (error) {
      if (/not connected|connection closed|closed client/i.test(error?.message)) delete opened[name];
      throw error;
    }
  };
  return {opened, failed, use};
}
