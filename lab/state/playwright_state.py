"""Logs in to Django's admin site with Playwright, or opens it with a storage state file.

Usage: playwright_state.py CHROMIUM login|open URL FILE, where FILE is written or read. Prints the
page's title and the theme in localStorage as JSON.
"""

import json
import sys

from playwright.sync_api import sync_playwright

program, what, url, file = sys.argv[1:]
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
    given = file if what == "open" and file else None
    context = browser.new_context(storage_state=given)
    page = context.new_page()
    page.goto(url)
    if what == "login":
        page.fill("#id_username", "admin")
        page.fill("#id_password", "sight")
        page.click("[type=submit]")
        page.evaluate("localStorage.setItem('theme', 'dark')")
        context.storage_state(path=file)
    print(json.dumps({"title": page.title(), "theme": page.evaluate("localStorage.theme")}))
    browser.close()
