// ToolClient starts `plumbline mcp` in a folder and calls its tools over stdio.

import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

export class ToolClient {
  constructor(plumbline, words, cwd) {
    this.child = spawn(plumbline, ['mcp', ...words], {cwd, stdio: ['pipe', 'pipe', 'inherit']});
    this.waiting = new Map();
    this.progress = [];  // Of all calls, in the order in which it came.
    this.id = 0;
    this.ended = new Promise(done => this.child.on('close', done));
    createInterface({input: this.child.stdout}).on('line', line => this.hear(JSON.parse(line)));
  }

  hear(message) {
    if (message.method === 'notifications/progress') this.progress.push(message.params);
    const waits = this.waiting.get(message.id);
    if (!waits) return;
    this.waiting.delete(message.id);
    waits(message);
  }

  send(message) { this.child.stdin.write(JSON.stringify({jsonrpc: '2.0', ...message}) + '\n'); }

  // request returns the whole answer.
  request(method, params = {}) {
    const id = ++this.id;
    return new Promise(done => {
      this.waiting.set(id, done);
      this.send({id, method, params});
    });
  }

  async open() {
    const answer = await this.request('initialize', {protocolVersion: '2025-11-25', capabilities: {},
      clientInfo: {name: 'an agent', version: '1'}});
    this.send({method: 'notifications/initialized'});
    return answer.result;
  }

  // call returns the structured result of a tool; {isError, text} where it could not be done.
  async call(name, args = {}) {
    const {result, error} = await this.request('tools/call', {name, arguments: args, _meta: {progressToken: name}});
    if (error) return {isError: true, text: error.message};
    return result.isError ? {isError: true, text: result.content[0].text} : result.structuredContent;
  }

  async close() {
    this.child.stdin.end();
    return this.ended;
  }
}
