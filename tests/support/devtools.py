"""Chromium with its driver, and its DevTools protocol beside it.

The driver makes several calls of each of its commands: a script takes it 6 ms of the processor, and
1 ms here; a click 90 and 45 ms (https://chromedevtools.github.io/devtools-protocol/).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import websocket
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from tests.support.patience import PATIENCE_S

__all__ = ["Chromium", "DevTools", "ScriptError"]

_LEAVING = ("navigated", "context was destroyed", "default execution context", "was collected")
"""Parts of the messages of a page that is left while a script runs in it."""


class ScriptError(Exception):
    """A script or a call failed; ``is_leaving`` if another page took the place of its page."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.is_leaving = any(part in message for part in _LEAVING)


class DevTools:
    """A connection to a window of a driver's browser, by its handle."""

    def __init__(self, driver: webdriver.Chrome, window: str) -> None:
        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        url = f"ws://{address}/devtools/page/{window}"
        self._socket = websocket.create_connection(
            url,
            timeout=PATIENCE_S,
            suppress_origin=True,
            enable_multithread=False,
            skip_utf8_validation=True,  # it is done byte by byte, in Python
        )
        self._numbers = count(1)
        self.call("Page.enable")  # otherwise no script runs in new documents

    def close(self) -> None:
        self._socket.close()

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """The result of a method of the protocol. Raises ScriptError."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        try:
            while (message := json.loads(self._socket.recv())).get("id") != number:
                pass
        except websocket.WebSocketTimeoutException as error:
            raise ScriptError(f"{method}: no answer in {PATIENCE_S} s") from error
        if "error" in message:
            raise ScriptError(f"{method}: {message['error']['message']}")
        return dict(message["result"])

    @contextmanager
    def window(
        self, width: int, height: int, *, scale: float = 1, is_mobile: bool = False
    ) -> Iterator[None]:
        """A window of this size meanwhile, with ``scale`` pixels of the screen for one of it."""
        screen = {"width": width, "height": height, "deviceScaleFactor": scale}
        self.call("Emulation.setDeviceMetricsOverride", mobile=is_mobile, **screen)
        try:
            yield
        finally:
            self.call("Emulation.clearDeviceMetricsOverride")

    def run(self, script: str, *arguments: object) -> Any:
        """Run the body of a function; its result, as JSON. Raises ScriptError."""
        given = json.dumps(arguments)
        return self._evaluate(f"(function () {{ {script}\n }}).apply(null, {given})")

    def answer(self, script: str, *arguments: object) -> Any:
        """Run a script; the value with which it calls its last argument, as JSON.

        Raises ScriptError.
        """
        given = f"[...{json.dumps(arguments)}, done]"
        body = f"(async function () {{ {script}\n }}).apply(null, {given})"
        return self._evaluate(f"new Promise((done, fail) => {body}.catch(fail))")

    def _evaluate(self, expression: str) -> Any:
        wishes = {"returnByValue": True, "awaitPromise": True, "userGesture": True}
        found = self.call("Runtime.evaluate", expression=expression, **wishes)
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            raise ScriptError(details.get("exception", {}).get("description") or details["text"])
        return found["result"].get("value")


class Chromium(webdriver.Chrome):
    """A browser that a driver has started, and the DevTools of the window that it looks at."""

    def __init__(self, options: webdriver.ChromeOptions, service: Service) -> None:
        super().__init__(options, service)
        self._connections: dict[str, DevTools] = {}
        self.look_at(self.current_window_handle)

    def look_at(self, window: str) -> None:
        """Look at a window, by its handle; a size or colours that were set for it stay."""
        self.switch_to.window(window)
        if window not in self._connections:
            self._connections[window] = DevTools(self, window)
        self.tools = self._connections[window]

    def quit(self) -> None:
        """End the browser."""
        for tools in self._connections.values():
            tools.close()
        super().quit()
