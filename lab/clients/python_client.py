"""Proves that the official Python SDK (PyPI `mcp`) can drive the server: an SDK is
stricter than our own tests about what a server may send, and agents use SDKs.

usage: python_client.py PAGESIGHT_BINARY|URL_OF_MCP URL_OF_DASHBOARD_HTML

Over HTTP the token is in the environment variable PAGESIGHT_TOKEN.
"""

import base64
import json
import os
import re
import sys
import time

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


class Failed(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Failed(what)


def reference(outline, line):
    """The number that the outline gives to the thing described by `line`."""
    found = re.search(r"\[([^\]]+)\] " + re.escape(line), outline)
    check(found, f"no `{line}` in the outline:\n{outline}")
    return found[1]


async def drive(binary, url):
    stray = []  # what the SDK could not read as a message

    async def on_message(message):
        if isinstance(message, Exception):
            stray.append(message)

    if binary.startswith("http"):
        headers = {"Authorization": f"Bearer {os.environ['PAGESIGHT_TOKEN']}"}
        http = httpx2.AsyncClient(headers=headers, timeout=60)
        server = streamable_http_client(binary, http_client=http)
    else:
        server = StdioServerParameters(command=binary, args=["mcp"])
    async with Client(server, read_timeout_seconds=60, message_handler=on_message) as client:

        async def text_of(tool, arguments):
            result = await client.call_tool(tool, arguments)
            text = "".join(part.text for part in result.content if part.type == "text")
            check(not result.is_error, f"{tool} answered an error: {text}")
            return text

        tools = (await client.list_tools()).tools
        print(f"{len(tools)} tools")
        check(tools, "the server lists no tools")

        navigated = await text_of("browser_navigate", {"url": url})
        check('"Dashboard - MyApp"  200' in navigated, f"navigation: {navigated}")

        outline = await text_of("inspect_tab", {})
        check("status: Project created" not in outline, "the page is not fresh")
        search = reference(outline, "textbox: Search projects")
        button = reference(outline, "button: New Project")

        actions = [
            {"type": "fill", "element": search, "text": "Apollo"},
            {"type": "click", "element": button},
        ]
        verdicts = (await text_of("browser_interact", {"actions": actions})).splitlines()
        check(len(verdicts) >= 2, f"verdicts: {verdicts}")
        check(verdicts[0].startswith(f"filled [{search}]"), f"verdict: {verdicts[0]}")
        check(verdicts[1].startswith(f"clicked [{button}]"), f"verdict: {verdicts[1]}")

        after = await text_of("inspect_tab", {})
        check("status: Project created" in after, f"the click had no effect:\n{after}")
        check('textbox: Search projects = "Apollo"' in after, f"the fill had no effect:\n{after}")

        element = json.loads(await text_of("expand_dom_selector", {"elementId": button}))
        check(element["name"] == "New Project" and "#new" in element["selectors"], f"expanded: {element}")

        shot = await client.call_tool("take_screenshot", {"format": "png"})
        images = [part for part in shot.content if part.type == "image"]
        check(not shot.is_error and len(images) == 1, f"no screenshot: {str(shot)[:500]}")
        check(images[0].mime_type == "image/png", f"screenshot is {images[0].mime_type}")
        check(base64.b64decode(images[0].data).startswith(b"\x89PNG"), "the screenshot is no PNG")

        wrong = await client.call_tool("inspect_tab", {"tab": "no-such-tab"})  # a protocol error raises
        check(wrong.is_error is True, f"an unknown tab is not a tool error: {wrong}")

        version = client.protocol_version
        closing = time.monotonic()
    # The SDK kills, without a word, a server that is still there 2 s after its input closed.
    check(time.monotonic() - closing < 2, "the server did not exit when its input closed")
    check(not stray, f"not protocol messages: {stray}")
    return f"ok: {len(tools)} tools, protocol {version}, navigate inspect fill click expand screenshot tool-error close"


if len(sys.argv) != 3:
    sys.exit(__doc__)
try:
    print(anyio.run(drive, *sys.argv[1:]))
except Exception as error:
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    print(f"failed: {error if isinstance(error, Failed) else repr(error)}")
    sys.exit(1)
