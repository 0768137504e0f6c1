"""An extension for Calc whose functions compute nothing: what is left is UNO's own cost of a call of Python."""

from __future__ import annotations

import io
import zipfile

from valet_xl_calc.build_oxt import _configuration, _plain, _text, manifest
from valet_xl_calc.rdb import Method, type_library

NOTHING, BACK = "TESTNOTHING", "TESTBACK"
"""The functions: one gives a number, whatever it gets; the other one gives its cells back."""

_SERVICE = "testnothing.Functions"
_METHODS = {"testNothing": NOTHING, "testBack": BACK}
_COMPONENT = f'''
import unohelper
from com.sun.star.lang import XServiceInfo
from testnothing import XFunctions

class Functions(unohelper.Base, XServiceInfo, XFunctions):
    def __init__(self, context):
        pass
    def getImplementationName(self):
        return "{_SERVICE}"
    def supportsService(self, name):
        return name == "{_SERVICE}"
    def getSupportedServiceNames(self):
        return ("{_SERVICE}",)
    def testNothing(self, cells):
        return ((1.0,),)
    def testBack(self, cells):
        return cells

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, "{_SERVICE}", ("{_SERVICE}",))
'''


def build() -> bytes:
    """The extension."""
    block = "[][]any"
    functions = "".join(
        f'<node oor:name="{method}" oor:op="replace">{_text("DisplayName", name)}{_text("CompatibilityName", name)}'
        f"{_text('Description', name)}{_plain('Category', 'Add-In')}"
        f'<node oor:name="Parameters"><node oor:name="theCells" oor:op="replace">{_text("DisplayName", "cells")}'
        f"{_text('Description', 'cells')}</node></node></node>\n"
        for method, name in _METHODS.items()
    )
    methods = [Method(method, block, (("theCells", block),)) for method in _METHODS]
    add_in = (
        f'<node oor:name="AddInInfo"><node oor:name="{_SERVICE}" oor:op="replace"><node oor:name="AddInFunctions">'
        f"{functions}</node></node></node>\n"
    )
    implementation = f'<implementation name="{_SERVICE}"><service name="{_SERVICE}"/></implementation>'
    kinds = {
        "types.rdb": "application/vnd.sun.star.uno-typelibrary;type=RDB",
        "testnothing.components": "application/vnd.sun.star.uno-components",
        "CalcAddIns.xcu": "application/vnd.sun.star.configuration-data",
    }
    parts: dict[str, str | bytes] = {
        "META-INF/manifest.xml": manifest(kinds),
        "types.rdb": type_library("testnothing.XFunctions", methods),
        "testnothing.components": (
            '<?xml version="1.0"?><components xmlns="http://openoffice.org/2010/uno-components">'
            '<component loader="com.sun.star.loader.Python" uri="component.py">'
            f"{implementation}</component></components>"
        ),
        "CalcAddIns.xcu": _configuration("CalcAddIns", "org.openoffice.Office", add_in),
        "component.py": _COMPONENT,
        "description.xml": (
            '<?xml version="1.0"?><description xmlns="http://openoffice.org/extensions/description/2006">'
            '<identifier value="testnothing"/><version value="1"/></description>'
        ),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()
