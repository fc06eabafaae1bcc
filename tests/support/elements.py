"""Elements of a page: what a user sees of them, clicks on and types there."""

from __future__ import annotations

from typing import Any, Final, Protocol

from selenium.webdriver.common.keys import Keys

from tests.support.devtools import DevTools

__all__ = ["CHOOSE", "FOCUS", "REACH", "Element", "Owner", "press_keys"]

_OPENERS = """
function openerOf(element) {
  const byId = (id) => document.getElementById(id);
  const open = document.querySelector("dialog:modal");
  if (open && !open.contains(element)) return open.querySelector("[id$=-close]");
  const dialog = element.closest("dialog:not([open])");
  const dialogs = {
    "open-dialog": "open-game", "books-dialog": "books-open", headers: "headers-open",
  };
  const at = dialog ? byId(dialogs[dialog.id]) : element;
  if (!at) return null;
  const menu = at.closest("[popover]:not(:popover-open)");
  if (menu) return document.querySelector(`[popovertarget=${menu.id}]`);
  const tab = at.closest("[role=tabpanel][hidden]");
  if (tab) return byId(tab.getAttribute("aria-labelledby"));
  const mode = byId("game")?.dataset.mode;
  if (at.closest("#notes") && mode !== "analyse") return byId("tab-analyse");
  const details = at.closest("details:not([open])");
  if (details && !at.closest("summary")) return details.querySelector("summary");
  return dialog ? at : null;
}
function pointOf(element) {
  if (!element.checkVisibility()) return [];
  for (const block of ["nearest", "center"]) {
    element.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    const box = element.getClientRects()[0];
    if (!box) return [];
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (element.contains(document.elementFromPoint(x, y))) return [x, y];
  }
  return [];
}
"""
REACH = (
    _OPENERS
    + """
const [selector, place, isClicked, isFirst, done] = arguments;
if (isFirst) delete window.lastOpener;
let last = [];
(function look() {
  const element = document.querySelectorAll(selector)[place];
  const opener = element && openerOf(element);
  const at = opener ?? element;
  const isNext = at && (!opener || opener !== window.lastOpener);
  if (isNext && at.closest("a, option")) return done({ point: null, isOpener: false });
  const point = isNext ? pointOf(at) : [];
  if (element && !opener && !isClicked) return done({ point: null, isOpener: false });
  if (!point.length || String(point) !== String(last)) {
    last = point;
    return requestAnimationFrame(look);
  }
  window.lastOpener = opener;
  done({ point, isOpener: Boolean(opener) });
})();
"""
)
"""The point to click on next to reach an element, when it has been there for a frame: its own, if
it is to be clicked, or that of what must be opened or closed before. A link has none: the driver
clicks on it and waits for its page."""
FOCUS = """
const element = document.querySelectorAll(arguments[0])[arguments[1]];
if (document.activeElement === element) return;
document.activeElement?.blur();
element.focus();
if (/text|search|url/.test(element.type)) {
  element.setSelectionRange(element.value.length, element.value.length);
}
"""
"""Set the focus on an element, behind the text of a field."""
CHOOSE = """
const [list, name] = [document.querySelector(arguments[0]), arguments[1]];
const option = [...list.options].find(({ value, text }) => value === name || text === name);
if (!option || option.disabled) throw new Error(`there is no choice ${name}`);
option.selected = true;
for (const type of ["input", "change"]) list.dispatchEvent(new Event(type, { bubbles: true }));
"""
"""Choose an option of a list, by its value or its text."""


_KEYS: Final = {
    Keys.BACKSPACE: ("Backspace", 8, ""),
    Keys.TAB: ("Tab", 9, ""),
    Keys.ENTER: ("Enter", 13, "\r"),
    Keys.ESCAPE: ("Escape", 27, ""),
    Keys.SPACE: (" ", 32, " "),
    Keys.END: ("End", 35, ""),
    Keys.HOME: ("Home", 36, ""),
    Keys.ARROW_LEFT: ("ArrowLeft", 37, ""),
    Keys.ARROW_UP: ("ArrowUp", 38, ""),
    Keys.ARROW_RIGHT: ("ArrowRight", 39, ""),
    Keys.ARROW_DOWN: ("ArrowDown", 40, ""),
    Keys.DELETE: ("Delete", 46, ""),
}
"""Name, virtual key code and text of a key."""
_CONTROL: Final = 2
"""Control among the modifiers of the protocol."""


def press_keys(tools: DevTools, keys: str) -> None:
    """Press keys where the focus is; those after Keys.CONTROL together with it."""
    modifiers = 0
    for key in keys:
        if key == Keys.CONTROL:
            modifiers = _CONTROL
            continue
        if not key.isascii() and key not in _KEYS:
            tools.call("Input.insertText", text=key)
            continue
        code = ord(key.upper()) if key.isalnum() else 0
        name, code, text = _KEYS.get(key, (key, code, key))
        pressed = {"key": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        typed = {} if modifiers else {"text": text}
        tools.call("Input.dispatchKeyEvent", type="keyDown", **pressed, **typed)
        tools.call("Input.dispatchKeyEvent", type="keyUp", **pressed)


class Owner(Protocol):
    """The page of an element."""

    def run(self, script: str, *arguments: object) -> Any: ...

    def click(self, selector: str, place: int = 0) -> None: ...

    def press(self, selector: str, *keys: str, place: int = 0) -> None: ...

    def insert(self, text: str) -> None: ...


class Element:
    """An element of a page, by its selector and its place among all with that selector.

    It is looked for anew for every question, so that none belongs to a page that is gone.
    """

    def __init__(self, page: Owner, selector: str, place: int = 0) -> None:
        self.page = page
        self.selector = selector
        self.place = place

    def ask(self, question: str, *arguments: object) -> Any:
        """The value of an expression with ``element``, and ``arguments[2]`` and so on."""
        return self.page.run(
            f"""const element = document.querySelectorAll(arguments[0])[arguments[1]];
            if (!element) throw new Error(`nothing has the selector ${{arguments[0]}}`);
            return {question};""",
            self.selector,
            self.place,
            *arguments,
        )

    @property
    def text(self) -> str:
        """The text that a user sees."""
        return str(self.ask("element.checkVisibility() ? element.innerText.trim() : ''"))

    def get_attribute(self, name: str) -> str | None:
        found: str | None = self.ask("element.getAttribute(arguments[2])", name)
        return found

    def get_property(self, name: str) -> Any:
        return self.ask("element[arguments[2]]", name)

    def style(self, name: str) -> str:
        """The value of a property of CSS."""
        return str(self.ask("getComputedStyle(element).getPropertyValue(arguments[2])", name))

    def is_displayed(self) -> bool:
        return bool(self.ask("element.checkVisibility({ visibilityProperty: true })"))

    def is_enabled(self) -> bool:
        return bool(self.ask("!element.matches(':disabled')"))

    def is_selected(self) -> bool:
        return bool(self.ask("element.matches(':checked')"))

    @property
    def rect(self) -> dict[str, float]:
        """Place on the page, and size."""
        box: dict[str, float] = self.ask("element.getBoundingClientRect().toJSON()")
        left, top = self.page.run("return [scrollX, scrollY]")
        return {**box, "x": box["x"] + left, "y": box["y"] + top}

    def click(self) -> None:
        self.page.click(self.selector, self.place)

    def send_keys(self, *keys: str) -> None:
        self.page.press(self.selector, *keys, place=self.place)

    def fill(self, text: str) -> None:
        """Put a text in the place of that in a field, at once."""
        self.ask("[element.focus(), element.select()]")
        self.page.insert(text)

    def clear(self) -> None:
        """Empty a field as a user does: it says that it has changed."""
        self.ask("""(element.focus(), element.value = "",
            ["input", "change"].forEach((type) =>
              element.dispatchEvent(new Event(type, { bubbles: true }))))""")
