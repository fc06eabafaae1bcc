"""Access control: the user's own browser, and nobody through it.

The server listens on the loopback address, unless the user names another one; but any page in the
user's browser can reach it there. A page of another origin is known by ``Origin`` and
``Sec-Fetch-Site``, which browsers do not let it forge, and one that had its own name point to this
machine (DNS rebinding) by ``Host`` (https://owasp.org/www-community/attacks/csrf,
https://www.w3.org/TR/fetch-metadata/). Other programs on this machine send what they like; they
could as well start a server of their own. Where other machines can reach the server, clients need a
token as well, which the server prints for its user alone.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from xiangqi.errors import Fact
from xiangqi.web.serve.messages import Answer, Refusal

__all__ = ["ANSWER_HEADERS", "MAX_HEAD_BYTES", "Guard", "body_length", "check_head"]

MAX_HEAD_BYTES: Final = 1 << 16
"""Maximum size of the request line and headers, in bytes."""
_MAX_HEADERS: Final = 100
_LOOPBACK: Final = ("127.0.0.1", "localhost")
_OWN_SITE: Final = ("same-origin", "none")

ANSWER_HEADERS: Final = {
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
    "Server": "Meihua",
    "Connection": "close",
}
"""Headers of every response: scripts and styles come from this server, and nothing else loads. The
connection ends behind it, so that no bytes of one request can be taken for the next one."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets in who may ask a server at a port.

    ``host`` is the address that its user has named for it, so that other machines reach it; clients
    need the ``token`` then. Without one only this machine can ask.
    """

    port: int
    host: str = ""
    token: str = ""

    def check_source(self, headers: Headers) -> None:
        """Raise Refusal for a request that does not come from this server's own pages.

        A page that the user opens by hand or from a bookmark has no origin and is let in.
        """
        hosts = headers.getlist("Host")
        if len(hosts) != 1 or not self._is_own(hosts[0].lower()):
            expected = Fact("value", value=self.host or f"127.0.0.1:{self.port}")
            raise _wrong_header(403, "Host", hosts, expected)
        origins = headers.getlist("Origin")
        if origins and origins != [f"http://{hosts[0]}"]:
            raise _foreign("Origin", origins)
        sites = headers.getlist("Sec-Fetch-Site")
        if any(site not in _OWN_SITE for site in sites):
            raise _foreign("Sec-Fetch-Site", sites)

    def _is_own(self, host: str) -> bool:
        """Is this this server's name? Other machines may know it by any address, and need a token;
        what others could let point here is a name.
        """
        if not self.host:
            return host in {name for own in _LOOPBACK for name in (own, f"{own}:{self.port}")}
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in ("localhost", self.host.lower(), socket.gethostname().lower()) or _is_ip(
            name
        )

    def check_token(self, headers: Headers, target: str) -> Answer | None:
        """Raise Refusal where the token is expected and wrong or missing.

        It is looked for in the query of the address, in the header ``Authorization: Bearer`` and in
        the cookie. From the address it goes into the cookie: the answer leads on to the page.
        """
        if not self.token:
            return None
        path, _, query = target.partition("?")
        named = parse_qsl(query, keep_blank_values=True)
        if self._is_among(value for name, value in named if name == "token"):
            rest = urlencode([(name, value) for name, value in named if name != "token"])
            cookie = f"{self._cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
            place = {"Location": path + (f"?{rest}" if rest else ""), "Set-Cookie": cookie}
            return Answer(b"", "text/plain", 303, place)
        cookies = cookie_parser("; ".join(headers.getlist("Cookie")))
        bearers = (value.removeprefix("Bearer ") for value in headers.getlist("Authorization"))
        if not self._is_among([*bearers, cookies.get(self._cookie, "")]):
            raise Refusal(403, Fact("request.token"))
        return None

    @property
    def _cookie(self) -> str:
        """Browsers do not distinguish the ports of a host."""
        return f"meihua-{self.port}"

    def _is_among(self, given: Iterable[str]) -> bool:
        expected = self.token.encode()
        return any(
            secrets.compare_digest(text.encode("utf-8", "replace"), expected) for text in given
        )


def _is_ip(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _wrong_header(status: int, name: str, values: Iterable[str], expected: Fact) -> Refusal:
    given = ", ".join(values)
    return Refusal(status, Fact("request.part", place=name, given=given, expected=expected))


def _foreign(name: str, values: Iterable[str]) -> Refusal:
    return Refusal(403, Fact("request.foreign", place=name, given=", ".join(values)))


def check_head(headers: Headers, target: str) -> None:
    """Raise Refusal for a first line and headers that are too long together, or too many."""
    size = len(target) + sum(len(name) + len(value) for name, value in headers.raw)
    if size > MAX_HEAD_BYTES or len(headers.raw) > _MAX_HEADERS:
        limits = {"most_headers": _MAX_HEADERS, "most_bytes": MAX_HEAD_BYTES}
        raise Refusal(431, Fact("request.head", headers=len(headers.raw), size=size, **limits))


def body_length(headers: Headers, kind: str, most: int) -> int:
    """The length of the body that the headers announce; raises Refusal.

    ``kind`` is its media type. A form of another site can be sent without asking this server first,
    but not with one of the types that are expected here.
    """
    if headers.getlist("Transfer-Encoding"):
        raise Refusal(411, Fact("request.chunked"))
    lengths = headers.getlist("Content-Length")
    if not lengths:
        raise Refusal(411, Fact("request.no_length"))
    if len(lengths) > 1 or not (lengths[0].isascii() and lengths[0].isdigit()):
        raise _wrong_header(400, "Content-Length", lengths, Fact("request.one_number"))
    digits = lengths[0].lstrip("0") or "0"
    if len(digits) > len(str(most)) or int(digits) > most:
        raise Refusal(413, Fact("request.large_body", given=lengths[0], most=most))
    found = ", ".join(headers.getlist("Content-Type"))
    if found.partition(";")[0].strip().lower() != kind:
        raise _wrong_header(415, "Content-Type", [found], Fact("value", value=kind))
    return int(digits)
