"""What all pages are made with. The template engine escapes every text; nothing in the file can
load anything, and only the script whose hash stands in its head runs."""

import base64
import hashlib
import re
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bench_hpc.program import plain, write_whole

HERE = Path(__file__).parent


def source(*names):
    return "".join((HERE / name).read_text(encoding="utf-8") for name in names)


def _hash(text):
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def policy(style, script=None):
    """No request, no other script, no other style, no handlers in attributes."""
    scripts = f"script-src {_hash(script)}; " if script else ""
    return (
        f"default-src 'none'; style-src {_hash(style)}; {scripts}"
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _shown(value):
    """Text without what obeys or hides; markup is our own."""
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return plain(value, lines=True) if is_text else value


WHOLE = re.compile(r"\d{4}-\d\d-\d\d(?:\u00a0\d\d:\d\d)?|--[a-z][a-z-]*")


def _unbroken(text):
    """Text with no end of line within a date or the name of an option."""
    parts, end = Markup(""), 0
    for found in WHOLE.finditer(text):
        tag = Markup("<code>{}</code>" if found[0].startswith("--") else "<time>{}</time>")
        parts += _shown(text[end : found.start()]) + tag.format(found[0])
        end = found.end()
    return parts + _shown(text[end:])


def rendered(made, name, styles, script=None, **known):
    """A page of the environment with its styles and script."""
    style = source("base.css", *styles)
    script = script and source(script)
    own = {"policy": policy(style, script), "style": Markup(style), "script": Markup(script or "")}
    return made.get_template(name).render(**own, **known)


def address(text):
    """A part of an address."""
    return quote(text, safe="")


def write(path, text, option="--output"):
    """Whole, or not at all."""
    # Macros leave blank lines, and a page that begins with one would not be recognised.
    # A result file may hold halves of characters, which UTF-8 has no bytes for.
    write_whole(path, text.lstrip().encode("utf-8", "replace"), "html", option)


def environment(words, **known):
    made = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(w=words, **known)
    made.filters.update(fragment=address, word=words, unbroken=_unbroken)
    return made
