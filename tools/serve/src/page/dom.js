// SPDX-License-Identifier: GPL-3.0-or-later
// Making elements. Text always becomes text nodes: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. Of `props`, `on...` are listeners, `class`, `data-...`, `aria-...` and the like attributes; null and false are left out. */
export const el = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** An SVG element, likewise. */
export const svg = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** Gives an element other children; it is hidden if there are none. */
export function put(element, ...children) {
  const kept = children.flat(9).filter((child) => child !== null && child !== undefined && child !== false);
  element.replaceChildren(...kept);
  element.hidden = kept.length === 0;
}

/** Whether a key that was pressed is meant for a field, not for the page. */
export const isTyping = ({ target }) => target instanceof Element && target.closest("input, select, textarea, dialog[open]") !== null;
