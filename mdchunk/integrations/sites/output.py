"""The files that a site's search reads: the records, what they are, and other tools' forms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import mdchunk
from mdchunk.errors import not_allowed
from mdchunk.files.schema import SCHEMA_VERSION
from mdchunk.files.writers import to_json, whole_file
from mdchunk.integrations.sites.records import Record, Records, hierarchy_below
from mdchunk.options import Options

CHUNKS = "chunks.jsonl"
META = "chunks.meta.json"
ESCAPES = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}
"""Characters that some readers of lines (Python's ``splitlines`` for one) take for line ends."""
NO_SECTION = "Docs"
"""The section of llms.txt for pages that the site's navigation puts into none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A site as a whole; ``base_url`` is empty where it is not known.

    ``exclude`` has the patterns of the pages that are left out.
    """

    name: str
    description: str = ""
    base_url: str = ""
    language: str = "en"
    generator: str
    exclude: Sequence[str] = ()


def write_site(
    folder: Path,
    site: Site,
    pages: Sequence[Records],
    options: Options,
    forms: Iterable[str] = (),
) -> dict[str, int]:
    """Write the records of a site's pages, and the forms asked for; give the counts.

    The description of the records is written last, so that what it describes is there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    full = [page for page in pages if page]
    body = json_lines(full)
    write(folder / CHUNKS, body)
    for form in forms:
        for name, text in FORMS[form].make(site, full).items():
            write(folder / name, text)
    found = counts(full)
    write(folder / META, _pretty(describe(site, body, found, options)))
    return found


def file_names(forms: Iterable[str]) -> list[str]:
    """Return the names of the files that are written for the forms asked for."""
    return [CHUNKS, META, *(name for form in forms for name in FORMS[form].files)]


def write(path: Path, text: str) -> None:
    """Write a file that is whole or not there."""
    with whole_file(str(path)) as file:
        file.write(_bytes(text))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")  # a lone surrogate has no UTF-8 form


def json_lines(pages: Iterable[Iterable[Record]]) -> str:
    """Return records as JSON lines."""
    return "".join(_line(record) for page in pages for record in page)


def _line(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False).translate(ESCAPES) + "\n"


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def counts(pages: Sequence[Records]) -> dict[str, int]:
    """Count pages, chunks and their sizes."""
    sizes = [record["size"] for page in pages for record in page]
    return {"pages": len(pages), "chunks": len(sizes), "size": sum(sizes)}


def describe(site: Site, body: str, found: Mapping[str, int], options: Options) -> Record:
    """Say what the records are; the same site gives the same words."""
    unit = options.unit
    return {
        "schema_version": SCHEMA_VERSION,
        "mdchunk": mdchunk.__version__,
        "generator": site.generator,
        "site_name": site.name,
        "base_url": site.base_url,
        "unit": unit if isinstance(unit, str) else getattr(unit, "__qualname__", repr(type(unit))),
        "chunk_size": options.chunk_size,
        "options_fingerprint": options.fingerprint(),
        "exclude": list(site.exclude),
        "counts": dict(found),
        "file": CHUNKS,
        "sha256": hashlib.sha256(_bytes(body)).hexdigest(),
    }


def read_site(folder: Path, site: Site, options: Options) -> dict[str, Records]:
    """Read back the records of each source, if the same options and address made them."""
    try:
        meta = json.loads((folder / META).read_bytes())
        body = (folder / CHUNKS).read_bytes()
        same = (
            meta["schema_version"] == SCHEMA_VERSION
            and meta["options_fingerprint"] == options.fingerprint()
            and meta["base_url"] == site.base_url
            and meta["exclude"] == list(site.exclude)
            and meta["sha256"] == hashlib.sha256(body).hexdigest()
        )
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    found: dict[str, Records] = {}
    for line in body.decode().split("\n")[:-1] if same else ():
        record = json.loads(line)
        found.setdefault(record["source"], Records()).append(record)
    return found


def docsearch(site: Site, pages: Sequence[Records]) -> dict[str, str]:
    """Return the records of Algolia's DocSearch: one a heading, one a chunk that says something.

    Source: https://docsearch.algolia.com/docs/record-extractor
    """
    found = [_line(hit).rstrip("\n") for page in pages for hit in _hits(site, page)]
    return {"docsearch.json": "[\n" + ",\n".join(found) + "\n]\n"}


def _hits(site: Site, page: Records) -> Iterator[Record]:
    seen: set[str] = set()
    for record in page:
        common = {"lang": page.language or site.language, "tags": record["tags"]}
        weight = {"pageRank": 0, "level": 0, "position": record["index"]}
        for name, heading in _headings(record):
            if heading["url"] in seen:
                continue
            seen.add(heading["url"])
            depth = _depth(heading["hierarchy"])
            above = {**weight, "level": 100 - 10 * depth}
            what = {"type": f"lvl{depth}", "content": None, "weight": above}
            yield {"objectID": f"{name}-{depth}", **_address(heading), **common, **what}
        if record["plain"]:
            what = {"type": "content", "content": record["plain"], "weight": weight}
            yield {"objectID": record["key"], **_address(record), **common, **what}


def _headings(record: Record) -> Iterator[tuple[str, Record]]:
    """Find the headings that a record is under and that stand in it, each with a name."""
    yield record["key"], record
    levels = record["hierarchy"]
    for number, section in enumerate(record["sections"], 1):
        levels = hierarchy_below(levels, section)
        yield f"{record['key']}-{number}", {**section, "hierarchy": levels}


def _depth(levels: Mapping[str, str | None]) -> int:
    return max(level for level in range(7) if levels[f"lvl{level}"] is not None)


def _address(place: Record) -> Record:
    """Return where a heading or a chunk stands, in DocSearch's words."""
    return {
        "url": place["url"],
        "url_without_anchor": place["url"].partition("#")[0],
        "anchor": place["anchor"] or None,
        "hierarchy": place["hierarchy"],
    }


def pagefind(site: Site, pages: Sequence[Records]) -> dict[str, str]:
    """Return what Pagefind's ``addCustomRecord`` takes, a line a record that says something.

    Source: https://pagefind.app/docs/node-api/
    """
    return {"pagefind.jsonl": json_lines(_entries(site, page) for page in pages)}


def _entries(site: Site, page: Records) -> Iterator[Record]:
    return (_entry(site, page, record) for record in page if record["plain"])


def _entry(site: Site, page: Records, record: Record) -> Record:
    sections = [{"title": it["title"], "url": it["url"]} for it in record["sections"]]
    filters = {"section": [record["hierarchy"]["lvl0"]], "tag": record["tags"]}
    return {
        "url": record["url"],
        "content": record["plain"],
        "language": page.language or site.language,
        "meta": {
            "title": record["section"],
            "page": record["title"],
            "sections": to_json(sections),  # which takes text only
        },
        "filters": {name: values for name, values in filters.items() if values},
    }


def llms(site: Site, pages: Sequence[Records]) -> dict[str, str]:
    """Return llms.txt and llms-full.txt, a page an entry.

    Source: https://llmstxt.org
    """
    top = f"# {site.name}\n"
    if site.description:
        top += f"\n> {' '.join(site.description.split())}\n"
    sections: dict[str, list[str]] = {}
    for page in pages:
        above = page[0]["hierarchy"]["lvl0"]
        sections.setdefault(NO_SECTION if above == site.name else above, []).append(_link(page))
    index = [f"\n## {section}\n\n{''.join(links)}" for section, links in sections.items()]
    whole = [f"\n# {page[0]['title']}\n\nSource: {_url(page)}\n\n{_text(page)}\n" for page in pages]
    return {"llms.txt": top + "".join(index), "llms-full.txt": top + "".join(whole)}


def _url(page: Sequence[Record]) -> str:
    return str(page[0]["url"].partition("#")[0])


def _link(page: Sequence[Record]) -> str:
    title = page[0]["title"].replace("[", "\\[").replace("]", "\\]")
    description = page[0]["metadata"].get("description")
    said = f": {' '.join(description.split())}" if isinstance(description, str) else ""
    return f"- [{title}]({_url(page)}){said}\n"


def _text(page: Records) -> str:
    """Return a page's text without its title, which stands above it already."""
    title = f"# {page[0]['title']}"
    text = (page.text or _joined(page)).strip("\r\n")
    first, _, rest = text.partition("\n")
    return rest.strip("\r\n") if first.strip() == title else text


def _joined(page: Records) -> str:
    """Join the chunks of a page whose text is not known any more; the blanks between are alike."""
    parts: list[str] = []
    end, line = page[0]["start"], page[0]["start_line"]
    for record in page:
        gap, lines = record["start"] - end, record["start_line"] - line
        parts.append("\n" * lines or " " * gap)
        parts.append(record["text"][max(-gap, 0) :])
        end, line = record["end"], record["end_line"]
    return "".join(parts)


class Form(NamedTuple):
    """What can be made of records: the names of its files, and what makes their texts by name.

    ``plain`` is True for what shows text as a reader sees it, which the records then have too.
    """

    files: tuple[str, ...]
    make: Callable[[Site, Sequence[Records]], dict[str, str]]
    plain: bool = False


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "docsearch": Form(("docsearch.json",), docsearch, plain=True),
        "pagefind": Form(("pagefind.jsonl",), pagefind, plain=True),
        "llms": Form(("llms.txt", "llms-full.txt"), llms),
    }
)
"""What can be written beside the records, by name."""


def with_forms(options: Options, forms: Iterable[str]) -> Options:
    """Return options under which the records have what the forms show."""
    return replace(options, plain=options.plain or any(FORMS[form].plain for form in forms))


def check_forms(forms: Any) -> tuple[str, ...]:
    """Check the names of forms; a wrong one is an OptionsError that lists the known ones."""
    allowed = ", ".join(FORMS)
    if not isinstance(forms, (list, tuple)):
        raise not_allowed("forms", forms, f"a list of {allowed}")
    for form in forms:
        if not isinstance(form, str) or form not in FORMS:
            raise not_allowed("forms", form, allowed, verb="are")
    return tuple(forms)
