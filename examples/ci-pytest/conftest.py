"""A fixture that starts Cairn in memory on a free port and stops it after the tests."""

import json
import subprocess
import urllib.request

import pytest


class Unfollowed(urllib.request.HTTPRedirectHandler):
    """Has a redirect be an error: what is written is for this instance alone."""

    def redirect_request(self, *_):
        return None


class Cairn:
    """Calls of one instance, with nothing but the standard library."""

    def __init__(self, url: str) -> None:
        self.api = f"{url}/api/v1"

    def post(self, path: str, body: dict) -> dict:
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{self.api}{path}", data, {"content-type": "application/json"})
        with urllib.request.build_opener(Unfollowed).open(request, timeout=30) as reply:
            return json.load(reply)


@pytest.fixture(scope="session")
def cairn():
    flags = ["serve", "--ephemeral", "--port", "0", "--ready-json", "--log-level", "error"]
    process = subprocess.Popen(["cairn", *flags], stdout=subprocess.PIPE)
    line = process.stdout.readline()
    if not line:
        pytest.fail(f"Cairn did not start; its exit code is {process.wait(timeout=30)}.", pytrace=False)
    yield Cairn(json.loads(line)["url"])
    process.terminate()
    process.wait(timeout=30)
