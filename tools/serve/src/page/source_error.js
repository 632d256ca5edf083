// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong where the page's data comes from.

/** What went wrong, in words for people. */
export class SourceError extends Error {}
