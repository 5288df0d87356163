"use strict";
// What both pages are made with. Whatever a report or a recording holds is data: it reaches the page
// as text nodes and attribute values only, never as markup.

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
