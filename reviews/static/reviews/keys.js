/* Keys of the inbox and the task page. They press the buttons and follow the links that stand on
   the page; everything works without this file. */
"use strict";

(function () {
  const DECIDING = ["a", "r", "n", "x"];

  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const rows = () => all("tr[data-row]");
  const focused = () => document.activeElement && document.activeElement.closest("tr[data-row]");
  const boxes = () => all("tr[data-row] input[name='task']");

  function isTyping(target) {
    const field = target.closest && target.closest("input, textarea, select, [contenteditable]");
    return Boolean(field) && field.type !== "checkbox";
  }

  function move(step) {
    const list = rows();
    if (!list.length) return press(step > 0 ? "j" : "k");
    const at = list.indexOf(focused());
    const next = at < 0 ? (step > 0 ? 0 : list.length - 1) : at + step;
    const row = list[Math.min(Math.max(next, 0), list.length - 1)];
    row.focus();
    row.scrollIntoView({ block: "nearest" });
  }

  function press(key) {
    const found = document.querySelector(`[data-key="${key}"]`);
    if (found) found.click();
    return Boolean(found);
  }

  function decide(key) {
    if (!rows().length) return press(key);
    if (boxes().some((box) => box.checked)) return press(key);
    const row = focused();
    const button = row && row.querySelector(`[data-row-key="${key}"]`);
    if (button) button.click();
    return Boolean(button);
  }

  function check() {
    const row = focused();
    const box = row && row.querySelector("input[name='task']");
    if (!box) return false;
    box.checked = !box.checked;
    box.dispatchEvent(new Event("change", { bubbles: true }));
    return true;
  }

  function open() {
    const row = focused();
    const link = row && row.querySelector("a[data-open]");
    if (link) link.click();
    return Boolean(link);
  }

  function focusOn(selector) {
    const field = document.querySelector(selector);
    if (field) field.focus();
    return Boolean(field);
  }

  function help() {
    const list = document.querySelector("details[data-help]");
    if (!list) return false;
    list.open = !list.open;
    if (list.open) list.scrollIntoView({ block: "nearest" });
    return true;
  }

  function act(key, target) {
    if (key === "j" || key === "k") return move(key === "j" ? 1 : -1) !== false;
    if (DECIDING.includes(key)) return decide(key);
    if (key === " ") return focused() === target && check();
    if (key === "o") return open();
    if (key === "Enter") return focused() === target && open();
    if (key === "c") return focusOn("[data-note]");
    if (key === "/") return focusOn("[data-search]");
    if (key === "?") return help();
    return false;
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && isTyping(event.target)) return event.target.blur();
    if (isTyping(event.target)) return;
    if (act(event.key, event.target)) event.preventDefault();
  }

  function countChecked() {
    const said = document.querySelector("[data-checked]");
    if (!said) return;
    const n = boxes().filter((box) => box.checked).length;
    const hidden = all("input[type='hidden'][name='task']").length;
    said.textContent = n + hidden ? `${n + hidden} chosen` : "none chosen";
  }

  function wireAll() {
    const whole = document.querySelector("[data-check-all]");
    if (!whole) return;
    whole.hidden = false;
    whole.addEventListener("change", () => {
      for (const box of boxes()) box.checked = whole.checked;
      countChecked();
    });
  }

  document.addEventListener("keydown", onKey);
  document.addEventListener("change", countChecked);
  for (const hint of all("[data-keys]")) hint.hidden = false;
  wireAll();
  countChecked();
})();
