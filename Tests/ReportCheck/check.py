"""Opens pages of `diurnal report` in Chromium and fails on what no page may do."""

import argparse
import os
import pathlib
import subprocess
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOW = "2025-12-31T20:00:00Z"


def make_pages(tool, out):
    """Makes a page for each kind of log and returns their paths by name."""

    def run(name, *words):
        environment = dict(os.environ, DIURNAL_STORE=str(out / f"{name}.sqlite"), TZ="UTC")
        result = subprocess.run(
            [tool, "--now", NOW, *words], env=environment, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"report-check: diurnal {' '.join(words)} failed: {result.stderr.strip()}")

    def table(name, header, rows):
        path = out / f"{name}.csv"
        path.write_text("\n".join([header, *rows]) + "\n")
        return str(path)

    for old in list(out.glob("*.sqlite*")) + list(out.glob("*.html")):
        old.unlink()
    run("year", "import", str(ROOT / "Datasets/diary.csv"))
    run("year", "log", "2025-12-31", "mood=7", "symptom.headache=0")
    run("year", "train")
    run("year", "tasks", "run")
    run("days", "import", table(
        "days", "date,mood,steps", [f"2025-12-{day},{day % 7},{day * 400}" for day in (29, 30, 31)]))
    run("decade", "import", str(ROOT / "Datasets/decade.csv"))
    run("hostile", "import", table(
        "hostile", 'date,"<img src=x onerror=alert(1)>","a""onload=""b",' + "x" * 40,
        [f"2025-{1 + day // 28:02}-{1 + day % 28:02},{day % 5},{day % 3},{day % 7}" for day in range(336)]))

    pages = {}
    for name, words in {
        "year": [], "days": [], "none": [], "hostile": [], "decade": ["--days", "3650"],
        "printed": ["--print"],
    }.items():
        page = out / f"{name}.html"
        store = "year" if name == "printed" else name
        if name == "none":
            run("none", "log", "2025-12-31", "mood=5")
            run("none", "log", "2025-12-31", "--clear", "mood")
        run(store, "report", "-o", str(page), *words)
        pages[name] = page
    return pages


def check(page, name, problems):
    """What the open page does wrong."""
    overflow = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if overflow > 0:
        problems.append(f"{name}: wider than the screen by {overflow} px")
    if page.locator("text=alert(1)").count() and page.locator("img").count():
        problems.append(f"{name}: a name became an element")
    for violation in Axe().run(page).response["violations"]:
        nodes = ", ".join(node["html"][:120] for node in violation["nodes"][:2])
        problems.append(f"{name}: axe {violation['id']} ({violation['impact']}): {nodes}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--browser", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    pages = make_pages(arguments.tool, out)
    size = pages["decade"].stat().st_size
    problems = []
    if size > 1_000_000:
        problems.append(f"decade: {size} bytes, more than 1 MB")
    views = 0
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=arguments.browser, args=["--no-sandbox"])
        for name, path in pages.items():
            for width in (360, 1280):
                for scheme in ("light", "dark"):
                    view = f"{name}-{width}-{scheme}"
                    # Scripts of the page's own are forbidden by its policy; axe has to pass it.
                    context = browser.new_context(
                        viewport={"width": width, "height": 900}, color_scheme=scheme,
                        bypass_csp=True)
                    page = context.new_page()
                    page.on("console", lambda m, v=view: problems.append(f"{v}: console: {m.text}"))
                    page.on("pageerror", lambda e, v=view: problems.append(f"{v}: error: {e}"))
                    page.on(
                        "request",
                        lambda r, v=view, own=path.as_uri(): None if r.url == own
                        else problems.append(f"{v}: request: {r.url}"))
                    page.goto(path.as_uri())
                    check(page, view, problems)
                    page.screenshot(path=str(out / f"{view}.png"), full_page=True)
                    views += 1
                    context.close()
            # Once with its policy in force: nothing of the page may offend against it.
            context = browser.new_context()
            page = context.new_page()
            page.on("console", lambda m, v=name: problems.append(f"{v}: policy: {m.text}"))
            page.goto(path.as_uri())
            page.pdf(path=str(out / f"{name}.pdf"), format="A4", prefer_css_page_size=True)
            context.close()
        browser.close()
    for problem in sorted(set(problems)):
        print(problem)
    print(f"report-check: {views} views of {len(pages)} pages, decade {size // 1000} kB, "
          f"{len(set(problems))} problems; screenshots in {out}")
    sys.exit(1 if problems else 0)


main()
