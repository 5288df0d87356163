// `connect test` of our server behind nginx (limits, keys) and haproxy (sticky sessions, draining).
// Both run unprivileged, in a scratch folder, on free ports of 127.0.0.1, and are ended by their
// own pids.
//
//   node connect_proxies.mjs PLUMBLINE      exit status 77: neither is installed

import assert from 'node:assert';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

import {freePort} from '../ports.mjs';

const plumbline = process.argv[2];
const root = path.resolve(import.meta.dirname, '../..');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'plumbline-proxies-'));
const started = [];

function installed(name) {
  return ['/usr/sbin', '/usr/bin', '/usr/local/sbin'].map(at => path.join(at, name)).find(file => fs.existsSync(file));
}

// opens waits until somebody listens at a port of 127.0.0.1.
async function opens(port) {
  for (let i = 0; i < 200; ++i) {
    const socket = net.connect(port, '127.0.0.1');
    const open = await new Promise(resolve => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`nobody listens at ${port}`);
}

// serve starts our server and returns its authority.
async function serve(...words) {
  const child = spawn(plumbline, ['serve', ...words, '--http', '127.0.0.1:0'], {stdio: ['ignore', 'pipe', 'inherit']});
  started.push(child);
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return new URL(line.trim()).host;
}

async function proxy(program, args, port) {
  const child = spawn(program, args, {stdio: ['ignore', 'ignore', 'pipe']});
  started.push(child);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => said += text);
  await opens(port).catch(error => { throw new Error(`${error.message}: ${said}`); });
  return child;
}

// test returns the rows of `connect test` by the last part of their ids.
async function test(agent, settings, during = async () => {}) {
  const files = [path.join(scratch, 'agent.json'), path.join(scratch, 'settings.json')];
  fs.writeFileSync(files[0], JSON.stringify({agentId: 'behind', ...agent}));
  fs.writeFileSync(files[1], JSON.stringify(settings));
  const child = spawn(plumbline, ['connect', 'test', ...files, '--report', 'json=-'],
                      {stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000});
  let said = '';
  child.stdout.setEncoding('utf8').on('data', text => said += text);
  const [[status]] = await Promise.all([once(child, 'close'), during()]);
  const rows = Object.fromEntries(JSON.parse(said).results.map(row => [row.id.replace('connect.', ''), row]));
  return {status, rows};
}

const told = ({rows}) => Object.values(rows).map(row => `${row.id} ${row.verdict} ${row.message}`).join('\n');
const verdicts = result => Object.values(result.rows).map(row => row.verdict).join(' ');
const modest = {mcp: {maxConcurrentConnections: 2, rateLimit: {requestsPerSecond: 5, burstCapacity: 5}}};

async function behindNginx(nginx) {
  const [behind, limited, keyed] = [await serve('--reference'), await freePort(), await freePort()];
  fs.writeFileSync(path.join(scratch, 'nginx.conf'), `
    daemon off; master_process off; worker_processes 1;
    pid ${scratch}/nginx.pid; error_log stderr crit;
    events {}
    http {
      access_log off;
      client_body_temp_path ${scratch}/body; proxy_temp_path ${scratch}/proxy;
      fastcgi_temp_path ${scratch}/f; uwsgi_temp_path ${scratch}/u; scgi_temp_path ${scratch}/s;
      proxy_buffering off; proxy_http_version 1.1;
      limit_req_zone $binary_remote_addr zone=one:1m rate=40r/s;
      server {
        listen 127.0.0.1:${limited};
        location / {
          limit_req zone=one burst=20 nodelay; limit_req_status 429;
          proxy_pass http://${behind};
        }
        error_page 429 @slow;
        location @slow { add_header Retry-After 1 always; return 429; }
      }
      server {
        listen 127.0.0.1:${keyed};
        location / {
          if ($http_authorization != "Bearer right") { return 401; }
          proxy_set_header Authorization "";
          proxy_pass http://${behind};
        }
      }
    }`);
  await proxy(nginx, ['-p', scratch, '-e', 'stderr', '-c', path.join(scratch, 'nginx.conf')], limited);

  // As fast as it lets us: nothing is wrong. Faster: it says so, and is content after its Retry-After.
  const endpoint = `http://127.0.0.1:${limited}/mcp`;
  const paced = await test({endpoint}, modest);
  assert.equal(verdicts(paced), 'pass skip pass pass pass pass', told(paced));
  await new Promise(resolve => setTimeout(resolve, 1000));
  const hasty = await test({endpoint}, {mcp: {maxConcurrentConnections: 1, rateLimit: {requestsPerSecond: 100, burstCapacity: 100}}});
  assert.equal(hasty.rows['rate-limiting'].verdict, 'warn', told(hasty));
  assert.match(hasty.rows['rate-limiting'].message, /after its Retry-After it answers/);
  assert.equal(hasty.status, 0, told(hasty));

  // The key that is configured opens, and no other.
  const locked = `http://127.0.0.1:${keyed}/mcp`;
  const right = await test({endpoint: locked, authentication: {type: 'bearer', token: 'right'}}, modest);
  assert.equal(verdicts(right), 'pass pass pass pass pass pass', told(right));
  const wrong = await test({endpoint: locked, authentication: {type: 'bearer', token: 'left'}}, modest);
  assert.equal(wrong.rows.authentication.verdict, 'fail', told(wrong));
  assert.match(wrong.rows.authentication.message, /the configured credentials are refused/);
  assert.equal(wrong.status, 1);
  console.log('nginx: limits and keys');
}

async function behindHaproxy(haproxy) {
  const scenario = path.join(root, 'scenarios/library/basics/list-files-happy-path.json');
  const [one, two] = [await serve(scenario), await serve(scenario)];
  const [sticky, loose] = [await freePort(), await freePort()];
  const socket = path.join(scratch, 'admin');
  fs.writeFileSync(path.join(scratch, 'haproxy.cfg'), `
global
  stats socket ${socket} mode 600 level admin
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen sticky
  bind 127.0.0.1:${sticky}
  balance roundrobin
  stick-table type string len 128 size 10k expire 10m
  stick store-response res.hdr(Mcp-Session-Id)
  stick on req.hdr(Mcp-Session-Id)
  server one ${one} check inter 200ms
  server two ${two} check inter 200ms
listen loose
  bind 127.0.0.1:${loose}
  balance roundrobin
  server one ${one}
  server two ${two}
`);
  await proxy(haproxy, ['-db', '-q', '-f', path.join(scratch, 'haproxy.cfg')], sticky);

  // One server drains in the middle of the tests: who is at it stays, others go to the other one.
  const agent = {endpoint: `http://127.0.0.1:${sticky}/mcp`};
  const drain = async () => {
    await new Promise(resolve => setTimeout(resolve, 400));
    const admin = net.connect(socket).resume();
    admin.end('set server sticky/one state drain\n');
    await once(admin, 'close');
  };
  const drained = await test(agent, modest, drain);
  assert.equal(verdicts(drained), 'pass skip pass pass pass pass', told(drained));

  // Sessions that are spread over servers that do not share them are of no use, and that is told.
  const spread = await test({endpoint: `http://127.0.0.1:${loose}/mcp`}, modest);
  assert.equal(spread.rows.handshake.verdict, 'fail', told(spread));
  assert.match(spread.rows.handshake.message, /replicas that share no sessions/);
  assert.equal(spread.status, 1);
  console.log('haproxy: sticky sessions, draining, and sessions that nobody keeps together');
}

let status = 77;
try {
  const [nginx, haproxy] = [installed('nginx'), installed('haproxy')];
  if (nginx) await behindNginx(nginx);
  if (haproxy) await behindHaproxy(haproxy);
  if (nginx || haproxy) status = 0;
  else console.log('skipped: neither nginx nor haproxy is installed');
} finally {
  for (const child of started.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await Promise.race([once(child, 'close'), new Promise(resolve => setTimeout(resolve, 5000))]);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  }
  fs.rmSync(scratch, {recursive: true, force: true});
}
process.exit(status);
