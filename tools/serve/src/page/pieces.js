// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces, each drawn in a square of 100 by 100, as symbols that the board uses by their ids. The shapes are our own.

import { svg } from "./dom.js";

const BASE = "M24 84h52a3 3 0 0 1 3 3v4a3 3 0 0 1-3 3H24a3 3 0 0 1-3-3v-4a3 3 0 0 1 3-3z";

/** Of each chess piece the outlines, and the lines within. */
const CHESS = {
  P: [
    [
      "M50 18a14 14 0 0 1 9.6 24.2H66a3 3 0 0 1 3 3v2.6a3 3 0 0 1-3 3h-7.4C59.6 64 65 74 73 82H27c8-8 13.4-18 14.4-31.2H34a3 3 0 0 1-3-3v-2.6a3 3 0 0 1 3-3h6.4A14 14 0 0 1 50 18z",
      BASE,
    ],
    [],
  ],
  R: [
    ["M25 17h12v9h8v-9h10v9h8v-9h12v21l-8 7 3 31 7 7H23l7-7 3-31-8-7z", BASE],
    ["M33 45h34", "M30 76h40"],
  ],
  B: [
    [
      "M50 8a6.5 6.5 0 0 1 4.3 11.4C66 27 71 37 69 48c-1 6-4 10-8 13h2a3 3 0 0 1 3 3v2.5a3 3 0 0 1-3 3h-2.5C62 75 67 79 73 83H27c6-4 11-8 12.5-13.5H37a3 3 0 0 1-3-3V64a3 3 0 0 1 3-3h2c-4-3-7-7-8-13-2-11 3-21 14.7-28.6A6.5 6.5 0 0 1 50 8z",
      BASE,
    ],
    ["M50 33v16", "M42 41h16"],
  ],
  Q: [
    [
      "M20 83C23 70 20 52 12 35l17 16-2-28 14 25 9-31 9 31 14-25-2 28 17-16c-8 17-11 35-8 48z",
      "M50 9a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM25 15a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM75 15a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM11 28a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM89 28a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
      BASE,
    ],
    ["M23 68c17-5 37-5 54 0"],
  ],
  K: [
    [
      "M46.5 5h7v6.5H60v7h-6.5V27h-7v-8.5H40v-7h6.5z",
      "M50 46c-1-11 5-21 17-22 13-1 22 9 20 23-2 14-12 20-13 36H26c-1-16-11-22-13-36-2-14 7-24 20-23 12 1 18 11 17 22z",
      BASE,
    ],
    ["M27 72c15-5 31-5 46 0", "M50 46v22"],
  ],
  N: [
    [
      "M27 83c0-17 17-24 18-38-4 6-11 8-17 13-4 4-7 6-11 3-5-4-4-9-1-14 5-8 8-13 11-21 1-4 4-7 8-9l-1-12c6 2 10 6 13 10 20 1 33 19 34 45 0 9-2 16-3 23z",
      BASE,
    ],
    ["M60 24c9 8 14 20 13 40"],
    ["M37 30a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4z"],
  ],
};

/** All symbols. */
export function symbols() {
  const both = (make) => [true, false].map(make);
  return [
    ...Object.entries(CHESS).flatMap(([name, [outlines, lines, dots]]) =>
      both((light) =>
        symbol(name, light, [
          outlines.map((d) => svg("path", { d, class: "body" })),
          lines.map((d) => svg("path", { d, class: "line" })),
          (dots ?? []).map((d) => svg("path", { d, class: "dot" })),
        ]),
      ),
    ),
    ...both((light) => symbol("disc", light, round(42))),
    ...both((light) => symbol("stone", light, round(48))),
    ...both((light) => symbol("counter", light, [round(40), svg("circle", { cx: 50, cy: 50, r: 27, class: "line" })])),
    ...both((light) => symbol("man", light, [round(39), svg("circle", { cx: 50, cy: 50, r: 27, class: "line" })])),
    ...both((light) =>
      symbol("king", light, [
        round(39),
        svg("circle", { cx: 50, cy: 50, r: 31, class: "line" }),
        svg("path", { d: "M30 62l-5-24 14 11 11-17 11 17 14-11-5 24z", class: "crown" }),
      ]),
    ),
    symbol("X", true, [svg("path", { d: "M24 24l52 52M76 24l-52 52", class: "cross" })]),
    symbol("O", false, [svg("circle", { cx: 50, cy: 50, r: 29, class: "nought" })]),
  ];
}

const round = (r) => svg("circle", { cx: 50, cy: 50, r, class: "body" });

const symbol = (shape, light, children) =>
  svg("symbol", { id: idOf({ shape, light }), viewBox: "0 0 100 100", class: `piece ${light ? "light" : "dark"}`, overflow: "visible" }, children);

const idOf = ({ shape, light }) => `piece-${light ? "light" : "dark"}-${shape}`;

/** A piece in a square of 100 by 100 whose upper left corner is at x, y. */
export const pieceAt = (piece, x, y, props = {}) => svg("use", { href: `#${idOf(piece)}`, x, y, width: 100, height: 100, ...props });

const NAMES = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };

/** What a piece is called. */
export const nameOf = ({ shape }) => NAMES[shape] ?? shape;
