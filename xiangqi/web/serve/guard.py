"""Who may ask: the user's own browser on this machine, and nobody through it.

The server listens on the loopback address only, but any page in the user's browser can reach that.
A page of another origin is known by ``Origin`` and ``Sec-Fetch-Site``, which browsers do not let
it forge, and one that had its own name point to this machine (DNS rebinding) by ``Host``
(https://owasp.org/www-community/attacks/csrf, https://www.w3.org/TR/fetch-metadata/). Other
programs on this machine send what they like; they could as well start a server of their own.
"""

from __future__ import annotations

from email.message import Message
from typing import Final

from xiangqi.errors import quote
from xiangqi.web.serve.messages import Refusal

__all__ = ["SECURITY_HEADERS", "body_length", "check_source"]

_HOSTS: Final = ("127.0.0.1", "localhost")
_OWN_SITE: Final = ("same-origin", "none")

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""What every answer carries: scripts and styles come from this server, and nothing else loads."""


def check_source(headers: Message, port: int) -> None:
    """Raise Refusal for a request that does not come from this server's own pages.

    A page that the user opens by hand or from a bookmark has no origin and is let in.
    """
    hosts = headers.get_all("Host", [])
    names = {name for host in _HOSTS for name in (host, f"{host}:{port}")}
    if len(hosts) != 1 or hosts[0].lower() not in names:
        raise Refusal(403, f"Host {quote(', '.join(hosts))}: expected 127.0.0.1:{port}")
    origins = headers.get_all("Origin", [])
    if origins and origins != [f"http://{hosts[0]}"]:
        raise Refusal(403, f"Origin {quote(', '.join(origins))}: not a page of this server")
    sites = headers.get_all("Sec-Fetch-Site", [])
    if any(site not in _OWN_SITE for site in sites):
        raise Refusal(403, f"Sec-Fetch-Site {quote(', '.join(sites))}: not a page of this server")


def body_length(headers: Message, kind: str, most: int) -> int:
    """The length of the body that the headers announce; raises Refusal.

    ``kind`` is its media type. A form of another site can be sent without asking this server first,
    but not with one of the types that are expected here.
    """
    if headers.get_all("Transfer-Encoding"):
        raise Refusal(411, "expected a body of a length that is told beforehand")
    lengths = headers.get_all("Content-Length", [])
    if not lengths:
        raise Refusal(411, "expected a Content-Length")
    if len(lengths) > 1 or not (lengths[0].isascii() and lengths[0].isdigit()):
        raise Refusal(400, f"Content-Length {quote(', '.join(lengths))}: expected one number")
    digits = lengths[0].lstrip("0") or "0"
    if len(digits) > len(str(most)) or int(digits) > most:
        raise Refusal(413, f"a body of {quote(lengths[0])} bytes: expected {most} at most")
    if headers.get_content_type() != kind:
        found = quote(headers.get("Content-Type", ""))
        raise Refusal(415, f"Content-Type {found}: expected {kind}")
    return int(digits)
