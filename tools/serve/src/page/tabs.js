// SPDX-License-Identifier: GPL-3.0-or-later
// What there is to look into: the books, and of a shelf as many filters beside each other as the reader has made.
//
// A tab is what GET /v1/books says of a book, and
//   filter   which of its games are looked at
//   spec     book and filter as a word for addresses: lichess;speeds=blitz;since=2024-01
//   label    the same for people

import { ALL, filterText, isAll, ofParameters, parametersOf } from "./filter.js";

/** By the books: their tabs by their words, so that a tab stays the same object. */
const made = new WeakMap();

function tab(book, filter) {
  if (!made.has(book)) made.set(book, new Map());
  const tabs = made.get(book),
    spec = specOf({ book: book.name, filter });
  if (!tabs.has(spec)) tabs.set(spec, { ...book, filter, spec, label: [book.name, filterText(filter)].filter(Boolean).join(": ") });
  return tabs.get(spec);
}

/** A book's name and a filter as one word. */
export function specOf({ book, filter }) {
  const parameters = Object.entries(parametersOf(filter)).filter(([, value]) => value !== null);
  return [book.replace(/[%;]/g, encodeURIComponent), ...parameters.map((parameter) => parameter.join("="))].join(";");
}

/** The name and the filter of such a word. */
export function ofSpec(spec) {
  const [name, ...parameters] = spec.split(";"),
    values = new Map(parameters.map((parameter) => parameter.split("=")));
  return { book: name.replace(/%(25|3B)/gi, decodeURIComponent), filter: ofParameters((parameter) => values.get(parameter) ?? null) };
}

/** What is looked at, with a book that there is. */
export function settled(state, books) {
  if (books.some(({ name }) => name === state.book)) return state;
  // A filter without a book is one of the first book; that of a book that isn't here is none.
  return { ...state, book: books[0].name, ...(state.book === null ? {} : { filter: ALL, place: 0 }) };
}

/** All tabs, and which of them is looked at: of each book those with its filters, or one with all its games. */
export function tabsOf(state, books) {
  const tabs = [];
  let at = 0;
  for (const book of books) {
    const filters = state.also.filter((other) => other.book === book.name).map(({ filter }) => filter);
    if (book.name === state.book) {
      const place = Math.min(state.place, filters.length);
      at = tabs.length + place;
      filters.splice(place, 0, state.filter);
    }
    tabs.push(...(filters.length > 0 ? filters : [ALL]).map((filter) => tab(book, filter)));
  }
  return { tabs, at };
}

/** What is looked at in another tab. */
export function lookingInto(state, tabs, at) {
  const { name, filter } = tabs[at],
    isAlone = (one) => tabs.filter((other) => other.name === one.name).length === 1;
  const others = tabs.filter((one, place) => place !== at && !(isAll(one.filter) && isAlone(one)));
  return {
    ...state,
    book: name,
    filter,
    place: tabs.slice(0, at).filter((one) => one.name === name).length,
    also: others.map((one) => ({ book: one.name, filter: one.filter })),
  };
}

/** What is looked at in a new tab behind the present one, which has all games of the same book. */
export const addingTab = (state, tabs, at) =>
  lookingInto(state, [...tabs.slice(0, at + 1), { ...tabs[at], filter: ALL }, ...tabs.slice(at + 1)], at + 1);

/** What is looked at without the present tab: its neighbour of the same book. */
export function closingTab(state, tabs, at) {
  const rest = tabs.filter((_, place) => place !== at);
  return lookingInto(state, rest, rest[at]?.name === tabs[at].name ? at : at - 1);
}
