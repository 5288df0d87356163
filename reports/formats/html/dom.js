"use strict";
// The report as a page. Everything in the report is data: it reaches the page as text nodes and
// attribute values only, never as markup.

const report = JSON.parse(document.getElementById("report").textContent);
const results = report.results;
const VERDICTS = ["fail", "inconclusive", "warn", "xfail", "pass", "skip"];
const SHOWN_ARROWS = 60;
const SEARCHED_MESSAGES = 8;  // A conversation of so many has a search.
const LONG_MESSAGE = 200;  // Characters.
const byId = (id) => document.getElementById(id);

// make builds an element: attributes, then children, which are nodes or text.
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function draw(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// toneOf is the class of a verdict; "skip" alone is the link at the top.
const toneOf = (verdict) => (verdict === "skip" ? "skip-verdict" : verdict);
const areaOf = (result) => result.area || "general";
const count = (list, verdict) => list.filter((one) => one.verdict === verdict).length;
const clip = (text, length) => (text.length > length ? text.slice(0, length - 1) + "…" : text);

// shown returns JSON with what a screen would not show, or show elsewhere, as \u escapes.
function shown(value, indent) {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

// say tells what was done to those who do not see it.
function say(text) {
  byId("said").textContent = text;
}

// kept and keep remember a choice of the reader; a page from a file may have no storage.
function kept(name) {
  try { return localStorage.getItem(`plumbline-${name}`); } catch { return null; }
}

function keep(name, value) {
  try { localStorage.setItem(`plumbline-${name}`, value); } catch { /* not kept */ }
}
