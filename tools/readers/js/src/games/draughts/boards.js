// The boards of English and international draughts: what differs between both games, and how squares hang together.

/** Pieces are numbers: 0 none, 1 and 2 a man of Black and of White, 3 and 4 a king. */
export function pieceOf(white, king) {
  return 1 + (white ? 1 : 0) + (king ? 2 : 0);
}

export function isWhite(piece) {
  return piece !== 0 && piece % 2 === 0;
}

export function isKing(piece) {
  return piece > 2;
}

/** Directions: down to the left and right, then up to the left and right. Black's men move down, White's up. */
const DIRECTIONS = [[-1, 1], [1, 1], [-1, -1], [1, -1]];
export const DOWN = [0, 1], UP = [2, 3], EVERY = [0, 1, 2, 3];

class Rules {
  constructor(game, width, menAtStart, firstIsWhite, isInternational) {
    this.game = game;
    this.width = width;
    this.squares = (width * width) / 2;
    this.menAtStart = menAtStart;
    this.firstIsWhite = firstIsWhite;
    /** Whether kings fly, men capture backwards, and the most pieces have to be captured. */
    this.isInternational = isInternational;
    /** For each square, counted from 1, and each direction the squares that way, the nearest first. */
    this.rays = [[], ...Array.from({ length: this.squares }, (_, i) => DIRECTIONS.map((way) => this.#ray(i, way)))];
  }

  isLastRow(square, white) {
    const row = Math.floor((square - 1) / (this.width / 2));
    return row === (white ? 0 : this.width - 1);
  }

  #ray(i, [dx, dy]) {
    const half = this.width / 2, ray = [];
    let y = Math.floor(i / half), x = 2 * (i % half) + (y % 2 === 0 ? 1 : 0);
    for (x += dx, y += dy; x >= 0 && x < this.width && y >= 0 && y < this.width; x += dx, y += dy) {
      ray.push(half * y + Math.floor(x / 2) + 1);
    }
    return ray;
  }
}

export const GAMES = {
  checkers: new Rules("checkers", 8, 12, false, false),
  "draughts-10": new Rules("draughts-10", 10, 20, true, true),
};
