"""Wheels for the bundle: the project's own, and those of packages that have none; the same bytes each time."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import valet_xl

_FIXED_TIME = (1980, 1, 1, 0, 0, 0)
_NOT_CARRIED = ("cli", "__main__.py")
"""What of valet_xl a browser has no use for."""


def own_wheel(version: str, browser: Path) -> tuple[str, bytes]:
    """The name and bytes of the wheel of valet_xl, as a browser needs it.

    Parameters
    ----------
    version : of valet_xl
    browser : the folder of the package `valet_xl_web.browser`
    """
    files = own_files()
    files["valet_xl_web/__init__.py"] = (browser.parent / "__init__.py").read_bytes()
    for path in _sources(browser):
        files[f"valet_xl_web/browser/{path.relative_to(browser).as_posix()}"] = path.read_bytes()
    return wheel("valet_xl", version, files)


def own_files() -> dict[str, bytes]:
    """The modules and data of valet_xl that a browser needs, by their names below its folder."""
    top = Path(valet_xl.__file__).parent
    paths = [path for path in _sources(top) if path.relative_to(top).parts[0] not in _NOT_CARRIED]
    return {f"valet_xl/{path.relative_to(top).as_posix()}": path.read_bytes() for path in paths}


def _sources(folder: Path) -> list[Path]:
    """The modules and data of a package."""
    return sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".json", ".typed"))


def wheel_of_sources(data: bytes) -> tuple[str, bytes]:
    """The name and bytes of a wheel of a package of Python alone, from its sources (.tar.gz)."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        top = archive.getnames()[0]
        name, _, version = top.rpartition("-")
        files = {
            member.name.removeprefix(f"{top}/"): content.read()
            for member in archive.getmembers()
            if member.name.startswith((f"{top}/{name}/", f"{top}/LICENSE"))
            and (content := archive.extractfile(member)) is not None
        }
    about = f"{name}-{version}.dist-info/licenses/"
    return wheel(name, version, {about + path if "/" not in path else path: data for path, data in files.items()})


def wheel(name: str, version: str, files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """The name and bytes of a wheel of Python alone.

    >>> wheel("a", "1.0", {"a.py": b""})[0]
    'a-1.0-py3-none-any.whl'
    """
    about = f"{name}-{version}.dist-info"
    content = {
        **files,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n".encode(),
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: valet_xl\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = [f"{path},sha256={_digest(data)},{len(data)}" for path, data in content.items()]
    content[f"{about}/RECORD"] = "\n".join([*lines, f"{about}/RECORD,,", ""]).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, data in content.items():
            entry = zipfile.ZipInfo(path, _FIXED_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return f"{name}-{version}-py3-none-any.whl", buffer.getvalue()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
