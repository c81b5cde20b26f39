/* The theme toggle and the copy buttons. Every page works without this file. */
"use strict";

(function () {
  const NEXT = { auto: "light", light: "dark", dark: "auto" };

  function theme() {
    try {
      return localStorage.getItem("theme") || "auto";
    } catch {
      return "auto";
    }
  }

  function paint(chosen) {
    if (chosen === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
  }

  function keep(chosen) {
    try {
      localStorage.setItem("theme", chosen);
    } catch {
      /* private windows forget it */
    }
  }

  function wireTheme() {
    const button = document.querySelector("[data-theme-toggle]");
    if (!button) return;
    const say = () => (button.textContent = "Theme: " + theme());
    button.hidden = false;
    say();
    button.addEventListener("click", () => {
      keep(NEXT[theme()] || "auto");
      paint(theme());
      say();
    });
  }

  function showCopyButtons(root) {
    if (!navigator.clipboard) return;
    for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
  }

  async function copy(button) {
    const word = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => (button.textContent = word), 1500);
  }

  paint(theme());
  document.addEventListener("DOMContentLoaded", () => {
    wireTheme();
    showCopyButtons(document);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("[data-copy]");
    if (button) copy(button);
  });
  document.addEventListener("htmx:afterSwap", (event) => showCopyButtons(event.target));
})();
