// SPDX-License-Identifier: GPL-3.0-or-later
// No module, so that it runs where modules don't: says what to do if the page was opened as a file.

if (location.protocol === "file:") {
  document.getElementById("message").textContent =
    "A browser lets no page that is opened as a file read books: start `tabia serve` with them, or put this folder on any web server.";
  document.getElementById("message").hidden = false;
}
