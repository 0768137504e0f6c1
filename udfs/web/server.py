"""The bundle on the loopback interface: a server of its files and nothing else."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from valet_xl.errors import FileError

LOOPBACK = "127.0.0.1"
START = "index.html"
TYPES = {
    "css": "text/css; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "wasm": "application/wasm",
    "webmanifest": "application/manifest+json; charset=utf-8",
    "whl": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "text/xml; charset=utf-8",
    "zip": "application/zip",
}
"""The types of files by the ends of their names."""


def as_text(policy: Mapping[str, str]) -> str:
    """A policy as browsers read it."""
    return "; ".join(f"{name} {source}" for name, source in policy.items())


POLICY = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
}
"""What the page may load: its own files alone, no script or style inside a page, and WebAssembly."""
HEADERS = {
    "Content-Security-Policy": f"{as_text(POLICY)}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
"""What is sent with every file."""
OFFICE = "https://appsforoffice.microsoft.com"
"""Where office.js comes from, as Microsoft wants it."""
OF_ADDIN = POLICY | {"script-src": f"{POLICY['script-src']} {OFFICE}", "connect-src": f"'self' {OFFICE}"}
"""What the pane of the add-in for Excel may load. Excel shows it inside its own pages."""


def server(files: Mapping[str, bytes], port: int = 0) -> ThreadingHTTPServer:
    """A server of a bundle on the loopback interface, which listens already; `serve_forever` answers.

    Parameters
    ----------
    files : the bundle
    port : 0 for one that is free

    Raises
    ------
    FileError : where the port is in use
    """
    tags = {name: f'"{sha256(data).hexdigest()[:32]}"' for name, data in files.items()}

    class Handler(BaseHTTPRequestHandler):
        """Answers a request for a file."""

        protocol_version = "HTTP/1.1"
        server_version = "valet_xl"
        sys_version = ""

        def do_GET(self) -> None:
            """Send a file."""
            self._send(with_body=True)

        def do_HEAD(self) -> None:
            """Send what goes before it."""
            self._send(with_body=False)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing about requests."""

        def _send(self, *, with_body: bool) -> None:
            path = unquote(urlsplit(self.path).path).lstrip("/")
            name = f"{path}{START}" if not path or path.endswith("/") else path
            if name not in files:
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            kept = self.headers.get("If-None-Match") == tags[name]
            self.send_response(HTTPStatus.NOT_MODIFIED if kept else HTTPStatus.OK)
            own = {"Content-Security-Policy": as_text(OF_ADDIN)} if name.startswith("addin/") else {}
            for header, value in (HEADERS | own).items():
                self.send_header(header, value)
            self.send_header("ETag", tags[name])
            if not kept:
                self.send_header("Content-Type", TYPES[name.rpartition(".")[2]])
                self.send_header("Content-Length", str(len(files[name])))
            self.end_headers()
            if with_body and not kept:
                self.wfile.write(files[name])

    class Server(ThreadingHTTPServer):
        """Ends without waiting for connections that a browser keeps open."""

        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: object, client_address: object) -> None:
            """A browser that goes away in the middle of a file is no error."""

    try:
        return Server((LOOPBACK, port), Handler)
    except OSError as error:
        why = "is in use" if error.errno == errno.EADDRINUSE else (error.strerror or "cannot be used").lower()
        raise FileError(f"port {port}: {why} (expected another, or none for one that is free)") from error
    except OverflowError as error:
        raise FileError(f"port {port}: is none (expected 0 to 65535)") from error
