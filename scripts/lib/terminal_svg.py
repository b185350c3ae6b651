#!/usr/bin/env python3
"""Runs a command in a terminal of its own (tmux) and writes what it showed as an animated SVG.

    terminal_svg.py OUT.svg COLUMNS ROWS COMMAND [ARGS…]

Frames are taken several times a second; a frame that looks like the last one only lasts longer. Long pauses are cut, so
that nobody waits. Colours follow the reader's light or dark scheme.
"""

import html
import re
import subprocess
import sys
import time

SOCKET = "windlass-recording"
INTERVAL = 0.2
LONGEST = 4.0
HOLD = 12.0
CELL, LINE, MARGIN = 8.43, 18, 14
STYLES = {"1": "b", "2": "f", "31": "r", "32": "g", "33": "y", "34": "u", "36": "c", "91": "r", "92": "g", "93": "y"}


def tmux(*args):
    return subprocess.run(["tmux", "-L", SOCKET, "-f", "/dev/null", *args], capture_output=True, text=True)


def record(columns, rows, command):
    """The frames that differ, each with how long it was seen."""
    quoted = " ".join("'" + part.replace("'", "'\\''") + "'" for part in command)
    started = tmux("new-session", "-d", "-x", columns, "-y", rows, "-s", "r", quoted + "; sleep 2")
    if started.returncode != 0:
        sys.exit(f"error: tmux does not start: {started.stderr.strip()}")
    tmux("set-option", "-t", "r", "status", "off")
    frames = []
    while True:
        shown = tmux("capture-pane", "-e", "-p", "-t", "r")
        if shown.returncode != 0:
            break
        text = shown.stdout.rstrip("\n")
        if text and frames and frames[-1][0] == text:
            frames[-1][1] = min(frames[-1][1] + INTERVAL, LONGEST)
        elif text:
            frames.append([text, INTERVAL])
        time.sleep(INTERVAL)
    if not frames:
        sys.exit("error: the command showed nothing")
    frames[-1][1] = HOLD
    return frames


def spans(line, classes):
    """A line with its escape sequences turned into styled spans, and the styles that hold at its end."""
    out = []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            for code in part[2:-1].split(";"):
                if code in ("", "0"):
                    classes = []
                elif code == "22":
                    classes = [name for name in classes if name not in "bf"]
                elif code == "39":
                    classes = [name for name in classes if name in "bf"]
                elif code in STYLES:
                    classes = classes + [STYLES[code]]
        elif part:
            text = html.escape(part)
            out.append(f'<tspan class="{" ".join(classes)}">{text}</tspan>' if classes else text)
    return "".join(out), classes


def lines(text, rows):
    """The lines of a frame as SVG. A style holds until it is reset, also on the lines below."""
    classes = []
    for at, line in enumerate(text.split("\n")[:rows]):
        styled, classes = spans(line, classes)
        if line.strip():
            yield f'<text x="{MARGIN}" y="{MARGIN + LINE * (at + 1) - 5}">{styled}</text>'


def svg(frames, columns, rows):
    total = sum(seconds for _, seconds in frames)
    width, height = columns * CELL + 2 * MARGIN, rows * LINE + 2 * MARGIN
    rules, groups, start = [], [], 0.0
    for number, (text, seconds) in enumerate(frames):
        begin, end = 100 * start / total, 100 * (start + seconds) / total
        rules.append(
            f"@keyframes k{number}{{0%{{opacity:0}}{begin:.3f}%{{opacity:1}}{end:.3f}%{{opacity:0}}100%{{opacity:0}}}}"
            f"#f{number}{{animation:k{number} {total:.1f}s step-end infinite}}"
        )
        groups.append(f'<g id="f{number}">{"".join(lines(text, rows))}</g>')
        start += seconds
    still = f"@media (prefers-reduced-motion:reduce){{g{{animation:none!important;opacity:0}}#f{len(frames) - 1}{{opacity:1}}}}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img">'
        "<title>windlass demo, from its first line to its last</title><style>"
        "svg{background:#fdfdfb}rect{fill:#fdfdfb}text{fill:#1c1e22;white-space:pre;font:14px ui-monospace,'DejaVu Sans Mono',Menlo,monospace}"
        ".b{font-weight:bold}.f{fill:#6a6f76}.r{fill:#b3261e}.g{fill:#1a6b35}.y{fill:#8a5a00}.u,.c{fill:#0b57d0}g{opacity:0}"
        "@media (prefers-color-scheme:dark){svg{background:#14171a}rect{fill:#14171a}text{fill:#e6e6e3}.f{fill:#9aa0a6}.r{fill:#ff8a80}.g{fill:#7bd88f}.y{fill:#ffc66d}.u,.c{fill:#8ab4f8}}"
        f"{''.join(rules)}{still}</style><rect width=\"100%\" height=\"100%\" rx=\"8\"/>{''.join(groups)}</svg>\n"
    )


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    out, columns, rows, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    frames = record(str(columns), str(rows), command)
    with open(out, "w", encoding="utf-8") as file:
        file.write(svg(frames, columns, rows))
    print(f"{out}: {len(frames)} frames, {sum(seconds for _, seconds in frames):.0f} s", file=sys.stderr)


main()
