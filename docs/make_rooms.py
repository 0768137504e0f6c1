"""Draw docs/rooms.svg again: the rooms of valet_xl in rows, from the directions of imports in pyproject.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

HERE = Path(__file__).parent
PICTURE = HERE / "rooms.svg"
CAPTIONS = (
    *("what people start", "what they get", "what it is made from", "who holds which card"),
    *("what everything rests on", "sentences", "what can go wrong", "which release it is"),
)
LEFT, WIDE, HIGH, GAP, ROW = 200, 120, 34, 14, 62


def layers() -> list[list[str]]:
    """The rooms of each row, from the top."""
    contracts = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    return [layer.split(" | ") for layer in contracts["contracts"][0]["layers"]]


def drawing() -> str:
    """The picture as SVG: a row of boxes under each other, with an arrow from each row to the next."""
    rows = layers()
    width = LEFT + max(map(len, rows)) * (WIDE + GAP) + GAP
    height = len(rows) * ROW + GAP
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"',
        ' font-family="sans-serif" font-size="15" fill="#222">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    middle = LEFT + GAP + (WIDE + GAP) // 2
    for at, (caption, rooms) in enumerate(zip(CAPTIONS, rows, strict=True)):
        top = GAP + at * ROW
        out.append(f'<text x="{GAP}" y="{top + 22}" fill="#555">{caption}</text>')
        if at:
            arrow = f"M{middle} {top - ROW + HIGH + 3}v{ROW - HIGH - 10}m-5 -5l5 6l5 -6"
            out.append(f'<path d="{arrow}" fill="none" stroke="#555"/>')
        for place, room in enumerate(rooms):
            left = LEFT + GAP + place * (WIDE + GAP)
            box = f'x="{left}" y="{top}" width="{WIDE}" height="{HIGH}" rx="4" fill="#e8f0e0" stroke="#6b8e4e"'
            out.append(f"<rect {box}/>")
            out.append(f'<text x="{left + WIDE // 2}" y="{top + 22}" text-anchor="middle">{room}</text>')
    return "\n".join([*out, "</svg>", ""])


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(drawing(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
