// Browser is one headless Chromium with one page, or several tabs of it, driven over the pipe of its DevTools protocol
// (https://chromedevtools.github.io/devtools-protocol/), so that nothing needs to be installed but
// Chromium itself.

import {spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const ANSWER_MS = 20_000;

export class Browser {
  // `more` are further words of its command line.
  static async start(chromium, more = []) {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "plumbline-page-"));
    browser.child = spawn(chromium, ["--headless=new", "--no-sandbox", "--disable-gpu",
      "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe",
      `--user-data-dir=${browser.profile}`, ...more, "about:blank"],
    {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    browser.ended = new Promise((resolve) => { browser.child.on("exit", resolve); });
    browser.waiting = new Map();
    browser.complaints = [];
    browser.ids = {last: 0};  // Of all tabs.
    browser.loads = new Map();  // By session: who waits for a page.
    let text = "";
    browser.child.stdio[4].setEncoding("utf8").on("data", (piece) => {
      const messages = (text + piece).split("\0");
      text = messages.pop();
      for (const message of messages) browser.hear(JSON.parse(message));
    });
    try {
      await browser.attach();
    } catch (wrong) {
      await browser.stop();
      throw wrong;
    }
    return browser;
  }

  // attach takes the one page there is.
  async attach() {
    const {targetInfos} = await this.send("Target.getTargets");
    await this.attachTo(targetInfos.find((one) => one.type === "page").targetId);
  }

  async attachTo(targetId) {
    this.target = targetId;
    const {sessionId} = await this.send("Target.attachToTarget", {targetId, flatten: true});
    this.session = sessionId;
    for (const domain of ["Page", "Runtime", "Log"]) await this.send(`${domain}.enable`);
  }

  // tab returns a second page of the same browser. It ends with that, or with close().
  async tab() {
    const made = Object.create(this);
    made.session = undefined;
    const {targetId} = await made.send("Target.createTarget", {url: "about:blank"});
    await made.attachTo(targetId);
    return made;
  }

  close() {
    const id = this.target;
    this.session = undefined;
    return this.send("Target.closeTarget", {targetId: id});
  }

  // hear takes an answer, or notes what the page complained of: an exception, or what its policy
  // refused.
  hear(message) {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) waiting?.reject(new Error(JSON.stringify(message.error)));
    else waiting?.resolve(message.result);
    if (message.method === "Runtime.exceptionThrown") {
      const details = message.params.exceptionDetails;
      this.complaints.push(details.exception?.description ?? details.text);
    }
    if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
      this.complaints.push(message.params.entry.text);
    }
    if (message.method === "Page.loadEventFired") this.loads.get(message.sessionId)?.();
  }

  send(method, params = {}) {
    const id = ++this.ids.last;
    const message = {id, method, params, ...(this.session && {sessionId: this.session})};
    this.child.stdio[3].write(JSON.stringify(message) + "\0");
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), ANSWER_MS);
      const settle = (done) => (value) => { clearTimeout(timer); done(value); };
      this.waiting.set(id, {resolve: settle(resolve), reject: settle(reject)});
    });
  }

  open(file) { return this.visit(`file://${file}`); }

  visit(url) { return this.until_loaded(() => this.send("Page.navigate", {url})); }

  reload() { return this.until_loaded(() => this.send("Page.reload")); }

  // until_loaded does what leads to another page, and waits for that.
  async until_loaded(leave) {
    const loaded = new Promise((resolve) => { this.loads.set(this.session, resolve); });
    await leave();
    await loaded;
  }

  // run returns the value of an expression in the page, which may be a promise.
  async run(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate",
      {expression, returnByValue: true, awaitPromise: true, userGesture: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? expression);
    return result.value;
  }

  // press presses and releases a key as a keyboard does.
  async press(key) {
    const typed = {Enter: "\r"}[key] ?? (key.length === 1 ? key : undefined);
    const event = {key, ...(typed && {text: typed}),
      ...(key === "Enter" && {code: "Enter", windowsVirtualKeyCode: 13})};
    await this.send("Input.dispatchKeyEvent", {type: "keyDown", ...event});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", key});
  }

  // click clicks into the middle of the first element that `selector` finds.
  async click(selector) {
    const at = await this.run(`(() => {
      const one = document.querySelector(${JSON.stringify(selector)});
      one.scrollIntoView({block: "center"});
      const box = one.getBoundingClientRect();
      return {x: box.x + box.width / 2, y: box.y + box.height / 2};
    })()`);
    const mouse = {...at, button: "left", clickCount: 1};
    await this.send("Input.dispatchMouseEvent", {type: "mousePressed", ...mouse});
    await this.send("Input.dispatchMouseEvent", {type: "mouseReleased", ...mouse});
  }

  async picture(file) {
    const {data} = await this.send("Page.captureScreenshot", {format: "png"});
    writeFileSync(file, Buffer.from(data, "base64"));
  }

  // stop ends Chromium, by force where it does not end by itself.
  async stop() {
    const timer = setTimeout(() => this.child.kill("SIGKILL"), 5_000);
    this.session = undefined;
    await Promise.race([this.send("Browser.close").catch(() => {}), this.ended]);
    await this.ended;
    clearTimeout(timer);
    rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
  }
}
