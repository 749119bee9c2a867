"""Firefox by WebDriver BiDi, and WebKit by WebDriver, without further programs: enough to look at a page.

Both are driven as Debian ships them (firefox-esr, webkit2gtk-driver); `start` gives None where a browser is absent.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import platform
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

LONG = 40  # seconds; a browser on a busy machine starts in less


class Firefox:
    """A Firefox without a window."""

    def __init__(self, program):
        from websockets.sync.client import connect

        self.profile = tempfile.TemporaryDirectory(prefix="scoref-firefox-")
        command = [program, "--headless", "--no-remote", "--profile", self.profile.name, "--remote-debugging-port=0"]
        home = {"HOME": self.profile.name, "MOZ_HEADLESS": "1"}
        self.process = subprocess.Popen(
            command, env=os.environ | home, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        for line in self.process.stderr:
            if found := re.search(r"ws://[\d.:]+", line):
                break
        else:
            raise RuntimeError(f"{program} did not start")
        self.connection = contextlib.ExitStack()
        self.socket = self.connection.enter_context(connect(f"{found[0]}/session", max_size=None, open_timeout=LONG))
        self.numbers = itertools.count()
        self._ask("session.new", capabilities={})
        self.context = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method, **params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv(timeout=LONG))
            if answer.get("id") == number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]

    def open(self, address, width, height):
        viewport = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self.context, viewport=viewport)
        self._ask("browsingContext.navigate", context=self.context, url="about:blank", wait="complete")
        self._ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, expression):
        """The value of an expression in the page, by way of JSON."""
        target = {"context": self.context}
        asked = f"(async () => JSON.stringify((await ({expression})) ?? null))()"
        answer = self._ask("script.evaluate", expression=asked, target=target, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def picture(self):
        return base64.b64decode(self._ask("browsingContext.captureScreenshot", context=self.context)["data"])

    def close(self):
        with contextlib.suppress(Exception):
            self._ask("browser.close")
        with contextlib.suppress(Exception):
            self.connection.close()
        self.process.terminate()
        self.process.wait(LONG)
        self.process.stderr.close()
        self.profile.cleanup()


class WebKit:
    """The small browser of WebKitGTK, on a screen that nobody sees."""

    def __init__(self, program, browser):
        self.screen = None
        if not os.environ.get("DISPLAY"):
            self.screen = subprocess.Popen(
                ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
        display = f":{self.screen.stdout.readline().strip()}" if self.screen else os.environ["DISPLAY"]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        variables = {"DISPLAY": display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        self.process = subprocess.Popen(
            [program, f"--port={port}"], env=os.environ | variables,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.address = f"http://127.0.0.1:{port}/session"
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        for _ in range(100):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(0.1)
        self.address += "/" + self._ask("POST", "", wanted)["sessionId"]

    def _ask(self, method, path, value=None):
        data = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=LONG) as answer:
            return json.load(answer)["value"]

    def open(self, address, width, height):
        self._ask("POST", "/window/rect", {"width": width, "height": height})
        self._ask("POST", "/url", {"url": "about:blank"})
        self._ask("POST", "/url", {"url": address})

    def run(self, expression):
        script = f"const done = arguments[0]; (async () => JSON.stringify((await ({expression})) ?? null))().then(done)"
        return json.loads(self._ask("POST", "/execute/async", {"script": script, "args": []}))

    def picture(self):
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def close(self):
        with contextlib.suppress(Exception):
            self._ask("DELETE", "")
        for process in (self.process, self.screen):
            if process:
                process.terminate()
                process.wait(LONG)
        if self.screen:
            self.screen.stdout.close()


def start(name):
    """A browser by its name, or None if it is not installed."""
    if name == "firefox":
        program = os.environ.get("SCOREF_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
        return Firefox(program) if program else None
    program = shutil.which("WebKitWebDriver")
    folders = ("webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0")
    browsers = [f"/usr/lib/{machine}/{folder}/MiniBrowser" for machine in _machines() for folder in folders]
    browser = next(filter(os.path.exists, browsers), None)
    screen = os.environ.get("DISPLAY") or shutil.which("Xvfb")
    return WebKit(program, browser) if program and browser and screen else None


def _machines():
    machine = platform.machine()  # of Windows, too
    return (f"{machine}-linux-gnu", machine)
