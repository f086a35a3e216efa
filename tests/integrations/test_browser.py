"""Every record's address, opened in Chromium: its anchor is there, its first words stand below."""

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from sites import Record, assert_below, copy_site, needs, read_records, run

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium on the path"),
]
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--mute-audio"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # themes load from elsewhere
)
CHECK = """<!doctype html><meta charset="utf-8"><script>
async function open(record) {
  const frame = document.createElement('iframe')
  const loaded = new Promise((done) => frame.addEventListener('load', done, { once: true }))
  frame.src = record.url
  document.body.append(frame)
  await loaded
  const page = frame.contentDocument
  const target = record.anchor ? page.getElementById(record.anchor) : page.body
  const seen = { found: target !== null, target: !record.anchor, below: '' }
  if (target) {
    const range = page.createRange()
    range.setStartBefore(target)
    range.setEndAfter(page.body.lastChild)
    seen.below = range.toString().slice(0, 4000)
    seen.target ||= page.querySelector(':target') === target
  }
  frame.remove()
  return seen
}
addEventListener('load', async () => {
  const seen = []
  for (const record of await (await fetch('/records.json')).json()) seen.push(await open(record))
  await fetch('/seen.json', { method: 'POST', body: JSON.stringify(seen) })
})
</script><body></body>"""


class Handler(SimpleHTTPRequestHandler):
    """Serves sites, the page that looks at them, and takes what it has seen."""

    def __init__(self, *args: Any, seen: "Seen", **kwargs: Any) -> None:
        self.seen = seen
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        pages = {"/check.html": CHECK, "/records.json": json.dumps(self.seen.records)}
        if self.path not in pages:
            super().do_GET()
            return
        body = pages[self.path].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        self.seen.answer = json.loads(body)
        self.seen.done.set()

    def log_message(self, *args: object) -> None:
        pass


class Seen:
    def __init__(self) -> None:
        self.records: list[Record] = []
        self.answer: list[dict[str, Any]] = []
        self.done = threading.Event()


@contextmanager
def serving(folder: Path, seen: Seen) -> Iterator[str]:
    handler = partial(Handler, directory=str(folder), seen=seen)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def look(address: str, seen: Seen, profile: Path) -> None:
    """Open the page that opens all others, and wait for what it says."""
    assert BROWSER is not None
    environment = {**os.environ, "HOME": str(profile), "XDG_CONFIG_HOME": str(profile)}
    command = [BROWSER, *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-port=0"]
    with (profile / "log").open("wb") as log:
        browser = subprocess.Popen(
            [*command, f"{address}/check.html"], stdout=log, stderr=log, env=environment
        )
        try:
            assert seen.done.wait(120), (profile / "log").read_text(errors="replace")[-2000:]
        finally:
            browser.terminate()
            browser.wait(20)


def with_address(site: Path, file: str, old: str, address: str) -> None:
    path = site / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, address + "/"), encoding="utf-8")


MATERIAL = needs("mkdocs", "material")
MANUAL = needs("sphinx", "myst_parser")
SITES = [
    pytest.param("mkdocs", "handbook", marks=needs("mkdocs")),
    pytest.param("properdocs", "handbook", marks=needs("properdocs", "properdocs_theme_mkdocs")),
    pytest.param("mkdocs", "material", marks=MATERIAL),
    pytest.param("sphinx:html", "manual", marks=MANUAL),
    pytest.param("sphinx:dirhtml", "manual", marks=MANUAL),
]
PLACES = {
    "handbook": "https://gauges.example/handbook/",
    "material": "https://gauges.example/notes/",
    "manual": "https://gauges.example/manual/",
}


@pytest.mark.parametrize(("host", "name"), SITES)
def test_every_address_leads_to_its_chunk(host: str, name: str, tmp_path: Path) -> None:
    site, seen, profile = copy_site(name, tmp_path), Seen(), tmp_path / "profile"
    profile.mkdir()
    module, _, builder = host.partition(":")
    with serving(site / "out", seen) as address:
        if module == "sphinx":
            with_address(site, "conf.py", PLACES[name], address)
            run("sphinx", "-q", "-b", builder, ".", "out", cwd=site)
        else:
            with_address(site, "mkdocs.yml", PLACES[name], address)
            run(module, "build", "-q", "-d", "out", cwd=site)
        seen.records = read_records(site / "out")
        assert all(record["url"].startswith(f"{address}/") for record in seen.records)
        look(address, seen, profile)
    assert len(seen.answer) == len(seen.records) > 5
    pairs = list(zip(seen.records, seen.answer, strict=True))
    assert [r["url"] for r, page in pairs if not (page["found"] and page["target"])] == []
    assert_below([(record, page["below"]) for record, page in pairs])
    assert all(unquote(r["url"]).endswith(r["anchor"]) for r in seen.records)
