"""How different two colours look to people with normal and with other colour vision.

Simulated by G. Machado, M. Oliveira and L. Fernandes (2009), severity 1.0. Differences by CIEDE2000, as G. Sharma,
W. Wu and E. Dalal (2005) write it out.
"""

from __future__ import annotations

from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import numpy as np

_SEEN = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
_TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
_WHITE = (0.95047, 1.0, 1.08883)


def least_difference(colours: list[str]) -> float:
    """The smallest CIEDE2000 difference of two of the colours, to any of these kinds of vision."""
    return min(
        ciede2000(lab(one, vision), lab(other, vision)) for one, other in combinations(colours, 2) for vision in _SEEN
    )


def lab(colour: str, vision: str = "normal") -> tuple[float, float, float]:
    """A colour such as #0072B2 in CIELAB, as this kind of vision sees it."""
    coded = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    ratio = np.array(_TO_XYZ) @ np.clip(np.array(_SEEN[vision]) @ linear, 0, 1) / _WHITE
    x, y, z = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116).tolist()
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """The difference of two colours in CIELAB; 1 is about what can just be seen."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    more = 1.5 - 0.5 * sqrt(mean**7 / (mean**7 + 25**7))
    c1, c2 = hypot(more * a1, b1), hypot(more * a2, b2)
    h1, h2 = degrees(atan2(b1, more * a1)) % 360, degrees(atan2(b2, more * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue))
    t += 0.32 * cos(radians(3 * hue + 6)) - 0.2 * cos(radians(4 * hue - 63))
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * t)
    rotated = sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(dl**2 + dc**2 + dh**2 - 2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * rotated * dc * dh)
