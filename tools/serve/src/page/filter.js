// SPDX-License-Identifier: GPL-3.0-or-later
// Which games of a shelf are looked at: speeds, groups of ratings, months. Names and values are those of the API's parameters.

/** All games. `speeds` and `ratings` are lists of words, in which nothing means all; `since` and `until` are months such as 2024-01, or null. */
export const ALL = Object.freeze({ speeds: [], ratings: [], since: null, until: null });

/** The least ratings of all groups there may be. */
const GROUPS = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500].map(String);

/** Whether a filter wants all games. */
export const isAll = ({ speeds, ratings, since, until }) => speeds.length === 0 && ratings.length === 0 && !since && !until;

/** A filter as parameters of a request, with something before their names; those that choose nothing are null. */
export const parametersOf = ({ speeds, ratings, since, until }, prefix = "") =>
  Object.fromEntries(
    Object.entries({ speeds: speeds.join(","), ratings: ratings.join(","), since, until }).map(([name, value]) => [prefix + name, value || null]),
  );

/** The filter that parameters are; `get` gives the text of one, or null. */
export function ofParameters(get) {
  const list = (name) => (get(name) ?? "").split(",").filter(Boolean);
  return { speeds: list("speeds"), ratings: list("ratings"), since: get("since") || null, until: get("until") || null };
}

/** A filter with another value in one of its lists, or without it. `order` is that of all values. */
export function toggled(filter, name, value, order) {
  const wanted = filter[name].includes(value) ? filter[name].filter((other) => other !== value) : [...filter[name], value];
  return { ...filter, [name]: wanted.sort((a, b) => order.indexOf(a) - order.indexOf(b)) };
}

/** A group of ratings, or several that follow each other, as people write it: 1600–1999. */
export function ratingsText(first, last = first) {
  const next = GROUPS[GROUPS.indexOf(last) + 1];
  if (next === undefined) return `${first}+`;
  return first === "0" ? `under ${next}` : `${first}\u2013${Number(next) - 1}`;
}

/** A filter in few words; nothing for all games. */
export function filterText({ speeds, ratings, since, until }) {
  const runs = [];
  for (const rating of ratings) {
    const run = runs.at(-1);
    if (run && GROUPS.indexOf(rating) === GROUPS.indexOf(run[1]) + 1) run[1] = rating;
    else runs.push([rating, rating]);
  }
  const months = since && until ? (since === until ? since : `${since} to ${until}`) : since ? `since ${since}` : until ? `until ${until}` : "";
  return [speeds.join(", "), runs.map(([first, last]) => ratingsText(first, last)).join(", "), months].filter(Boolean).join("; ");
}

/** All months from one to another, both included. */
export function monthsBetween(first, last) {
  const months = [];
  for (let [year, month] = first.split("-").map(Number); ; month === 12 ? ([year, month] = [year + 1, 1]) : (month += 1)) {
    const text = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
    if (text > last) return months;
    months.push(text);
  }
}
