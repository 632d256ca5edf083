// SPDX-License-Identifier: GPL-3.0-or-later
// The board: draws a position of any game, takes moves by click, drag and touch, and shows moves as arrows and rings.

import { el, put, svg } from "./dom.js";
import { nameOf, pieceAt, symbols } from "./pieces.js";

/** One field of the board is so wide. */
const FIELD = 100;
/** The room around a board whose coordinates stand outside. */
const MARGIN = { go: 50, connect: 26 };
/** A drag begins when the pointer has gone so far, in pixels. */
const DRAG = 4;

export class Board {
  #game = null;
  #position = null;
  #legal = [];
  #shown = {};
  #flipped = false;
  #selected = null;
  #drag = null;
  /** The pieces that are drawn, by square and shape. */
  #drawn = new Map();
  #onMove;

  /** A board in an element, which calls `onMove` with a legal move ({ san, uci }) that was made on it. */
  constructor(element, onMove) {
    this.#onMove = onMove;
    this.layers = Object.fromEntries(["ground", "marks", "labels", "pieces", "hints", "float"].map((name) => [name, svg("g", { class: name })]));
    this.svg = svg(
      "svg",
      { class: "board", role: "img", "aria-describedby": "board-text" },
      svg("defs", {}, symbols(), arrowheads()),
      Object.values(this.layers),
    );
    this.text = el("p", { id: "board-text", class: "unseen" });
    this.hands = el("div", { class: "hands", hidden: true });
    this.menu = el("div", { class: "choice", role: "dialog", "aria-label": "Which move?", hidden: true });
    element.replaceChildren(this.svg, this.hands, this.menu, this.text);
    this.svg.addEventListener("pointerdown", (event) => this.#down(event));
    this.svg.addEventListener("pointermove", (event) => this.#moved(event));
    this.svg.addEventListener("pointerup", (event) => this.#up(event));
    this.svg.addEventListener("pointercancel", () => this.#drop());
    this.svg.addEventListener("pointerleave", () => this.#drag === null && this.layers.float.replaceChildren());
    this.menu.addEventListener("keydown", (event) => event.key === "Escape" && (event.stopPropagation(), this.#closeMenu()));
  }

  /**
   * Shows a position: `setup` is its text, `legal` the moves that can be made, `last` the move that led here (or null), `sides` the names of the players.
   */
  show({ game, setup, legal, last, sides, flipped }) {
    const isOther = this.#game?.name !== game.name || this.#flipped !== (flipped && game.flips);
    const before = this.#shown.setup,
      isStep = !isOther && before !== setup;
    [this.#game, this.#flipped, this.#legal, this.#selected] = [game, flipped && game.flips, legal, null];
    this.#shown = { setup, last, sides };
    this.#closeMenu();
    this.#drop();
    if (isOther) {
      this.#drawGround();
      this.#drawn = new Map();
      this.layers.pieces.replaceChildren();
    }
    this.#position = game.read(setup);
    this.#drawMarks();
    this.#drawPieces(isStep ? last : null);
    this.layers.hints.replaceChildren();
    this.#describe();
  }

  /**
   * Shows moves on the board: `{ uci, weight: 0 to 1, label, strong }`. Moves that put a piece are rings with a label; others are arrows.
   */
  hint(moves) {
    if (this.#game === null) return;
    const draw = this.#game.places ? (move) => this.#ring(move) : (move) => this.#arrow(move);
    this.layers.hints.replaceChildren(...moves.map(draw).filter(Boolean));
  }

  // Places

  /** The upper left corner of a square. */
  #corner(square) {
    const cell = this.#game.cell(square);
    if (cell === null) return null;
    const [x, y] = this.#turn(cell);
    return [x * FIELD, y * FIELD];
  }

  #turn([x, y]) {
    return this.#flipped ? [this.#game.columns - 1 - x, this.#game.rows - 1 - y] : [x, y];
  }

  /** The square under a pointer; null for none. */
  #squareUnder(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const [x, y] = this.#turn([Math.floor(at.x / FIELD), Math.floor(at.y / FIELD)]);
    const inside = x >= 0 && y >= 0 && x < this.#game.columns && y < this.#game.rows;
    return inside ? { square: this.#game.square(x, y), x: at.x, y: at.y } : { square: null, x: at.x, y: at.y };
  }

  #path(move) {
    return this.#game.path(move.uci, this.#position);
  }

  /** The legal moves that end on a square, from another one where pieces move. */
  #movesTo(square, from = null) {
    if (square === null) return [];
    return this.#legal.filter((move) => {
      const path = this.#path(move);
      if (this.#game.moveAt) return move.uci === this.#game.moveAt(square);
      return (path.at(-1) === square && (this.#game.places || (path[0] === from && path.length > 1))) || this.#isCastling(move, from, square);
    });
  }

  /** Castling is also made by putting the king on its own rook. */
  #isCastling({ san }, from, square) {
    const isKings = (at) => this.#position.pieces.get(at)?.shape;
    if (this.#game.style !== "chess" || !/^O-O/.test(san) || isKings(from) !== "K" || isKings(square) !== "R") return false;
    return this.#game.cell(square)[0] > this.#game.cell(from)[0] === !/^O-O-O/.test(san);
  }

  #canMove(square) {
    return !this.#game.places && square !== null && this.#legal.some((move) => this.#path(move)[0] === square);
  }

  // The pointer

  #down(event) {
    if (this.#game === null || event.button !== 0) return;
    this.#closeMenu();
    const { square, x, y } = this.#squareUnder(event);
    this.svg.setPointerCapture(event.pointerId);
    if (this.#game.places) {
      this.#drag = { square, isPut: true };
      return;
    }
    const moves = this.#selected === null ? [] : this.#movesTo(square, this.#selected);
    if (moves.length > 0) {
      this.#drag = { isDone: true };
      this.#made(moves, square);
      return;
    }
    const wasSelected = this.#selected === square;
    this.#select(this.#canMove(square) ? square : null);
    if (this.#selected !== null) this.#drag = { square, wasSelected, start: [event.clientX, event.clientY], at: [x, y], isMoving: false };
  }

  #moved(event) {
    if (this.#game === null) return;
    const under = this.#squareUnder(event);
    if (this.#drag === null || this.#drag.isPut) {
      this.#point(event, under.square);
      return;
    }
    const drag = this.#drag;
    if (drag.isDone) return;
    const [x, y] = drag.start;
    if (!drag.isMoving && Math.hypot(event.clientX - x, event.clientY - y) < DRAG) return;
    if (!drag.isMoving) {
      drag.isMoving = true;
      this.#pieceElement(drag.square)?.classList.add("lifted");
    }
    const piece = this.#position.pieces.get(drag.square) ?? { shape: drag.square[0], light: this.#position.side === 0 };
    const over = this.#movesTo(under.square, drag.square).length > 0 ? this.#fieldOf(under.square, "over") : null;
    this.layers.float.replaceChildren(...[over, pieceAt(piece, under.x - FIELD / 2, under.y - FIELD / 2)].filter(Boolean));
  }

  #up(event) {
    const drag = this.#drag;
    if (drag === null) return;
    this.#drop();
    if (drag.isDone) return;
    const { square } = this.#squareUnder(event);
    if (drag.isPut) {
      const moves =
        square === drag.square || this.#game.moveAt?.(square ?? "") === this.#game.moveAt?.(drag.square ?? "") ? this.#movesTo(square) : [];
      if (moves.length > 0) this.#made(moves, square);
      return;
    }
    const moves = drag.isMoving ? this.#movesTo(square, drag.square) : [];
    if (moves.length > 0) this.#made(moves, square);
    else if (!drag.isMoving && drag.wasSelected) this.#select(null);
  }

  /** Ends a drag without a move. */
  #drop() {
    this.#drag = null;
    this.layers.float.replaceChildren();
    for (const piece of this.layers.pieces.querySelectorAll(".lifted")) piece.classList.remove("lifted");
  }

  /** What a pointer is over, without a button pressed: the piece that would be put there. */
  #point(event, square) {
    const moves = this.#game.places ? this.#movesTo(square) : [];
    this.svg.classList.toggle("playable", moves.length > 0 || this.#canMove(square));
    if (!this.#game.places) return;
    if (event.pointerType === "touch" || moves.length === 0) {
      this.layers.float.replaceChildren();
      return;
    }
    const [x, y] = this.#corner(this.#path(moves[0]).at(-1));
    this.layers.float.replaceChildren(pieceAt(this.#mine(), x, y, { class: "ghost" }));
  }

  /** The piece that the side to move puts down. */
  #mine() {
    const { style, lightFirst } = this.#game,
      first = this.#position.side === 0;
    const shape = { othello: "disc", go: "stone", connect: "counter", tictactoe: first ? "X" : "O" }[style];
    return { shape, light: first === lightFirst };
  }

  #select(square) {
    this.#selected = square;
    this.#drawMarks();
  }

  /** A move was made; if several are meant, one of them is asked for. */
  #made(moves, square) {
    this.#select(null);
    if (moves.length === 1) this.#onMove(moves[0]);
    else this.#ask(moves, square);
  }

  // Which of several moves

  #ask(moves, square) {
    const button = (move) =>
      el("button", { type: "button", onclick: () => (this.#closeMenu(), this.#onMove(move)) }, this.#face(move), el("span", {}, move.san));
    this.menu.replaceChildren(...moves.map(button));
    this.menu.hidden = false;
    const [x, y] = this.#corner(square),
      { columns, rows } = this.#game;
    this.menu.style.left = `${Math.min(80, Math.max(20, (100 * (x + FIELD / 2)) / (FIELD * columns)))}%`;
    this.menu.style.top = `${Math.min(72, Math.max(12, (100 * y) / (FIELD * rows)))}%`;
    this.menu.firstElementChild.focus();
  }

  #face({ uci }) {
    const to = /[a-h][1-8]([qrbnk])$/.exec(uci);
    if (this.#game.style !== "chess" || !to) return null;
    const piece = { shape: to[1].toUpperCase(), light: this.#position.side === 0 };
    return svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, pieceAt(piece, 0, 0));
  }

  #closeMenu() {
    this.menu.hidden = true;
  }

  // Drawing

  #drawGround() {
    const { style, columns, rows } = this.#game,
      margin = MARGIN[style] ?? 0;
    this.svg.setAttribute("viewBox", `${-margin} ${-margin} ${columns * FIELD + 2 * margin} ${rows * FIELD + 2 * margin}`);
    this.svg.setAttribute("class", `board ${style}`);
    const draw = { go: grid, connect: holes, tictactoe: lines }[style] ?? fields;
    const goals = (this.#game.goals ?? []).map((square) => this.#fieldOf(square, "goal"));
    this.layers.ground.replaceChildren(...draw(this.#game, margin), ...goals);
    this.layers.labels.replaceChildren(...this.#coordinates(margin));
  }

  #coordinates(margin) {
    const { style, columns, rows } = this.#game;
    const label = (x, y, text, tone = "") => svg("text", { x, y, class: `coordinate ${tone}`, "aria-hidden": "true" }, text);
    const at = (x, y) => this.#game.square(...this.#turn([x, y])) ?? "";
    const letter = (x) => (at(x, 0) || "").replace(/\d+$/, ""),
      number = (y) => (at(0, y) || "").replace(/^[^\d]+/, "");
    if (style === "go") {
      const each = (length, make) => Array.from({ length }, (_, i) => make(i));
      return [
        each(columns, (x) => [
          label(x * FIELD + 50, -margin / 2 + 16, letter(x), "outside"),
          label(x * FIELD + 50, rows * FIELD + margin / 2 - 2, letter(x), "outside"),
        ]),
        each(rows, (y) => [
          label(-margin / 2 + 4, y * FIELD + 57, number(y), "outside"),
          label(columns * FIELD + margin / 2 - 4, y * FIELD + 57, number(y), "outside"),
        ]),
      ].flat(2);
    }
    if (style === "draughts") {
      const numbers = Array.from({ length: columns * rows }, (_, i) => [i % columns, Math.floor(i / columns)]);
      return numbers.filter(([x, y]) => at(x, y)).map(([x, y]) => label(x * FIELD + 4, y * FIELD + 17, at(x, y), "corner on-dark"));
    }
    if (style === "connect") return Array.from({ length: columns }, (_, x) => label(x * FIELD + 50, rows * FIELD + 16, String(x + 1), "foot"));
    const tone = (x, y) => ((x + y) % 2 === 0 ? "on-light" : "on-dark");
    const files = Array.from({ length: columns }, (_, x) => label((x + 1) * FIELD - 6, rows * FIELD - 6, letter(x), `right ${tone(x, rows - 1)}`));
    const ranks = Array.from({ length: rows }, (_, y) => label(5, y * FIELD + 20, number(y), `corner ${tone(0, y)}`));
    return [...files, ...ranks];
  }

  #fieldOf(square, kind) {
    const corner = square === null || square === undefined ? null : this.#corner(square);
    if (corner === null) return null;
    const [x, y] = corner;
    if (this.#game.style === "go") return svg("circle", { cx: x + 50, cy: y + 50, r: 16, class: kind });
    if (["connect", "othello"].includes(this.#game.style)) return svg("circle", { cx: x + 50, cy: y + 50, r: kind === "last" ? 9 : 44, class: kind });
    return svg("rect", { x, y, width: FIELD, height: FIELD, class: kind });
  }

  /** The last move, the selected square and where it can go. */
  #drawMarks() {
    const { last } = this.#shown,
      above = ["go", "othello", "connect"].includes(this.#game.style);
    const marks = [];
    if (last && !above) marks.push(...this.#lastSquares(last).map((square) => this.#fieldOf(square, "last")));
    if (this.#selected !== null) {
      marks.push(this.#fieldOf(this.#selected, "selected"));
      const targets = this.#legal.map((move) => this.#path(move)).filter((path) => path[0] === this.#selected && path.length > 1);
      for (const square of new Set(targets.map((path) => path.at(-1)))) {
        const [x, y] = this.#corner(square),
          isTaken = this.#position.pieces.has(square);
        marks.push(svg("circle", { cx: x + 50, cy: y + 50, r: isTaken ? 44 : 15, class: isTaken ? "capture" : "target" }));
      }
    }
    this.layers.marks.replaceChildren(...marks.filter(Boolean));
    this.#drawHands();
  }

  /** What each side has in hand, to be put on the board by a click or a drag, and the checks that it may still give. */
  #drawHands() {
    const { hands, checks, side } = this.#position,
      { sides } = this.#shown;
    const held = (letter, count, owner) => {
      const piece = { shape: letter, light: owner === 0 },
        from = `${letter}@`,
        isFree = owner === side && this.#canMove(from);
      return el(
        "button",
        {
          type: "button",
          disabled: !isFree,
          "aria-label": `${sides[owner]}: ${count} ${nameOf(piece)} in hand`,
          "aria-pressed": String(isFree && this.#selected === from),
          onpointerdown: (event) => this.#take(event, from),
          // By the keyboard.
          onclick: (event) => event.detail === 0 && this.#select(this.#selected === from ? null : from),
        },
        svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, pieceAt(piece, 0, 0)),
        count > 1 ? el("span", {}, String(count)) : null,
      );
    };
    const rows = sides.map((name, owner) => {
      const letters = hands?.[owner] ?? [],
        kinds = [..."QRBNP"].filter((letter) => letters.includes(letter));
      const pieces = kinds.map((letter) => held(letter, letters.filter((other) => other === letter).length, owner));
      const left = checks ? el("span", {}, `${checks[owner]} more ${checks[owner] === 1 ? "check" : "checks"}`) : null;
      return el("div", {}, el("span", {}, name), ...(hands && pieces.length === 0 ? [el("span", {}, "nothing in hand")] : pieces), left);
    });
    this.hands.hidden = !hands && !checks;
    this.hands.replaceChildren(...(this.#flipped ? rows : rows.reverse()));
  }

  /** A piece in hand is picked up. */
  #take(event, from) {
    if (event.button !== 0) return;
    const { x, y } = this.#squareUnder(event),
      wasSelected = this.#selected === from;
    this.svg.setPointerCapture(event.pointerId);
    this.#closeMenu();
    this.#select(from);
    this.#drag = { square: from, wasSelected, start: [event.clientX, event.clientY], at: [x, y], isMoving: false };
  }

  #lastSquares(last) {
    if (this.#game.style === "connect") {
      let height = this.#game.rows;
      while (height > 1 && !this.#position.pieces.has(`${last.uci},${height}`)) height -= 1;
      return [`${last.uci},${height}`];
    }
    return this.#game.path(last.uci, this.#position);
  }

  #drawPieces(arriving) {
    const { pieces } = this.#position,
      { last } = this.#shown;
    // Pieces that stay where they are stay as they are drawn.
    const before = this.#drawn,
      drawn = [];
    this.#drawn = new Map();
    for (const [square, piece] of pieces) {
      const key = `${square} ${piece.shape} ${piece.light}`,
        [x, y] = this.#corner(square);
      const element = before.get(key) ?? pieceAt(piece, x, y, { "data-square": square });
      this.#drawn.set(key, element);
      if (!before.delete(key)) drawn.push(element);
    }
    for (const gone of [...before.values(), ...this.layers.pieces.querySelectorAll(".last-stone")]) gone.remove();
    if (last && ["go", "othello", "connect"].includes(this.#game.style)) {
      for (const square of this.#lastSquares(last).filter((square) => pieces.has(square))) {
        const [x, y] = this.#corner(square);
        drawn.push(svg("circle", { cx: x + 50, cy: y + 50, r: 11, class: `last-stone ${pieces.get(square).light ? "on-light" : "on-dark"}` }));
      }
    }
    this.layers.pieces.append(...drawn);
    if (arriving) this.#slide(arriving);
  }

  #pieceElement(square) {
    return this.layers.pieces.querySelector(`[data-square="${CSS.escape(square)}"]`);
  }

  /** The piece that has moved comes from where it was. */
  #slide({ uci }) {
    if (this.#game.places || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const path = this.#game.path(uci, this.#position),
      piece = path.length > 1 ? this.#pieceElement(path.at(-1)) : null;
    if (!piece) return;
    const [from, to] = [path[0], path.at(-1)].map((square) => this.#corner(square));
    if (from === null) return;
    const way = `translate(${from[0] - to[0]}px, ${from[1] - to[1]}px)`;
    // In the next frame, before it is drawn: now the browser would have to compute the whole page's style first.
    requestAnimationFrame(() => piece.animate([{ transform: way }, { transform: "none" }], { duration: 120, easing: "ease-out" }));
  }

  /** A move as an arrow over all squares it goes over. */
  #arrow({ uci, weight = 1, strong }) {
    const points = this.#game
      .path(uci, this.#position)
      .map((square) => this.#corner(square))
      .filter(Boolean)
      .map(([x, y]) => [x + 50, y + 50]);
    if (points.length < 2) return points.length === 1 ? this.#ring({ uci, weight, strong }) : null;
    const width = 6 + 12 * Math.sqrt(weight),
      [from, to] = points.slice(-2);
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]),
      back = (2.2 * width + 8) / length;
    points[points.length - 1] = [to[0] - (to[0] - from[0]) * back, to[1] - (to[1] - from[1]) * back];
    const d = points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    return svg("path", {
      d,
      class: strong ? "arrow strong" : "arrow",
      "stroke-width": width.toFixed(1),
      "marker-end": `url(#${strong ? "head-strong" : "head"})`,
    });
  }

  /** A move as a ring, with a label. */
  #ring({ uci, weight = 1, label, strong }) {
    const square = this.#game.path(uci, this.#position).at(-1),
      corner = square === undefined ? null : this.#corner(square);
    if (corner === null) return null;
    const [x, y] = corner,
      opacity = strong ? 1 : 0.45 + 0.5 * Math.sqrt(weight);
    return svg(
      "g",
      { class: strong ? "ring strong" : "ring", opacity },
      svg("circle", { cx: x + 50, cy: y + 50, r: label || strong ? 34 : 12 }),
      label ? svg("text", { x: x + 50, y: y + 51, "aria-hidden": "true" }, label) : null,
    );
  }

  /** The position in words, for those who don't see the board. */
  #describe() {
    const { sides } = this.#shown,
      { pieces, side } = this.#position,
      groups = [[], []];
    for (const [square, piece] of pieces) {
      const kind = ["disc", "stone", "counter", "man", "X", "O"].includes(piece.shape) ? "" : `${nameOf(piece)} `;
      const owner = this.#game.style === "tictactoe" ? (piece.shape === "X" ? 0 : 1) : piece.light === this.#game.lightFirst ? 0 : 1;
      groups[owner].push(kind + square.replace(",", " row "));
    }
    this.svg.setAttribute("aria-label", `${this.#game.title} board, ${sides[side]} to move`);
    put(this.text, groups.map((squares, i) => `${sides[i]}: ${squares.join(", ") || "nothing"}. `).join(""));
  }
}

function arrowheads() {
  return ["head", "head-strong"].map((id) =>
    svg(
      "marker",
      { id, viewBox: "0 0 10 10", refX: 2, refY: 5, markerWidth: 2.6, markerHeight: 2.6, orient: "auto", class: id },
      svg("path", { d: "M0 0L10 5L0 10z" }),
    ),
  );
}

/** Squares, light and dark. */
function fields({ columns, rows, style }) {
  const ground = [svg("rect", { width: columns * FIELD, height: rows * FIELD, class: "light" })];
  if (style === "othello") {
    const lines = Array.from({ length: 9 }, (_, i) => `M${i * FIELD} 0V${rows * FIELD}M0 ${i * FIELD}H${columns * FIELD}`).join("");
    const dots = [2, 6].flatMap((x) => [2, 6].map((y) => svg("circle", { cx: x * FIELD, cy: y * FIELD, r: 7, class: "star" })));
    return [...ground, svg("path", { d: lines, class: "lines" }), ...dots];
  }
  let dark = "";
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) if ((x + y) % 2 === 1) dark += `M${x * FIELD} ${y * FIELD}h${FIELD}v${FIELD}h-${FIELD}z`;
  return [...ground, svg("path", { d: dark, class: "dark" })];
}

/** The lines of a Go board, and its marked points. */
function grid({ columns: size }, margin) {
  const end = size * FIELD - 50;
  const d = Array.from({ length: size }, (_, i) => `M50 ${i * FIELD + 50}H${end}M${i * FIELD + 50} 50V${end}`).join("");
  const edge = size >= 13 ? 3 : size >= 8 ? 2 : 1,
    marked = size < 5 ? [] : size % 2 === 0 ? [edge, size - 1 - edge] : [edge, (size - 1) / 2, size - 1 - edge];
  const isStar = (x, y) => size >= 15 || (x !== (size - 1) / 2) === (y !== (size - 1) / 2);
  const stars = marked.flatMap((x) =>
    marked.filter((y) => isStar(x, y)).map((y) => svg("circle", { cx: x * FIELD + 50, cy: y * FIELD + 50, r: 9, class: "star" })),
  );
  return [
    svg("rect", { x: -margin, y: -margin, width: size * FIELD + 2 * margin, height: size * FIELD + 2 * margin, class: "light" }),
    svg("path", { d, class: "lines" }),
    ...stars,
  ];
}

/** The wall of Connect Four. */
function holes({ columns, rows }, margin) {
  const all = Array.from({ length: columns * rows }, (_, i) =>
    svg("circle", { cx: (i % columns) * FIELD + 50, cy: Math.floor(i / columns) * FIELD + 50, r: 40, class: "hole" }),
  );
  return [
    svg("rect", { x: -margin, y: -margin, width: columns * FIELD + 2 * margin, height: rows * FIELD + 2 * margin, rx: 12, class: "light" }),
    ...all,
  ];
}

/** The four lines of tic-tac-toe. */
function lines({ columns, rows }) {
  return [
    svg("rect", { width: columns * FIELD, height: rows * FIELD, class: "light" }),
    svg("path", { d: "M100 12V288M200 12V288M12 100H288M12 200H288", class: "lines" }),
  ];
}
