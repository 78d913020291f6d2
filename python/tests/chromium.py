"""Headless Chromium through the DevTools protocol on a pipe: no package beyond the browser itself."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

COMMAND = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
FLAGS = [
    *("--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--hide-scrollbars"),
    *("--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--mute-audio"),
]


class Chromium:
    """One browser with one tab. `messages` has console output and errors of the page, `requests` what it asked for."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="induce-chromium-", ignore_cleanup_errors=True)
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()
        flags = [*FLAGS, f"--user-data-dir={self._folder.name}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        script = 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "bash", str(from_us), str(to_us), str(COMMAND), *flags],
            pass_fds=(from_us, to_us),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(from_us)
        os.close(to_us)
        self._write, self._read = to_browser, from_browser
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.messages: list[str] = []
        self.requests: list[str] = []
        self._events: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        os.close(self._write)
        self._process.terminate()
        self._process.wait(10)
        os.close(self._read)
        self._folder.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, page: Path) -> float:
        """Open a file, wait until it is loaded, and return the seconds from its start to its load event."""
        self.messages.clear()
        self.requests.clear()
        self._events.clear()
        self.call("Page.navigate", url=page.resolve().as_uri())
        while "Page.loadEventFired" not in self._events:
            self._next()
        return self.evaluate("(performance.timing.loadEventStart - performance.timing.navigationStart) / 1000")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, of a promise too. NaN and infinity arrive as None."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:2000])
        return result["result"].get("value")

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + 60
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError("Chromium did not answer for a minute")
            chunk = os.read(self._read, 1 << 20)
            if not chunk:
                raise RuntimeError(f"Chromium ended with status {self._process.wait()}")
            self._buffer += chunk
        text, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(text)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, event: str, parameters: dict[str, Any]) -> None:
        self._events.append(event)
        if event == "Runtime.consoleAPICalled":
            self.messages.append(str(parameters["args"]))
        elif event == "Runtime.exceptionThrown":
            self.messages.append(str(parameters["exceptionDetails"]))
        elif event == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"])
        elif event == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
