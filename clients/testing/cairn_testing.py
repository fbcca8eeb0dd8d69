"""A Cairn of its own for tests: in memory, on a free port, put back to its seeded state in milliseconds.

With the standard library alone, for Python 3.9 and later. `pytest_cairn` makes fixtures of it.
"""

import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

FLAGS = ["serve", "--ephemeral", "--port", "0", "--with-parent", "--ready-json", "--ready-when", "listening"]
#: Tests are faster than any caller; no setting and no config file of the machine may reach them.
SETTINGS = {
    "CAIRN_RATE_WRITES": "0",
    "CAIRN_RATE_BULK": "0",
    "CAIRN_RATE_SEARCHES": "0",
    "CAIRN_RATE_READS": "0",
    # A file, below which nobody can put a config file.
    "XDG_CONFIG_HOME": os.path.abspath(__file__),
}
BULK_MAX = 100
SEED_LIMIT_S = 120
STOP_LIMIT_S = 10
LOG_MAX = 256 * 1024


class Unfollowed(urllib.request.HTTPRedirectHandler):
    """Has a redirect be a refusal: what is written is for the instance alone."""

    def redirect_request(self, *_):
        return None


#: No proxy of the machine stands between a test and an instance beside it.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), Unfollowed)


def _host(address):
    """What of an address may be shown: no name, password or query."""
    return urllib.parse.urlsplit(address).netloc.rpartition("@")[2]


class CairnError(Exception):
    """A reply with an error status, or an instance that could not start."""

    def __init__(self, message, status=None, body=None):
        super().__init__(message)
        self.status = status
        self.body = body

    @property
    def reason(self):
        """`details.reason` of the reply's error."""
        error = self.body.get("error", {}) if isinstance(self.body, dict) else {}
        return (error.get("details") or {}).get("reason")


class Cairn:
    """One instance, stopped by `stop`, at the end of a `with`, or with this process, however that ends."""

    def __init__(self, seed=None, binary=None, args=(), env=None):
        """`seed` is a list of memories (texts or dicts), or a function that writes to the address that it is given."""
        binary = binary or os.environ.get("CAIRN_BINARY") or "cairn"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CAIRN_")}
        self._log = tempfile.TemporaryFile()
        self._since = 0
        try:
            self.process = subprocess.Popen(
                [binary, *FLAGS, *args],
                env={**kept, **SETTINGS, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._log,
            )
        except OSError as error:
            hint = "Put cairn on the PATH, or name it in CAIRN_BINARY."
            raise CairnError(f"Cairn did not start: {error}. {hint}") from error
        try:
            line = self.process.stdout.readline()
            ready = json.loads(line) if line.startswith(b"{") else {"message": "it ended at once"}
            if ready.get("event") != "ready":
                raise CairnError(ready.get("message"))
            self.url = ready["url"]
            if callable(seed):
                seed(self.url)
            else:
                self._write(seed or [])
            self._remember()
        except BaseException as error:
            self.stop()
            raise CairnError(f"Cairn did not start: {error}\n{self.logs()}") from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def call(self, method, path, body=None):
        """Sends JSON and returns the reply's. Raises CairnError for a refusal."""
        data = None if body is None else json.dumps(body).encode()
        headers = {} if body is None else {"content-type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with OPENER.open(request, timeout=60) as reply:
                text = reply.read()
        except urllib.error.HTTPError as refusal:
            target = refusal.headers.get("Location")
            text = refusal.read().decode() if target is None else f"It leads to {_host(target)}, where nothing is sent."
            told = json.loads(text) if text.startswith("{") else text
            raise CairnError(f"{method} {path}: {refusal.code} {text}", refusal.code, told) from None
        return json.loads(text) if text else None

    def reset(self):
        """Puts everything back to the seeded state, ids included."""
        self.call("POST", "/api/v1/admin/snapshot/restore")
        self._since = os.fstat(self._log.fileno()).st_size

    def logs(self):
        """What it wrote since the last reset, at most the last 256 KiB."""
        size = os.fstat(self._log.fileno()).st_size
        # Read elsewhere than where it writes: both share the place in the file.
        start = max(self._since, size - LOG_MAX)
        return os.pread(self._log.fileno(), size - start, start).decode(errors="replace")

    def stop(self):
        """Ends the process and waits for its end."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_LIMIT_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()

    def _write(self, memories):
        owners = {}
        for memory in memories:
            item = {"content": memory} if isinstance(memory, str) else dict(memory)
            owner = {name: item.pop(name) for name in ("agent_id", "fleet_id", "visibility") if name in item}
            owners.setdefault(json.dumps(owner), []).append(item)
        for owner, items in owners.items():
            for i in range(0, len(items), BULK_MAX):
                part = items[i : i + BULK_MAX]
                body = {"tenant_id": "default", **json.loads(owner), "items": part}
                for result in self.call("POST", "/api/v1/memories/bulk", body)["results"]:
                    if result["status"] == "error":
                        raise CairnError(f"Of the seed, {part[result['index']]} is refused: {result['error']}")

    def _remember(self):
        """Waits until all was read, and takes the snapshot."""
        ends_at = time.monotonic() + SEED_LIMIT_S
        while True:
            try:
                return self.call("POST", "/api/v1/admin/snapshot")
            except CairnError as error:
                if error.reason != "jobs_left" or time.monotonic() > ends_at:
                    raise
