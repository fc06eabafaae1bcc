"""Access control: reject requests of other sites' pages, and of other hosts without a token.

By default the server listens on the loopback address, which any page in the user's browser can
reach. Pages of other origins are detected by ``Origin`` and ``Sec-Fetch-Site``, which browsers
protect from forgery, and DNS rebinding by ``Host`` (https://owasp.org/www-community/attacks/csrf,
https://www.w3.org/TR/fetch-metadata/). Other programs on this machine are not restricted. If the
server listens on another address, clients also need the token that it prints.
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

from xiangqi.ground.errors import Fact
from xiangqi.web.pages.sheet import style_hash
from xiangqi.web.serve.messages import Answer, Refusal

__all__ = ["ANSWER_HEADERS", "MAX_HEAD_BYTES", "Guard", "body_length", "check_head"]

MAX_HEAD_BYTES: Final = 1 << 16
"""Maximum size of the request line and headers, in bytes."""
_MAX_HEADERS: Final = 100
_LOOPBACK: Final = ("127.0.0.1", "localhost")
_OWN_SITE: Final = ("same-origin", "none")

ANSWER_HEADERS: Final = {
    "Content-Security-Policy": (
        f"default-src 'none'; script-src 'self'; style-src 'self' {style_hash()}; "
        "img-src 'self' blob:; "
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
"""Headers of every response. Pages load scripts, styles and pictures from this server only; the
style of a ruling sheet is in the sheet, which inherits the policy of the page that opens it.
``Connection: close`` prevents request smuggling: no second request follows on a connection."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Checks the source and the token of requests.

    ``host`` is the address given by the user to serve other machines, which need the ``token``; if
    empty, the server listens on the loopback address and has no token.
    """

    port: int
    host: str = ""
    token: str = ""

    def check_source(self, headers: Headers) -> None:
        """Raise Refusal for a request from another site's page, or with a wrong ``Host``.

        A page opened from the address bar or a bookmark sends no ``Origin`` and is accepted.
        """
        hosts = headers.getlist("Host")
        if len(hosts) != 1 or not self._is_own_host(hosts[0].lower()):
            expected = Fact("value", value=self.host or f"127.0.0.1:{self.port}")
            raise _wrong_header(403, "Host", hosts, expected)
        origins = headers.getlist("Origin")
        if origins and origins != [f"http://{hosts[0]}"]:
            raise _foreign_header("Origin", origins)
        sites = headers.getlist("Sec-Fetch-Site")
        if any(site not in _OWN_SITE for site in sites):
            raise _foreign_header("Sec-Fetch-Site", sites)

    def _is_own_host(self, host: str) -> bool:
        """Is this a valid ``Host`` of this server?

        With a token any IP address is valid (DNS rebinding needs a name), and the known names.
        """
        if not self.host:
            return host in {name for own in _LOOPBACK for name in (own, f"{own}:{self.port}")}
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in ("localhost", self.host.lower(), socket.gethostname().lower()):
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True

    def check_token(self, headers: Headers, target: str) -> Answer | None:
        """Raise Refusal for a wrong or missing token, if the server has one.

        The token is read from the query, the header ``Authorization: Bearer`` or the cookie. If it
        is in the query, return a redirection that moves it to the cookie.
        """
        if not self.token:
            return None
        path, _, query = target.partition("?")
        fields = parse_qsl(query, keep_blank_values=True)
        if self._has_token(value for name, value in fields if name == "token"):
            rest = urlencode([(name, value) for name, value in fields if name != "token"])
            cookie = f"{self._cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
            redirection = {"Location": path + (f"?{rest}" if rest else ""), "Set-Cookie": cookie}
            return Answer(b"", "text/plain", 303, redirection)
        cookies = cookie_parser("; ".join(headers.getlist("Cookie")))
        bearers = (value.removeprefix("Bearer ") for value in headers.getlist("Authorization"))
        if not self._has_token([*bearers, cookies.get(self._cookie, "")]):
            raise Refusal(403, Fact("request.token"))
        return None

    @property
    def _cookie(self) -> str:
        """Cookie name; has the port because all ports of a host share their cookies."""
        return f"meihua-{self.port}"

    def _has_token(self, values: Iterable[str]) -> bool:
        expected = self.token.encode()
        return any(
            secrets.compare_digest(value.encode("utf-8", "replace"), expected) for value in values
        )


def _wrong_header(status: int, name: str, values: Iterable[str], expected: Fact) -> Refusal:
    given = ", ".join(values)
    return Refusal(status, Fact("request.part", place=name, given=given, expected=expected))


def _foreign_header(name: str, values: Iterable[str]) -> Refusal:
    return Refusal(403, Fact("request.foreign", place=name, given=", ".join(values)))


def check_head(headers: Headers, target: str) -> None:
    """Raise Refusal if the target and headers are too long together, or the headers too many."""
    size = len(target) + sum(len(name) + len(value) for name, value in headers.raw)
    if size > MAX_HEAD_BYTES or len(headers.raw) > _MAX_HEADERS:
        limits = {"most_headers": _MAX_HEADERS, "most_bytes": MAX_HEAD_BYTES}
        raise Refusal(431, Fact("request.head", headers=len(headers.raw), size=size, **limits))


def body_length(headers: Headers, kind: str, most: int) -> int:
    """Return the ``Content-Length``, at most ``most``, of a body of the media type ``kind``.

    Raises Refusal. The media type is a defence against CSRF: another site's form cannot send the
    types accepted here without a CORS preflight.
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
