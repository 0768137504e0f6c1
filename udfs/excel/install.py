"""The add-in on a Windows machine: put where Excel finds it, set to the Python that it starts, and checked."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from valet_xl.documents.disk import read_file, replace_file
from valet_xl.errors import FileError
from valet_xl.hosts.findings import Finding, bundled, of_installed, of_kept_log, of_removed
from valet_xl.messages import pip_install
from valet_xl_excel.machine import X64, Machine, excel_place, is_plain
from valet_xl_excel.places import INTERPRETER, REGISTRY_KEY, library_entry

ADDIN = "valet_xl.xlam"
ADD = "valet-xl addin install"
_THING = "the add-in"
OPEN_EXCEL = "open Excel (close it first if it is open): the tab Bridge is at the right of the ribbon"
_PYTHON_ORG = "install 64-bit Python for Windows from python.org, and valet-xl with it; then valet-xl addin install"

_POLICIES = r"Software\Policies\Microsoft\Office\16.0"
_BLOCKING = 1  # of a rule: 2 is "audit", 6 is "warn"
# Microsoft's names of rules that keep Office from starting another program, or one that came from it.
_RULES = {
    "D4F940AB-401B-4EFC-AADC-AD5F3C50688A": "Office programs may not start other programs",
    "26190899-1602-49E8-8B27-EB1D0A1CE869": "Office communication programs may not start other programs",
}
_RULE_KEY = r"SOFTWARE\Policies\Microsoft\Windows Defender\Windows Defender Exploit Guard\ASR\Rules"


def install(machine: Machine) -> list[Finding]:
    """Copy the add-in and xlwings' libraries, and write their places to the registry; a second time changes nothing.

    Raises
    ------
    FileError : where this Python cannot work for Excel, with what to do; or if a file cannot be written,
        such as an add-in that Excel has open. Nothing is written where Python cannot work.
    """
    for reason in _refusals(machine):
        raise FileError(reason)
    for place, data in _files(machine).items():
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.is_file() or read_file(place) != data:
            replace_file(place, data)
    machine.registry.write(REGISTRY_KEY, wanted_entries(machine))
    return status(machine)


def uninstall(machine: Machine) -> list[Finding]:
    """Remove the add-in, the libraries and what the registry has of them; what is not there is no error.

    Raises
    ------
    FileError : if a file cannot be removed, such as an add-in that Excel has open
    """
    addin = machine.startup / ADDIN
    findings = [of_removed(addin, _THING, was_present=_removed(addin))]
    libraries = sorted(machine.folder.glob("xlwings*.dll"))
    for library in libraries:
        _removed(library)
    if machine.folder.is_dir() and not any(machine.folder.iterdir()):
        machine.folder.rmdir()
    findings.append(of_removed(machine.folder, "the libraries", was_present=bool(libraries)))
    was_there = machine.registry.delete(REGISTRY_KEY)
    findings.append(of_removed(rf"registry, HKEY_CURRENT_USER\{REGISTRY_KEY}", "the key", was_present=was_there))
    return [*findings, *of_kept_log()]


def status(machine: Machine) -> list[Finding]:
    """Check that Python can work for Excel, and the add-in, the registry, the versions and what the machine allows."""
    refusals = [Finding(False, reason) for reason in _refusals(machine)]
    checks = (_addin, _entries, _versions, _python, _office)
    return [*refusals, *(finding for check in checks for finding in check(machine))]


def bundled_addin() -> bytes:
    """The add-in that comes with this version."""
    return bundled(ADDIN)


def wanted_entries(machine: Machine) -> dict[str, str]:
    """What the add-in's VBA reads in the registry: which Python, and the libraries for both kinds of Excel."""
    places = {library_entry(bits): str(machine.folder / source.name) for bits, source in machine.libraries.items()}
    return {INTERPRETER: str(machine.interpreter), **places}


def addin_versions(data: bytes) -> tuple[str, str]:
    """The versions of valet_xl and xlwings that an add-in was built with, '' where it does not say."""
    import zipfile  # noqa: PLC0415 - status alone needs it

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            core = package.read("docProps/core.xml").decode("utf-8", "replace")
    except (KeyError, zipfile.BadZipFile):
        return "", ""
    found = re.search(r"valet_xl ([\w.]+), xlwings ([\w.]+)", core)
    return (found[1], found[2]) if found else ("", "")


def _files(machine: Machine) -> dict[Path, bytes]:
    """What is installed, and where."""
    libraries = {machine.folder / source.name: read_file(source) for source in machine.libraries.values()}
    return {machine.startup / ADDIN: bundled_addin(), **libraries}


def _removed(path: Path) -> bool:
    """Remove a file; gives whether it was there."""
    there = path.is_file()
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"{path}: not removed (close Excel, then try again)") from error
    return there


def _refusals(machine: Machine) -> Iterator[str]:
    """Why this Python cannot work for Excel, and what to do."""
    place = str(machine.interpreter)
    if "\\windowsapps\\" in place.lower():
        yield f"{place}: is Python from the Microsoft Store, which Excel cannot start ({_PYTHON_ORG})"
    elif machine.platform != X64:
        yield f"{place}: is Python for {machine.platform}, for which xlwings has no libraries ({_PYTHON_ORG})"
    elif missing := sorted({"64", "32"} - machine.libraries.keys()):
        names = " and ".join(f"xlwings{bits}-{metadata.version('xlwings')}.dll" for bits in missing)
        again = pip_install("--force-reinstall", "--no-deps", "xlwings")
        yield f"{names}: not among the files of xlwings (run: {again})"
    if not is_plain(machine.interpreter):
        yield (
            f"{place}: has letters that Excel's VBA cannot hand on (make a virtual environment in a folder such as"
            r" C:\valet, install valet-xl there, and run valet-xl addin install from it)"
        )


def _addin(machine: Machine) -> Iterator[Finding]:
    addin = machine.startup / ADDIN
    present = addin.is_file()
    current = present and read_file(addin) == bundled_addin()
    yield of_installed(addin, _THING, present=present, current=current, add=ADD, then=OPEN_EXCEL)


def _entries(machine: Machine) -> Iterator[Finding]:
    key = rf"registry, HKEY_CURRENT_USER\{REGISTRY_KEY}"
    for name, wanted in wanted_entries(machine).items():
        found = machine.registry.read(REGISTRY_KEY, name)
        if found != wanted:
            there = "missing" if found is None else repr(found)
            yield Finding(False, f"{key}: {name} is {there} (expected {wanted!r}: {ADD})")
            return
        if name != INTERPRETER and not Path(wanted).is_file():
            yield Finding(False, f"{wanted}: the library is not there (run: {ADD})")
            return
    yield Finding(True, f"{key}: the add-in starts {machine.interpreter}")


def _versions(_machine: Machine) -> Iterator[Finding]:
    ours, built_with = addin_versions(bundled_addin())
    own, installed = metadata.version("valet-xl"), metadata.version("xlwings")
    if ours != own:
        yield Finding(False, f"the add-in is of valet_xl {ours}, Python's is {own}")
    if built_with != installed:
        yield Finding(False, f"the add-in needs xlwings {built_with} (run: {pip_install(f'xlwings=={built_with}')})")
    if (ours, built_with) == (own, installed):
        yield Finding(True, f"the add-in and Python have valet_xl {own} and xlwings {installed}")


def _python(machine: Machine) -> Iterator[Finding]:
    """Start Python as the add-in does, and load all that functions and ribbon need."""
    code = "import valet_xl_excel.server as server; server.load(); print('loaded')"
    state, said = machine.run([machine.console, "-P", "-c", code])
    if state == 0 and said == "loaded":
        yield Finding(True, f"{machine.console}: starts, and loads all that the add-in needs")
    else:
        yield Finding(False, f"{machine.console}: does not work, {said or 'it says nothing'} ({_PYTHON_ORG})")


def _office(machine: Machine) -> Iterator[Finding]:
    """What is known to keep the add-in from working: rules of an administrator, and Office from the Microsoft Store."""
    read = machine.registry.read
    place = excel_place(machine.registry) or ""
    if "\\windowsapps\\" in place.lower():
        yield Finding(
            False,
            f"{place}: is Office from the Microsoft Store, which starts no other program (install it from office.com)",
        )
    blocked = []
    if read(rf"{_POLICIES}\excel\security", "vbawarnings") == 4:
        blocked.append("macros are turned off")
    if read(rf"{_POLICIES}\common", "vbaoff") == 1:
        blocked.append("VBA is turned off")
    if read(rf"{_POLICIES}\excel\security", "disablealladdins") == 1:
        blocked.append("add-ins are turned off")
    if read(rf"{_POLICIES}\excel\security\trusted locations", "alllocationsdisabled") == 1:
        blocked.append("there are no trusted locations")
    for rule, meaning in _RULES.items():
        if str(read(_RULE_KEY, rule, of_machine=True)) == str(_BLOCKING):
            blocked.append(meaning)
    for reason in blocked:
        yield Finding(False, f"a rule of this machine's administrator: {reason} (ask for an exception for the add-in)")
