// What the tests of the session-aware server share: the server as a process, and what is asked of it.

import {spawn} from "node:child_process";
import {createInterface} from "node:readline";

export class Serving {
  // start serves at a free port, or at `port`; `more` are further words of the command line.
  static async start(plumbline, more = [], port = 0) {
    const serving = new Serving();
    serving.child = spawn(plumbline, ["sessions", "--listen", `127.0.0.1:${port}`, ...more],
      {stdio: ["ignore", "pipe", "pipe"]});
    serving.log = "";
    serving.child.stderr.setEncoding("utf8").on("data", (text) => { serving.log += text; });
    serving.ended = new Promise((resolve) => { serving.child.once("exit", resolve); });
    serving.mcp = await new Promise((resolve, reject) => {
      createInterface({input: serving.child.stdout}).once("line", resolve);
      serving.child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${serving.log}`)));
    });
    serving.base = serving.mcp.replace(/\/mcp$/, "");
    serving.port = Number(new URL(serving.base).port);
    return serving;
  }

  async stop(signal = "SIGTERM") {
    this.child.kill(signal);
    return this.ended;
  }

  // ask returns the status, the headers and the JSON of an answer.
  async ask(method, path, body, headers = {}) {
    const answer = await fetch(this.base + path, {method,
      headers: {...(body !== undefined && {"Content-Type": "application/json"}), ...headers},
      ...(body !== undefined && {body: JSON.stringify(body)})});
    const text = await answer.text();
    return {status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null};
  }

  async session() { return (await this.ask("POST", "/api/sessions", {})).body.code; }
}

// Worker listens to the stream of a session and answers each call with what `work` returns, or fails
// with what it throws.
export class Worker {
  static async listen(serving, code, work) {
    const worker = new Worker();
    worker.stopped = new AbortController();
    const answer = await fetch(`${serving.base}/api/stream?sessionCode=${code}`,
      {headers: {Accept: "text/event-stream"}, signal: worker.stopped.signal});
    if (answer.status !== 200) throw new Error(`the stream was answered ${answer.status}`);
    worker.done = worker.read(answer.body, async (event) => {
      if (event.type !== "tool_request") return;
      let said;
      try {
        said = {result: await work(event)};
      } catch (wrong) {
        said = {error: wrong.message};
      }
      await serving.ask("POST", "/api/response", {sessionCode: code, requestId: event.requestId, ...said});
    }).catch(() => {});
    return worker;
  }

  async read(body, take) {
    let text = "";
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const events = text.split("\n\n");
      text = events.pop();
      for (const event of events) {
        const data = /^data: ?(.*)$/m.exec(event)?.[1];
        if (data) void take(JSON.parse(data));
      }
    }
  }

  stop() {
    this.stopped.abort();
    return this.done;
  }
}

// until waits until `condition` holds, and says what it waited for when it does not in time.
export async function until(what, condition, ms = 10_000) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
